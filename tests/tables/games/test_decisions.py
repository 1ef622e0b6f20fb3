"""Decisions of game C at the table: in turn, changed, taken back, silent; the bank last (1C)."""

from collections.abc import Callable

from settlements.models import Settlement
from tables.models import Decision, Round
from tests.support.api import ApiPerson
from tests.tables.games.playing import GameTable

NewTable = Callable[..., GameTable]
# Dealt against the clock from the bank at seat 4: seat 2, then 7, then 5.
HANDS = {2: "9S KD", 7: "AS AD KC", 5: "8S KH 9C", 0: "6S JD 2D"}
WAGERS = {2: 100, 5: 100, 7: 100}


def asked(new_table: NewTable, **changed: object) -> GameTable:
    """A table at which the naturals are paid and seat 7 is asked."""
    table = new_table("home", **changed)
    table.open(bank_seat=4)
    table.bet(WAGERS)
    table.deal(HANDS)
    assert table.next["kind"] == "sweep"
    table.settle("sweep")
    assert (table.next["kind"], table.next["hand"]) == ("ask", 7)
    return table


def refused(table: GameTable, hand: int, choice: str | None, *, revision: int = 1) -> str:
    """Try a decision; return the code of its refusal, after which nothing was written."""
    before = Decision.objects.count()
    body = {"hand": hand, "revision": revision, "choice": choice}
    problem = table.dealer.refused("POST", f"{table.path}/decisions", body)
    assert Decision.objects.count() == before
    return str(problem["code"])


def test_naturals_are_paid_before_anybody_draws(new_table: NewTable) -> None:
    table = asked(new_table)
    [sweep] = Settlement.objects.all()
    assert sweep.part == "sweep"
    assert table.paid() == {(2, "main"): ("win", 200)}
    assert table.round["stage"] == "third_lap"
    assert table.view["ruleset"]["sweep"] == "natural"
    swept = {seat["seat"]: seat["swept"] for seat in table.round["seats"] if seat["swept"]}
    assert swept == {2: ["main"]}


def test_a_natural_bank_ends_the_round_with_the_sweep(new_table: NewTable) -> None:
    table = new_table("home")
    table.play(WAGERS, {2: "9S KD", 7: "AS AD", 5: "8S KH", 0: "4S 5D"}, bank_seat=4)
    assert [step for step in table.asked if step[0] == "ask"] == []
    assert table.paid() == {
        (2, "main"): ("push", 100),
        (7, "main"): ("lose", 0),
        (5, "main"): ("lose", 0),
    }
    assert Round.objects.get().stage == Round.Stage.SETTLED


def test_a_signal_out_of_turn_is_void_and_the_bet_stays(new_table: NewTable) -> None:
    table = asked(new_table)
    assert refused(table, 5, "hit") == "decision.not_asked"
    assert refused(table, 0, "hit") == "decision.not_asked"
    assert refused(table, 2, "hit") == "decision.not_asked"
    assert table.next["choices"] == ["hit", "stand", "no_decision"]


def test_the_last_clear_signal_counts_until_the_third_card(new_table: NewTable) -> None:
    table = asked(new_table)
    table.decide(7, "stand")
    table.decide(7, "hit", revision=2)
    assert (table.next["kind"], table.next["hand"]) == ("ask", 5)
    table.decide(7, None, revision=3)
    assert table.next["hand"] == 7
    assert table.round["decisions"] == [{"hand": 7, "choice": None, "revision": 3}]
    table.decide(7, "hit", revision=4)
    table.decide(5, "stand")
    table.decide(0, "stand")
    table.deal(HANDS)
    assert refused(table, 7, "stand", revision=5) == "decision.bound"


def test_a_card_that_lies_keeps_the_decisions_before_it(new_table: NewTable) -> None:
    table = asked(new_table)
    table.decide(7, "stand")
    table.decide(5, "hit")
    table.key(9, "9C")
    assert refused(table, 7, "hit", revision=2) == "decision.bound"


def test_the_same_decision_again_changes_nothing(new_table: NewTable) -> None:
    table = asked(new_table)
    table.decide(7, "hit")
    body = {"hand": 7, "revision": 1, "choice": "hit"}
    again = table.dealer.post(f"{table.path}/decisions", body, expect=200)
    assert again["done_before"]
    assert refused(table, 7, "stand") == "decision.conflict"
    table.decide(7, "stand", revision=2)
    assert refused(table, 7, "hit") == "revision.superseded"
    assert refused(table, 7, "hit", revision=4) == "revision.beyond"


def test_cards_wait_for_the_decision_and_stay_under_it(new_table: NewTable) -> None:
    table = new_table("home")
    table.open(bank_seat=4)
    table.bet({2: 100})
    table.deal({2: "8S KD", 0: "6S JD"})
    card = {"cards": [{"draw": 5, "revision": 1, "face": "2D"}]}
    problem = table.dealer.refused("POST", f"{table.path}/cards", card)
    assert [fault["code"] for fault in problem["faults"]] == ["card.ask_first"]

    table.decide(2, "stand")
    undo = {"cards": [{"draw": 4, "revision": 2, "face": None}]}
    problem = table.dealer.refused("POST", f"{table.path}/cards", undo)
    assert problem["code"] == "card.decided"
    table.decide(2, None, revision=2)
    table.key(4, None, revision=2)
    assert table.next["draw"] == 4


def test_third_cards_stay_private_and_come_in_any_order(new_table: NewTable) -> None:
    table = asked(new_table)
    table.decide(7, "hit")
    table.decide(5, "hit")
    table.decide(0, "hit")
    assert table.next["open_draws"] == [9, 10, 11]
    for draw, face in ((11, "2D"), (9, "KC"), (10, "9C")):
        table.key(draw, face)
    table.settle("final")
    assert table.paid() == {
        (2, "main"): ("win", 200),
        (7, "main"): ("lose", 0),
        (5, "main"): ("lose", 0),
    }


def test_who_gives_no_decision_stands_or_is_void_by_the_ruleset(new_table: NewTable) -> None:
    table = asked(new_table, options={"no_decision": "void_bet"})
    table.decide(7, "no_decision")
    table.decide(5, "stand")
    table.decide(0, "stand")
    table.settle("final")
    assert table.paid()[7, "main"] == ("void", 100)
    assert table.paid()[5, "main"] == ("win", 200)


def test_a_staffed_bank_follows_the_houses_rule(new_table: NewTable) -> None:
    table = new_table("home", procedures={"bank": "house", "banker_rotation": "fixed"})
    table.open()
    table.bet({2: 100})
    table.deal({2: "8S KD", 0: "2S JD"})
    table.decide(2, "stand")
    assert table.next["choices"] == ["hit"]
    assert refused(table, 0, "stand") == "decision.house_policy"
    table.decide(0, "hit")
    table.deal({0: "2S JD KH"})
    table.settle("final")
    assert table.paid() == {(2, "main"): ("win", 200)}


def test_decisions_are_the_rounds_dealers_alone(new_table: NewTable) -> None:
    table = asked(new_table)
    body = {"hand": 7, "revision": 1, "choice": "hit"}
    path = f"{table.path}/decisions"
    outsider = ApiPerson(table.house, "auditor")
    assert outsider.refused("POST", path, body)["status"] == 403
    other = ApiPerson(table.house, "dealer_2", table="T1")
    assert other.refused("POST", path, body)["code"] == "round.other_dealer"


def test_no_hand_decides_where_the_rule_draws(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.open()
    table.bet({2: 100})
    table.deal({2: "8S KD", 0: "2S JD"}, until=("settle", "ask", "sweep"))
    assert refused(table, 2, "stand") == "decision.not_asked"


def test_another_first_card_moves_no_third_card(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.open()
    table.bet({2: 100, 5: 100})
    for draw, face in enumerate(("2S", "3S", "KD", "KS", "KH", "7D", "4C"), start=1):
        table.key(draw, face)
    assert table.round["seats"][1]["hand"][2]["face"] == "4C"
    card = {"cards": [{"draw": 1, "revision": 2, "face": "7S"}]}
    problem = table.dealer.refused("POST", f"{table.path}/cards", card)
    assert problem["code"] == "card.not_last"
    table.key(1, "AS", revision=2)
    assert table.next["hand"] == 5
