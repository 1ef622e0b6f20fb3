"""A void is signed as an irregularity while the pair wagers are swept: it is looked at again.

What was seen is compared under the table's lock. The twins show the harm without it: two people
sign for a stake that goes back, and another thing is done, or the same wager is paid twice.
"""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from settlements.services import irregularities
from settlements.services import settle as settling
from settlements.services.irregularities import Ruled, record_irregularity
from settlements.services.irregularity_preview import foresee_irregularity
from tables.models import Irregularity, Round
from tables.selectors.round_read import RoundName
from tests.concurrency.racing import code_of, lock_taken_away, overlap
from tests.concurrency.sweeping import pair_payouts, sweeping
from tests.factories.house import House
from tests.settlements.correcting import hire
from tests.support.floors import FloorClone
from tests.tables.irregularities.ruling import DEAL, begin, case, signed


@pytest.fixture
def name(floor_clone: FloorClone) -> RoundName:
    """A round with one pair, which waits for its sweep."""
    hire(floor_clone.house)
    return begin(floor_clone.house, cards=DEAL[:6])


def ruling(house: House, name: RoundName) -> Callable[[], Ruled]:
    """Two people sign what they have just seen."""
    made, by = case(house, 26, "void", name=name, cards_out=6), house.acting("supervisor")
    foreseen = foresee_irregularity(case=made, by=by)
    signers, seen = signed("SM"), foreseen.hash
    return lambda: record_irregularity(case=made, signers=signers, by=by, seen=seen)


def test_what_waited_for_the_sweep_is_looked_at_again(
    floor_clone: FloorClone, name: RoundName
) -> None:
    house = floor_clone.house
    met = overlap(
        sweeping(house, name), ruling(house, name), writes=settling, clone=floor_clone.database
    )
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "irregularity.changed")
    assert not Irregularity.objects.exists()
    ruling(house, name)()
    assert pair_payouts() == [("sweep", "win", 11_000)], "it stands (A20)"
    assert Round.objects.get(key=name.key).stage == Round.Stage.VOIDED
    assert replay_log().problems == []


def test_compared_before_the_lock_something_else_is_done_than_was_signed(
    floor_clone: FloorClone, name: RoundName, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = floor_clone.house
    monkeypatch.setattr(irregularities, "lock_stream", lambda stream: None)
    met = overlap(
        sweeping(house, name), ruling(house, name), writes=settling, clone=floor_clone.database
    )
    assert met.waited, "for the lock that the record takes later"
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert pair_payouts() == [("sweep", "win", 11_000)], "its stake was to go back"
    assert Irregularity.objects.get().event == 26


def test_without_any_lock_a_pair_is_paid_and_handed_back(
    floor_clone: FloorClone, name: RoundName
) -> None:
    house = floor_clone.house
    with lock_taken_away():
        met = overlap(
            sweeping(house, name), ruling(house, name), writes=settling, clone=floor_clone.database
        )
    assert not met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert pair_payouts() == [("final", "void", 1_000), ("sweep", "win", 11_000)]
