"""A void round goes to the discards whole: what is out and was not keyed is counted (event 26)."""

import pytest

from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from settlements.services.voids import VoidCause, void_bill, void_round
from tables.irregularities import EVENTS
from tables.irregularity_errors import IrregularityRefusedError
from tables.models import Card
from tests.factories.house import House, settle_part, signer, void_as_shown
from tests.settlements.correcting import mispaid
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.recording import WORDS, boxes, show
from tests.tables.irregularities.ruling import DEAL, begin, deal, drawn, prove, rule, shoe


def unseen() -> list[int]:
    """The draws that are on record without a face."""
    return list(Card.objects.filter(face="?").order_by("draw").values_list("draw", flat=True))


@pytest.mark.parametrize(
    ("keyed", "swept", "out", "stage"),
    [
        (6, True, 9, "third_lap"),
        (7, True, 8, "third_lap"),
        (6, True, 6, "pair_settled"),
        (6, False, 9, "second_lap"),
        (4, False, 6, "second_lap"),
        (2, False, 5, "second_lap"),
        (1, False, 2, "first_lap"),
    ],
)
def test_cards_that_lie_face_down_are_counted_with_a_void(
    house: House, keyed: int, swept: bool, out: int, stage: str
) -> None:
    name = begin(house, cards=DEAL[: min(keyed, 6)])
    if swept:
        settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:keyed], start=7)
    rule(house, 26, "void", "SM", name=name, cards_out=out)
    assert unseen() == list(range(keyed + 1, out + 1))
    assert Settlement.objects.get(part="final").void_stage == stage
    assert shoe().cards_dealt == out
    bill = correction_bill(name, mispaid({(3, "main"): 10000}, moved=True))
    assert bill.to_move_minor == 10000, "what was void can be corrected, whatever lies there"
    prove(house, out=out)


def test_a_surplus_card_and_cards_face_down_are_both_counted(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 10, "void", "SM", name=name, draws=drawn((10, None, "9H")), cards_out=10)
    assert unseen() == [7, 8, 9]
    assert (shoe().cards_dealt, shoe().cards_burned) == (9, 2)
    prove(house, out=10)


@pytest.mark.parametrize(("event", "letters"), [(26, "SM"), (14, "SM"), (32, "SH")])
def test_a_void_in_the_third_lap_says_how_many_cards_are_out(
    house: House, event: int, letters: str
) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    procedure = next(each.code for each in EVENTS[event].procedures.values() if each.voids_round)
    with nothing_recorded(), pytest.raises(IrregularityRefusedError) as silent:
        rule(house, event, procedure, letters, name=name, cards_out=None)
    assert "cards_out" in {fault["where"] for fault in silent.value.faults}


@pytest.mark.parametrize("out", [5, 10, 99])
def test_no_other_number_of_cards_can_be_out(house: House, out: int) -> None:
    name = begin(house, cards=DEAL[:6])
    with nothing_recorded(), refused("irregularity.refused"):
        rule(house, 26, "void", "SM", name=name, cards_out=out)
    signers = [signer("supervisor"), signer("manager")]
    cause = VoidCause(event=26, first_two=False, note="x", cards_out=out)
    with nothing_recorded(), refused("void.cards_out"):
        void_as_shown(name=name, cause=cause, signers=signers, by=house.acting("supervisor"))


def test_the_form_of_a_void_asks_what_only_the_table_knows(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    path, person = "/tables/T1/irregularities/record/26/void/", PagePerson(house, "supervisor")
    missing = show(person, path, {})
    assert missing.context["form"]["cards_out"].errors == ["This field is required."]
    shown = show(person, path, {"cards_out": "9"})
    assert shown.status_code == 200, text_of(shown)
    seen = {"shown": shown.context["foreseen"]["hash"], "act": "sign", "cards_out": "9"}
    assert person.post(path, {**WORDS, **seen, **boxes("SM")}).status_code == 302
    assert unseen() == [7, 8, 9]
    prove(house, out=9)


def test_a_plain_void_counts_them_and_repeats_itself(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    cause = VoidCause(event=26, first_two=False, note="x", cards_out=9)
    signers = [signer("supervisor"), signer("manager")]
    by = house.acting("supervisor")
    seen = void_bill(name, first_two=False).seen
    void_round(name=name, cause=cause, seen=seen, signers=signers, by=by)
    with nothing_recorded():
        again = void_round(name=name, cause=cause, seen=seen, signers=signers, by=by)
    assert again.done_before
    assert unseen() == [7, 8, 9]
    prove(house, out=9)
