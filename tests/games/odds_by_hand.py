"""A second way to odds, for tests: walk every order in which cards can leave a small shoe.

Shares nothing with the counting that it checks. Rounds are settled by the engine, document by
document; ways are counted by drawing one card after the other.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from tables.games import settle_document

POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(pips): pips for pips in range(2, 10)}

Remaining = Mapping[str, int]
Lines = list[Mapping[str, object]]


def orders(remaining: Remaining, *, cards: int) -> Iterator[tuple[str, int]]:
    """Yield every sequence of ranks that can be dealt, with the number of deals that give it."""
    if not cards:
        yield "", 1
        return
    for rank, count in remaining.items():
        if count:
            rest = {**remaining, rank: count - 1}
            for tail, ways in orders(rest, cards=cards - 1):
                yield rank + tail, count * ways


def deals_in_all(remaining: Remaining, *, cards: int) -> int:
    """Count the ordered deals of so many cards."""
    total, left = 1, sum(remaining.values())
    for drawn in range(cards):
        total *= left - drawn
    return total


def answer(
    game: str,
    options: Mapping[str, object],
    *,
    seats: list[dict[str, object]],
    bank: Mapping[str, object],
) -> Mapping[str, object]:
    """Settle a round by the engine; it must have no faults."""
    place = "house" if game == "poker-lucky-9" else "banker"
    document = {"id": "x", "game": game, "options": options, "seats": seats, place: bank}
    found = settle_document(document)
    assert found["faults"] == [], found["faults"]
    return found


def lines_of(found: Mapping[str, object], *, seat: int = 1) -> Lines:
    """Return the lines of one seat."""
    lines = found["lines"]
    assert isinstance(lines, list)
    return [line for line in lines if line["seat"] == seat]


def net_of(lines: Lines) -> int:
    """Add up what a seat gains over its lines, stakes taken off."""
    gained = 0
    for line in lines:
        numbers = [line.get(name, 0) for name in ("returned_minor", "stake_minor")]
        assert all(isinstance(number, int) for number in numbers)
        extra = line.get("extra_owed_minor", 0)
        assert isinstance(numbers[0], int)
        assert isinstance(numbers[1], int)
        assert isinstance(extra, int)
        gained += numbers[0] - numbers[1] - extra
    return gained


Settled = Callable[[str], Mapping[str, object]]
"""Settle the round that this sequence of ranks makes."""


def expected(remaining: Remaining, *, cards: int, value: Callable[[str], int]) -> Fraction:
    """Average a value of the dealt sequence over all deals."""
    total = sum(ways * value(ranks) for ranks, ways in orders(remaining, cards=cards))
    return Fraction(total, deals_in_all(remaining, cards=cards))


def probabilities(
    remaining: Remaining, *, cards: int, key: Callable[[str], object]
) -> dict[object, Fraction]:
    """State the probability of every value of `key` over all deals."""
    counts: dict[object, int] = {}
    for ranks, ways in orders(remaining, cards=cards):
        found = key(ranks)
        counts[found] = counts.get(found, 0) + ways
    deals = deals_in_all(remaining, cards=cards)
    return {found: Fraction(ways, deals) for found, ways in counts.items()}


def poker_answer(
    ranks: str, *, options: Mapping[str, object], stakes: Mapping[str, int], seats: int = 1
) -> Mapping[str, object]:
    """Settle Poker Lucky 9 for ranks in dealing order: laps of the seats, then the House."""
    step = seats + 1
    return answer(
        "poker-lucky-9",
        options,
        seats=[
            {"seat": seat + 1, "bets": stakes, "cards": list(ranks[seat::step])}
            for seat in range(seats)
        ],
        bank={"cards": list(ranks[seats::step])},
    )


def total_of(ranks: str) -> int:
    """Count a hand of Lucky 9."""
    return sum(POINTS[rank] for rank in ranks) % 10


def fixed_answer(
    ranks: str, *, options: Mapping[str, object], stakes: Mapping[str, int], seats: int = 1
) -> Mapping[str, object]:
    """Settle Lucky 9 for ranks in dealing order; who draws is read from the rules here, anew.

    Not all the ranks need be drawn. B1, B4, B5 and B16: 0 to 5 must draw, or as forced; a banker's
    natural stops all if chosen; the banker draws while a comparison is open.
    """
    most = {"off": 5, "to_7": 7, "all": 9}[str(options.get("forced_draw", "off"))]
    priority = str(options.get("natural_priority", "outranks_drawn"))
    step = seats + 1
    hands = [ranks[place : 2 * step : step] for place in range(step)]
    drawn = iter(ranks[2 * step :])
    totals = [total_of(hand) for hand in hands]
    naturals = [most < 9 and total >= 8 for total in totals]
    lowest = {"outranks_drawn": 8, "nine_only": 9, "total_only": 10}[priority]
    stops = options.get("banker_natural_stops_draws", True) and naturals[-1]
    for seat in range(seats):
        if totals[seat] <= most and not stops:
            hands[seat] += next(drawn)
    is_open = any(
        not (natural and total >= lowest)
        for natural, total in zip(naturals[:-1], totals[:-1], strict=True)
    )
    if is_open and totals[-1] <= most:
        hands[-1] += next(drawn)
    return answer(
        "lucky-9",
        options,
        seats=[
            {"seat": seat + 1, "bets": stakes, "cards": list(hands[seat])} for seat in range(seats)
        ],
        bank={"cards": list(hands[-1])},
    )


Draws = Callable[[str], bool]


def elective_answer(
    ranks: str,
    *,
    seat_draws: Draws,
    bank_draws: Callable[[str, bool], bool],
    stakes: Mapping[str, int],
    options: Mapping[str, object] | None = None,
    seats: int = 1,
) -> Mapping[str, object]:
    """Settle home Lucky 9 for ranks in dealing order under these policies.

    `bank_draws` is asked with the bank's hand and whether the first seat drew.
    """
    step = seats + 1
    hands = [ranks[place : 2 * step : step] for place in range(step)]
    drawn = iter(ranks[2 * step :])
    decisions = ["none"] * step
    for seat in range(seats):
        if total_of(hands[-1]) != 9 and total_of(hands[seat]) != 9:
            decisions[seat] = "hit" if seat_draws(hands[seat]) else "stand"
    if set(decisions[:-1]) != {"none"}:
        draws = bank_draws(hands[-1], decisions[0] == "hit")
        decisions[-1] = "hit" if draws else "stand"
    hands = [
        hand + next(drawn) if decision == "hit" else hand
        for hand, decision in zip(hands, decisions, strict=True)
    ]
    return answer(
        "lucky-9-social",
        options or {},
        seats=[
            {
                "seat": seat + 1,
                "bets": stakes,
                "cards": list(hands[seat]),
                "draw": decisions[seat],
            }
            for seat in range(seats)
        ],
        bank={"cards": list(hands[-1]), "draw": decisions[-1]},
    )
