"""A round called off while somebody disputes it: what the lock of the table makes of the two.

A hold on stakes that went back would give back, at its release, what never lay apart. The twin
without the lock shows just that round.
"""

from collections.abc import Callable

import pytest

from tables.models import DisputeHold, Round
from tables.selectors.round_read import RoundName
from tables.services import disputes, rounds
from tables.services.disputes import Disputed, DisputeDone, open_dispute
from tables.services.rounds import Step, call_off_round
from tests.concurrency.places import Place, new_place
from tests.concurrency.racing import code_of, lock_taken_away, overlap
from tests.factories.house import bet, open_round
from tests.support.floors import FloorClone


@pytest.fixture
def place(races: FloorClone) -> Place:
    """A table of the race's own, dealing."""
    return new_place(races.house).dealing()


@pytest.fixture
def name(place: Place) -> RoundName:
    """A round in which seat 1 has bet."""
    name = open_round(place.house, table=place.code)
    bet(place.house, name, {1: {"main": 10000}})
    return name


def disputing(place: Place, name: RoundName) -> Callable[[], DisputeDone]:
    """A supervisor opens a hold."""
    disputed = Disputed(1, "He says that he bet more.", seat=1, wager="main")
    return lambda: open_dispute(name=name, disputed=disputed, by=place.supervisor)


def calling_off(place: Place, name: RoundName) -> Callable[[], Step]:
    """The dealer ends the round without cards."""
    return lambda: call_off_round(name=name, by=place.dealer)


def stands(name: RoundName) -> tuple[str, list[str]]:
    """The round's stage, and the states of its holds."""
    round_ = Round.objects.get(key=name.key)
    holds = DisputeHold.objects.filter(round=round_).values_list("state", flat=True)
    return round_.stage, list(holds)


def test_a_round_that_is_disputed_meanwhile_is_not_called_off(
    races: FloorClone, place: Place, name: RoundName
) -> None:
    both = overlap(
        disputing(place, name),
        calling_off(place, name),
        writes=disputes,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "dispute.held")
    assert stands(name) == ("betting", ["open"])


def test_a_round_that_is_called_off_meanwhile_is_not_disputed(
    races: FloorClone, place: Place, name: RoundName
) -> None:
    both = overlap(
        calling_off(place, name),
        disputing(place, name),
        writes=rounds,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "round.stage")
    assert stands(name) == ("called_off", [])


def test_without_the_lock_a_round_that_was_called_off_is_held(
    races: FloorClone, place: Place, name: RoundName
) -> None:
    with lock_taken_away():
        both = overlap(
            disputing(place, name),
            calling_off(place, name),
            writes=disputes,
            clone=races.database,
        )
    assert not both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    assert stands(name) == ("called_off", ["open"])
