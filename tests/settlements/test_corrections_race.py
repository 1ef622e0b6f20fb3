"""Two corrections of one round signed at once: one lands, the other is a conflict with a new bill.

The twin without the lock shows the harm: the second is written on a state that is gone, and only a
raw constraint of the database stops it.
"""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from settlements.errors import BillChangedError
from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from settlements.services import corrections
from settlements.services.corrections import Corrected, correct_round
from tables.selectors.round_read import RoundName
from tests.concurrency.racing import at_once, code_of, constraint_of, overlap
from tests.factories.house import House
from tests.settlements.correcting import SEAT_3_SECOND, TWO, dealt, hire, misread
from tests.support.floors import FloorClone


def correcting(house: House, name: RoundName, draw: int, face: str) -> Callable[[], Corrected]:
    """Two supervisors sign the bill that they have just read."""
    correction = misread(draw, face)
    bill = correction_bill(name, correction)
    by = house.acting("supervisor")
    return lambda: correct_round(
        name=name, correction=correction, bill_hash=bill.hash, signers=TWO, by=by
    )


def test_the_second_waits_and_is_shown_the_new_bill(floor_clone: FloorClone) -> None:
    house = floor_clone.house
    hire(house)
    name = dealt(house)
    first = correcting(house, name, 9, "2C")
    second = correcting(house, name, SEAT_3_SECOND, "9D")
    met = overlap(first, second, writes=corrections, clone=floor_clone.database)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "correction.bill_changed")
    assert isinstance(met.second, BillChangedError)
    anew = correction_bill(name, misread(SEAT_3_SECOND, "9D"))
    assert met.second.data["bill_hash"] == anew.hash
    assert Settlement.objects.filter(kind="corrected").count() == 1
    assert replay_log().problems == []


def test_without_the_lock_a_constraint_is_all_that_is_left(
    floor_clone: FloorClone, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = floor_clone.house
    hire(house)
    name = dealt(house)
    first = correcting(house, name, 9, "2C")
    second = correcting(house, name, SEAT_3_SECOND, "9D")
    monkeypatch.setattr(corrections, "lock_stream", lambda stream: None)
    met = overlap(first, second, writes=corrections, clone=floor_clone.database)
    assert not met.waited
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "settlement_one_per_revision"


def test_the_same_signed_bill_sent_by_many_is_one_correction(floor_clone: FloorClone) -> None:
    house = floor_clone.house
    hire(house)
    name = dealt(house)
    results = at_once([correcting(house, name, 9, "2C")] * 4)
    done = [result for result in results if isinstance(result, Corrected)]
    assert len(done) == 4, results
    assert sorted(result.done_before for result in done) == [False, True, True, True]
    assert len({result.receipt.hash for result in done}) == 1
    assert Settlement.objects.filter(kind="corrected").count() == 1
