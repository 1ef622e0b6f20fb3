"""A late round of a shoe that is void by now is put in question like the others (event 27)."""

from datetime import timedelta

import pytest

from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_voids import listed_rounds
from tables.models import Shoe
from tables.selectors.round_read import RoundName
from tests.factories.house import House, ready_the_shoe
from tests.settlements.correcting import hire, put_in_charge
from tests.settlements.deciding import decide, decision
from tests.support.floors import ref_of
from tests.tables.irregularities.ruling import TOLD_ALL, close_shoe, prove, rule
from tests.tables.paper.sheets import agree, key_twice, misdeal, reserve, sheet

Json = dict[str, object]


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor, "manager")
    return floor


def come_in(house: House, name: RoundName, document: Json) -> None:
    """Two people key a sheet of half an hour ago."""
    key_twice(house, name, document, dealt_at=house.now - timedelta(minutes=10))


def listed() -> list[tuple[str, str, int, int]]:
    """The rounds in question: which, of which shoe, in which revisions."""
    rows = ShoeVoidRound.objects.order_by("id")
    return [(r.round.key, r.shoe.key, r.sweep_revision, r.final_revision) for r in rows]


@pytest.mark.parametrize(("document", "sweep"), [(sheet(), 1), (misdeal(), 0)])
def test_a_late_round_of_a_void_shoe_is_listed_and_decided_of(
    house: House, document: Json, sweep: int
) -> None:
    name, called_off = reserve(house, 2, after=0).rounds
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    assert listed() == []
    come_in(house, name, document)
    if document["end"] == "voided":
        agree(house, name, keep="first", signers=("supervisor", "manager"))
    assert listed() == [(name.key, "T1/1", sweep, 1)]
    come_in(house, called_off, {"end": "called_off", "dealer": "1001", "seats": []})
    assert len(listed()) == 1, "no card decided anything in a round that was called off"
    (found,) = listed_rounds(ref_of(Shoe.objects.get(key="T1/1")))
    assert found.stake_minor == 34000
    decide(house, decision("reverse", moved=True))
    kept = ShoeVoidRound.objects.order_by("revision").values_list("revision", "decision")
    assert list(kept) == [(1, "open"), (2, "reverse")]
    prove(house)


@pytest.mark.parametrize(("since", "asked"), [(1, True), (None, False)])
def test_a_late_round_is_in_question_by_a_later_shoe_that_goes_back_as_far(
    house: House, since: int | None, *, asked: bool
) -> None:
    (name,) = reserve(house, 1, after=0).rounds
    close_shoe(house, out=9)
    ready_the_shoe(house)
    rule(house, 27, "void", "MH", told=TOLD_ALL, shoe=2, since_shoe=since)
    come_in(house, name, sheet())
    assert listed() == ([(name.key, "T1/2", 1, 1)] if asked else [])
    prove(house)
