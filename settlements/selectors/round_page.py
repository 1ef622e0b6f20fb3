"""The life of one round on one page: cards as they lay, money, entries, checks and proof.

All revisions are read: what was superseded stays visible beside what replaced it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fractions import Fraction

from django.db.models import Q

from audit.log.selectors import EntryView, entries_of
from audit.log.subject import SubjectProof, prove_subject
from settlements.models import Payout, Settlement
from settlements.selectors.checks import RoundCheck, check_state
from settlements.selectors.payouts import payouts_of, settlements_of
from tables.games import Why, explain, places
from tables.models import Card, Decision, Departure, Round, SeatWagers
from tables.selectors.held import held_of
from tables.selectors.positions import Span, round_spans, shoe_positions
from tables.selectors.round_read import (
    CARRIED,
    WAGER_KINDS,
    RoundName,
    RoundRead,
    read_round,
    wager_place,
)


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A draw as it lies, with the faces that it superseded, oldest first."""

    draw: int
    lap: int
    face: str
    earlier: tuple[str, ...]
    as_seen: bool


@dataclass(frozen=True, slots=True)
class LaidWager:
    """A stake as it stands in minor units, with those that it superseded."""

    kind: str
    stake_minor: int | None
    earlier: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LaidHand:
    """One hand; 0 is the bank's. `decision` is hit, stand or no_decision, "" where none was asked;
    `decision_earlier` are those it superseded."""

    hand: int
    cards: tuple[LaidCard, ...]
    wagers: tuple[LaidWager, ...]
    owed_minor: int | None
    decision: str = ""
    decision_earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApartCard:
    """A draw that lies at no hand of the round: its face, and where it went (`Departure.Use`)."""

    draw: int
    face: str
    use: str


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """One wager's payout as a page shows it; amounts in minor units."""

    seat: int
    wager: str
    part: str
    revision: int
    stake_minor: int
    outcome: str
    odds: tuple[int, int] | None
    profit_minor: int
    owed_minor: int
    handed_minor: int
    breakage: str
    cap_cut_minor: int
    commission_minor: int
    extra_owed_minor: int
    clause: str
    why: str
    is_held: bool = False

    @property
    def difference_minor(self) -> int:
        """Handed over less owed; what lies under a dispute hold instead is no difference."""
        return 0 if self.is_held else self.handed_minor - self.owed_minor

    @property
    def held_minor(self) -> int:
        """What of it is owed and lies under a dispute hold (events 25, 33)."""
        return self.owed_minor - self.handed_minor if self.is_held else 0


@dataclass(frozen=True, slots=True)
class Totals:
    """What the standing lines add up to, in minor units.

    `extra_owed_minor` is owed to the bank beyond the stakes (B13). The commission is the house's:
    it is part of what the house gains as the bank, and no gain of a bank at a seat (B23).
    """

    stake_minor: int
    owed_minor: int
    handed_minor: int
    extra_owed_minor: int
    commission_minor: int
    bank_owed_minor: int
    bank_handed_minor: int
    held_minor: int = 0

    @property
    def difference_minor(self) -> int:
        """Handed over less owed, over all lines; what lies under dispute holds is no difference."""
        return self.handed_minor - self.owed_minor + self.held_minor


@dataclass(frozen=True, slots=True)
class Superseded:
    """A settlement that a later revision superseded; it stays and prints."""

    part: str
    revision: int
    kind: str
    at: datetime
    lines: tuple[PayoutLine, ...]


@dataclass(frozen=True, slots=True)
class RoundPage:
    """Everything that the page of a round shows."""

    read: RoundRead
    number: int
    source: str
    ruleset_name: str
    opened_at: datetime
    ended_at: datetime | None
    gaming_day: date
    earlier: RoundName | None
    later: RoundName | None
    hands: tuple[LaidHand, ...]
    apart: tuple[ApartCard, ...]
    lines: tuple[PayoutLine, ...]
    totals: Totals | None
    superseded: tuple[Superseded, ...]
    check: RoundCheck
    proof: SubjectProof | None
    verified_at: datetime
    timeline: tuple[EntryView, ...]
    places: Span | None


def round_page(name: RoundName, *, now: datetime) -> RoundPage:
    """Return the page of a round, its entries read again and verified. Raises RoundMissingError."""
    read = read_round(name)
    head = Round.objects.select_related("ruleset").get(key=name.key)
    payouts = payouts_of(read.ref)
    standing = _standing(read, payouts)
    return RoundPage(
        read=read,
        number=name.number,
        source=head.source,
        ruleset_name=head.ruleset.name,
        opened_at=head.opened_at,
        ended_at=head.ended_at,
        gaming_day=head.gaming_day,
        earlier=_beside(read, later=False),
        later=_beside(read, later=True),
        hands=_hands(read, standing),
        apart=_apart(read),
        lines=standing,
        totals=_totals(standing, bank_seat=read.bank_seat),
        superseded=_superseded(read, payouts),
        check=check_state(name.key),
        proof=prove_subject(name.key, stream=name.stream),
        verified_at=now,
        timeline=tuple(entries_of(name.key)),
        places=round_spans(shoe_positions(read.shoe)).get(name.number),
    )


def payout_line(payout: Payout) -> PayoutLine:
    """Return a stored payout as a line; its reason is made into a sentence here, at the edge."""
    breakage = Fraction(payout.breakage_numerator, payout.breakage_denominator)
    odds = None
    if payout.odds_numerator is not None and payout.odds_denominator is not None:
        odds = (payout.odds_numerator, payout.odds_denominator)
    return PayoutLine(
        seat=payout.seat,
        wager=payout.wager,
        part=payout.part,
        revision=payout.revision,
        stake_minor=payout.stake_minor,
        outcome=payout.outcome,
        odds=odds,
        profit_minor=payout.profit_minor,
        owed_minor=payout.owed_minor,
        handed_minor=payout.handed_minor,
        breakage=str(breakage) if breakage else "",
        cap_cut_minor=payout.cap_cut_minor,
        commission_minor=payout.commission_minor,
        extra_owed_minor=payout.extra_owed_minor,
        clause=payout.clause,
        why=explain(Why(payout.why["code"], payout.why["params"])),
    )


def _standing(read: RoundRead, payouts: Sequence[Payout]) -> tuple[PayoutLine, ...]:
    latest = {"sweep": read.sweep_revision, "final": read.final_revision}
    held = held_of(
        [(payout.seat, payout.wager) for payout in payouts],
        [hold for hold in read.holds if hold.in_result],
    )
    lines = [
        replace(
            line, is_held=(line.seat, line.wager) in held and line.handed_minor < line.owed_minor
        )
        for line in map(payout_line, payouts)
        if line.revision == latest[line.part]
    ]
    return tuple(sorted(lines, key=lambda line: (line.seat, wager_place(line.wager))))


def _beside(read: RoundRead, *, later: bool) -> RoundName | None:
    """Return the round before or after: in the shoe, of a pack of each round in the session."""
    name = read.name
    if not read.procedures.pack_each_round:
        number = name.number + (1 if later else -1)
        return RoundName(name.table, name.shoe, number) if 1 <= number <= read.rounds else None
    rounds = Round.objects.filter(session__key=read.session.key)
    beside = (
        rounds.filter(pk__gt=read.ref.id).order_by("pk")
        if later
        else rounds.filter(pk__lt=read.ref.id).order_by("-pk")
    )
    found = beside.values_list("shoe__number", "number").first()
    return RoundName(name.table, *found) if found else None


def _totals(lines: Sequence[PayoutLine], *, bank_seat: int | None) -> Totals | None:
    if not lines:
        return None
    stake = sum(line.stake_minor for line in lines)
    owed = sum(line.owed_minor for line in lines)
    handed = sum(line.handed_minor for line in lines)
    extra = sum(line.extra_owed_minor for line in lines)
    commission = sum(line.commission_minor for line in lines)
    taken = stake + extra - (commission if bank_seat is not None else 0)
    held = sum(line.held_minor for line in lines)
    return Totals(stake, owed, handed, extra, commission, taken - owed, taken - handed, held)


def _superseded(read: RoundRead, payouts: Sequence[Payout]) -> tuple[Superseded, ...]:
    latest = {"sweep": read.sweep_revision, "final": read.final_revision}
    times = dict(
        Settlement.objects.filter(round_id=read.ref.id).values_list("entry_id", "entry__at")
    )
    return tuple(
        Superseded(
            part=settled.part,
            revision=settled.revision,
            kind=settled.kind,
            at=times[settled.entry_id],
            lines=tuple(
                payout_line(payout)
                for payout in payouts
                if (payout.part, payout.revision) == (settled.part, settled.revision)
            ),
        )
        for settled in settlements_of(read.ref)
        if settled.revision < latest[settled.part]
    )


def _hands(read: RoundRead, lines: Sequence[PayoutLine]) -> tuple[LaidHand, ...]:
    faces = _face_history(read)
    stakes = _stake_history(read)
    decided = _decision_history(read)
    laid: dict[int, list[LaidCard]] = {}
    for place in places(read.ruleset, read.state()) if read.live else ():
        history = faces.get(place.draw)
        if history:
            *earlier, (face, as_seen) = history
            laid.setdefault(place.hand, []).append(
                LaidCard(
                    draw=place.draw,
                    lap=place.lap,
                    face=face,
                    earlier=tuple(old for old, _ in earlier if old),
                    as_seen=as_seen,
                )
            )
    owed: dict[int, int] = {}
    for line in lines:
        owed[line.seat] = owed.get(line.seat, 0) + line.owed_minor
    return tuple(
        LaidHand(
            hand=hand,
            cards=tuple(card for card in laid.get(hand, ()) if card.face or card.earlier),
            wagers=stakes.get(hand, ()),
            owed_minor=owed.get(hand),
            decision=decided.get(hand, ("",))[-1],
            decision_earlier=tuple(was for was in decided.get(hand, ("",))[:-1] if was),
        )
        for hand in (*range(1, read.seats_of_table + 1), 0)
        if hand != read.bank_seat
    )


def _apart(read: RoundRead) -> tuple[ApartCard, ...]:
    return tuple(
        ApartCard(draw, read.faces.get(draw, ""), departed.use)
        for draw, departed in sorted(read.departures.items())
        if departed.use not in (Departure.Use.HAND, Departure.Use.UNDONE)
    )


def _decision_history(read: RoundRead) -> Mapping[int, tuple[str, ...]]:
    """Return what each hand decided, oldest first; asked only where somebody decided."""
    if not read.decisions:
        return {}
    history: dict[int, tuple[str, ...]] = {}
    for row in Decision.objects.filter(round_id=read.ref.id).order_by("hand", "revision"):
        history[row.hand] = (*history.get(row.hand, ()), row.choice)
    return history


def _face_history(read: RoundRead) -> Mapping[int, list[tuple[str, bool]]]:
    """Return the faces of each draw, oldest first; a card carried over is draw 0."""
    mine, carried = Q(round_id=read.ref.id), read.carried
    if carried is not None:
        mine |= Q(round_id=carried.round.id, draw=carried.draw)
    history: dict[int, list[tuple[str, bool]]] = {}
    for row in Card.objects.filter(mine).order_by("draw", "revision"):
        draw = row.draw if row.round_id == read.ref.id else CARRIED
        history.setdefault(draw, []).append((row.face, row.as_seen))
    if carried is not None and not carried.keyed.face:
        history.pop(CARRIED, None)  # not opened yet
    return history


def _stake_history(read: RoundRead) -> Mapping[int, tuple[LaidWager, ...]]:
    rows = SeatWagers.objects.filter(round_id=read.ref.id).order_by("seat", "revision")
    by_seat: dict[int, list[SeatWagers]] = {}
    for row in rows:
        by_seat.setdefault(row.seat, []).append(row)
    found: dict[int, tuple[LaidWager, ...]] = {}
    for seat, revisions in by_seat.items():
        wagers = []
        for kind in WAGER_KINDS:
            stakes = [getattr(row, f"{kind}_minor") for row in revisions]
            changes = [
                stake for n, stake in enumerate(stakes[:-1]) if stake and stake != stakes[n + 1]
            ]
            if stakes[-1] or changes:
                wagers.append(LaidWager(kind, stakes[-1], tuple(changes)))
        found[seat] = tuple(wagers)
    return found
