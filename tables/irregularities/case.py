"""A case: what somebody says happened at a table, and how it was ruled.

Plain values as a page or a tablet states them; whether they fit is for the service to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from audit.chain import canonical
from casino.kernel.clock import format_instant


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that lies elsewhere than planned: at a hand (0 the House), or in none.

    `face` is stated where the card goes into no hand, and there only if it was seen.
    """

    draw: int
    hand: int | None = None
    face: str | None = None
    as_seen: bool = False


@dataclass(frozen=True, slots=True)
class WagerCase:
    """One wager: the stake as it really lay (None: as on record), what goes back (None: by rule).

    Amounts in minor units.
    """

    seat: int
    wager: str
    stake_minor: int | None = None
    returned_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What was seen and by whom, what was ruled and why, who was told (rules 2.1).

    The regulator is told, never asked: who, when and how stand in `regulator`.
    """

    seen: str
    ruling: str
    chips_moved: str = ""
    patrons: str = ""
    regulator: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One irregularity as it is to be recorded.

    `number` is the next one of the table's list, so that a retry finds what it did. `cards_out` is
    how many cards of the round have left the shoe, where more did than were keyed. `first_two`
    says whether the fault touches the first two cards, of all seats, of none, or of some (A20).
    `burned` are cards that left the shoe outside of a round; `replaced` the card taken out and the
    one put in (event 12); `counted` every card of the shoe by face (event 28). `since_shoe` is the
    first shoe whose rounds a void puts in question, if the check of the void one was no good (27).
    """

    table: str
    number: int
    event: int
    procedure: str
    told: Told
    happened_at: datetime
    shoe: int | None = None
    round: int | None = None
    seats: tuple[int, ...] = ()
    draws: tuple[Drawn, ...] = ()
    wagers: tuple[WagerCase, ...] = ()
    cards_out: int | None = None
    first_two: bool | tuple[int, ...] = False
    burned: tuple[str, ...] = ()
    replaced: tuple[str, str] | None = None
    counted: Mapping[str, int] = field(default_factory=dict)
    since_shoe: int | None = None

    @property
    def stream(self) -> str:
        """The stream of the table."""
        return f"table/{self.table}"

    @property
    def key(self) -> str:
        """What names the irregularity: table and number."""
        return f"{self.table}/I{self.number}"

    def document(self) -> dict[str, object]:
        """Return what is signed, as JSON: everything that the case says."""
        return {
            "act": "irregularity.record",
            "irregularity": self.key,
            "event": self.event,
            "procedure": self.procedure,
            "shoe": self.shoe,
            "round": self.round,
            "happened_at": format_instant(self.happened_at),
            "told": {
                "seen": self.told.seen,
                "ruling": self.told.ruling,
                "chips_moved": self.told.chips_moved,
                "patrons": self.told.patrons,
                "regulator": self.told.regulator,
            },
            **self.details(),
        }

    def details(self) -> dict[str, object]:
        """Return what the case says of seats, cards and wagers, as JSON."""
        first_two = self.first_two if isinstance(self.first_two, bool) else list(self.first_two)
        return {
            "seats": list(self.seats),
            "draws": [
                {"draw": d.draw, "hand": d.hand, "face": d.face, "as_seen": d.as_seen}
                for d in self.draws
            ],
            "wagers": [
                {
                    "seat": w.seat,
                    "wager": w.wager,
                    "stake_minor": w.stake_minor,
                    "returned_minor": w.returned_minor,
                }
                for w in self.wagers
            ],
            "cards_out": self.cards_out,
            "first_two": first_two,
            "burned": list(self.burned),
            "replaced": list(self.replaced) if self.replaced else None,
            "counted": dict(self.counted),
            "since_shoe": self.since_shoe,
        }

    def signed_hash(self) -> bytes:
        """SHA-256 of what is signed."""
        return sha256(canonical(self.document())).digest()
