"""Whether what a case says of seats, draws, wagers and cards can be so; every fault at once.

It must not decide what follows from the case, nor write.
"""

from collections.abc import Iterator

from tables.faults import fault_documents
from tables.games import Fault, places, stakes_in_play, wager_faults
from tables.games.cards import is_face
from tables.games.registry import game_of
from tables.games.values import STAKE_MAX
from tables.irregularities import (
    CARDS_APART,
    HAND_DEAD,
    CardEffect,
    Case,
    ShoeEffect,
    WagerCase,
    WagerEffect,
)
from tables.irregularity_errors import IrregularityRefusedError
from tables.models import Round
from tables.selectors.round_read import RoundRead
from tables.services.irregularities.departing import (
    decided_hand,
    last_before_house,
    last_certain,
    last_of_deal,
    last_out,
    lay_as_stated,
    may_be_missed,
    too_many_at_hand,
)
from tables.services.irregularities.ground import Ground
from tables.services.irregularities.wagering import PAIR, excess_minor, is_settled

_SEEN_EVENTS = (2, 4, 5)  # cards that everybody saw: their faces are stated
_STUCK = 14  # cards that cannot be told apart unseen: both are identified
_MISSED = 8
_BOXED = 4  # one card; where several lay face up the order of the shoe is in doubt (event 5)
_LATE_SWEEP = 19  # about pair wagers alone
_LIMITS = 24
# Why a wager goes back by itself: it would not have been taken.
_NOT_TAKEN = ("wager.closed", "wager.needs_main", "wager.over_cover")
_ONE_HAND = (CardEffect.GHOST, CardEffect.MISSED)
_BURNED_MAX = 32
_ONE_BOXED = "expected one card; several that lie face up are event 5"


def require_fitting(ground: Ground) -> None:
    """Refuse a case that does not fit. Raises IrregularityRefusedError with every fault."""
    faults = [*_outside_faults(ground), *_replaced_faults(ground)]
    if ground.read is not None and ground.in_round:
        read = ground.read
        faults += [
            *_seat_faults(ground, read),
            *_draw_faults(ground, read),
            *_wager_faults(ground, read),
        ]
    if faults:
        raise IrregularityRefusedError(count=len(faults), faults=fault_documents(faults))


def _fault(what: str, where: str, detail: str) -> Fault:
    return Fault(f"irregularity.{what}", where, detail)


def _outside_faults(ground: Ground) -> Iterator[Fault]:
    """Cards that left the shoe outside of a round are stated, and only then."""
    case = ground.case
    if not _burns_outside(ground):
        if case.burned:
            yield _fault("burned", "burned", "expected cards by their draws in the round")
        return
    if not 1 <= len(case.burned) <= _BURNED_MAX:
        yield _fault("burned", "burned", f"expected 1 to {_BURNED_MAX} cards, each a face or ?")
        return
    if case.event == _BOXED and len(case.burned) > 1:
        yield _fault("burned", "burned", _ONE_BOXED)
    for n, face in enumerate(case.burned):
        if not _is_card(ground, face) and face != "?":
            yield _fault("face", f"burned[{n}]", "expected a card, or ? for one nobody saw")
        elif face == "?" and case.event in _SEEN_EVENTS:
            yield _fault("face", f"burned[{n}]", "expected the card that was seen")
    if case.event == 16 and (ground.shoe.cards_dealt or (ground.read and ground.read.faces)):
        yield _fault("burned", "burned", "expected a shoe of which no card was dealt")


def _burns_outside(ground: Ground) -> bool:
    """Tell whether the event took cards from the shoe before a round's first card, or between."""
    if ground.procedure.card not in CARDS_APART or ground.procedure.in_round:
        return False
    return not ground.in_round or (not ground.case.draws and ground.require_read().live == ())


def _is_card(ground: Ground, face: str) -> bool:
    detail = ground.shoe.procedures.values["card_detail"]
    return is_face(face) and face != "?" and len(face) == (1 if detail == "rank" else 2)


def _replaced_faults(ground: Ground) -> Iterator[Fault]:
    if ground.procedure.card != CardEffect.REPLACED:
        return
    old, new = ground.case.replaced or ("", "")
    if not _is_card(ground, old) or old != new:
        yield _fault("replaced", "replaced", "expected the damaged card and the same card for it")


def _seat_faults(ground: Ground, read: RoundRead) -> Iterator[Fault]:
    case, procedure = ground.case, ground.procedure
    for seat in case.seats:
        if not 0 <= seat <= read.seats_of_table:
            detail = f"expected a seat from 1 to {read.seats_of_table}, 0 for the House"
            yield _fault("seat", f"seats.{seat}", detail)
    if len(set(case.seats)) != len(case.seats):
        yield _fault("seat", "seats", "expected each seat once")
    if procedure.card in _ONE_HAND and len(case.seats) != 1:
        yield _fault("seat", "seats", "expected one seat")
    elif procedure.card == CardEffect.GHOST and case.seats[0] in (0, *read.live, read.bank_seat):
        yield _fault("seat", "seats", "expected a seat without a hand")
    elif procedure.card == CardEffect.MISSED:
        yield from _missed_faults(case, read)
    if procedure.wagers in HAND_DEAD:
        dead = {out.seat for out in read.taken_out if out.wager is None}
        if not case.seats or set(case.seats) - set(read.live) | (set(case.seats) & dead):
            yield _fault("seat", "seats", f"expected seats with a hand: {list(read.live)}")
        elif case.event == _MISSED:
            yield from _passed_over_faults(case, read)
    if procedure.wagers == WagerEffect.HELD and not (case.seats or case.wagers):
        yield _fault("seat", "seats", "expected a seat or a wager to hold")


def _passed_over_faults(case: Case, read: RoundRead) -> Iterator[Fault]:
    """A seat is void for being missed where a card went to a hand behind it (event 8): without
    where the draws lie they would be taken to be those of the plan."""
    laid = [drawn for drawn in case.draws if drawn.hand in (0, *read.live)]
    turns = [*read.live, 0]
    out = max([last_out(read, case), *(drawn.draw for drawn in laid)])
    plan = sorted(places(read.ruleset, lay_as_stated(read, laid, number=case.number).read.state()))
    last = max((turns.index(p.hand) + len(turns) * p.lap for p in plan if p.draw <= out), default=0)
    for seat in case.seats:
        due = [p.lap for p in plan if p.hand == seat and p.draw > out]
        if not due or turns.index(seat) + len(turns) * min(due) > last:
            detail = f"expected where the draws lie, one at a hand after seat {seat} in its lap"
            yield _fault("missed", "seats", detail)


def _missed_faults(case: Case, read: RoundRead) -> Iterator[Fault]:
    """A hand that was passed over: the House (event 10), or a seat, in its latest lap.

    A draw error (event 30) is of third cards. The bank's comes last, so that no card passes it: it
    is missing where it is the next.
    """
    hand = case.seats[0]
    banks = case.event in (10, 30) if hand == 0 else case.event != 10
    if not banks or hand not in (0, *read.live):
        expected = "the House, 0" if case.event == 10 else f"a seat with a hand: {list(read.live)}"
        yield _fault("seat", "seats", f"expected {expected}")
        return
    out, plan = last_out(read, case), sorted(places(read.ruleset, read.state()))
    passed = [place for place in may_be_missed(plan, case) if place.draw <= out]
    if case.event == 30 and hand == 0:
        passed = [place for place in may_be_missed(plan, case) if place.draw == out + 1]
    # Third cards lie face down: only who stands at the table knows how many are out.
    if not passed or (case.cards_out is None and read.stage == Round.Stage.THIRD_LAP):
        detail = "expected cards that have passed this hand; say how many cards are out"
        yield _fault("missed", "cards_out", detail)
    elif case.event == 8:
        house = next(place for place in plan if place.hand == 0)
        if passed[-1].lap > 1 or out >= house.draw - 1:
            detail = "expected that the House has no card yet; later the seat is void"
            yield _fault("missed", "seats", detail)


def _draw_faults(ground: Ground, read: RoundRead) -> Iterator[Fault]:
    case, effect = ground.case, ground.procedure.card
    draws = [drawn.draw for drawn in case.draws]
    if len(set(draws)) != len(draws) or any(draw < 1 for draw in draws):
        yield _fault("draw", "draws", "expected each draw once, counted from 1")
        return
    yield from _reach_faults(ground, read)
    for drawn in case.draws:
        if drawn.hand is not None and drawn.hand not in (0, *read.live):
            detail = f"expected a hand that is dealt to: {[*read.live, 0]}"
            yield _fault("draw", f"draws[{drawn.draw}]", detail)
            return
    stated = [drawn for drawn in case.draws if drawn.hand is not None]
    apart = [drawn for drawn in case.draws if drawn.hand is None]
    for drawn in too_many_at_hand(read, stated) if stated else ():
        yield _fault("draw", f"draws[{drawn.draw}]", "expected at most three cards at a hand")
    needs_apart = effect in (*CARDS_APART, CardEffect.GHOST) and ground.procedure.wagers in (
        WagerEffect.STAND,
    )
    if needs_apart and not apart and not _burns_outside(ground):
        yield _fault("draw", "draws", "expected the draws that went into no hand")
    # After the sweep, or a decision, cards of the first two laps stay as they are on record (A19).
    stands = read.sweep_revision > 0 or decided_hand(read) is not None
    stands = stands and effect == CardEffect.AS_LAID
    if effect in (CardEffect.AS_LAID, CardEffect.REBUILT) and not (stated or stands):
        yield _fault("draw", "draws", "expected the draws as they were dealt, each with its hand")
    if effect == CardEffect.NEXT_ROUND:
        yield from _surplus_faults(case, read)
    if case.event == _BOXED and len(apart) > 1:
        yield _fault("draw", f"draws[{draws[1]}]", _ONE_BOXED)
    stuck = case.event == _STUCK and ground.procedure.voids_round
    if stuck and len(apart) < 2:
        yield _fault("draw", "draws", "expected the draws of the cards that stuck together")
    for drawn in apart if stuck or case.event in _SEEN_EVENTS else ():
        if drawn.face is None and drawn.draw not in read.faces:
            yield _fault("face", f"draws[{drawn.draw}]", "expected the card that was seen")


def _reach_faults(ground: Ground, read: RoundRead) -> Iterator[Fault]:
    """Draws that this round cannot have: each card in excess makes it one longer, and no more.

    What a void leaves unseen goes on record, so that a place must be certain for each of them.
    """
    case, effect = ground.case, ground.procedure.card
    draws = sorted(drawn.draw for drawn in case.draws)
    last, keyed = last_of_deal(read), max((draw for draw in read.faces if draw), default=0)
    for most, draw in enumerate(draws, start=last + 1):
        if draw > most:
            yield _fault("draw", f"draws[{draw}]", f"expected at most draw {most}")
    if effect == CardEffect.GHOST and draws and draws[-1] > (most := last_before_house(read, case)):
        detail = f"expected at most draw {most}, before the last card of the deal"
        yield _fault("draw", f"draws[{draws[-1]}]", detail)
    apart = sum(drawn.hand is None for drawn in case.draws)
    if ground.procedure.voids_round:
        last = last_certain(read)
        if effect not in CARDS_APART:
            apart = 0
        keyed = max([keyed, *draws])
    # In the third lap a void, or the cut card, puts on record how many face-down cards are out.
    counts = ground.procedure.voids_round or ground.procedure.shoe == ShoeEffect.CUT_OUT
    unsaid = counts and read.stage == Round.Stage.THIRD_LAP
    out = case.cards_out
    if unsaid if out is None else not keyed <= out <= last + apart:
        detail = f"expected the cards that are out, from {keyed} known to {last + apart} in all"
        yield _fault("draw", "cards_out", detail)


def _surplus_faults(case: Case, read: RoundRead) -> Iterator[Fault]:
    """The card that the round does not need is the one after all that it does."""
    planned = [place.draw for place in places(read.ruleset, read.state())]
    last = max([*planned, *read.departures], default=0)
    if [drawn.draw for drawn in case.draws] != [last + 1]:
        yield _fault("draw", "draws", f"expected draw {last + 1}, which the round does not need")
    if any(departed.use == "next_round" for departed in read.departures.values()):
        yield _fault("draw", "draws", "expected one card for the next round; a second is burned")


def _wager_faults(ground: Ground, read: RoundRead) -> Iterator[Fault]:
    case, effect = ground.case, ground.procedure.wagers
    asks = (WagerEffect.RETURNED, WagerEffect.CAPPED, WagerEffect.HONOURED)
    if effect in asks and not case.wagers:
        yield _fault("wager", "wagers", "expected the wagers that this is about")
    kinds = game_of(read.ruleset).kinds
    for wager in case.wagers:
        where = f"wagers.{wager.seat}.{wager.wager}"
        amounts = [wager.stake_minor, wager.returned_minor]
        if not 1 <= wager.seat <= read.seats_of_table or wager.wager not in kinds:
            yield _fault("wager", where, f"expected a seat and one of {list(kinds)}")
        elif any(amount is not None and not 1 <= amount <= STAKE_MAX for amount in amounts):
            yield _fault("wager", where, "expected amounts in whole minor units, 1 or more")
        elif case.event == _LATE_SWEEP and wager.wager != PAIR:
            yield _fault("wager", where, f"expected a wager of the kind {PAIR}")
        elif effect in asks and not is_settled(read, wager.seat, wager.wager):
            stake = wager.stake_minor or _on_record(read, wager.seat, wager.wager)
            if (wager.returned_minor or 0) > stake > 0:
                yield _fault("wager", where, "expected no more to go back than lay there")
            if effect in (WagerEffect.CAPPED, WagerEffect.HONOURED):
                yield from _limit_faults(read, ground, wager, where)
            elif case.event == _LIMITS:
                yield from _not_taken_faults(ground, read, wager, where)


def _on_record(read: RoundRead, seat: int, wager: str) -> int:
    return stakes_in_play(read.state()).get(seat, {}).get(wager, 0)


def _not_taken_faults(
    ground: Ground, read: RoundRead, wager: WagerCase, where: str
) -> Iterator[Fault]:
    """A wager that a supervisor alone gives back is one that would not have been taken (event 24).

    Any other that is not in play came late or was moved: surveillance signs for it too (event 23).
    A player who banks and can cover less than was said gives back what was placed last (B20, 31).
    """
    if read.bank_seat is not None and (wager.seat, wager.wager) in _placed_last(ground, read):
        return
    lies = dict(stakes_in_play(read.state()).get(wager.seat, {}))
    lies[wager.wager] = wager.stake_minor or lies.get(wager.wager, 1)
    laid = {**read.wagers_as_placed, wager.seat: lies}
    found = wager_faults(read.ruleset, read.limits, laid, bank_seat=read.bank_seat)
    own = f"seats.{wager.seat}.{wager.wager}"
    if not any(fault.code in _NOT_TAKEN and fault.where == own for fault in found):
        detail = "expected a closed wager, a side wager without main, or one beyond the cover"
        if read.bank_seat is not None:
            detail += " (of a bank at a seat: as many as were placed last)"
        yield _fault("wager", where, f"{detail}; any other goes back by event 23")


def _placed_last(ground: Ground, read: RoundRead) -> list[tuple[int, str]]:
    """Return the wagers in play that were placed last, as many as the case is about."""
    in_play = stakes_in_play(read.state())
    placed = [
        (seat, kind)
        for seat, bets in read.wagers_as_placed.items()
        for kind in bets
        if kind in in_play.get(seat, {})
    ]
    return placed[-len(ground.case.wagers) :]


def _limit_faults(read: RoundRead, ground: Ground, wager: WagerCase, where: str) -> Iterator[Fault]:
    """A wager outside its limits, or beyond what its kind may win together, at a hand (event 24).

    What goes back of a capped one is known by its maximum; beyond an aggregate it is stated.
    """
    if wager.seat not in read.live:
        yield _fault("wager", where, "expected a seat with a hand")
        return
    kind = wager.wager
    stake = wager.stake_minor or _on_record(read, wager.seat, kind)
    laid = {**read.wagers, wager.seat: {**read.wagers.get(wager.seat, {}), kind: stake}}
    least = read.limits.min.get(kind)
    if not wager_faults(read.ruleset, read.limits, laid, bank_seat=read.bank_seat):
        yield _fault("wager", where, "expected a wager outside of its limits")
        return
    capped = ground.procedure.wagers == WagerEffect.CAPPED and (least is None or stake >= least)
    if capped and not excess_minor(read, wager, stake_minor=stake):
        yield _fault("wager", where, "expected how much of it goes back")
