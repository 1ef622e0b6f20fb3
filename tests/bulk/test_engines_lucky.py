"""The engine that pays and the second engine agree on both Lucky 9 games, or say where not."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from settlements.bulk import Columns, compile_ruleset, settle_columns
from settlements.bulk.codes import FACES, Verdict
from settlements.bulk.lucky_tables import OUTRIGHT_EIGHT, OUTRIGHT_NINE, SIDE_BITS, LuckyTables
from tables.games import GAMES as ALL_GAMES
from tables.games.lucky_9_lines import Met, meet
from tables.games.lucky_9_options import LuckyRules
from tables.games.lucky_9_social import _is_natural_met
from tables.games.lucky_hands import LuckyHand
from tables.games.values import SeatPlay
from tests.bulk.dealing import random_lucky_columns, spoilt
from tests.bulk.engines import differences, document_differences, plant
from tests.bulk.meetings import OPENING_CLASSES, THIRD_CLASSES, meeting_columns
from tests.bulk.rulesets import FIXED, SOCIAL, options, random_fixed, random_social
from tests.games.option_values import values_of

GAMES = [FIXED, SOCIAL]
COLON = {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "none"}
OTHER_VALUES: list[tuple[str, dict[str, object]]] = [
    (FIXED, {"forced_draw": "to_7"}),
    (FIXED, {"forced_draw": "all"}),
    (FIXED, {"natural_priority": "nine_only"}),
    (FIXED, {"natural_priority": "total_only"}),
    (FIXED, {"banker_natural_stops_draws": False}),
    (FIXED, {"banker_natural_stops_draws": False, "natural_priority": "total_only"}),
    (FIXED, {"colon": {**COLON, "enabled": False}}),
    (FIXED, {"colon": {**COLON, "odds": [3, 2], "nine_odds": [1, 2]}}),
    (FIXED, {"colon": {**COLON, "on_loss": "bonus_part"}, "banker_colon_collects": "multiple"}),
    (FIXED, {"colon": {**COLON, "on_loss": "bonus_part", "odds": [5, 2]}}),
    (FIXED, {"banker_colon_collects": "multiple", "decks": 8}),
    (FIXED, {"commission": [5, 100]}),
    (FIXED, {"commission": [1, 3], "rounding": {"unit_minor": 25, "mode": "half_up"}}),
    (FIXED, {"commission": [1, 3], "rounding": {"unit_minor": 7, "mode": "up"}}),
    (SOCIAL, {"no_decision": "void_bet"}),
    (SOCIAL, {"odds": [19, 20], "decks": 8}),
    (SOCIAL, {"odds": [3, 2], "rounding": {"unit_minor": 25, "mode": "half_up"}}),
    (SOCIAL, {"odds": [19, 20], "rounding": {"unit_minor": 7, "mode": "up"}}),
]
# Rulesets and tables of the random comparison; in full it is a million tables under a thousand.
RULESETS, RULESETS_LONG = 60, 1000
TABLES, TABLES_LONG = 400, 1000


def compare_columns(game: str, ruleset: Mapping[str, object], columns: Columns) -> list[str]:
    """Compare the engines on lawful rounds; may run in a process of its own."""
    assert not settle_columns(compile_ruleset(game, ruleset), columns).fault.any()
    return differences(game, ruleset, columns)


def compare_sequences(workers: ProcessPoolExecutor, game: str, *, share: float) -> None:
    """Compare the engines over a share of all rank sequences of one seat against the bank."""
    compare = partial(compare_columns, game, options(game))
    for found in workers.map(compare, meeting_columns(game, options(game), share=share)):
        assert found[:3] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_tenth_of_all_rank_sequences(workers: ProcessPoolExecutor, game: str) -> None:
    compare_sequences(workers, game, share=0.1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_all_rank_sequences(workers: ProcessPoolExecutor, game: str) -> None:
    compare_sequences(workers, game, share=1.0)


@pytest.mark.parametrize(("game", "changed"), OTHER_VALUES, ids=str)
def test_all_classes_of_hands_under_every_other_value(
    workers: ProcessPoolExecutor, game: str, changed: dict[str, object]
) -> None:
    ruleset = options(game, **changed)
    meetings = meeting_columns(game, ruleset, openings=OPENING_CLASSES, thirds=THIRD_CLASSES)
    for found in workers.map(partial(compare_columns, game, ruleset), meetings):
        assert found[:3] == []


def set_values(game: str, changed: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """Yield each option that is set to something else than its default, and the value."""
    for name, value in changed.items():
        default = options(game)[name]
        if isinstance(value, Mapping) and isinstance(default, Mapping):
            members = {f"{name}.{key}": (value[key], default[key]) for key in value}
            yield from ((game, path, new) for path, (new, old) in members.items() if new != old)
        elif value != default:
            yield game, name, value


def test_no_other_value_is_left_out() -> None:
    wanted = {(g, *each) for g in GAMES for each in values_of(ALL_GAMES[g].schema, "")}
    free = {(g, path) for g, path, value in wanted if value is ...}
    compared = {
        (g, path, ... if (g, path) in free else value)
        for game, changed in OTHER_VALUES
        for g, path, value in set_values(game, changed)
    }
    assert compared == wanted


def random_options(random: Random, game: str) -> dict[str, object]:
    """Draw a ruleset of game B or C."""
    return random_fixed(random) if game == FIXED else random_social(random)


def compare_random_tables(task: tuple[int, int]) -> list[str]:
    """Compare tables under one random ruleset of each game; runs in a process of its own."""
    seed, tables = task
    random, game = Random(seed), GAMES[seed % 2]
    ruleset = random_options(random, game)
    columns = random_lucky_columns(random, game=game, rounds=tables, options=ruleset)
    assert not settle_columns(compile_ruleset(game, ruleset), columns).fault.any()
    return [f"seed {seed}, {ruleset}: {each}" for each in differences(game, ruleset, columns)]


def compare_rulesets(workers: ProcessPoolExecutor, rulesets: int, tables: int) -> None:
    """Compare random tables under many random rulesets."""
    tasks = [(seed, tables) for seed in range(rulesets)]
    for found in workers.map(compare_random_tables, tasks, chunksize=5):
        assert found[:3] == []


def test_random_full_tables(workers: ProcessPoolExecutor) -> None:
    compare_rulesets(workers, RULESETS, TABLES)


@pytest.mark.long
def test_a_million_random_full_tables(workers: ProcessPoolExecutor) -> None:
    compare_rulesets(workers, RULESETS_LONG, TABLES_LONG)


@pytest.mark.parametrize("game", GAMES)
def test_rounds_that_do_not_lie_right_are_refused_by_both(game: str) -> None:
    random, refused, rounds = Random(f"spoilt {game}"), 0, 0
    for _ in range(40):
        ruleset = {**random_options(random, game), "decks": 8}
        columns = random_lucky_columns(random, game=game, rounds=50, options=ruleset)
        found, both = document_differences(game, ruleset, spoilt(random, columns))
        assert found[:3] == []
        refused, rounds = refused + both, rounds + columns.rounds
    assert 0.2 < refused / rounds < 0.8


def voided(random: Random, columns: Columns) -> Columns:
    """Void every round at a random stage, with the cards that such a round has; some unknown."""
    count, seats = columns.rounds, columns.seats
    stage = np.array([random.randint(1, 6) for _ in range(count)], dtype=np.int8)
    dealt = np.array([0, 0, 1, 2, 2, 3, 3])[stage]
    lost = np.arange(3)[None, :] >= dealt[:, None]
    cards = np.where(lost[:, None, :], 0, columns.cards)
    unknown = np.array([random.random() < 0.02 for _ in range(cards.size)]).reshape(cards.shape)
    touched = np.array([random.random() < 0.3 for _ in range(count * seats)])
    return replace(
        columns,
        cards=np.where(unknown & (cards > 0), FACES["?"], cards).astype(np.int8),
        bank=np.where(lost, 0, columns.bank).astype(np.int8),
        stage=stage,
        touched=touched.reshape(count, seats),
    )


@pytest.mark.parametrize("game", GAMES)
def test_random_voids(game: str) -> None:
    random, standing, refused = Random(f"void {game}"), 0, 0
    for _ in range(30):
        ruleset = random_options(random, game)
        columns = random_lucky_columns(random, game=game, rounds=100, options=ruleset)
        columns = voided(random, columns)
        assert differences(game, ruleset, columns)[:3] == []
        result = settle_columns(compile_ruleset(game, ruleset), columns)
        standing += int(np.count_nonzero(result.kinds["main"].verdict >= Verdict.WIN))
        refused += int(np.count_nonzero(result.fault))
    assert (standing > 50) == (game == SOCIAL)
    assert (refused > 20) == (game == SOCIAL)


def planted_differences(compiled: LuckyTables | None = None) -> list[str]:
    """Compare the engines on all classes of hands where naturals meet drawn nines."""
    ruleset = options(FIXED, banker_natural_stops_draws=False)
    meetings = meeting_columns(FIXED, ruleset, openings=OPENING_CLASSES, thirds=THIRD_CLASSES)
    return [
        found
        for columns in meetings
        for found in differences(FIXED, ruleset, columns, compiled=compiled)
    ]


def test_a_fault_planted_in_the_second_engine_is_found() -> None:
    tables = compile_ruleset(FIXED, options(FIXED, banker_natural_stops_draws=False))
    assert isinstance(tables, LuckyTables)
    main = tables.main.copy()
    drawn_nine, natural_eight = 9 << 2, OUTRIGHT_EIGHT << 2
    main[drawn_nine << SIDE_BITS | natural_eight] = Verdict.WIN
    lines = [each for each in planted_differences(replace(tables, main=main)) if "seat=" in each]
    assert lines
    assert all("outcome='lose'" in each for each in lines)


def test_a_fault_planted_in_the_engine_that_pays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def sevens_tie_with_sixes(rules: LuckyRules, own: LuckyHand, bank: LuckyHand) -> Met:
        right = meet(rules, own, bank)
        return right._replace(result=0) if (own.total, bank.total) == (7, 6) else right

    plant(monkeypatch, meet, sevens_tie_with_sixes)
    lines = [each for each in planted_differences() if "seat=" in each]
    assert lines
    assert all("outcome='push'" in each for each in lines)


def planted_at_full_tables(compiled: LuckyTables | None = None) -> list[str]:
    """Compare the engines on random full tables of game C, where a bank draws for other seats."""
    ruleset = options(SOCIAL)
    columns = random_lucky_columns(Random(5), game=SOCIAL, rounds=1500, options=ruleset)
    found = differences(SOCIAL, ruleset, columns, compiled=compiled)
    return [each for each in found if "seat=" in each]


def test_a_natural_that_no_longer_beats_a_drawn_nine_is_found_in_the_second_engine() -> None:
    tables = compile_ruleset(SOCIAL, options(SOCIAL))
    assert isinstance(tables, LuckyTables)
    main, natural, drawn = tables.main.copy(), OUTRIGHT_NINE << 2, 9 << 2
    main[natural << SIDE_BITS | drawn] = Verdict.PUSH
    lines = planted_at_full_tables(replace(tables, main=main))
    assert lines
    assert all("outcome='win'" in each for each in lines)
    assert planted_at_full_tables() == []


def test_a_natural_that_no_longer_beats_a_drawn_nine_is_found_in_the_engine_that_pays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forgets_the_seat(seat: SeatPlay, bank: SeatPlay) -> bool:
        return _is_natural_met(seat._replace(faces=bank.faces), bank)

    plant(monkeypatch, _is_natural_met, forgets_the_seat)
    lines = planted_at_full_tables()
    assert lines
    assert all("outcome='push'" in each for each in lines)
