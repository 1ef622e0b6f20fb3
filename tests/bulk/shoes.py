"""Lucky 9 dealt in columns from a full shoe, by a plain reading of who draws.

What stated odds are held to: either every deal of one seat and the bank, with the number of ways in
which it comes, or random deals by the million. Knows neither the engine that pays nor any counting
of odds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from settlements.bulk import Columns, Decision
from settlements.bulk.codes import FACES
from tests.bulk.reading import RANKS, count

Faces = NDArray[np.int8]
Flags = NDArray[np.bool_]
Ways = NDArray[np.int64]
Totals = NDArray[np.int8]

# Every price and commission of these tests comes out whole on it.
STAKE: Final = 12_000
CARDS_OF_A_HAND: Final = 3
_NATURAL_NINE: Final = 9
_POINTS: Final = np.zeros(16, dtype=np.int8)
for _rank in RANKS:
    _POINTS[FACES[_rank]] = count(_rank)


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each first hand of game C draws, by its two faces as hexadecimal digits.

    The bank has one column for after a draw of the first seat and one for after anything else.
    """

    seat: NDArray[np.float64]
    bank_after_draw: NDArray[np.float64]
    bank_after_stand: NDArray[np.float64]


Lay = Callable[[Faces, np.random.Generator], Columns]
"""Lay dealt cards out as rounds; chance decides only where a draw has a probability."""


def every_deal(decks: int) -> Iterator[tuple[Faces, Ways]]:
    """Deal six cards to a seat and the bank in every way; the first two of a hand in one order.

    Third cards nobody draws are counted as they lie. One block for each first hand of the seat.
    """
    firsts = np.array(list(combinations_with_replacement(range(1, 14), 2)), dtype=np.int8)
    thirds = np.array([(one, other) for one in range(1, 14) for other in range(1, 14)], np.int8)
    bank = np.repeat(firsts, len(thirds), axis=0)
    drawn = np.tile(thirds, (len(firsts), 1))
    for mine in firsts:
        seat = np.broadcast_to(mine, bank.shape)
        faces = np.stack((seat[:, 0], bank[:, 0], seat[:, 1], bank[:, 1], *drawn.T), axis=1)
        ways = np.where(bank[:, 0] == bank[:, 1], 1, 2).astype(np.int64)
        ways *= 1 if mine[0] == mine[1] else 2
        for place in range(faces.shape[1]):
            gone = (faces[:, :place] == faces[:, place, None]).sum(axis=1)
            ways *= np.maximum(4 * decks - gone, 0)
        yield faces[ways > 0], ways[ways > 0]


def random_deals(generator: np.random.Generator, *, decks: int, deals: int, cards: int) -> Faces:
    """Deal so many cards from a full shoe, again and again, none of a deal put back."""
    faces = np.empty((cards, deals), dtype=np.int8)
    gone: list[NDArray[np.int16]] = []  # The places already dealt, ascending in each deal.
    for card in range(cards):
        place = generator.integers(0, 52 * decks - card, deals, dtype=np.int16)
        for earlier in gone:
            place += earlier <= place
        faces[card] = place // (4 * decks) + 1
        for nth, earlier in enumerate(gone):
            gone[nth], place = np.minimum(earlier, place), np.maximum(earlier, place)
        gone.append(place)
    return faces.T


def first_totals(faces: Faces) -> Totals:
    """Count the first two cards of every hand, the bank's last (deals, hands)."""
    hands = faces.shape[1] // CARDS_OF_A_HAND
    totals: Totals = (_POINTS[faces[:, :hands]] + _POINTS[faces[:, hands : 2 * hands]]) % 10
    return totals


def fixed_draws(options: Mapping[str, object], totals: Totals) -> Flags:
    """Say who draws in game B: 0 to 5, or as forced (B1, B16); a natural may stop it (B4, B5)."""
    most = {"off": 5, "to_7": 7, "all": 9}[str(options["forced_draw"])]
    drawing = totals <= most
    natural = totals > 7 if most < 9 else np.zeros_like(drawing)
    outright = {
        "outranks_drawn": natural,
        "nine_only": natural & (totals == 9),
        "total_only": np.zeros_like(natural),
    }[str(options["natural_priority"])]
    if options["banker_natural_stops_draws"]:
        drawing[:, :-1] &= ~natural[:, -1:]
    drawing[:, -1] &= ~outright[:, :-1].all(axis=1)
    return drawing


def lay_fixed(
    options: Mapping[str, object], faces: Faces, _generator: np.random.Generator
) -> Columns:
    """Deal game B: two laps, the bank last in each, then third cards in the same order."""
    return _columns(faces, fixed_draws(options, first_totals(faces)))


def lay_elective(shares: Shares, faces: Faces, generator: np.random.Generator) -> Columns:
    """Deal game C: against or with a natural nine nobody is asked (C2, C5); the bank is last."""
    totals, hands = first_totals(faces), faces.shape[1] // CARDS_OF_A_HAND
    first_two = faces[:, :hands].astype(np.int16) << 4 | faces[:, hands : 2 * hands]
    asked = np.empty(totals.shape, dtype=np.bool_)
    asked[:, :-1] = (totals[:, :-1] != _NATURAL_NINE) & (totals[:, -1:] != _NATURAL_NINE)
    asked[:, -1] = asked[:, :-1].any(axis=1)
    chance = generator.random(totals.shape)
    drawing = np.empty_like(asked)
    drawing[:, :-1] = asked[:, :-1] & (chance[:, :-1] < shares.seat[first_two[:, :-1]])
    bank = np.where(
        drawing[:, 0],
        shares.bank_after_draw[first_two[:, -1]],
        shares.bank_after_stand[first_two[:, -1]],
    )
    drawing[:, -1] = asked[:, -1] & (chance[:, -1] < bank)
    decisions = np.where(drawing, Decision.HIT, np.where(asked, Decision.STAND, Decision.NONE))
    return _columns(faces, drawing, decisions.astype(np.int8))


def _columns(faces: Faces, drawing: Flags, decisions: Faces | None = None) -> Columns:
    """Lay hands out; third cards come in turn to those who draw. Every stake is the same."""
    deals, hands = drawing.shape
    place = 2 * hands - 1 + np.cumsum(drawing, axis=1)
    thirds = np.where(drawing, np.take_along_axis(faces, place, axis=1), 0)
    cards = np.stack((faces[:, :hands], faces[:, hands : 2 * hands], thirds), axis=2)
    return Columns(
        cards=cards[:, :-1],
        bank=cards[:, -1],
        stakes={"main": np.full((deals, hands - 1), STAKE, dtype=np.int64)},
        decisions=None if decisions is None else decisions[:, :-1],
        bank_decision=None if decisions is None else decisions[:, -1],
    )
