"""A correction and its bill, as values: what is to change, what that moves, what is signed.

Amounts are integer minor units; in `to_move_minor` what goes to players is positive, what comes
back to the bank negative. This module must not read, nor decide what is owed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from audit.chain import canonical
from settlements.draw_error import DrawError
from settlements.lines import GivenBack, Sums, VoidNote, WagerName
from settlements.models import Part
from tables.games import Line

# What a correction can be about: misread, mispaid, late or moved wager, over a limit, found when
# the cards were verified (events 21 to 24, 28).
EVENTS = (21, 22, 23, 24, 28)
# The decision on a round of a void shoe is none of these: it is made of rounds together.
VOID_SHOE_EVENT = 27
REASON_CHARACTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class CorrectedCard:
    """A draw's true face; `as_seen` answers the question about one copy too many (event 13)."""

    draw: int
    face: str
    as_seen: bool = False


@dataclass(frozen=True, slots=True)
class ShoeRuling:
    """What was decided of a round of a void shoe, and where that stands (event 27).

    `revision` is that of the round's line on the list of `shoe`; its signed hash is the decision's.
    """

    decision: str
    given_back: GivenBack
    shoe: str
    irregularity: str
    revision: int


@dataclass(frozen=True, slots=True)
class Correction:
    """What two people want to correct in a round that is over.

    `wagers` states whole sets by seat. `handed` says what has gone back to the player of a wager up
    to now, stake included, where the record is wrong or somebody was mispaid. `moved` says that
    what the bill says to move was moved: then handed becomes owed. `dispute` is the number of the
    table's dispute whose ruling this carries out. `ruling` is set by the decision on a void shoe
    alone; what was ruled of its round before stands in every other correction.
    """

    event: int
    reason: str
    moved: bool
    cards: tuple[CorrectedCard, ...] = ()
    wagers: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    handed: Mapping[WagerName, int] = field(default_factory=dict)
    dispute: int | None = None
    ruling: ShoeRuling | None = None


@dataclass(frozen=True, slots=True)
class CardBill:
    """A card that changes: where it lies, its face before and after, the revision to be written."""

    draw: int
    hand: int | None
    before: str
    after: str
    revision: int
    as_seen: bool


@dataclass(frozen=True, slots=True)
class SeatBill:
    """A seat's wagers before and after, and the revision to be written."""

    seat: int
    before: Mapping[str, int]
    after: Mapping[str, int]
    revision: int


@dataclass(frozen=True, slots=True)
class LineSide:
    """A payout on one side of the bill; `columns` are all its columns but round, part, revision."""

    taken_minor: int
    owed_minor: int
    handed_minor: int
    columns: Mapping[str, object]

    @property
    def net_owed_minor(self) -> int:
        """What the player gains by the rules."""
        return self.owed_minor - self.taken_minor

    @property
    def net_handed_minor(self) -> int:
        """What the player has gained by what was handed over."""
        return self.handed_minor - self.taken_minor


# The side of a wager that is not there.
_NOTHING = LineSide(taken_minor=0, owed_minor=0, handed_minor=0, columns={})


@dataclass(frozen=True, slots=True)
class LineBill:
    """One wager of a part: its payout before and after, and what has still to change hands.

    `so_far_minor` is what has gone back up to now, stake included; None where the wager is not
    touched.
    """

    seat: int
    wager: str
    before: LineSide | None
    after: LineSide | None
    so_far_minor: int | None
    to_move_minor: int
    is_changed: bool

    @property
    def amount_minor(self) -> int:
        """What the correction of this wager is worth: on paper or in chips, whichever is more."""
        before, after = self.before or _NOTHING, self.after or _NOTHING
        owed = after.net_owed_minor - before.net_owed_minor
        handed = after.net_handed_minor - before.net_handed_minor
        return max(abs(owed), abs(handed), abs(self.to_move_minor))


@dataclass(frozen=True, slots=True)
class PartBill:
    """A part whose lines change: all of them, the revision to be written, and its sums."""

    part: Part
    revision: int
    void: VoidNote | None
    given_back: GivenBack
    owed: tuple[Line, ...]
    handed: Mapping[WagerName, int]
    lines: tuple[LineBill, ...]
    before: Sums
    after: Sums


@dataclass(frozen=True, slots=True)
class Reissue:
    """Something that was made from what is corrected and is made anew: its kind and subject."""

    kind: str
    subject: str


@dataclass(frozen=True, slots=True)
class LateMoney:
    """What a correction moves after the session of its round closed: nothing out of that tray.

    `hold_minor` comes from the chips that left the table with the dispute hold `hold`. The rest
    comes out of the tray of `session`, or goes into it; where the table is closed, of none.
    """

    moved_minor: int
    hold: str | None
    hold_minor: int
    session: str | None

    @property
    def tray_minor(self) -> int:
        """What is paid without the hold; negative is what comes in."""
        return self.moved_minor - self.hold_minor

    @property
    def document(self) -> dict[str, object]:
        """What of it is signed and logged, as JSON."""
        return {
            "moved_minor": self.moved_minor,
            "hold": self.hold,
            "hold_minor": self.hold_minor,
            "session": self.session,
            "tray_minor": self.tray_minor,
        }


@dataclass(frozen=True)
class Bill:
    """What a correction changes and moves; two people sign the hash of its document.

    `base` names the state it was made from, by the latest revisions of cards, wagers and
    settlements: after any other write of those it is another bill. `live` are the seats with a
    hand, before and after; `warnings` what the limits say of the wagers, which stand as placed.
    `late` says whose chips move where the round's session is closed, `draw_error` what corrected
    first cards say of the third ones.
    """

    round_key: str
    correction: Correction
    base: Mapping[str, object]
    live: tuple[tuple[int, ...], tuple[int, ...]]
    cards: tuple[CardBill, ...]
    seats: tuple[SeatBill, ...]
    parts: tuple[PartBill, ...]
    session_key: str
    reissue: tuple[Reissue, ...]
    warnings: tuple[Mapping[str, object], ...]
    late: LateMoney | None = None
    draw_error: DrawError | None = None

    @property
    def lines(self) -> tuple[LineBill, ...]:
        """The wagers that are touched, over all parts."""
        return tuple(line for part in self.parts for line in part.lines if line.is_changed)

    @property
    def to_players_minor(self) -> int:
        """What still goes to players."""
        return sum(max(line.to_move_minor, 0) for line in self.lines)

    @property
    def to_bank_minor(self) -> int:
        """What still comes back to the bank."""
        return sum(max(-line.to_move_minor, 0) for line in self.lines)

    @property
    def to_move_minor(self) -> int:
        """What still goes to players, less what comes back."""
        return self.to_players_minor - self.to_bank_minor

    @property
    def amount_minor(self) -> int:
        """What the limit of the procedure is held against: never netted between wagers."""
        return sum(line.amount_minor for line in self.lines)

    @property
    def sums(self) -> Sums:
        """By how much the session's sums move; an open tray follows the bank as handed over."""
        moved = Sums(0, 0, 0)
        for part in self.parts:
            moved += part.after - part.before
        return moved

    @cached_property
    def document(self) -> dict[str, object]:
        """What is signed and logged, as JSON."""
        correction = self.correction
        document: dict[str, object] = {
            "act": "round.correct",
            "round": self.round_key,
            "event": correction.event,
            "reason": correction.reason,
            "moved": correction.moved,
            "base": dict(self.base),
            "cards": [_card(card) for card in self.cards],
            "wagers": [_seat(seat) for seat in self.seats],
            "parts": [_part(part) for part in self.parts],
            "to_players_minor": self.to_players_minor,
            "to_bank_minor": self.to_bank_minor,
            "to_move_minor": self.to_move_minor,
            "amount_minor": self.amount_minor,
            "session": {"key": self.session_key, **_sums(self.sums)},
            "reissue": [{"kind": item.kind, "subject": item.subject} for item in self.reissue],
            "warnings": [dict(warning) for warning in self.warnings],
        }
        if correction.dispute is not None:
            table = self.round_key.split("/")[0]
            document["dispute"] = f"{table}/D{correction.dispute}"
        if correction.ruling is not None:
            document["ruling"] = _ruling(correction.ruling)
        if self.late is not None:
            document["late"] = self.late.document
        if self.draw_error is not None:
            document["draw_error"] = self.draw_error.document
        before, after = self.live
        if before != after:
            document["live"] = {"before": list(before), "after": list(after)}
        return document

    @cached_property
    def content_hash(self) -> bytes:
        """SHA-256 of the document's canonical form."""
        return sha256(canonical(self.document)).digest()

    @property
    def hash(self) -> str:
        """The same in hex, as people and clients hand it on."""
        return self.content_hash.hex()


# What a bill states of a payout; the settlement holds the rest.
_STATED = (
    "stake_minor",
    "outcome",
    "odds_numerator",
    "odds_denominator",
    "profit_minor",
    "owed_minor",
    "handed_minor",
    "commission_minor",
    "extra_owed_minor",
    "clause",
)


def _card(card: CardBill) -> dict[str, object]:
    return {
        "draw": card.draw,
        "hand": card.hand,
        "before": card.before,
        "after": card.after,
        "revision": card.revision,
        "as_seen": card.as_seen,
    }


def _seat(seat: SeatBill) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "before": dict(seat.before),
        "after": dict(seat.after),
        "revision": seat.revision,
    }


def _ruling(ruling: ShoeRuling) -> dict[str, object]:
    return {
        "decision": ruling.decision,
        "shoe": ruling.shoe,
        "irregularity": ruling.irregularity,
        "revision": ruling.revision,
    }


def _part(part: PartBill) -> dict[str, object]:
    document: dict[str, object] = {
        "part": part.part.value,
        "revision": part.revision,
        "before": _sums(part.before),
        "after": _sums(part.after),
        "lines": [_line(line) for line in part.lines if line.is_changed],
    }
    if part.given_back:
        document["given_back"] = part.given_back.value
    return document


def _line(line: LineBill) -> dict[str, object]:
    return {
        "seat": line.seat,
        "wager": line.wager,
        "before": _side(line.before),
        "after": _side(line.after),
        "so_far_minor": line.so_far_minor,
        "to_move_minor": line.to_move_minor,
    }


def _side(side: LineSide | None) -> dict[str, object] | None:
    return None if side is None else {name: side.columns[name] for name in _STATED}


def _sums(sums: Sums) -> dict[str, object]:
    return {
        "handle_minor": sums.handle_minor,
        "bank_owed_minor": sums.bank_owed_minor,
        "bank_handed_minor": sums.bank_handed_minor,
    }


def sides_differ(before: LineSide | None, after: LineSide | None) -> bool:
    """Tell whether a payout would be written otherwise than it stands."""
    if before is None or after is None:
        return before is not after
    return dict(before.columns) != dict(after.columns)
