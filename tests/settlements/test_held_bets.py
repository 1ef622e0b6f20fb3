"""Bets that lie apart whole under a hold: settled, and not paid until it is ruled (event 33)."""

from dataclasses import replace

import pytest

from audit.log.replay import replay_log
from casino.outbox.handlers import drain
from settlements.day.checks import examine
from settlements.models import Payout
from settlements.selectors.dispute_page import dispute_page
from settlements.selectors.paid import paid_lines
from settlements.selectors.round_page import round_page
from settlements.services.irregularity_preview import foresee_irregularity
from settlements.services.settle import settle_round
from tables.models import DisputeHold
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName, read_round
from tables.selectors.table_view import round_document
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute
from tests.factories.house import OPENER, House, settle_part
from tests.settlements.correcting import correct, hire, mispaid, put_in_charge
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    begin,
    case,
    deal,
    finish,
    prove,
    rule,
    session,
    signed,
    wager,
)

OPENER_MINOR = sum(int(each) * pieces for each, pieces in OPENER.items())
# Of `DEAL`: seat 1 is owed 20,000 and 11,000, seat 3 39,000 on its main bet and nothing on jacks.
TAKEN, OWED = 31_500, 70_000


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor)
    return floor


def tray() -> int | None:
    return next(line.tray_handed_minor for line in table_lines() if line.code == "T1")


def hold(house: House, name: RoundName, seat: int, kind: str) -> None:
    rule(house, 33, "hold", "H", name=name, told=TOLD_ALL, wagers=(wager(seat, kind),))


def handed(seat: int, kind: str) -> tuple[int, int]:
    """What is owed and what was handed over of a wager."""
    line = Payout.objects.filter(seat=seat, wager=kind).latest("revision")
    return line.owed_minor, line.handed_minor


def release(house: House, outcome: str, *, number: int = 1) -> None:
    release_dispute(
        table="T1",
        number=number,
        ruling=Ruling(outcome, "The law says so."),
        signers=signed("SH"),
        by=house.acting("supervisor"),
    )


def test_a_bet_that_is_held_and_wins_is_not_paid(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    finish(house, name, DEAL[6:], start=7)
    assert handed(3, "main") == (39_000, 0)
    assert handed(1, "main") == (20_000, 20_000), "what is not in dispute is paid"
    assert DisputeHold.objects.get().disputed_minor == session().disputed_minor == 39_000
    assert tray() == OPENER_MINOR + TAKEN - OWED, "winnings went from the tray to the hold"
    prove(house, out=9)


def test_a_bet_that_is_held_and_loses_lies_apart_with_its_stake(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "jacks")
    finish(house, name, DEAL[6:], start=7)
    assert handed(3, "jacks") == (0, 0)
    assert session().disputed_minor == 500
    assert tray() == OPENER_MINOR + TAKEN - OWED - 500
    prove(house, out=9)


def test_a_pair_that_is_held_is_not_paid_in_the_sweep(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 1, "pair")
    settle_part(house, name, "sweep")
    assert handed(1, "pair") == (11_000, 0)
    deal(house, name, DEAL[6:], start=7)
    settle_part(house, name, "final")
    assert session().disputed_minor == 11_000
    assert tray() == OPENER_MINOR + TAKEN - OWED
    prove(house, out=9)


def test_what_is_said_to_be_handed_over_was(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    dealer = house.acting("dealer", table="T1")
    stated = {(3, "main"): 19_000}
    settle_round(name=name, part="final", revision=1, handed=stated, by=dealer)
    assert handed(3, "main") == (39_000, 19_000)
    assert session().disputed_minor == 20_000, "what is left under the hold"
    assert tray() == OPENER_MINOR + TAKEN - OWED
    with refused("settlement.conflict"):
        settle_round(name=name, part="final", revision=1, handed={}, by=dealer)


def test_a_settlement_around_a_hold_is_sent_again(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    finish(house, name, DEAL[6:], start=7)
    dealer = house.acting("dealer", table="T1")
    for _ in range(2):
        with nothing_recorded():
            again = settle_round(name=name, part="final", revision=1, handed={}, by=dealer)
        assert again.done_before
        assert again.handed[3, "main"] == 0
        if DisputeHold.objects.get().state == "open":
            release(house.at(minutes=1), "house")
    with refused("settlement.conflict"):
        stated = {(3, "main"): 39_000}
        settle_round(name=name, part="final", revision=1, handed=stated, by=dealer)


def test_a_ruling_for_the_patron_is_paid_by_a_correction(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    finish(house, name, DEAL[6:], start=7)
    while drain():
        pass
    release(house, "patron")
    paying = replace(mispaid({(3, "main"): 0}, moved=True), dispute=1)
    correct(house, name, paying)
    assert handed(3, "main") == (39_000, 39_000)
    assert session().disputed_minor == 0
    assert tray() == OPENER_MINOR + TAKEN - OWED
    prove(house, out=9)


def test_what_is_kept_by_the_ruling_was_owed_and_not_handed_over(house: House) -> None:
    """The law decides; the record says that the hand won and that nothing was paid."""
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    finish(house, name, DEAL[6:], start=7)
    while drain():
        pass
    day = session().gaming_day
    found = [problem.code for problem in examine("shoe", "T1/1", day=day).problems]
    assert "payout.mispaid" not in found, "it lies under a hold"
    release(house, "house")
    assert tray() == OPENER_MINOR + TAKEN - OWED + 39_000
    problems = examine("shoe", "T1/1", day=day).problems
    assert [p.detail for p in problems if p.code == "payout.mispaid"] == [
        "seat 3 main: owed 39000, handed 0"
    ]


def test_glass_and_page_say_that_it_is_held(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 3, "main")
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)

    def held(lines: object) -> dict[tuple[int, str], int]:
        assert isinstance(lines, list)
        return {(x["seat"], x["wager"]): x["handed_minor"] for x in lines if x.get("held")}

    due = round_document(read_round(name))["owed"]
    assert isinstance(due, dict)
    assert held(due["lines"]) == {(3, "main"): 0}
    settle_part(house, name, "final")
    assert held(paid_lines(read_round(name))["lines"]) == {(3, "main"): 0}
    page = round_page(name, now=house.now)
    assert [(x.seat, x.wager, x.held_minor) for x in page.lines if x.is_held] == [
        (3, "main", 39_000)
    ]
    assert page.totals is not None
    assert (page.totals.held_minor, page.totals.difference_minor) == (39_000, 0)


@pytest.mark.parametrize(
    ("event", "procedure", "letters"), [(26, "void", "SM"), (32, "void", "SH"), (32, "hold", "SH")]
)
def test_a_void_goes_around_what_is_held(
    house: House, event: int, procedure: str, letters: str
) -> None:
    """One bet that is held keeps nobody at a table that burns."""
    name = begin(house, cards=DEAL[:4])
    hold(house, name, 3, "main")
    rule(house, event, procedure, letters, name=name)
    assert handed(3, "main") == (20_000, 0), "owed back, and still under its hold"
    assert handed(1, "main") == (10_000, 10_000)
    holds = DisputeHold.objects.order_by("number").values_list("disputed_minor", "in_result")
    rest = [(11_500, False)] if procedure == "hold" else []
    assert list(holds) == [(20_000, True), *rest]
    assert session().disputed_minor == 20_000
    assert tray() == OPENER_MINOR, "no stake was ever in it"
    for number in range(1, len(holds) + 1):
        release(house, "patron", number=number)
    correct(house, name, replace(mispaid({(3, "main"): 0}, moved=True), dispute=1))
    assert handed(3, "main") == (20_000, 20_000)
    assert (session().disputed_minor, tray()) == (0, OPENER_MINOR)
    assert replay_log().problems == []


@pytest.mark.parametrize("first_two", [False, True])
def test_a_held_pair_is_not_paid_by_a_void(house: House, first_two: bool) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 1, "pair")
    settle_part(house, name, "sweep")
    rule(house, 26, "void", "SM", name=name, first_two=first_two)
    owed = 1_000 if first_two else 11_000
    assert handed(1, "pair") == (owed, 0)
    assert session().disputed_minor == owed
    assert tray() == OPENER_MINOR + 1_000 - owed
    assert replay_log().problems == []


def test_a_pair_that_was_paid_before_it_was_held_is_taken_back_as_any_other(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    hold(house, name, 1, "pair")
    rule(house, 26, "void", "SM", name=name, first_two=True)
    assert handed(1, "pair") == (1_000, 1_000)
    assert (session().disputed_minor, tray()) == (0, OPENER_MINOR)


def test_what_a_void_would_do_says_what_stays_held(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    hold(house, name, 3, "main")
    foreseen = foresee_irregularity(
        case=case(house, 26, "void", name=name), by=house.acting("supervisor")
    )
    turns = {(x.seat, x.wager): (x.what, x.back_minor, x.held_minor) for x in foreseen.wagers}
    assert turns[3, "main"] == ("held", 0, 20_000)
    assert turns[3, "jacks"] == ("back", 500, 0)


def test_what_lies_under_one_hold_is_not_put_under_another(house: House) -> None:
    """A seat is held after its pair was paid: the void leaves less of it apart than was opened."""
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    by = house.acting("supervisor")
    open_dispute(name=name, disputed=Disputed(1, "He says nine.", seat=1), by=by)
    assert DisputeHold.objects.get().disputed_minor == 11_000
    rule(house, 32, "hold", "SH", name=name)
    holds = DisputeHold.objects.order_by("number").values_list("disputed_minor", "in_result")
    assert list(holds) == [(10_000, True), (20_000 + 500, False)]
    assert replay_log().problems == []


def test_a_pair_that_is_ruled_before_the_round_is_over_waits_for_its_correction(
    house: House,
) -> None:
    name = begin(house, cards=DEAL[:6])
    hold(house, name, 1, "pair")
    settle_part(house, name, "sweep")
    release(house, "patron")
    with nothing_recorded():
        settle_part(house, name, "sweep")
    finish(house, name, DEAL[6:], start=7)
    assert handed(1, "pair") == (11_000, 0)
    assert dispute_page("T1", 1, now=house.now).awaits_correction
