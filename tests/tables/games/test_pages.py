"""What pages show of Lucky 9: the bank's seat, decisions, Colon lines, commission, packs."""

from collections.abc import Callable

from tests.support.pages import PagePerson, text_of
from tests.tables.games.cases import CASES
from tests.tables.games.playing import GameTable

NewTable = Callable[..., GameTable]


def page_of(table: GameTable, *, shoe: int = 1) -> str:
    """The round's page as an auditor reads it."""
    auditor = PagePerson(table.house, "auditor")
    return text_of(auditor.get(f"/tables/T1/shoes/{shoe}/rounds/1/"))


def test_a_round_of_game_c_shows_bank_decisions_and_naturals(new_table: NewTable) -> None:
    table, case = new_table("home"), CASES["home"]
    table.play(case.wagers, case.hands, decisions=case.decisions, bank_seat=4)
    shown = page_of(table)
    for words in (
        "Bank, seat 4",
        "draws",
        "no decision",
        "Naturals settled: bank −100",
        "Decision: Bank, seat 4, draw",
        "draw 5, Bank, seat 4, 6♠",
    ):
        assert words in shown, words
    assert ", House" not in shown
    assert "Seat 4 No wager" not in shown


def test_commission_and_colon_lines_stand_with_the_payouts(new_table: NewTable) -> None:
    options = {"commission": [5, 100], "colon": {"on_loss": "bonus_part"}}
    table = new_table("lucky-9", options=options)
    table.play({1: 10_000, 2: 10_000}, {1: "3S 3D", 2: "9H TH", 0: "7S AS"})
    shown = page_of(table)
    for words in ("Colon bonus", "Commission", "commission 5"):
        assert words in shown, words


def test_what_is_owed_beyond_the_stake_is_said(new_table: NewTable) -> None:
    table = new_table("lucky-9", options={"banker_colon_collects": "multiple"})
    table.play({1: 10_000}, {1: "3S 3D KD", 0: "4S 4D"})
    assert "owes the bank 100 more" in page_of(table)


def test_rounds_of_a_pack_lead_to_each_other(new_table: NewTable) -> None:
    table, case = new_table("lucky-9"), CASES["lucky-9"]
    for _ in range(3):
        table.play(case.wagers, case.hands)
    auditor = PagePerson(table.house, "auditor")
    page = auditor.get("/tables/T1/shoes/2/rounds/1/").content.decode()
    assert 'href="/tables/T1/shoes/1/rounds/1/" rel="prev"' in page
    assert 'href="/tables/T1/shoes/3/rounds/1/" rel="next"' in page
