"""What an event does to the shoe: cards burned between rounds, the cut card, a stop, a reshuffle.

Nothing here writes. A void of the shoe, with its list of rounds, is made where payouts are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.log.rows import Row
from tables.errors import ShoeNotInStateError
from tables.games.cards import copies_max
from tables.irregularities import ShoeEffect
from tables.irregularity_errors import IrregularityStageError, VerificationError
from tables.models import Shoe, ShoeStatement
from tables.selectors.floor import UsedShoe
from tables.selectors.round_read import CARRIED
from tables.selectors.shoes import burn_events
from tables.services.irregularities.ground import Ground
from tables.services.shoes import burned_rows, cut_card_change

MATCH, RECORD_ERROR, COMPOSITION_ERROR = "match", "record_error", "composition_error"
_STOPPED = {"state": Shoe.State.STOPPED.value}
_DECK = 52
_RANKS, _SUITS = "A23456789TJQK", "SHDC"


@dataclass(frozen=True, slots=True)
class ShoeTurned:
    """What changes of the shoe, the cards burned outside of a round, and what was found."""

    changed: Mapping[str, object] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    found: Mapping[str, object] = field(default_factory=dict)


def shoe_turned(ground: Ground) -> ShoeTurned:
    """Return what the procedure does to the shoe. Raises ShoeNotInStateError, VerificationError."""
    if ground.case.burned:
        return _burned(ground)
    effect = ground.procedure.shoe
    if effect == ShoeEffect.CUT_OUT:
        return _cut_out(ground)
    if effect == ShoeEffect.STOPPED:
        return ShoeTurned(_STOPPED)
    if effect == ShoeEffect.RESHUFFLED:
        return _reshuffled(ground)
    if effect == ShoeEffect.VERIFIED:
        return _verified(ground)
    return ShoeTurned()


def _burned(ground: Ground) -> ShoeTurned:
    used, case = _in_use(ground), ground.case
    rows = burned_rows(
        used.ref, case.burned, event=burn_events(used.ref) + 1, reason=f"event {case.event}"
    )
    stopped = _STOPPED if ground.procedure.shoe == ShoeEffect.STOPPED else {}
    return ShoeTurned({"cards_burned": used.cards_burned + len(rows), **stopped}, tuple(rows))


def _cut_out(ground: Ground) -> ShoeTurned:
    """Record with the cut card how many cards were dealt (event 17)."""
    used, in_round = _in_use(ground), 0
    if ground.in_round:
        # A card carried over left the shoe in the round before. Third cards lie face down.
        keyed = sum(draw != CARRIED for draw in ground.require_read().faces)
        in_round = keyed if ground.case.cards_out is None else ground.case.cards_out
    return ShoeTurned(
        cut_card_change(ground.floor, used), found={"cards_out": used.cards_out + in_round}
    )


def _reshuffled(ground: Ground) -> ShoeTurned:
    """Put the discards in again to complete the round; it is the last of the shoe (event 18)."""
    used, read = _in_use(ground), ground.require_read()
    if not used.cards_dealt or used.cards_reshuffled:
        raise IrregularityStageError(
            subject=used.ref.key, state="without discards", expected="discards of earlier rounds"
        )
    return ShoeTurned(
        {"cards_reshuffled": used.cards_dealt, "cut_card_round": read.name.number},
        found={"cards_reshuffled": used.cards_dealt},
    )


def _in_use(ground: Ground) -> UsedShoe:
    used = ground.shoe
    if used.state != Shoe.State.READY:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)
    return used


def _verified(ground: Ground) -> ShoeTurned:
    """Compare the count of the cards with what was loaded and with the record (event 28)."""
    used, case = ground.shoe, ground.case
    if used.state not in (Shoe.State.ENDED, Shoe.State.VOIDED, Shoe.State.STOPPED):
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.ENDED)
    stated = ShoeStatement.objects.filter(shoe_id=used.ref.id).order_by("-revision").first()
    missing, extra = compare_count(used, case.counted)
    result = MATCH
    if missing or extra:
        result = COMPOSITION_ERROR
    elif stated is None or not (stated.counted_closes and stated.composed_holds):
        result = RECORD_ERROR
    if result != case.procedure:
        raise VerificationError(expected=result, procedure=case.procedure)
    return ShoeTurned(
        found={
            "cards_counted": sum(case.counted.values()),
            "missing": missing,
            "extra": extra,
            "over_in_record": stated.over if stated else None,
        }
    )


def compare_count(
    used: UsedShoe, counted: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the cards that are missing of what was loaded, and those that are too many.

    Cards that belong to no deck stand among the latter under their own name.
    """
    decks = used.cards_loaded // _DECK
    ranks_only = used.procedures.values["card_detail"] == "rank"
    loaded = {
        face: copies_max(face, decks=decks)
        for face in (_RANKS if ranks_only else [r + s for r in _RANKS for s in _SUITS])
    }
    missing = {
        face: copies - counted.get(face, 0)
        for face, copies in loaded.items()
        if counted.get(face, 0) < copies
    }
    extra = {
        face: cards - loaded.get(face, 0)
        for face, cards in sorted(counted.items())
        if cards > loaded.get(face, 0)
    }
    return missing, extra
