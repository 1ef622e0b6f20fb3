"""Columns of random rounds for the comparison of the engines, and of all hands that can meet."""

from collections.abc import Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from settlements.bulk import Columns, Part, RoundRecord, build_columns
from settlements.bulk.codes import FACES
from tests.bulk.lucky_reading import deal_elective, deal_fixed
from tests.bulk.reading import RANKS
from tests.bulk.rulesets import FIXED, random_stake

KINDS = ("main", "tie", "pair", "jacks")


def random_poker_columns(
    generator: np.random.Generator, *, rounds: int, options: Mapping[str, object]
) -> Columns:
    """Deal tables of game A: one to five seats, any wagers, stakes of all sizes, equal ranks."""
    shape = (rounds, 5)
    seated = generator.random(shape) < generator.choice([0.3, 0.8, 1.0], size=(rounds, 1))
    seated[np.arange(rounds), generator.integers(0, 5, rounds)] = True
    chance = {"main": 0.9, "tie": 0.5, "pair": 0.6, "jacks": 0.6}
    stakes = {
        kind: np.where(seated & (generator.random(shape) < chance[kind]), stake, 0)
        for kind in KINDS
        for stake in [_stakes(generator, shape)]
    }
    hand = stakes["main"] > 0
    if not options["side_requires_main"]:
        hand |= stakes["pair"] > 0
        hand |= (stakes["tie"] > 0) & (options["tie_odds"] is not None)
    spread = generator.choice([2, 4, 13, 13], size=(rounds, 1, 1))
    shift = generator.integers(0, 13, size=(rounds, 1, 1))
    faces = (generator.integers(0, 13, size=(rounds, 6, 3)) % spread + shift) % 13 + 1
    return Columns(
        cards=(faces[:, 1:] * hand[:, :, None]).astype(np.int8),
        bank=faces[:, 0].astype(np.int8),
        stakes=stakes,
    )


def _stakes(generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Draw stakes: chips, odd amounts, and some at the edge of what a document may state."""
    chips = 500 * generator.integers(1, 200, shape)
    odd = generator.integers(1, 1_000_000, shape)
    huge = 2**53 - generator.integers(1, 100, shape)
    size = generator.random(shape)
    return np.where(size < 0.6, chips, np.where(size < 0.97, odd, huge))


def random_lucky_columns(
    random: Random, *, game: str, rounds: int, options: Mapping[str, object]
) -> Columns:
    """Deal tables of game B or C to the rules: one to eight seats, often equal ranks and nines."""
    records = [random_lucky_record(random, game=game, options=options) for _ in range(rounds)]
    return build_columns(game, records, part=Part.WHOLE)


def random_lucky_record(random: Random, *, game: str, options: Mapping[str, object]) -> RoundRecord:
    """Deal one round of game B or C to the rules."""
    seats = random.sample(range(1, 9), random.choice([1, 2, random.randint(1, 8)]))
    pick = RANKS if random.random() < 0.6 else [*random.sample(RANKS, 3), "9"]
    hands = {hand: "".join(random.choices(pick, k=2)) for hand in [0, *seats]}
    thirds = random.choices(pick, k=9)
    if game == FIXED:
        deal = deal_fixed(hands, options, thirds)
    else:
        deal = deal_elective(hands, options, thirds, random)
    return RoundRecord(
        game=game,
        options=options,
        wagers={seat: {"main": random_stake(random)} for seat in seats},
        hands={hand: tuple(cards) for hand, cards in deal.hands.items()},
        decisions=deal.decisions,
    )


def spoilt(random: Random, columns: Columns) -> Columns:
    """Spoil about half of the rounds: a third card added, taken away or unknown, a word changed."""
    for row in range(columns.rounds):
        seated = np.flatnonzero(columns.stakes["main"][row]).tolist()
        hand = (
            columns.cards[row, random.choice(seated)]
            if random.random() < 0.7
            else (columns.bank[row])
        )
        match random.randint(0, 5):
            case 0:
                hand[2] = 0 if hand[2] else random.randint(1, 13)
            case 1:
                hand[random.randint(0, 1 + int(hand[2] > 0))] = FACES["?"]
            case 2 if columns.decisions is not None and columns.bank_decision is not None:
                columns.decisions[row, random.choice(seated)] = random.randint(0, 4)
                columns.bank_decision[row] = random.choice(
                    [columns.bank_decision[row], random.randint(0, 4)]
                )
    return columns
