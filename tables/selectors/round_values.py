"""One round as it was read: plain values, and the round as the engine takes it.

`round_read` reads them; nothing here does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from audit.log.rows import Ref
from tables.games import Limits, Procedures, RoundState, Ruleset, TakenOut

ROUND_OVER = ("settled", "voided", "called_off")
CARRIED = 0  # the draw of a card carried over from the round before (event 1)


@dataclass(frozen=True, slots=True)
class RoundName:
    """What names a round for ever: table, shoe, round."""

    table: str
    shoe: int
    number: int

    @property
    def key(self) -> str:
        """The round's natural key."""
        return f"{self.table}/{self.shoe}/{self.number}"

    @property
    def stream(self) -> str:
        """The stream of the round's table."""
        return f"table/{self.table}"


@dataclass(frozen=True, slots=True)
class KeyedSeat:
    """A seat's latest wagers, with the revision they stand in and the entry they came with."""

    revision: int
    wagers: Mapping[str, int]
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedFace:
    """A draw's latest face; "" is an empty revision (undone)."""

    revision: int
    face: str
    as_seen: bool
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedDecision:
    """A hand's latest decision; "" is an empty revision (taken back)."""

    revision: int
    choice: str
    entry_id: int


@dataclass(frozen=True, slots=True)
class KeyedDeparture:
    """Where a draw went instead of its planned place (`Departure.Use`)."""

    revision: int
    use: str
    hand: int | None
    nth: int | None


@dataclass(frozen=True, slots=True)
class CarriedCard:
    """The card drawn in excess in the round before that is the first of this one (event 1).

    It keeps its round and its draw there; here it is draw 0. A face "" is one not opened yet.
    """

    round: Ref
    draw: int
    keyed: KeyedFace


@dataclass(frozen=True, slots=True)
class OpenHold:
    """An open dispute hold; of no seat it holds the whole round, of no wager the whole seat.

    `apart_minor` is what of its sum came out of the tray so far.
    """

    ref: Ref
    seat: int | None
    wager: str
    disputed_minor: int
    in_result: bool
    apart_minor: int | None = 0


@dataclass(frozen=True, slots=True)
class SessionSums:
    """What the session's settlements add up to so far, in minor units.

    `disputed_minor` is what of that lies apart from the tray under dispute holds,
    `moved_late_minor` what of it another tray or a hold paid, or, negative, this one for another.
    """

    rounds_settled: int
    handle_minor: int
    bank_owed_minor: int
    bank_handed_minor: int
    disputed_minor: int = 0
    moved_late_minor: int = 0


@dataclass(frozen=True, slots=True)
class RoundRead:
    """A round as it stands, with its table, session, shoe and rules."""

    ref: Ref
    name: RoundName
    table: Ref
    table_name: str
    seats_of_table: int
    session: Ref
    session_state: str
    session_sums: SessionSums
    shoe: Ref
    shoe_state: str
    cards_loaded: int
    cards_dealt: int
    cards_out: int
    rounds_max: int | None
    rounds: int
    stage: str
    gaming_day: date
    dealer: Ref
    dealer_name: str
    live: tuple[int, ...]
    sweep_revision: int
    final_revision: int
    ruleset_ref: Ref
    ruleset: Ruleset
    procedures: Procedures
    limits_ref: Ref
    limits: Limits
    limits_pinned: bool
    seats: Mapping[int, KeyedSeat]
    cards: Mapping[int, KeyedFace]
    copies: Mapping[str, int]
    bank_seat: int | None
    decisions: Mapping[int, KeyedDecision]
    departures: Mapping[int, KeyedDeparture]
    taken_out: tuple[TakenOut, ...]
    taken_revisions: Mapping[tuple[int, str], int]
    holds: tuple[OpenHold, ...]
    carried: CarriedCard | None
    sweep_late: bool

    @property
    def wagers(self) -> dict[int, dict[str, int]]:
        """Stakes in minor units by seat and kind; seats that hold none are left out."""
        return {seat: dict(keyed.wagers) for seat, keyed in self.seats.items() if keyed.wagers}

    @property
    def wagers_as_placed(self) -> dict[int, Mapping[str, int]]:
        """The same in the order of placing, a seat that changed its wagers where it did so last."""
        placed = sorted(self.seats.items(), key=lambda item: item[1].entry_id)
        return {seat: keyed.wagers for seat, keyed in placed if keyed.wagers}

    @property
    def faces(self) -> dict[int, str]:
        """Faces by draw, undone ones left out; a card carried over is draw 0."""
        faces = {draw: keyed.face for draw, keyed in self.cards.items() if keyed.face}
        if self.carried is not None and self.carried.keyed.face:
            faces[CARRIED] = self.carried.keyed.face
        return faces

    def keyed(self, draw: int) -> KeyedFace | None:
        """Return what was keyed at a draw; 0 is the card carried over."""
        if draw == CARRIED:
            return self.carried.keyed if self.carried else None
        return self.cards.get(draw)

    @property
    def cards_apart(self) -> int:
        """How many draws of the round were burned or set aside."""
        return sum(
            departed.use in ("burned", "set_aside") and bool(self.cards[draw].face)
            for draw, departed in self.departures.items()
            if draw in self.cards
        )

    @property
    def cards_played(self) -> int:
        """How many draws left the shoe in this round and were neither burned nor set aside."""
        return sum(bool(keyed.face) for keyed in self.cards.values()) - self.cards_apart

    def state(self, faces: Mapping[int, str] | None = None) -> RoundState:
        """Return the round as the engine takes it; with other `faces` than stand, if given."""
        return RoundState(
            wagers=self.wagers,
            live=self.live,
            cards=self.faces if faces is None else faces,
            swept=self.sweep_revision > 0,
            settled=self.stage in ROUND_OVER,
            decisions={
                hand: keyed.choice for hand, keyed in self.decisions.items() if keyed.choice
            },
            taken_out=self.taken_out,
            departures={
                draw: (keyed.hand, keyed.nth) if keyed.hand is not None and keyed.nth else None
                for draw, keyed in self.departures.items()
                if keyed.use != "undone"
            },
            carried=self.carried is not None,
            sweep_late=self.sweep_late,
        )
