"""Money that a correction moves after the session of its round closed: whose chips it is."""

from dataclasses import replace

import pytest

from audit.log.replay import replay_log
from settlements.correction import Correction, LateMoney
from settlements.day.checks import examine
from settlements.selectors.bill import correction_bill
from tables.models import DisputeHold, TableSession
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute
from tables.services.sessions import (
    close_table,
    key_count,
    open_table,
    start_closing,
    start_session,
)
from tests.factories.house import OPENER, House
from tests.settlements.correcting import correct, dealt, hire, mispaid, misread, put_in_charge, sign
from tests.tables.irregularities.ruling import close_shoe, signed

LATE = (sign("manager"), sign("watcher", camera="C7 14:05:20"))
OPENER_MINOR = sum(int(each) * pieces for each, pieces in OPENER.items())
TO_MOVE = 53_500  # with the House's third card read as it lay


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open, and enough people to sign late."""
    hire(floor)
    put_in_charge(floor)
    return floor


def close(house: House, *, apart: int = 0, out: int = 9) -> int:
    """Close the table on what the tray should hold, `apart` of it under a dispute; the closer."""
    close_shoe(house, out=out)
    left = count_and_close(house, apart=apart)
    assert differs() == []
    return left


def count_and_close(house: House, *, apart: int = 0) -> int:
    """Close the table, whose shoe is over, on what the tray should hold; the closer."""
    supervisor, dealer = house.acting("supervisor"), house.acting("dealer", table="T1")
    start_closing(table="T1", session=1, by=supervisor)
    left = OPENER_MINOR + session(1).bank_handed_minor - apart
    for by in (dealer, supervisor):
        key_count(table="T1", session=1, kind="closer", revision=1, pieces=in_chips(left), by=by)
    close_table(table="T1", session=1, by=supervisor)
    return left


def in_chips(amount: int) -> dict[str, int]:
    """Lay out an amount, the largest first."""
    pieces = {}
    for each in (1_000_000, 100_000, 10_000, 500):
        pieces[str(each)], amount = divmod(amount, each)
    assert not amount
    return pieces


def open_again(house: House, *, left: int) -> None:
    """Open the next session on what the last one left."""
    supervisor, dealer = house.acting("supervisor"), house.acting("dealer", table="T1")
    start_session(table="T1", by=supervisor)
    for by in (dealer, supervisor):
        key_count(table="T1", session=2, kind="opener", revision=1, pieces=in_chips(left), by=by)
    open_table(table="T1", session=2, by=supervisor)


def session(number: int) -> TableSession:
    return TableSession.objects.get(key=f"T1/S{number}")


def tray() -> int | None:
    """The tray of the session that is open, as the board derives it."""
    return next(line.tray_handed_minor for line in table_lines() if line.code == "T1")


def differs(number: int = 1) -> list[str]:
    """What the day would find of a closed session."""
    found = examine("session", f"T1/S{number}", day=session(number).gaming_day)
    return [f"{problem.code}: {problem.detail}" for problem in found.problems]


def dispute(house: House, name: RoundName, amount: int, *, minutes: int = 0) -> None:
    open_dispute(
        name=name,
        disputed=Disputed(1, "He says that he won.", 3, "main", amount),
        by=house.at(minutes=minutes).acting("supervisor"),
    )


def release(house: House, outcome: str = "patron") -> None:
    release_dispute(
        table="T1",
        number=1,
        ruling=Ruling(outcome, "The camera shows it."),
        signers=signed("SH"),
        by=house.acting("supervisor"),
    )


def late_of(name: RoundName, correction: Correction) -> LateMoney | None:
    return correction_bill(name, correction).late


def test_what_moves_now_comes_out_of_the_tray_that_is_open(house: House) -> None:
    name = dealt(house)
    left = close(house)
    open_again(house, left=left)
    assert tray() == left
    assert late_of(name, misread()) == LateMoney(TO_MOVE, None, 0, "T1/S2")
    correct(house, name, misread(), *LATE)
    assert tray() == left - TO_MOVE
    assert differs() == [], "the closed session's tray stays as it was counted"
    assert (session(1).moved_late_minor, session(2).moved_late_minor) == (TO_MOVE, -TO_MOVE)
    assert session(2).bank_handed_minor == 0, "what the bank gained is the closed session's"
    line = next(line for line in table_lines() if line.code == "T1")
    assert line.tray_owed_minor == line.tray_handed_minor
    assert replay_log().problems == []


def test_what_comes_back_goes_into_the_tray_that_is_open(house: House) -> None:
    name = dealt(house)
    left = close(house)
    open_again(house, left=left)
    correct(house, name, misread(), *LATE)
    correct(house, name, misread(face="JC"), *LATE)
    assert tray() == left
    assert (session(1).moved_late_minor, session(2).moved_late_minor) == (0, 0)
    assert differs() == []


def test_what_was_handed_then_belongs_to_the_session_that_closed(house: House) -> None:
    """The record was wrong: 1,500 of a lost wager had been given back, and the tray lacks it."""
    name = dealt(house)
    left = close(house)
    open_again(house, left=left)
    stated = mispaid({(3, "main"): 1_500}, moved=False)
    assert late_of(name, stated) is None
    correct(house, name, stated, *LATE)
    assert differs() == [f"day.tray_differs: counted {left}, derived {left - 1_500}"]
    assert tray() == left
    correct(house, name, mispaid({(3, "main"): 1_500}, moved=True), *LATE)
    assert differs() == [f"day.tray_differs: counted {left}, derived {left - 1_500}"], (
        "collected now, it does not lie in the tray of then"
    )
    assert tray() == left + 1_500


def test_what_a_table_cannot_pay_is_paid_out_of_no_tray(house: House) -> None:
    name = dealt(house)
    close(house)
    assert late_of(name, misread()) == LateMoney(TO_MOVE, None, 0, None)
    correct(house, name, misread(), *LATE)
    assert differs() == []
    assert replay_log().problems == []


def test_a_ruling_for_the_patron_is_paid_by_the_chips_that_left_with_the_hold(
    house: House,
) -> None:
    name = dealt(house)
    dispute(house, name, 25_000)
    left = close(house, apart=25_000)
    open_again(house, left=left)
    release(house)
    paid = replace(misread(), dispute=1)
    assert late_of(name, paid) == LateMoney(TO_MOVE, "T1/D1", 25_000, "T1/S2")
    correct(house, name, paid, *LATE)
    assert session(1).disputed_minor == 25_000, "so much lay apart when it was counted"
    assert differs() == []
    assert tray() == left - (TO_MOVE - 25_000), "the rest comes out of the tray"
    more = replace(mispaid({(3, "main"): 0}, moved=True), dispute=1)
    assert late_of(name, more) == LateMoney(40_000, None, 0, "T1/S2"), "a hold pays once"
    assert replay_log().problems == []


@pytest.mark.parametrize("when", ["for the house", "after it closed"])
def test_a_hold_pays_only_what_left_the_tray_for_the_patron(house: House, when: str) -> None:
    name = dealt(house)
    if when == "for the house":
        dispute(house, name, 25_000)
    left = close(house, apart=25_000 if when == "for the house" else 0)
    open_again(house, left=left)
    if when == "after it closed":
        dispute(house, name, 25_000, minutes=5)
    assert DisputeHold.objects.get().moved_at is not None
    release(house, "house" if when == "for the house" else "patron")
    paid = replace(misread(), dispute=1)
    assert late_of(name, paid) == LateMoney(TO_MOVE, None, 0, "T1/S2")


def test_an_open_session_pays_its_own_rounds(house: House) -> None:
    name = dealt(house)
    assert late_of(name, misread()) is None
    correct(house, name, misread())
    assert session(1).moved_late_minor == 0
    assert tray() == OPENER_MINOR + session(1).bank_handed_minor
