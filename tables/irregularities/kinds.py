"""What an event of the list is made of: its procedures, who signs, what they do to money and cards.

Plain values (rules 2.1 to 2.3); nothing here reads, writes or decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

ALL_GAMES: Final = ("poker-lucky-9", "lucky-9", "lucky-9-social")


class Letter(StrEnum):
    """Who signs, as the rules write it (rules 2.1). Each letter is one person of its own."""

    DEALER = "D"
    SUPERVISOR = "S"
    MANAGER = "M"
    IN_CHARGE = "H"
    SURVEILLANCE = "V"


class WagerEffect(StrEnum):
    """What becomes of wagers."""

    STAND = "stand"
    RETURNED = "returned"  # those that are named go back, whole or in part
    CAPPED = "capped"  # the excess over the limit goes back
    HONOURED = "honoured"  # counts as it lay, above the limit
    SEAT_BACK = "seat_back"  # the hand is dead, its open wagers go back
    SEAT_HELD = "seat_held"  # the hand is dead, its open wagers are held
    HELD = "held"  # they play on under a dispute hold
    ROUND_BACK = "round_back"  # the round is void
    ROUND_HELD = "round_held"  # the round is void, what goes back is held


# The hand is dead and takes no further part.
HAND_DEAD: Final = (WagerEffect.SEAT_BACK, WagerEffect.SEAT_HELD)


class CardEffect(StrEnum):
    """What becomes of cards."""

    STAY = "stay"
    BURNED = "burned"
    SET_ASIDE = "set_aside"
    NEXT_ROUND = "next_round"
    GHOST = "ghost"
    AS_LAID = "as_laid"  # they stay where they lie, against the deal plan
    REBUILT = "rebuilt"  # they lay otherwise and are laid in the order of the shoe
    MISSED = "missed"  # a hand was passed over and gets its card next
    REPLACED = "replaced"  # one out, one of the same face in
    SWEEP_LATE = "sweep_late"  # third cards lie before the sweep


# The card leaves play and lies with no hand.
CARDS_APART: Final = (CardEffect.BURNED, CardEffect.SET_ASIDE)


class ShoeEffect(StrEnum):
    """What becomes of the shoe."""

    STAYS = "stays"
    CUT_OUT = "cut_out"
    STOPPED = "stopped"  # takes no more rounds; to be counted or judged
    VOIDED = "voided"
    ENDS = "ends"
    RESHUFFLED = "reshuffled"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class Procedure:
    """One way to rule an event: who signs, what it does, when it may be chosen.

    `option` names a procedure of the table's policy (rules 1E) and the values under which this one
    is the house's; `between` is who signs where no round is in play, if that differs. `in_round` is
    True, False, or None for both. `elsewhere` names the act that rules it instead of this list.
    `games` can be ruled so; `undecided` is an offer to hands that have not decided yet. `bank` says
    whether it is about the bank's hand, None where that makes no difference to who rules.
    """

    code: str
    name: str
    authority: tuple[Letter, ...]
    option: tuple[str, tuple[str, ...]] | None = None
    between: tuple[Letter, ...] | None = None
    regulator: bool = False
    wagers: WagerEffect = WagerEffect.STAND
    card: CardEffect = CardEffect.STAY
    shoe: ShoeEffect = ShoeEffect.STAYS
    in_round: bool | None = True
    elsewhere: str = ""
    games: tuple[str, ...] = ALL_GAMES
    undecided: bool = False
    bank: bool | None = None

    @property
    def voids_round(self) -> bool:
        """Whether it voids the round in play."""
        return self.wagers in (WagerEffect.ROUND_BACK, WagerEffect.ROUND_HELD)

    def signers(self, *, in_round: bool) -> tuple[Letter, ...]:
        """Return who signs."""
        if not in_round and self.between is not None:
            return self.between
        return self.authority


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the list: its number for ever, its name, the games that can meet it."""

    number: int
    name: str
    procedures: Mapping[str, Procedure] = field(repr=False)
    games: tuple[str, ...] = ALL_GAMES
