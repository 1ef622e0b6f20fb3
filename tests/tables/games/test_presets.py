"""A round of every preset over the API to the right payouts, checked and provable."""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.outbox.handlers import drain
from settlements.models import CheckResult, Payout, Settlement
from tables.games import PRESETS
from tables.models import TableSession
from tests.tables.games.cases import CASES, HANDS, LOSE, WAGERS, WIN
from tests.tables.games.playing import GameTable


def test_every_preset_has_a_case() -> None:
    assert CASES.keys() == PRESETS.keys()


@pytest.mark.parametrize("preset", CASES)
def test_a_round_pays_right_and_everything_agrees(
    preset: str, new_table: Callable[..., GameTable]
) -> None:
    case = CASES[preset]
    table = new_table(preset)
    table.play(case.wagers, case.hands, decisions=case.decisions, bank_seat=case.bank_seat)
    assert table.paid() == case.paid
    assert set(Payout.objects.values_list("bank", flat=True)) == {str(case.bank_seat or "house")}
    session = TableSession.objects.get()
    assert session.bank_owed_minor == session.bank_handed_minor == case.house_minor
    assert session.handle_minor == sum(case.wagers.values())

    while drain():
        pass
    assert CheckResult.objects.count() == Settlement.objects.count()
    assert list(CheckResult.objects.exclude(agrees=True).values_list("differences")) == []
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []


def test_the_table_asks_for_cards_clockwise_from_the_bank_in_game_b(
    new_table: Callable[..., GameTable],
) -> None:
    table, case = new_table("fixed-bank"), CASES["fixed-bank"]
    table.play(case.wagers, case.hands, bank_seat=3)
    assert table.asked == [("deal", hand) for hand in (5, 8, 2, 0, 5, 8, 2, 0, 8)]


def test_the_table_asks_for_cards_against_the_clock_in_game_c(
    new_table: Callable[..., GameTable],
) -> None:
    table, case = new_table("home"), CASES["home"]
    table.play(case.wagers, case.hands, decisions=case.decisions, bank_seat=4)
    lap = [("deal", hand) for hand in (2, 7, 6, 5, 0)]
    decided = [("ask", hand) for hand in (7, 6, 5, 0)]
    assert table.asked == [*lap, *lap, *decided, ("deal", 7), ("deal", 6), ("deal", 0)]


def test_the_direction_is_a_procedure_of_the_table(new_table: Callable[..., GameTable]) -> None:
    table = new_table("lucky-9", procedures={"deal_direction": "anticlockwise"})
    table.play(WAGERS, HANDS)
    assert table.asked[:4] == [("deal", hand) for hand in (8, 5, 2, 0)]
    assert table.paid() == CASES["lucky-9"].paid


def test_commission_alone_is_the_houses_with_a_bank_at_a_seat(
    new_table: Callable[..., GameTable],
) -> None:
    table = new_table("fixed-bank", options={"commission": [5, 100]})
    table.play(WAGERS, HANDS, bank_seat=3)
    assert table.paid()[5, "main"] == (WIN, 29_000)
    session = TableSession.objects.get()
    assert (session.bank_owed_minor, session.bank_handed_minor) == (1_500, 1_500)
    assert sum(Payout.objects.values_list("bank_minor", flat=True)) == -20_000
    assert table.view["round"]["owed"]["bank_minor"] == -20_000
    drain()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}


def test_a_lost_colon_has_a_line_of_its_own_and_a_banks_colon_is_owed_more(
    new_table: Callable[..., GameTable],
) -> None:
    bonus = new_table("lucky-9", options={"colon": {"on_loss": "bonus_part"}})
    bonus.play({1: 10_000}, {1: "3S 3D", 0: "9S KD"})
    assert bonus.paid() == {(1, "main"): (LOSE, 0), (1, "colon_bonus"): (WIN, 10_000)}
    assert TableSession.objects.get().bank_owed_minor == 0
    drain()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}


def test_the_banks_colon_may_be_owed_beyond_the_stake(
    new_table: Callable[..., GameTable],
) -> None:
    table = new_table("lucky-9", options={"banker_colon_collects": "multiple"})
    table.play({1: 10_000}, {1: "3S 3D KD", 0: "4S 4D"})
    [payout] = Payout.objects.all()
    assert (payout.outcome, payout.extra_owed_minor, payout.bank_minor) == (LOSE, 10_000, 20_000)
    assert TableSession.objects.get().bank_owed_minor == 20_000
    [line] = table.view["round"]["owed"]["lines"]
    assert line["extra_owed_minor"] == 10_000
    drain()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}


def test_a_wager_of_another_game_is_refused(new_table: Callable[..., GameTable]) -> None:
    table = new_table("lucky-9")
    table.open()
    body = {"revision": 1, "wagers": {"main": 100, "pair": 100}}
    problem = table.dealer.refused("PUT", f"{table.path}/seats/1/wagers", body)
    assert [fault["code"] for fault in problem["faults"]] == ["wager.unknown_kind"]
    assert [wager["kind"] for wager in table.view["ruleset"]["wagers"]] == ["main"]


def test_a_third_copy_in_two_decks_is_a_question(new_table: Callable[..., GameTable]) -> None:
    table = new_table("multi-deck")
    table.open()
    table.bet({1: 100, 2: 100})
    for draw in (1, 2):
        table.key(draw, "AS")
    card = {"draw": 3, "revision": 1, "face": "AS"}
    problem = table.dealer.refused("POST", f"{table.path}/cards", {"cards": [card]})
    assert problem["code"] == "card.one_too_many"
    assert [place["hand"] for place in problem["data"]["places"]] == [1, 2]
