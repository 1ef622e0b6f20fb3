"""Reads for the checks: one part of a round as of a revision, and what the checks said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256

from django.db.models import F

from audit.chain import canonical
from audit.log.rows import Ref
from casino.outbox.models import OutboxItem
from settlements.bulk.codes import SOCIAL
from settlements.comparison import PartRead, PayoutRead
from settlements.models import CheckResult, Payout, Settlement
from settlements.selectors.corrections import corrections_of
from settlements.selectors.departed import (
    carried_face_as_of,
    decided_by_then,
    departures_as_of,
    taken_out_as_of,
    was_irregular,
)
from tables.models import Card, Decision, DisputeHold, SeatWagers
from tables.selectors.held import held_of
from tables.selectors.round_read import WAGER_KINDS

SECOND_ENGINE = "second_engine"
ROUND_CHECK = "round.check"
# What a decision on a round of a void shoe gives back, by the rules text and not by the services.
_RULINGS = {"refund_losers": "losers", "reverse": "all"}


class CheckState(StrEnum):
    """How far the check of a settlement is, in the words that pages show as chips."""

    WAITING = "waiting"
    AGREES = "agrees"
    DIFFERS = "differs"
    PARKED = "parked"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class PartCheck:
    """What the second engine said of one settlement; no time and version while it waits."""

    part: str
    revision: int
    state: CheckState
    checked_at: datetime | None = None
    engine_version: str = ""
    lines: int = 0
    differences: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """The checks of a whole round: the gravest state of its settlements, and each of them."""

    state: CheckState
    parts: tuple[PartCheck, ...]

    @property
    def checked_at(self) -> datetime | None:
        """When the last part was checked; None while one waits or nothing was settled."""
        times = [part.checked_at for part in self.parts if part.checked_at is not None]
        return max(times) if times and len(times) == len(self.parts) else None


# From the gravest to the lightest.
_GRAVEST_FIRST = (
    CheckState.DIFFERS,
    CheckState.PARKED,
    CheckState.WAITING,
    CheckState.AGREES,
)


def check_state(round_key: str) -> RoundCheck:
    """Return what the second engine said of a round, in three queries. Unknown keys have no parts.

    A settlement without a result waits, also when its outbox row is gone: what was not checked is
    never shown as checked.
    """
    settled = (
        Settlement.objects.filter(round__key=round_key)
        .order_by("-part", "revision")
        .values_list("part", "revision")
    )
    results = {
        (result.part, result.revision): result
        for result in CheckResult.objects.filter(round__key=round_key, check_name=SECOND_ENGINE)
        .annotate(checked_at=F("entry__at"))
        .order_by("id")
    }
    parked = set(
        OutboxItem.objects.parked()
        .filter(topic=ROUND_CHECK, key__startswith=f"{round_key}/")
        .values_list("key", flat=True)
    )
    parts = tuple(
        _part_check(
            part,
            revision=revision,
            result=results.get((part, revision)),
            is_parked=check_key(round_key, part=part, revision=revision) in parked,
        )
        for part, revision in settled
    )
    states = {part.state for part in parts}
    state = next((state for state in _GRAVEST_FIRST if state in states), CheckState.NOT_NEEDED)
    return RoundCheck(state=state, parts=parts)


def check_key(round_key: str, *, part: str, revision: int) -> str:
    """Name the work of checking one settlement, as the outbox does."""
    return f"{round_key}/{part}/{revision}"


def _part_check(
    part: str, *, revision: int, result: CheckResult | None, is_parked: bool
) -> PartCheck:
    if result is None:
        state = CheckState.PARKED if is_parked else CheckState.WAITING
        return PartCheck(part=part, revision=revision, state=state)
    checked_at: datetime = result.checked_at  # type: ignore[attr-defined]  # annotated above
    return PartCheck(
        part=part,
        revision=revision,
        state=CheckState.AGREES if result.agrees else CheckState.DIFFERS,
        checked_at=checked_at,
        engine_version=result.engine_version,
        lines=result.lines,
        differences=tuple(result.differences),
    )


@dataclass(frozen=True, slots=True)
class Subject:
    """What a check reads and writes by: the round for rows, and the facts up to the settlement."""

    round: Ref
    read: PartRead


def read_subject(round_key: str, *, part: str, revision: int) -> Subject | None:
    """Return one part of a round with its facts as of that revision, or None if never settled.

    Facts keyed after the settlement's entry are left out, so that a later correction does not
    change what an earlier revision is compared with. Four queries (game C: five), whatever came
    before or after; a round with irregularities four more at most.
    """
    settled = (
        Settlement.objects.annotate(irregular=was_irregular(), decision=decided_by_then())
        .select_related(
            "entry",
            "ruleset",
            "round__table",
            "round__ruleset",
            "round__shoe__table",
            "round__shoe__ruleset",
            "round__shoe__procedures",
            "round__session__table",
        )
        .filter(round__key=round_key, part=part, revision=revision)
        .first()
    )
    if settled is None:
        return None
    round_ = settled.round
    irregular: bool = settled.irregular
    decision: str | None = settled.decision
    payouts = _payouts(settled)
    read = PartRead(
        round_key=round_.key,
        table_code=round_.table.code,
        part=settled.part,
        revision=settled.revision,
        kind=settled.kind,
        game=settled.ruleset.game,
        options=settled.ruleset.options,
        hashes=_hashes(settled),
        places=_places(settled, decision=decision),
        live=_live(settled),
        wagers=_wagers(settled),
        cards=_cards(settled) | (_carried(settled) if irregular else {}),
        void_stage=settled.void_stage,
        void_seats=tuple(settled.void_seats),
        handle_minor=settled.handle_minor,
        bank_owed_minor=settled.bank_owed_minor,
        bank_handed_minor=settled.bank_handed_minor,
        payouts=payouts,
        direction=round_.shoe.procedures.options["deal_direction"],
        bank_seat=round_.bank_seat,
        decisions=_decisions(settled),
        departures=departures_as_of(settled) if irregular else {},
        taken_out=taken_out_as_of(settled) if irregular else (),
        held=_held(settled, payouts),
        given_back=settled.given_back,
    )
    return Subject(round=Ref(round_.pk, round_.key), read=read)


def _hashes(settled: Settlement) -> dict[str, str]:
    content = {"game": settled.ruleset.game, "options": settled.ruleset.options}
    return {
        "settlement": settled.ruleset.hash,
        "round": settled.round.ruleset.hash,
        "shoe": settled.round.shoe.ruleset.hash,
        "options": sha256(canonical(content)).hexdigest(),
    }


def _places(settled: Settlement, *, decision: str | None) -> dict[str, tuple[str, str]]:
    """What must be equal: the stream it was written to, the keys, the tables, the gaming day, and
    what was decided of a void shoe's round."""
    round_ = settled.round
    code = round_.table.code
    return {
        "stream": (settled.entry.stream, f"table/{code}"),
        "key": (round_.key, f"{code}/{round_.shoe.number}/{round_.number}"),
        "table_of_shoe": (round_.shoe.table.code, code),
        "table_of_session": (round_.session.table.code, code),
        "gaming_day": (round_.gaming_day.isoformat(), round_.session.gaming_day.isoformat()),
        "given_back": (settled.given_back, _RULINGS.get(decision or "", "")),
    }


def _live(settled: Settlement) -> tuple[int, ...]:
    """Return the seats with a hand as of the settlement: a correction may have named others.

    Only a round that was corrected costs the query.
    """
    round_ = settled.round
    if round_.final_revision > 1:
        for done in corrections_of(round_.key):
            if done.seq > settled.entry.seq and "live" in done.document:
                return tuple(done.document["live"]["before"])
    return tuple(round_.live_seats)


def _wagers(settled: Settlement) -> dict[int, dict[str, int]]:
    """Return the latest stakes by seat and kind, as of the settlement; empty seats left out."""
    rows = (
        SeatWagers.objects.filter(
            round_id=settled.round_id,
            entry__stream=settled.entry.stream,
            entry__seq__lte=settled.entry.seq,
        )
        .order_by("seat", "-revision")
        .distinct("seat")
        .values_list("seat", *(f"{kind}_minor" for kind in WAGER_KINDS))
    )
    wagers = {seat: _stakes(stakes) for seat, *stakes in rows}
    return {seat: stakes for seat, stakes in wagers.items() if stakes}


def _stakes(stakes: Sequence[int | None]) -> dict[str, int]:
    return {kind: stake for kind, stake in zip(WAGER_KINDS, stakes, strict=True) if stake}


def _cards(settled: Settlement) -> dict[int, str]:
    """Return the latest faces by draw, as of the settlement; undone ones left out."""
    rows = (
        Card.objects.filter(
            round_id=settled.round_id,
            entry__stream=settled.entry.stream,
            entry__seq__lte=settled.entry.seq,
        )
        .order_by("draw", "-revision")
        .distinct("draw")
        .values_list("draw", "face")
    )
    return {draw: face for draw, face in rows if face}


def _carried(settled: Settlement) -> dict[int, str]:
    """Return a card carried over from the round before, which is draw 0 (event 1)."""
    face = carried_face_as_of(settled)
    return {} if face is None else {0: face}


def _decisions(settled: Settlement) -> dict[int, str]:
    """Return the latest decisions by hand, as of the settlement; only game C costs the query."""
    if settled.ruleset.game != SOCIAL:
        return {}
    rows = (
        Decision.objects.filter(
            round_id=settled.round_id,
            entry__stream=settled.entry.stream,
            entry__seq__lte=settled.entry.seq,
        )
        .order_by("hand", "-revision")
        .distinct("hand")
        .values_list("hand", "choice")
    )
    return {hand: choice for hand, choice in rows if choice}


def _payouts(settled: Settlement) -> tuple[PayoutRead, ...]:
    rows = Payout.objects.filter(
        round_id=settled.round_id, part=settled.part, revision=settled.revision
    ).order_by("seat", "id")
    return tuple(
        PayoutRead(
            seat=row.seat,
            wager=row.wager,
            stake_minor=row.stake_minor,
            outcome=row.outcome,
            odds=_odds(row),
            profit_minor=row.profit_minor,
            owed_minor=row.owed_minor,
            handed_minor=row.handed_minor,
            breakage=Fraction(row.breakage_numerator, row.breakage_denominator),
            cap_cut_minor=row.cap_cut_minor,
            commission_minor=row.commission_minor,
            extra_owed_minor=row.extra_owed_minor,
            bank_minor=row.bank_minor,
            bank=row.bank,
        )
        for row in rows
    )


def _held(settled: Settlement, payouts: Sequence[PayoutRead]) -> frozenset[tuple[int, str]]:
    """Return the wagers that lie under an open dispute hold; asked where less was handed over."""
    short = [(paid.seat, paid.wager) for paid in payouts if paid.handed_minor < paid.owed_minor]
    if not short:
        return frozenset()
    holds = DisputeHold.objects.filter(
        round_id=settled.round_id, state=DisputeHold.State.OPEN, in_result=True
    )
    return frozenset(held_of(short, holds))


def _odds(row: Payout) -> tuple[int, int] | None:
    if row.odds_numerator is None or row.odds_denominator is None:
        return None
    return row.odds_numerator, row.odds_denominator
