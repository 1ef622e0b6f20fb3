"""All hands of Lucky 9 that one seat and the bank can come to hold against each other.

Seats that meet the same bank hand are laid at one table, eight at a time, where that changes
nothing: the draws of each are the same as if it sat alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Final, NamedTuple

import numpy as np

from settlements.bulk import Columns
from settlements.bulk.codes import DECISIONS, FACES
from tests.bulk.lucky_reading import must_draw, natural, outright
from tests.bulk.reading import RANKS
from tests.bulk.rulesets import FIXED

ALL_OPENINGS: Final = ["".join(two) for two in product(RANKS, repeat=2)]
# One opening for each total and each kind of pair: none, a Colon, a Colon Nine.
OPENING_CLASSES: Final = [
    *("TJ", "TA", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"),
    *("55", "AA", "22", "33", "44", "99"),
]
THIRD_CLASSES: Final = "TA23456789"
SEATS: Final = 8


class Dealt(NamedTuple):
    """A hand as it came to lie, and what it decided."""

    cards: str
    decision: str = ""


class Group(NamedTuple):
    """Hands that may sit at one table against the same bank hand."""

    bank: Dealt
    seats: list[Dealt]


def fixed_groups(
    options: Mapping[str, object], openings: Sequence[str], thirds: str
) -> Iterator[Group]:
    """Deal every meeting of game B to the rules (B1, B4, B5, B16)."""
    for opening in openings:
        stops = (
            bool(options["banker_natural_stops_draws"])
            and options["forced_draw"] != "all"
            and natural(opening, options)
        )
        hands = [
            hand
            for own in openings
            for hand in (
                [own + third for third in thirds]
                if must_draw(own, options) and not stops
                else [own]
            )
        ]
        decided = [Dealt(hand) for hand in hands if outright(hand, options)]
        still_open = [Dealt(hand) for hand in hands if not outright(hand, options)]
        yield Group(Dealt(opening), decided)
        for third in thirds if must_draw(opening, options) else [""]:
            yield Group(Dealt(opening + third), still_open)


def elective_groups(
    options: Mapping[str, object], openings: Sequence[str], thirds: str
) -> Iterator[Group]:
    """Deal every meeting of game C to the rules, with every decision (C2 to C6)."""
    naturals = [Dealt(own, "none") for own in openings if natural(own, options)]
    others = [own for own in openings if not natural(own, options)]
    silent = [Dealt(own, "no_decision") for own in others]
    chosen = [Dealt(own, "stand") for own in others]
    chosen += [Dealt(own + third, "hit") for own in others for third in thirds]
    for opening in openings:
        quiet = Dealt(opening, "none")
        yield Group(quiet, naturals)
        if natural(opening, options):
            yield Group(quiet, [Dealt(own, "none") for own in others])
            continue
        asked = chosen
        if options["no_decision"] == "stand":
            asked = asked + silent
        else:
            yield Group(quiet, silent)
        yield Group(Dealt(opening, "stand"), asked)
        for third in thirds:
            yield Group(Dealt(opening + third, "hit"), asked)


def meeting_columns(
    game: str,
    options: Mapping[str, object],
    *,
    openings: Sequence[str] = ALL_OPENINGS,
    thirds: str = RANKS,
    share: float = 1.0,
    seed: int = 1,
) -> Iterator[Columns]:
    """Lay the meetings out, eight seats to a table, some thousand tables at a time.

    `share` is the seeded part of all tables that is taken.
    """
    random = Random(seed)
    groups = fixed_groups if game == FIXED else elective_groups
    tables: list[Group] = []
    for bank, hands in groups(options, openings, thirds):
        for start in range(0, len(hands), SEATS):
            if share == 1.0 or random.random() < share:
                tables.append(Group(bank, hands[start : start + SEATS]))
        if len(tables) > 4000:
            yield _columns(tables)
            tables = []
    if tables:
        yield _columns(tables)


def _columns(tables: Sequence[Group]) -> Columns:
    """Write tables down in columns; every stake is 101."""
    nobody = Dealt("")
    rows = [[*table.seats, *[nobody] * (SEATS - len(table.seats))] for table in tables]
    cards = np.array([[_faces(hand) for hand in row] for row in rows], dtype=np.int8)
    return Columns(
        cards=cards,
        bank=np.array([_faces(table.bank) for table in tables], dtype=np.int8),
        stakes={"main": np.where(cards[:, :, 0] > 0, 101, 0).astype(np.int64)},
        decisions=np.array(
            [[DECISIONS[hand.decision] for hand in row] for row in rows], dtype=np.int8
        ),
        bank_decision=np.array([DECISIONS[table.bank.decision] for table in tables], np.int8),
    )


def _faces(hand: Dealt) -> list[int]:
    """Write a hand's faces, 0 where no card lies."""
    return [*(FACES[rank] for rank in hand.cards), 0, 0, 0][:3]
