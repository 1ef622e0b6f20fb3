"""Odds by hash, the job that works out the slow ones, and what is left in a shoe."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.outbox.handlers import drain
from casino.outbox.models import OutboxItem
from tables.games import load_ruleset
from tables.games.odds import round_odds, seat_covariance
from tables.games.odds_counting import OddsError
from tables.games.odds_rounds import normal_below
from tables.models import SlowOdds
from tables.selectors.odds import house_result, odds_of, slow_odds_of, slow_parts
from tables.selectors.rule_life import read_rules
from tables.selectors.shoe_odds import is_in_play, read_shoe, shoe_odds
from tables.services.slow_odds import SLOW_ODDS, ask_slow_odds
from tests.factories.house import House, play_round
from tests.support.api import ApiPerson
from tests.tables.rules.managers import TODAY

HANDS = {1: ["7H", "7C", "2D"], 0: ["5S", "4D", "QC"]}


def test_odds_are_kept_by_hash() -> None:
    one, same = load_ruleset("lucky-9", {}), load_ruleset("lucky-9", {"decks": 1})
    assert one is not same
    assert odds_of(one) is odds_of(same)
    assert odds_of(one).wagers["main"].house_edge == Fraction(-1041476, 38172225)


def test_slow_odds_are_worked_out_once_by_a_job(floor: House) -> None:
    rules = read_rules(floor.ruleset.key, day=TODAY)
    ruleset = rules.content.ruleset
    assert slow_odds_of(ruleset).between_seats is None
    assert ask_slow_odds(rules)
    assert ask_slow_odds(rules)
    assert OutboxItem.objects.filter(topic=SLOW_ODDS).count() == 1
    drain()
    assert not OutboxItem.objects.filter(topic=SLOW_ODDS).exists()
    with CaptureQueriesContext(connection) as queries:
        slow = slow_odds_of(ruleset)
    assert len(queries) == 1
    assert slow.missing == ()
    assert slow.between_seats == seat_covariance(ruleset)
    assert not ask_slow_odds(rules)
    assert not OutboxItem.objects.filter(topic=SLOW_ODDS).exists()


def test_a_job_goes_on_where_another_stopped(floor: House) -> None:
    rules = read_rules(floor.ruleset.key, day=TODAY)
    ask_slow_odds(rules)
    SlowOdds.objects.create(hash=rules.hash, part="between_seats", version=1, document={"kept": 1})
    drain()
    assert SlowOdds.objects.get(hash=rules.hash).document == {"kept": 1}


def test_odds_of_an_older_computation_are_not_read(floor: House) -> None:
    ruleset = read_rules(floor.ruleset.key, day=TODAY).content.ruleset
    SlowOdds.objects.create(hash=ruleset.hash, part="between_seats", version=0, document={})
    assert slow_odds_of(ruleset).missing == ("between_seats",)


def test_best_draws_belong_to_the_elective_game_alone() -> None:
    assert slow_parts(load_ruleset("lucky-9", {})) == ("between_seats",)
    elective = slow_parts(load_ruleset("lucky-9-social", {}))
    assert elective == ("between_seats", "best_draws", "solved_draws")


def test_work_for_a_hash_that_nobody_published_is_kept_with_its_error(
    floor: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The handler lets an old connection go, and this one holds the test's own transaction.
    monkeypatch.setattr("casino.outbox.handlers.close_old_connections", lambda: None)
    OutboxItem.objects.create(topic=SLOW_ODDS, key="0" * 64)
    drain()
    assert "rules.missing" in OutboxItem.objects.get(topic=SLOW_ODDS).last_error


def test_the_result_over_many_rounds() -> None:
    ruleset = load_ruleset("poker-lucky-9", {})
    between = seat_covariance(ruleset)
    stakes = {"main": 10000}
    one = house_result(ruleset, stakes=stakes, seats=1, rounds=1000, between=between)
    edge = odds_of(ruleset).wagers["main"].house_edge
    assert edge is not None
    assert (one.seats, one.expected) == (1, edge * 10000)
    five = house_result(ruleset, stakes=stakes, seats=5, rounds=1000, between=between)
    assert five.expected == 5 * one.expected
    shared = between["main", "main"] * 10000**2
    assert five.variance == 5 * one.variance + 20 * shared
    assert 0 < five.behind < 0.5
    alone = house_result(ruleset, stakes=stakes, seats=5, rounds=1000, between=None)
    assert (alone.seats, alone.variance) == (1, one.variance)
    with pytest.raises(OddsError):
        house_result(ruleset, stakes={"tie": 100}, seats=1, rounds=1, between=None)


def test_the_normal_approximation_is_the_textbook_one() -> None:
    for deviations, chance in ((0, 0.5), (1, 0.841345), (-1.96, 0.024998), (3, 0.998650)):
        assert normal_below(deviations) == pytest.approx(chance, abs=1e-6)


def test_what_is_left_in_a_shoe(floor: House) -> None:
    play_round(floor, {1: {"main": 10000}}, HANDS)
    shoe = read_shoe("T1", shoe=1)
    assert is_in_play(shoe)
    found = shoe_odds(shoe)
    # One card was burned unseen before the round: it counts with what nobody has seen.
    assert (found.seen, found.unknown, sum(found.unseen.values())) == (6, 1, 410)
    assert (found.unseen["7"], found.unseen["Q"], found.unseen["A"]) == (30, 31, 32)
    expected = round_odds(load_ruleset("poker-lucky-9", {}), found.unseen)
    assert found.odds.wagers == expected.wagers
    assert found.odds.wagers != found.full.wagers


def test_every_seen_card_is_taken_from_its_rank(floor: House) -> None:
    sevens = {1: ["7H", "7H", "7C"], 2: ["7S", "7D", "7C"], 3: ["7H", "7S", "7D"]}
    wagers = {seat: {"main": 10000} for seat in sevens}
    for _ in range(2):
        play_round(floor, wagers, {**sevens, 0: ["5S", "4D", "QC"]})
    found = shoe_odds(read_shoe("T1", shoe=1))
    assert (found.unseen["7"], found.over) == (32 - 18, {})


def test_the_result_over_the_api(floor: House) -> None:
    dealer = ApiPerson(floor, "dealer", table="T1")
    path = f"rulesets/{floor.ruleset.key}/odds/result"
    body = {"stakes": {"main": 10000}, "rounds": 1000, "seats": 5}
    alone = dealer.post(path, body, expect=200)
    ruleset = load_ruleset("poker-lucky-9", {})
    edge = odds_of(ruleset).wagers["main"].house_edge
    assert edge is not None
    # One seat is counted while the covariance of two seats is missing.
    assert (alone["seats"], alone["expected"]["fraction"]) == (1, str(edge * 10000))
    ask_slow_odds(read_rules(floor.ruleset.key, day=TODAY))
    drain()
    five = dealer.post(path, body, expect=200)
    assert (five["seats"], five["expected"]["fraction"]) == (5, str(edge * 50000))
    assert float(five["behind"]) < float(alone["behind"])


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"rounds": 0}, "field.min_value"),
        ({"rounds": 1_000_001}, "field.max_value"),
        ({"seats": 9}, "field.max_value"),
        ({"seats": 6}, "odds.bad_number"),
        ({"stakes": {}}, "field.empty"),
        ({"stakes": {"main": "1"}}, "field.not_an_integer"),
        ({"stakes": {"main": 0}}, "odds.bad_stake"),
        ({"stakes": {"tie": 5, "main": 5}}, "odds.refused_wager"),
        ({"stakes": {"insurance": 5}}, "odds.unknown_wager"),
    ],
)
def test_a_result_of_nothing_is_refused(
    floor: House, changed: dict[str, object], code: str
) -> None:
    person = ApiPerson(floor, "auditor")
    body = {"stakes": {"main": 10000}, "rounds": 1000, **changed}
    problem = person.refused("POST", f"rulesets/{floor.ruleset.key}/odds/result", body)
    assert problem["status"] == 422
    assert code in {fault["code"] for fault in problem["faults"]}
