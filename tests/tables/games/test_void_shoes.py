"""Decisions on the rounds of a void shoe in Lucky 9: Colons, what is owed beyond a stake, and a
bank at a seat (event 27)."""

from collections.abc import Callable

import pytest

from settlements.models import CheckResult, Payout
from tables.models import Round
from tests.settlements.correcting import check_all, hire, put_in_charge
from tests.settlements.deciding import bill_for, decide, decision
from tests.settlements.test_late_money import count_and_close, differs
from tests.support.pages import PagePerson, text_of
from tests.support.records import refused
from tests.tables.games.cases import CASES, LOSE, WIN
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import TOLD_ALL, paid, prove, rule, session

NewTable = Callable[..., GameTable]
VOID = "void"


def void(table: GameTable) -> None:
    """Put a manager in charge and void the shoe."""
    hire(table.house)
    put_in_charge(table.house)
    rule(table.house, 27, "void", "MH", told=TOLD_ALL)


def test_the_bonus_of_a_lost_colon_stands_for_losers_and_goes_when_all_is_reversed(
    new_table: NewTable,
) -> None:
    table = new_table("lucky-9", options={"colon": {"on_loss": "bonus_part"}})
    table.play({1: 10_000}, {1: "3S 3D", 0: "9S KD"})
    name = table.name
    assert paid(name) == {(1, "main"): (LOSE, 0), (1, "colon_bonus"): (WIN, 10_000)}
    void(table)
    bill = bill_for(decision("refund_losers", moved=True))
    assert (bill.to_players_minor, bill.to_bank_minor) == (10_000, 0)
    decide(table.house, decision("refund_losers", moved=True))
    assert paid(name) == {(1, "main"): (VOID, 10_000), (1, "colon_bonus"): (WIN, 10_000)}
    reverse = decision("reverse", name.key, moved=True)
    assert bill_for(reverse).to_bank_minor == 10_000
    decide(table.house, reverse)
    assert paid(name) == {(1, "main"): (VOID, 10_000), (1, "colon_bonus"): (VOID, 0)}
    assert session().bank_handed_minor == session().bank_owed_minor == 0
    prove(table.house)
    fields = {"decision": "stand", "note": "Whole.", "told": "A. Cruz", "moved": "yes"}
    page = PagePerson(table.house, "manager").post(
        "/tables/T1/shoes/1/void-rounds/", {**fields, "rounds": [name.key], "act": "bill"}
    )
    assert page.status_code == 200
    assert "Colon bonus" in text_of(page)


def test_what_was_owed_beyond_a_lost_stake_goes_back_only_with_the_money(
    new_table: NewTable,
) -> None:
    table = new_table("lucky-9", options={"banker_colon_collects": "multiple"})
    table.play({1: 10_000}, {1: "3S 3D KD", 0: "4S 4D"})
    name = table.name
    (line,) = Payout.objects.all()
    assert (line.outcome, line.extra_owed_minor) == (LOSE, 10_000)
    void(table)
    with refused("correction.refused"):
        bill_for(decision("refund_losers"))
    bill = bill_for(decision("refund_losers", moved=True))
    assert bill.to_players_minor == 20_000, "the stake, and what was collected beyond it"
    decide(table.house, decision("refund_losers", moved=True))
    assert paid(name) == {(1, "main"): (VOID, 10_000)}
    assert session().bank_handed_minor == session().bank_owed_minor == 0
    prove(table.house)


@pytest.mark.parametrize("what", ["refund_losers", "reverse"])
def test_where_a_seat_holds_the_bank_the_house_gives_up_its_commission(
    new_table: NewTable, what: str
) -> None:
    table = new_table("fixed-bank", options={"commission": [5, 100]})
    case = CASES["fixed-bank"]
    table.play(case.wagers, case.hands, bank_seat=3)
    name = table.name
    before = session().bank_owed_minor
    assert before > 0
    void(table)
    decide(table.house, decision(what, moved=True))
    outcomes = {line: outcome for line, (outcome, _) in paid(name).items()}
    won = VOID if what == "reverse" else WIN
    assert outcomes == {(2, "main"): won, (5, "main"): won, (8, "main"): VOID}
    kept = 0 if what == "reverse" else before
    assert session().bank_owed_minor == session().bank_handed_minor == kept
    check_all()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    prove(table.house)
    assert Round.objects.get().bank_seat == 3


@pytest.mark.parametrize("moved", [True, False])
def test_the_commission_of_a_closed_session_lies_in_no_tray_that_was_counted(
    new_table: NewTable, *, moved: bool
) -> None:
    table = new_table("fixed-bank", options={"commission": [5, 100]})
    case = CASES["fixed-bank"]
    table.play(case.wagers, case.hands, bank_seat=3)
    commission = session().bank_owed_minor
    void(table)
    count_and_close(table.house)
    decide(table.house, decision("reverse", moved=moved))
    assert (session().bank_owed_minor, session().moved_late_minor) == (0, commission)
    assert differs() == []
    decide(table.house, decision("reverse", table.name.key, moved=True))
    assert (session().bank_owed_minor, session().moved_late_minor) == (0, commission)
    assert differs() == []
