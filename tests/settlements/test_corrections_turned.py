"""Corrections of rounds in which an irregularity took wagers out, or voided what was not swept."""

import pytest

from settlements.errors import CorrectionRefusedError
from settlements.selectors.bill import correction_bill
from tests.factories.house import House
from tests.settlements.correcting import correct, hire, mispaid, put_in_charge
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    deal,
    finish,
    paid,
    prove,
    rule,
    session,
    wager,
)


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor)
    return floor


def test_a_round_void_before_its_late_sweep_is_corrected(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 19, "settle_late", "SV", name=name)
    deal(house, name, DEAL[6:7], start=7)
    rule(house, 26, "void", "SM", name=name)
    before = paid(name)
    correct(house, name, mispaid({(3, "main"): 15_000}, moved=False))
    assert paid(name) == before, "stakes go back as they did"
    assert session().bank_handed_minor == 5_000
    prove(house, findings=["payout.mispaid"])


def test_a_hand_of_which_wagers_were_taken_out_is_not_moved(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "jacks"),))
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    moved = mispaid({}, moved=False, wagers={3: {}, 4: {"main": 20_000, "jacks": 500}})
    with pytest.raises(CorrectionRefusedError) as caught:
        correction_bill(name, moved)
    assert [(x["code"], x["seats"]) for x in caught.value.faults] == [
        ("correction.seat_turned", [3])
    ]
    other = mispaid({}, moved=True, wagers={1: {}, 2: {"main": 10_000, "pair": 1_000}})
    assert correction_bill(name, other).live == ((1, 3), (2, 3)), "the other hand moves"
