"""The rules of both Lucky 9 games read out sentence by sentence, and a dealer who keeps to them.

As `reading` is for game A: a third voice, with no regard for speed. Hands are strings of ranks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tests.bulk.reading import count


@dataclass(frozen=True, slots=True)
class Deal:
    """A round as it came to lie: hands by number (the bank's is 0) and, in game C, decisions."""

    hands: dict[int, str]
    decisions: dict[int, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one main wager comes to, before any rounding."""

    outcome: str
    odds: tuple[int, int] | None = None
    bonus: Fraction = Fraction(0)
    extra: Fraction = Fraction(0)


def natural(hand: str, options: Mapping[str, object]) -> bool:
    """Say whether a hand as it finally lies is a natural: two cards, 8 or 9 (C1: 9 alone)."""
    totals = options.get("natural_totals", [8, 9])
    assert isinstance(totals, list)
    return len(hand) == 2 and count(hand) in totals


def must_draw(hand: str, options: Mapping[str, object]) -> bool:
    """Say whether the first two cards of game B demand a third (B1, B16)."""
    match options["forced_draw"]:
        case "all":
            return True
        case "to_7":
            return count(hand[:2]) <= 7
        case _:
            return count(hand[:2]) <= 5


def outright(hand: str, options: Mapping[str, object]) -> bool:
    """Say whether a hand of game B beats every hand that is no natural, whatever is drawn (B3)."""
    match options["natural_priority"]:
        case "outranks_drawn":
            return natural(hand, options)
        case "nine_only":
            return natural(hand, options) and count(hand) == 9
        case _:
            return False


def deal_fixed(
    hands: Mapping[int, str], options: Mapping[str, object], thirds: Sequence[str]
) -> Deal:
    """Deal the third cards of game B from `thirds`: punters in turn, the banker last (B4, B5)."""
    left = list(thirds)
    final = dict(hands)
    forced = options["forced_draw"] == "all"
    stopped = options["banker_natural_stops_draws"] and not forced and natural(hands[0], options)
    seats = [hand for hand in hands if hand != 0]
    for seat in seats:
        if must_draw(hands[seat], options) and not stopped:
            final[seat] += left.pop()
    still_open = [seat for seat in seats if not outright(final[seat], options)]
    if must_draw(hands[0], options) and still_open:
        final[0] += left.pop()
    return Deal(final, {})


def deal_elective(
    hands: Mapping[int, str], options: Mapping[str, object], thirds: Sequence[str], random: Random
) -> Deal:
    """Let the seats of game C decide at random, then the bank, if it is asked (C2 to C6)."""
    left, final = list(thirds), dict(hands)
    decisions = dict.fromkeys(hands, "none")
    still_open = []
    for seat in (hand for hand in hands if hand != 0):
        if natural(hands[seat], options) or natural(hands[0], options):
            continue
        decisions[seat] = random.choice(["hit", "stand", "hit", "stand", "no_decision"])
        if decisions[seat] == "hit":
            final[seat] += left.pop()
        if decisions[seat] != "no_decision" or options["no_decision"] == "stand":
            still_open.append(seat)
    if still_open:
        decisions[0] = random.choice(["hit", "stand"])
        if decisions[0] == "hit":
            final[0] += left.pop()
    return Deal(final, decisions)


def colon_rate(hand: str, options: Mapping[str, object]) -> tuple[int, int] | None:
    """Give the rate of a Colon or a Colon Nine (B8, B14); None for no Colon."""
    colon = options.get("colon")
    if not isinstance(colon, Mapping) or not colon["enabled"] or hand[0] != hand[1]:
        return None
    high, low = colon["nine_odds"] if hand[0] == "9" else colon["odds"]
    return high, low


def better(punter: str, banker: str, options: Mapping[str, object]) -> int:
    """Compare final hands: 1 the punter's is better, -1 the banker's."""
    mine, theirs = count(punter), count(banker)
    by_total = (mine > theirs) - (mine < theirs)
    if "natural_totals" in options:  # C2, C8
        one, other = natural(punter, options), natural(banker, options)
    else:  # B2, B3
        one, other = outright(punter, options), outright(banker, options)
    return by_total if one == other else 1 if one else -1


def read_fixed(punter: str, banker: str, options: Mapping[str, object]) -> Reading:
    """Settle a stake of one in game B (B6, B9 to B14)."""
    colon = options["colon"]
    assert isinstance(colon, Mapping)
    mine, theirs = colon_rate(punter, options), colon_rate(banker, options)
    match better(punter, banker, options):
        case 1:
            return Reading("win", mine or (1, 1))
        case 0:
            return Reading("push")
    bonus = extra = Fraction(0)
    if mine is not None and theirs is None and colon["on_loss"] == "bonus_part":
        bonus = Fraction(*mine) - 1
    if theirs is not None and options["banker_colon_collects"] == "multiple":
        extra = Fraction(*theirs) - 1
    return Reading("lose", None, bonus, extra)


def read_elective(
    punter: str, banker: str, decision: str, options: Mapping[str, object]
) -> Reading:
    """Settle a stake of one in game C (C2, C6, C8, C9)."""
    if decision == "no_decision" and options["no_decision"] == "void_bet":
        return Reading("void")
    odds = options["odds"]
    assert isinstance(odds, list)
    match better(punter, banker, options):
        case 1:
            return Reading("win", (odds[0], odds[1]))
        case 0:
            return Reading("push")
    return Reading("lose")
