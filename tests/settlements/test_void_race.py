"""A void signed while the pair wagers are swept: the second is shown what goes back now.

The twin without the lock shows the harm: the same wagers are paid by the sweep and handed back by
the void.
"""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from settlements.services import settle as settling
from settlements.services.voids import VoidCause, Voided, void_bill, void_round
from tables.models import Round
from tables.selectors.round_read import RoundName
from tests.concurrency.racing import code_of, lock_taken_away, overlap
from tests.concurrency.sweeping import pair_payouts, sweeping
from tests.factories.house import House, bet, key, open_round, signer
from tests.support.floors import FloorClone


@pytest.fixture
def name(floor_clone: FloorClone) -> RoundName:
    """A round with one pair, which waits for its sweep."""
    name = open_round(floor_clone.house)
    bet(floor_clone.house, name, {1: {"main": 10_000, "pair": 1_000}})
    key(floor_clone.house, name, {1: "8H", 2: "5S", 3: "8C", 4: "3D"})
    return name


def voiding(house: House, name: RoundName) -> Callable[[], Voided]:
    """Two people sign what they have just seen."""
    cause = VoidCause(event=26, first_two=False, note="dropped", cards_out=4)
    signers, by = [signer("supervisor"), signer("manager")], house.acting("supervisor")
    seen = void_bill(name, first_two=False).seen
    return lambda: void_round(name=name, cause=cause, seen=seen, signers=signers, by=by)


def test_a_void_that_waited_for_the_sweep_is_looked_at_again(
    floor_clone: FloorClone, name: RoundName
) -> None:
    house = floor_clone.house
    met = overlap(
        sweeping(house, name), voiding(house, name), writes=settling, clone=floor_clone.database
    )
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "void.changed")
    assert pair_payouts() == [("sweep", "win", 11_000)]
    voiding(house, name)()
    assert pair_payouts() == [("sweep", "win", 11_000)], "it stands (A20)"
    assert replay_log().problems == []


def test_without_the_lock_a_pair_is_paid_and_handed_back(
    floor_clone: FloorClone, name: RoundName
) -> None:
    house = floor_clone.house
    with lock_taken_away():
        met = overlap(
            sweeping(house, name), voiding(house, name), writes=settling, clone=floor_clone.database
        )
    assert not met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert pair_payouts() == [("final", "void", 1_000), ("sweep", "win", 11_000)]
    assert Round.objects.get(key=name.key).stage != Round.Stage.VOIDED
