"""What the dealer's glass shows: one document for the whole table, made from one read.

Every answer of the API carries it anew, so that a tablet never adds up what the server knows.
What comes next and what is owed comes from the engine; nothing here decides a rule.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from audit.log.receipts import receipt_document
from audit.log.rows import Receipt
from tables.games import (
    Line,
    RoundState,
    Ruleset,
    Settlement,
    Step,
    UnsettledError,
    explain,
    live_seats,
    next_step,
    places,
    settle,
)
from tables.games.registry import game_of
from tables.games.values import Part
from tables.models import Round
from tables.selectors.floor import Floor, read_table
from tables.selectors.held import held_whole
from tables.selectors.house import house_currency
from tables.selectors.paid import HandedAmounts, paid_document
from tables.selectors.play_view import (
    bank_of_round,
    bank_of_table,
    decisions_of,
    play_document,
    shoe_of_round,
    shoe_of_table,
    stages_of,
    step_document,
)
from tables.selectors.recent import last_round_number, previous_wagers
from tables.selectors.round_read import RoundName, RoundRead, read_round

Document = dict[str, object]


def table_view(code: str) -> Document:
    """Return a table with its round in play, else the last one of the shoe in use.

    Raises TableMissingError.
    """
    floor = read_table(code)
    number = _round_number(floor)
    if floor.shoe is not None and number is not None:
        read = read_round(RoundName(table=code, shoe=floor.shoe.number, number=number))
        view = round_view(read, paid=paid_document(read))
        view["previous_wagers"] = previous_wagers(read)
        return view
    return _empty_view(floor)


def round_view(
    read: RoundRead,
    *,
    receipt: Receipt | None = None,
    handed: HandedAmounts | None = None,
    paid: Document | None = None,
) -> Document:
    """Return the table as it stands around one round, without another read.

    Of a round that is over, `paid` is what was stored about its payouts; right after a settlement
    `handed` says what was handed over otherwise than owed, and nothing is read again.
    """
    return {
        "table": {"code": read.name.table, "game": read.ruleset.game, "name": read.table_name},
        "session": {
            "key": read.session.key,
            "gaming_day": read.gaming_day.isoformat(),
            "state": read.session_state,
        },
        "shoe": shoe_of_round(read),
        "bank": bank_of_round(read),
        "stages": stages_of(read.ruleset.game),
        "ruleset": ruleset_document(read.ruleset, card_detail=read.procedures.card_detail),
        "limits": limits_document(read),
        "round": round_document(read, handed=handed, paid=paid),
        "last_receipt": receipt_document(receipt) if receipt else None,
        "dealer": {"name": read.dealer_name},
        "currency": _currency_document(),
    }


def round_document(
    read: RoundRead, *, handed: HandedAmounts | None = None, paid: Document | None = None
) -> Document:
    """Return the round: seats, hands by place, what comes next, and what is owed."""
    state = _state(read)
    plan = places(read.ruleset, state) if state.live else ()
    hands: dict[int, list[Document]] = {
        hand: [] for hand in (0, *range(1, read.seats_of_table + 1))
    }
    for place in plan:
        keyed = read.keyed(place.draw)
        face = keyed.face if keyed and keyed.face else None
        hands[place.hand].append(
            {
                "draw": place.draw,
                "lap": place.lap,
                "face": face,
                "revision": keyed.revision if keyed else 0,
                "known": face is not None and face != "?",
            }
        )
    step = next_step(read.ruleset, state)
    swept = _swept(read)
    return {
        "key": read.ref.key,
        "number": read.name.number,
        "stage": read.stage,
        "seats": [
            {
                "seat": seat,
                "revision": read.seats[seat].revision if seat in read.seats else 0,
                "wagers": dict(read.seats[seat].wagers) if seat in read.seats else {},
                "hand": hands[seat],
                "swept": swept.get(seat, []),
            }
            for seat in range(1, read.seats_of_table + 1)
        ],
        "house": hands[0],
        "apart": [
            {"draw": draw, "face": read.cards[draw].face or None, "use": departed.use}
            for draw, departed in read.departures.items()
            if departed.hand is None and departed.use != "undone" and draw in read.cards
        ],
        "bank_seat": read.bank_seat,
        "decisions": decisions_of(read),
        "next": step_document(read, step),
        "swept": read.sweep_revision > 0,
        "owed": paid or owed_document(read, step, handed=handed),
    }


def _state(read: RoundRead) -> RoundState:
    """Return the round for the engine; while betting is open, with the hands that it would buy."""
    state = read.state()
    if read.stage != Round.Stage.BETTING or state.live:
        return state
    live = live_seats(
        read.ruleset, read.wagers, procedures=read.procedures, bank_seat=read.bank_seat
    )
    return replace(state, live=live)


def _swept(read: RoundRead) -> dict[int, list[str]]:
    """Return by seat the wagers that a sweep settled: they do not lie on the felt any more."""
    found: dict[int, list[str]] = {}
    if read.sweep_revision:
        with suppress(UnsettledError):  # what cannot be settled now is said by what is owed
            for line in settle(read.ruleset, read.state(), "sweep").lines:
                found.setdefault(line.seat, []).append(line.wager)
    return found


def owed_document(
    read: RoundRead, step: Step, *, handed: HandedAmounts | None = None
) -> Document | None:
    """Return what is owed for the part that is due, or of a round that was settled; else None.

    Lines of a settled part also say what was handed over, where `handed` tells.
    """
    if step.kind == "sweep":
        return _owed(read, "sweep", settled_revision=read.sweep_revision)
    if step.kind == "settle":
        return _owed(read, "final", settled_revision=read.final_revision)
    if read.stage == Round.Stage.SETTLED:
        return _owed(read, "final", settled_revision=read.final_revision, handed=handed)
    return None


def _owed(
    read: RoundRead, part: Part, *, settled_revision: int, handed: HandedAmounts | None = None
) -> Document:
    base: Document = {"part": part, "revision": max(settled_revision, 1)}
    try:
        settled: Settlement = settle(read.ruleset, read.state(), part)
    except UnsettledError as error:
        return {**base, "lines": [], "bank_minor": None, "faults": error.faults}
    held = held_whole(read) if handed is None else {}
    return {
        **base,
        "lines": [
            _held_line(line) if (line.seat, line.wager) in held else _handed_line(line, handed)
            for line in settled.lines
        ],
        "bank_minor": settled.bank_minor
        - (_commission_minor(settled) if read.bank_seat is not None else 0),
        "faults": [],
    }


def _commission_minor(settled: Settlement) -> int:
    """Return what the house keeps of the winnings; it is no gain of a bank at a seat (B23)."""
    return sum(line.commission_minor for line in settled.lines)


def _held_line(line: Line) -> Document:
    """Return a line that is not paid: what it is owed goes to its dispute hold (event 33)."""
    return {**line_document(line), "handed_minor": 0, "held": True}


def _handed_line(line: Line, handed: HandedAmounts | None) -> Document:
    document = line_document(line)
    if handed is not None:
        document["handed_minor"] = handed.get((line.seat, line.wager), line.returned_minor)
    return document


def line_document(line: Line) -> Document:
    """Return one wager's line; amounts in minor units, the reason as a sentence."""
    return {
        "seat": line.seat,
        "wager": line.wager,
        "stake_minor": line.stake_minor,
        "outcome": line.outcome,
        "odds": list(line.odds) if line.odds else None,
        "profit_minor": line.profit_minor,
        "owed_minor": line.returned_minor,
        "extra_owed_minor": line.extra_owed_minor,
        "commission_minor": line.commission_minor,
        "clause": line.clause,
        "why": explain(line.why),
    }


def ruleset_document(ruleset: Ruleset, *, card_detail: str) -> Document:
    """Return what a dealer needs to know of a ruleset: its wagers with prices; a closed one is
    left out (A13)."""
    prices = {
        "tie": ruleset.options.get("tie_odds"),
        "pair": ruleset.options.get("pair_odds"),
        "jacks": ruleset.options.get("jacks_odds"),
    }
    kinds = game_of(ruleset).kinds
    closed = {"tie"} if "tie" in kinds and prices["tie"] is None else set()
    return {
        "hash": ruleset.hash,
        "card_detail": card_detail,
        **play_document(ruleset),
        "wagers": [
            {"kind": kind, "odds": prices.get(kind)} for kind in kinds if kind not in closed
        ],
    }


def limits_document(read: RoundRead) -> Document:
    """Return minimum, maximum and step by wager kind, in minor units; None is no limit."""
    limits = read.limits
    return {
        kind: {
            "min": limits.min.get(kind),
            "max": limits.max.get(kind),
            "step": limits.step.get(kind),
        }
        for kind in game_of(read.ruleset).kinds
    }


def _round_number(floor: Floor) -> int | None:
    if floor.round_in_play is not None:
        return floor.round_in_play.number
    return last_round_number(floor.shoe.ref) if floor.shoe else None


def _game(floor: Floor) -> str | None:
    """Return the game of the shoe in use, else of the terms; None before the table has any."""
    source = floor.shoe or floor.terms
    return source.game if source else None


def _empty_view(floor: Floor) -> Document:
    shoe = floor.shoe
    return {
        "table": {
            "code": floor.table.key,
            "game": floor.terms.game if floor.terms else None,
            "name": floor.name,
        },
        "session": {
            "key": floor.session.ref.key,
            "gaming_day": floor.session.gaming_day.isoformat(),
            "state": floor.session.state,
        }
        if floor.session
        else None,
        "shoe": shoe_of_table(shoe) if shoe else None,
        "bank": bank_of_table(floor),
        "stages": stages_of(_game(floor)),
        "ruleset": None,
        "limits": {},
        "round": None,
        "last_receipt": None,
        "dealer": None,
        "currency": _currency_document(),
    }


def _currency_document() -> Mapping[str, object]:
    currency = house_currency()
    return {"code": currency.code, "exponent": currency.exponent}
