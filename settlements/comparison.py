"""Compare what was written for one part of a round with what the second engine makes of its cards.

Pure. It shares no code with the engine that paid: where the cards lie is worked out here from the
order of the deal alone, so that a wrong deal plan is found too. What a difference means is not
decided here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from settlements.bulk import (
    BulkError,
    Line,
    RoundRecord,
    dealing_order,
    decisions_that_count,
    early_hands,
    lay_lucky,
    lay_poker,
    recompute,
)
from settlements.bulk.codes import POKER, SOCIAL

SWEEP = "sweep"
VOIDED = "voided"
# Wherever a round stood from the sweep on, its pair wagers were settled already (A19).
_SWEPT_STAGES = ("pair_settled", "third_lap", "opened")
_HANDLE_OUTCOMES = ("win", "lose", "push")

Difference = dict[str, object]
WagerName = tuple[int, str]


@dataclass(frozen=True, slots=True)
class PayoutRead:
    """One payout as it was written; amounts in minor units, breakage exact."""

    seat: int
    wager: str
    stake_minor: int
    outcome: str
    odds: tuple[int, int] | None
    profit_minor: int
    owed_minor: int
    handed_minor: int
    breakage: Fraction
    cap_cut_minor: int
    commission_minor: int
    extra_owed_minor: int
    bank_minor: int
    bank: str


@dataclass(frozen=True, slots=True)
class TakenRead:
    """A wager, or with "" a dead hand, that was out of play; `returned_minor` None is all of it.

    `stands` are wagers of a dead hand that were settled before and stay so, `reverses` those that
    were taken back with it: the sweep shows them void, their stake returned (A20).
    """

    seat: int
    wager: str
    returned_minor: int | None = None
    stands: tuple[str, ...] = ()
    reverses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartRead:
    """One part of a round in one revision: the facts up to it, and the settlement as written.

    `hashes` are the rulesets that settlement, round and shoe name, and the one that the options
    make; `places` are what the records say of where and when, in pairs that must be equal.
    `direction` is the order of the deal, `bank_seat` None where the house banks, `decisions` are
    those of game C by hand, the bank's under 0. `departures` say where draws went that left the
    turn, `taken_out` what was out of play; draw 0 is a card carried over from the round before.
    `given_back` are the wagers that went back because the shoe was void: losers, all, or none.
    """

    round_key: str
    table_code: str
    part: str
    revision: int
    kind: str
    game: str
    options: Mapping[str, object]
    hashes: Mapping[str, str]
    places: Mapping[str, tuple[str, str]]
    live: tuple[int, ...]
    wagers: Mapping[int, Mapping[str, int]]
    cards: Mapping[int, str]
    void_stage: str
    void_seats: tuple[int, ...]
    handle_minor: int
    bank_owed_minor: int
    bank_handed_minor: int
    payouts: tuple[PayoutRead, ...]
    direction: str = "clockwise"
    bank_seat: int | None = None
    decisions: Mapping[int, str] = field(default_factory=dict)
    departures: Mapping[int, tuple[int, int] | None] = field(default_factory=dict)
    taken_out: tuple[TakenRead, ...] = ()
    held: frozenset[tuple[int, str]] = frozenset()
    given_back: str = ""


def differences(read: PartRead) -> tuple[Difference, ...]:
    """Return everything that the records and the second engine do not agree on; empty when all is.

    Each difference names seat and wager (or neither, for the part as a whole), the field, and the
    stored and the recomputed value; amounts in minor units, fractions as [numerator, denominator].
    """
    found = [*_identity_differences(read), *_live_differences(read)]
    try:
        answer = recompute([record_of(read)])[0]
    except BulkError as error:
        return (*found, _difference("refused", stored=None, recomputed=str(error)))
    if answer.fault:
        return (*found, _difference("fault", stored=None, recomputed=answer.fault))
    lines = {(line.seat, line.kind): line for line in _lines_of_part(read, answer.lines)}
    found += _line_differences(read, lines)
    found += _sum_differences(read, lines)
    return tuple(found)


def mispaid(read: PartRead) -> tuple[PayoutRead, ...]:
    """Return the payouts of which another amount was handed over than was owed (design 6).

    What lies apart under an open dispute hold is not mispaid yet (events 25, 33).
    """
    return tuple(
        paid
        for paid in read.payouts
        if paid.handed_minor > paid.owed_minor
        or (paid.handed_minor < paid.owed_minor and (paid.seat, paid.wager) not in read.held)
    )


def record_of(read: PartRead) -> RoundRecord:
    """Return the part as the second engine takes it. Raises BulkError for an unknown game."""
    voided = is_void(read)
    stakes, out = _counting(read)
    hands = hands_as_dealt(read)
    decisions = decisions_that_count(read.options, hands, read.decisions)
    return RoundRecord(
        game=read.game,
        options=read.options,
        wagers={_column(read, seat): bets for seat, bets in stakes.items()},
        hands={_column(read, hand): faces for hand, faces in hands.items()},
        part="void" if voided else read.part,
        decisions={_column(read, hand): choice for hand, choice in decisions.items()},
        stage=read.void_stage,
        touches_first_two=[_column(read, seat) for seat in read.void_seats] if voided else False,
        taken_out=[(_column(read, seat), kind) for seat, kind in out],
    )


def _counting(read: PartRead) -> tuple[dict[int, dict[str, int]], list[WagerName]]:
    """Return the stakes that count, and those that are out of play whole, by seat and kind."""
    stakes = {seat: dict(bets) for seat, bets in read.wagers.items()}
    out: list[WagerName] = []
    for taken in read.taken_out:
        bets = stakes.get(taken.seat, {})
        if not taken.wager:
            out += [(taken.seat, kind) for kind in bets if kind not in taken.stands]
        elif taken.returned_minor is None or taken.returned_minor >= bets.get(taken.wager, 0):
            out += [(taken.seat, taken.wager)] if taken.wager in bets else []
        else:
            bets[taken.wager] -= taken.returned_minor
    return stakes, sorted(set(out))


def _column(read: PartRead, hand: int) -> int:
    """Number the hands that play against the bank without a gap: its own seat plays none."""
    return hand - (read.bank_seat is not None and hand > read.bank_seat)


def _seat(read: PartRead, column: int) -> int:
    return column + (read.bank_seat is not None and column >= read.bank_seat)


def is_void(read: PartRead) -> bool:
    """Tell whether this part was settled as void; a void that was corrected stays one (A20)."""
    return read.kind == VOIDED or bool(read.void_stage)


def hands_as_dealt(read: PartRead) -> dict[int, list[str | None]]:
    """Return the faces of each hand by lap; the bank's (0) is last in each (A11, A27, A28, B18).

    A card that was never dealt is None. Raises BulkError for a game that is not dealt this way.
    """
    dead = {taken.seat for taken in read.taken_out if not taken.wager}
    turns = dealing_order(read.live, direction=read.direction, bank_seat=read.bank_seat)
    if read.game != POKER:
        return lay_lucky(
            read.game,
            read.options,
            order=turns,
            cards=read.cards,
            decisions=read.decisions,
            elsewhere=read.departures,
            dead=dead,
            out={seat for seat, _kind in _counting(read)[1]},
        )
    return lay_poker(turns, read.cards, elsewhere=read.departures, dead=dead)


def kinds_of(read: PartRead) -> tuple[str, ...]:
    """Return the kinds of wager that this part settles (A19, A20)."""
    if read.part == SWEEP:
        return ("pair",)
    if is_void(read) and read.void_stage not in _SWEPT_STAGES:
        return ("main", "tie", "pair", "jacks")
    return ("main", "tie", "jacks")


def _lines_of_part(read: PartRead, lines: Sequence[Line]) -> list[Line]:
    """Return the recomputed lines that this part settles, seats as they are numbered."""
    back = _taken_back(read) if read.part == SWEEP else []
    return [_after_void_of_shoe(read, line) for line in (*_settled_lines(read, lines), *back)]


def _taken_back(read: PartRead) -> list[Line]:
    """Return what a sweep shows of wagers that went back with their dead hand (A20)."""
    stakes, _out = _counting(read)
    return [
        _returned(taken.seat, kind, stakes[taken.seat][kind])
        for taken in read.taken_out
        for kind in taken.reverses
        if kind in stakes.get(taken.seat, {})
    ]


def _returned(seat: int, kind: str, stake_minor: int) -> Line:
    """Return a wager that is void: its stake goes back, and nothing else is owed either way."""
    nothing = Fraction(0)
    return Line(
        seat=seat,
        kind=kind,
        stake_minor=stake_minor,
        outcome="void",
        odds=None,
        profit_minor=0,
        returned_minor=stake_minor,
        extra_owed_minor=0,
        cap_cut_minor=0,
        breakage=nothing,
        commission=nothing,
    )


def _settled_lines(read: PartRead, lines: Sequence[Line]) -> list[Line]:
    found = [replace(line, seat=_seat(read, line.seat)) for line in lines]
    if read.game == POKER:
        kinds = kinds_of(read)
        return [line for line in found if line.kind in kinds]
    if read.game != SOCIAL:
        return [] if read.part == SWEEP else found
    if not is_void(read):
        return found  # the second engine knows the parts of this game itself (C3)
    early = early_hands(hands_as_dealt(read)) if read.void_stage in _SWEPT_STAGES else set()
    return [line for line in found if (line.seat in early) == (read.part == SWEEP)]


def _after_void_of_shoe(read: PartRead, line: Line) -> Line:
    """Return a line as it is once its shoe was found void: who is refunded gets the stake back and
    owes nothing (event 27). A ruling that nobody knows refunds nobody."""
    refunds = {"losers": line.outcome == "lose", "all": line.outcome in _HANDLE_OUTCOMES}
    if refunds.get(read.given_back, False):
        return _returned(line.seat, line.kind, line.stake_minor)
    return line


def live_by_rule(read: PartRead) -> tuple[int, ...]:
    """Return the seats that the wagers buy a hand, in the order of the deal (A21, A27, A28)."""
    buys = ["main"]
    if read.game == POKER and not read.options.get("side_requires_main", True):
        buys += ["pair"] if read.options.get("tie_odds") is None else ["tie", "pair"]
    seats = [seat for seat, stakes in read.wagers.items() if any(map(stakes.get, buys))]
    return dealing_order(seats, direction=read.direction, bank_seat=read.bank_seat)


def _identity_differences(read: PartRead) -> Iterator[Difference]:
    """One ruleset from the options to the shoe, and one place and day (trust R12)."""
    settled_under = read.hashes["settlement"]
    for name, value in read.hashes.items():
        if value != settled_under:
            yield _difference(f"ruleset_of_{name}", stored=settled_under, recomputed=value)
    for name, (stored, expected) in read.places.items():
        if stored != expected:
            yield _difference(name, stored=stored, recomputed=expected)


def _live_differences(read: PartRead) -> Iterator[Difference]:
    live = live_by_rule(read)
    if live != read.live:
        yield _difference("live_seats", stored=list(read.live), recomputed=list(live))


def _line_differences(read: PartRead, lines: Mapping[WagerName, Line]) -> Iterator[Difference]:
    stored: dict[WagerName, PayoutRead] = {}
    for paid in read.payouts:
        name = (paid.seat, paid.wager)
        if stored.setdefault(name, paid) is not paid:
            yield _difference("line_doubled", stored=2, recomputed=1, wager=name)
    for seat, wager in sorted(stored.keys() | lines.keys()):
        written, line = stored.get((seat, wager)), lines.get((seat, wager))
        if written is None or line is None:
            yield _difference(
                "line",
                stored=None if written is None else written.owed_minor,
                recomputed=None if line is None else line.returned_minor,
                wager=(seat, wager),
            )
            continue
        expected = _fields_of_line(line, bank_seat=read.bank_seat)
        for column, value in _fields_of_payout(written).items():
            if value != expected[column]:
                yield _difference(
                    column, stored=value, recomputed=expected[column], wager=(seat, wager)
                )


def _fields_of_payout(paid: PayoutRead) -> dict[str, object]:
    return {
        "stake_minor": paid.stake_minor,
        "outcome": paid.outcome,
        "odds": _pair(paid.odds),
        "profit_minor": paid.profit_minor,
        "owed_minor": paid.owed_minor,
        "breakage": [paid.breakage.numerator, paid.breakage.denominator],
        "cap_cut_minor": paid.cap_cut_minor,
        "commission_minor": paid.commission_minor,
        "extra_owed_minor": paid.extra_owed_minor,
        "bank_minor": paid.bank_minor,
        "bank": paid.bank,
    }


def _fields_of_line(line: Line, *, bank_seat: int | None) -> dict[str, object]:
    commission_minor = _commission_minor(line)
    return {
        "stake_minor": line.stake_minor,
        "outcome": line.outcome,
        "odds": _pair(line.odds),
        "profit_minor": line.profit_minor,
        "owed_minor": line.returned_minor,
        "breakage": [line.breakage.numerator, line.breakage.denominator],
        "cap_cut_minor": line.cap_cut_minor,
        "commission_minor": commission_minor,
        "extra_owed_minor": line.extra_owed_minor,
        "bank_minor": _bank_owed_minor(line) - commission_minor,
        "bank": "house" if bank_seat is None else str(bank_seat),
    }


def _sum_differences(read: PartRead, lines: Mapping[WagerName, Line]) -> Iterator[Difference]:
    taken = sum(line.stake_minor + line.extra_owed_minor for line in lines.values())
    owed = sum(_bank_owed_minor(line) for line in lines.values())
    handed = taken - sum(paid.handed_minor for paid in read.payouts)
    if read.bank_seat is not None:
        # The stakes are not the house's: it gains the commission alone (B23).
        owed = handed = sum(_commission_minor(line) for line in lines.values())
    expected = {
        "handle_minor": sum(
            line.stake_minor for line in lines.values() if line.outcome in _HANDLE_OUTCOMES
        ),
        "bank_owed_minor": owed,
        "bank_handed_minor": handed,
    }
    for name, value in expected.items():
        if getattr(read, name) != value:
            yield _difference(name, stored=getattr(read, name), recomputed=value)


def _commission_minor(line: Line) -> int:
    return line.commission.numerator // line.commission.denominator


def _bank_owed_minor(line: Line) -> int:
    return line.stake_minor - line.returned_minor + line.extra_owed_minor


def _pair(odds: Sequence[int] | None) -> list[int] | None:
    return None if odds is None else list(odds)


def _difference(
    field: str, *, stored: object, recomputed: object, wager: WagerName | None = None
) -> Difference:
    seat, kind = (None, None) if wager is None else wager
    return {"seat": seat, "wager": kind, "field": field, "stored": stored, "recomputed": recomputed}
