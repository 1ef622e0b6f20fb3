"""The bank at a seat: who holds it, how it moves, what it covers (B20, B21, C10 to C12)."""

from collections.abc import Callable

import pytest

from audit.log.models import Entry
from audit.log.rows import Ref
from tables.models import Round, TableSession, TableTerms
from tables.services.house import publish_limits
from tests.factories.house import SET_UP, set_terms
from tests.settlements.correcting import hire
from tests.support.api import ApiPerson
from tests.support.records import refused
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import paid, prove, rule, wager

NewTable = Callable[..., GameTable]
BANK_WINS = {1: "2S 4D", 5: "3S 3D", 0: "9S KD"}
SEAT_5_WINS = {1: "2S 4D", 5: "3S 6D", 0: "4S 4H"}
ALL_PUSH = {1: "2S 4D", 5: "3S 3D", 0: "6S KD"}
WAGERS = {1: 100, 5: 200}


def test_the_first_bank_is_stated_and_later_ones_follow(new_table: NewTable) -> None:
    table = new_table("fixed-bank")
    rounds = "tables/T1/shoes/1/rounds"
    assert table.view["bank"] == {
        "players": True,
        "seat": None,
        "due": None,
        "rotation": "fixed",
        "seats": list(range(1, 10)),
    }
    entries = Entry.objects.count()
    assert table.dealer.refused("POST", rounds, {})["code"] == "round.bank_seat_needed"
    refused = table.dealer.refused("POST", rounds, {"bank_seat": 10})
    assert refused["status"] == 422
    assert Entry.objects.count() == entries

    table.play(WAGERS, BANK_WINS, bank_seat=3)
    assert table.view["bank"]["due"] == 3
    table.play(WAGERS, SEAT_5_WINS)
    assert set(Round.objects.values_list("bank_seat", flat=True)) == {3}


def test_a_house_that_banks_gives_no_seat_the_bank(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    problem = table.dealer.refused("POST", "tables/T1/shoes/1/rounds", {"bank_seat": 3})
    assert problem["code"] == "round.bank_seat"
    table.open()
    assert table.round["bank_seat"] is None


@pytest.mark.parametrize(
    ("preset", "rotation", "hands", "due"),
    [
        ("fixed-bank", "fixed", SEAT_5_WINS, 3),
        ("fixed-bank", "clockwise", BANK_WINS, 5),
        ("home", "clockwise", BANK_WINS, 1),  # dealt against the clock, the bank passes so (C10)
        ("fixed-bank", "winner_keeps", BANK_WINS, 3),
        ("fixed-bank", "winner_keeps", ALL_PUSH, 3),
        ("fixed-bank", "winner_keeps", SEAT_5_WINS, 5),
    ],
)
def test_the_bank_moves_by_rotation(
    preset: str, rotation: str, hands: dict[int, str], due: int, new_table: NewTable
) -> None:
    table = new_table(preset, procedures={"bank": "players", "banker_rotation": rotation})
    stand = dict.fromkeys((0, 1, 5), "stand")
    table.play(WAGERS, hands, decisions=stand, bank_seat=3)
    assert table.view["bank"]["due"] == due
    table.open()
    assert table.round["bank_seat"] == due
    assert table.view["bank"]["seat"] == due


def test_only_a_supervisor_gives_the_bank_to_another_seat(new_table: NewTable) -> None:
    table = new_table("fixed-bank")
    table.play(WAGERS, BANK_WINS, bank_seat=3)
    table.shuffle()
    problem = table.dealer.refused("POST", f"tables/T1/shoes/{table.shoe}/rounds", {"bank_seat": 5})
    assert (problem["status"], problem["code"]) == (403, "round.bank_rotation")
    assert Round.objects.count() == 1

    supervisor = ApiPerson(table.house, "supervisor", table="T1")
    view = supervisor.post(f"tables/T1/shoes/{table.shoe}/rounds", {"bank_seat": 5})["view"]
    assert view["round"]["bank_seat"] == 5


def test_a_round_that_does_not_count_moves_no_bank(new_table: NewTable) -> None:
    table = new_table("fixed-bank", procedures={"bank": "players", "banker_rotation": "clockwise"})
    table.open(bank_seat=3)
    table.dealer.post(f"{table.path}/call-off")
    table.view = table.dealer.get("tables/T1/round")
    assert table.view["bank"]["due"] == 3
    assert not table.view["shoe"]["shuffle_due"]
    table.open()
    assert table.name.number == 2
    assert table.round["bank_seat"] == 3


def test_the_seat_that_banks_takes_no_bets_and_nine_people_play(new_table: NewTable) -> None:
    table = new_table("fixed-bank")
    table.open(bank_seat=3)
    body = {"revision": 1, "wagers": {"main": 100}}
    problem = table.dealer.refused("PUT", f"{table.path}/seats/3/wagers", body)
    assert [fault["code"] for fault in problem["faults"]] == ["seat.banks"]
    table.bet({seat: 100 for seat in range(1, 10) if seat != 3})
    table.key(1, "AS")
    assert Round.objects.get().live_seats == [4, 5, 6, 7, 8, 9, 1, 2]


def test_a_house_bank_leaves_eight_seats(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.open()
    body = {"revision": 1, "wagers": {"main": 100}}
    problem = table.dealer.refused("PUT", f"{table.path}/seats/9/wagers", body)
    assert [fault["code"] for fault in problem["faults"]] == ["seat.unknown"]


# The Colon Nine may win three times the stake.
COVER = {"bank_cover_minor": 900}


def test_bets_beyond_the_cover_are_refused_the_last_placed_first(new_table: NewTable) -> None:
    table = new_table("fixed-bank", limits=COVER)
    table.open(bank_seat=3)
    table.bet({8: 100, 1: 150})
    body = {"revision": 1, "wagers": {"main": 60}}
    problem = table.dealer.refused("PUT", f"{table.path}/seats/2/wagers", body)
    assert [(f["code"], f["where"]) for f in problem["faults"]] == [
        ("wager.over_cover", "seats.2.main")
    ]
    table.bet({2: 50})

    # A bet that is raised is placed anew: it stands behind all others.
    raised = {"revision": 2, "wagers": {"main": 110}}
    problem = table.dealer.refused("PUT", f"{table.path}/seats/8/wagers", raised)
    assert [fault["where"] for fault in problem["faults"]] == ["seats.8.main"]


def test_a_cover_that_shrank_refuses_the_last_bets_at_the_first_card(
    new_table: NewTable,
) -> None:
    table = new_table("fixed-bank", limits=COVER)
    table.open(bank_seat=3)
    table.bet({8: 100, 1: 100, 2: 100})
    shrink_cover(cover=700)
    card = {"cards": [{"draw": 1, "revision": 1, "face": "AS"}]}
    problem = table.dealer.refused("POST", f"{table.path}/cards", card)
    assert [fault["where"] for fault in problem["faults"]] == ["seats.2.main"]
    table.bet({2: 30}, revision=2)
    table.key(1, "AS")


def shrink_cover(*, cover: int) -> None:
    """Give the table a bank that covers less, from the next first card on."""
    terms = TableTerms.objects.select_related("ruleset", "procedures").get()
    set_terms(
        table="T1",
        ruleset=Ref(terms.ruleset.pk, terms.ruleset.hash),
        procedures=Ref(terms.procedures.pk, terms.procedures.hash),
        limits=publish_limits(game="lucky-9", options={"bank_cover_minor": cover}, by=SET_UP),
    )


def test_the_tray_is_moved_by_nothing_but_commission(new_table: NewTable) -> None:
    table = new_table("fixed-bank")
    table.play(WAGERS, SEAT_5_WINS, bank_seat=3)
    session = TableSession.objects.get()
    assert (session.handle_minor, session.bank_owed_minor, session.rounds_settled) == (300, 0, 1)


def test_a_player_who_cannot_cover_gives_back_what_was_placed_last(new_table: NewTable) -> None:
    table = new_table("home")
    hire(table.house)
    table.open(bank_seat=4)
    table.bet({2: 100, 5: 100, 7: 100})
    table.deal({2: "3S KD", 7: "AS AD", 5: "8S KH", 0: "6S JD"})
    with refused("irregularity.refused"):
        rule(table.house, 24, "return", "S", name=table.name, wagers=(wager(5, "main"),))
    rule(table.house, 24, "return", "S", name=table.name, wagers=(wager(7, "main"),))
    table.view = table.dealer.get("tables/T1/round")
    while table.next["kind"] == "ask":
        table.decide(table.next["hand"], "stand")
    table.settle("final")
    assert set(paid(table.name)) == {(2, "main"), (5, "main")}
    prove(table.house)
