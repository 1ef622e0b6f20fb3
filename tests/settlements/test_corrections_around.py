"""Corrections where more than the round is touched: void rounds, ended shoes, closed sessions."""

from datetime import date

import pytest

from audit.log.replay import replay_log
from audit.log.rows import Actor, Row
from audit.log.services import append, service
from audit.log.verify import verify_log
from settlements.correction import Reissue
from settlements.errors import CorrectionDisputedError, CorrectionStageError
from settlements.models import CheckResult, DayRun, Payout, Settlement
from settlements.selectors.bill import correction_bill
from settlements.selectors.reported import reported
from settlements.services.voids import VoidCause
from tables.models import Card, DisputeHold, Round, ShoeStatement, TableSession
from tables.selectors.round_read import RoundName, read_round
from tables.services.rounds import call_off_round
from tables.services.sessions import close_table, key_count, start_closing
from tables.services.shoe_end import end_shoe
from tests.factories.house import (
    NOW,
    OPENER,
    House,
    bet,
    key,
    open_round,
    settle_part,
    signer,
    void_as_shown,
)
from tests.settlements.correcting import (
    WAGERS,
    check_all,
    correct,
    dealt,
    hire,
    mispaid,
    misread,
    put_in_charge,
    session,
    sign,
)

LATE = (sign("manager"), sign("watcher", camera="C7 14:05:20"))
FIRST_TWO = {1: "2H", 2: "8S", 3: "5S", 4: "7C", 5: "8D", 6: "JD"}


@pytest.fixture
def house(house: House) -> House:
    """The house of the settlement tests, with enough people to sign."""
    hire(house)
    return house


def voided(house: House, *, first_two: bool = False, swept: bool = True) -> RoundName:
    """Deal the first two laps, settle the pair wagers, and void the round (event 26)."""
    name = open_round(house)
    bet(house, name, WAGERS)
    key(house, name, FIRST_TWO if swept else {1: "2H", 2: "8S"})
    if swept:
        settle_part(house, name, "sweep")
        key(house, name, {7: "KD"})
    void_as_shown(
        name=name,
        cause=VoidCause(event=26, first_two=first_two, note="a card fell"),
        signers=[signer("supervisor"), signer("manager")],
        by=house.acting("supervisor"),
    )
    return name


def revisions() -> set[tuple[str, int, str]]:
    return set(Settlement.objects.values_list("part", "revision", "kind"))


def test_a_card_of_a_void_round_is_corrected_for_the_record(house: House) -> None:
    name = voided(house)
    before = session()
    correct(house, name, misread(7, "?", as_seen=True))
    assert Card.objects.get(draw=7, revision=2).face == "?"
    assert revisions() == {("sweep", 1, "settled"), ("final", 1, "voided")}
    assert session().bank_handed_minor == before.bank_handed_minor
    assert Round.objects.get(key=name.key).stage == "voided"


def test_a_pair_that_stands_in_a_void_round_follows_its_cards(house: House) -> None:
    name = voided(house)
    correct(house, name, misread(5, "9D"))  # no pair of eights: the wager of seat 3 was lost
    assert revisions() == {
        ("sweep", 1, "settled"),
        ("sweep", 2, "corrected"),
        ("final", 1, "voided"),
    }
    line = Payout.objects.get(part="sweep", revision=2, seat=3)
    assert (line.outcome, line.owed_minor, line.handed_minor) == ("lose", 0, 0)
    check_all()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    assert CheckResult.objects.count() == 3


@pytest.mark.parametrize("swept", [True, False])
def test_stakes_of_a_void_round_go_back_as_they_were(house: House, swept: bool) -> None:
    name = voided(house, first_two=True, swept=swept)
    wagers = {1: {"main": 12_000, "pair": 1_500}}
    bill = correction_bill(name, mispaid({}, moved=True, wagers=wagers))
    assert {line.after.owed_minor for line in bill.lines if line.after} == {12_000, 1_500}
    correct(house, name, mispaid({}, moved=True, wagers=wagers))
    check_all()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    assert session().bank_handed_minor == session().bank_owed_minor == 0
    assert session().handle_minor == 0
    assert replay_log().problems == []


def test_a_round_that_was_called_off_moved_no_money(house: House) -> None:
    name = open_round(house)
    bet(house, name, WAGERS)
    call_off_round(name=name, by=house.acting("dealer", table="T1"))
    with pytest.raises(CorrectionStageError):
        correction_bill(name, misread())


def test_an_ended_shoe_is_stated_anew_with_the_corrected_cards(house: House) -> None:
    for _ in range(2):
        name = dealt(house)
    supervisor = house.acting("supervisor")
    end_shoe(table="T1", shoe=1, stub_cards=416 - 1 - 18, by=supervisor)
    bill = correction_bill(name, misread(1, "2D"))
    assert ("shoe_statement", "T1/1") in {(item.kind, item.subject) for item in bill.reissue}
    correct(house, name, misread(1, "2D"))
    stated = ShoeStatement.objects.order_by("revision")
    assert [each.revision for each in stated] == [1, 2]
    assert [(each.dealt, each.burned, each.stub) for each in stated] == [(18, 1, 397)] * 2
    assert stated[1].unknown_faces == stated[0].unknown_faces == 1
    assert replay_log().problems == []


def test_a_closed_session_takes_the_sums_and_asks_for_the_manager_in_charge(house: House) -> None:
    name = dealt(house)
    _close(house)
    put_in_charge(house)
    before = session()
    assert before.state == TableSession.State.CLOSED
    bill = correction_bill(name, misread())
    assert ("session", "T1/S1") in {(item.kind, item.subject) for item in bill.reissue}
    correct(house, name, misread(), *LATE)
    now = session()
    assert now.bank_handed_minor - before.bank_handed_minor == -bill.to_move_minor
    assert (now.closer_minor, now.closed_at) == (before.closer_minor, before.closed_at)
    assert replay_log().problems == []
    assert verify_log(place=None).problems == []


def _close(house: House) -> None:
    supervisor, dealer = house.acting("supervisor"), house.acting("dealer", table="T1")
    end_shoe(table="T1", shoe=1, stub_cards=416 - 1 - 9, by=supervisor)
    start_closing(table="T1", session=1, by=supervisor)
    for by in (dealer, supervisor):
        key_count(table="T1", session=1, kind="closer", revision=1, pieces=OPENER, by=by)
    close_table(table="T1", session=1, by=supervisor)


@service
def hold(name: RoundName, *, seat: int | None, wager: str) -> None:
    """Hold a wager or a round, as a dispute does."""
    read = read_round(name)
    values = {
        "key": f"{name.table}/D1",
        "table": read.table,
        "round": read.ref,
        "number": 1,
        "seat": seat,
        "wager": wager,
        "disputed_minor": 6_000,
        "irregularity_number": 1,
        "state": "open",
        "opened_at": NOW,
    }
    append(
        stream=name.stream,
        action="dispute.opened",
        subject=name.key,
        actor=Actor(key="1003", name="supervisor", role="supervisor"),
        new_heads=[Row(DisputeHold, values)],
    )


@pytest.mark.parametrize(
    ("seat", "wager", "draw", "face", "is_held"),
    [
        (3, "jacks", 9, "2C", True),
        (3, "", 9, "2C", True),
        (None, "", 1, "2D", True),
        (1, "pair", 9, "2C", False),
        (1, "", 1, "2D", False),
    ],
)
def test_a_dispute_holds_what_it_holds(
    house: House, seat: int | None, wager: str, draw: int, face: str, is_held: bool
) -> None:
    name = dealt(house)
    hold(name, seat=seat, wager=wager)
    if is_held:
        with pytest.raises(CorrectionDisputedError):
            correction_bill(name, misread(draw, face))
    else:
        correct(house, name, misread(draw, face))


def test_the_bill_lists_what_was_reported_with_the_round(house: House) -> None:
    name = dealt(house)
    unreported = correction_bill(name, misread())
    report_day()
    assert reported(read_round(name)) == (Reissue("day", "2026-03-01/2"),)
    bill = correction_bill(name, misread())
    assert bill.reissue[-1:] == reported(read_round(name))
    assert bill.hash != unreported.hash


@service
def report_day() -> None:
    """Write two reconciliations of the day: one that is done, one after it."""
    for number in (1, 2):
        values = {
            "key": f"2026-03-01/{number}",
            "day": date(2026, 3, 1),
            "number": number,
            "state": "done",
            "plan": [],
            "started_at": NOW,
            "started_by": "system:day",
        }
        append(
            stream="jobs",
            action="day.run_started",
            subject=f"2026-03-01/{number}",
            actor=Actor(key="system:day", name="Day reconciliation", role="system"),
            new_heads=[Row(DayRun, values)],
        )
