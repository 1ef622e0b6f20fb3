"""A decision on rounds of a void shoe and its bill, as values (event 27): what is signed.

Amounts are integer minor units. This module must not read, nor decide what is owed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from audit.chain import canonical
from settlements.correction import Bill
from settlements.lines import GivenBack
from settlements.models import ShoeVoidRound

PURPOSE = "shoe.decide"
DECIDED = "shoe.decided"
# What each decision gives back; a round of which nothing is decided yet is not among them.
GIVES_BACK: Mapping[str, GivenBack] = {
    ShoeVoidRound.Decision.STAND: GivenBack.NONE,
    ShoeVoidRound.Decision.REFUND_LOSERS: GivenBack.LOSERS,
    ShoeVoidRound.Decision.REVERSE: GivenBack.ALL,
}


@dataclass(frozen=True, slots=True)
class ShoeDecision:
    """What is decided of rounds of a void shoe; `rounds` are their keys, none means all open ones.

    `told` says whom of the regulator was told, when and how. `moved` says that what the bill says
    to move was moved; otherwise it is owed from now on and not handed over.
    """

    decision: str
    note: str
    told: str
    rounds: tuple[str, ...] = ()
    moved: bool = False


@dataclass(frozen=True, slots=True)
class RoundDecided:
    """A round of the decision: its line of the list that stands, and what changes, if anything."""

    row: ShoeVoidRound
    bill: Bill | None

    @property
    def key(self) -> str:
        return self.row.round.key

    @property
    def to_players_minor(self) -> int:
        return self.bill.to_players_minor if self.bill else 0

    @property
    def to_bank_minor(self) -> int:
        return self.bill.to_bank_minor if self.bill else 0


@dataclass(frozen=True)
class DecisionBill:
    """What a decision costs; the manager in charge and a second manager sign the hash of it.

    The bill of each round names the state that it was made from, and each line of the list its
    revision: after another correction or another decision it is another bill.
    """

    shoe_key: str
    decision: ShoeDecision
    rounds: tuple[RoundDecided, ...]

    @property
    def bills(self) -> Iterator[Bill]:
        """The bills of the rounds that change."""
        return (each.bill for each in self.rounds if each.bill is not None)

    @property
    def to_players_minor(self) -> int:
        """What goes to players over all rounds, never netted between wagers."""
        return sum(each.to_players_minor for each in self.rounds)

    @property
    def to_bank_minor(self) -> int:
        """What comes back to the bank over all rounds."""
        return sum(each.to_bank_minor for each in self.rounds)

    @property
    def wagers_changed(self) -> int:
        """How many wagers are settled otherwise."""
        return sum(len(bill.lines) for bill in self.bills)

    @cached_property
    def document(self) -> dict[str, object]:
        """What is signed and logged, as JSON."""
        decision = self.decision
        return {
            "act": PURPOSE,
            "shoe": self.shoe_key,
            "decision": decision.decision,
            "note": decision.note,
            "told": decision.told,
            "moved": decision.moved,
            "rounds": [_round(each) for each in self.rounds],
            "to_players_minor": self.to_players_minor,
            "to_bank_minor": self.to_bank_minor,
        }

    @cached_property
    def content_hash(self) -> bytes:
        """SHA-256 of the document's canonical form."""
        return sha256(canonical(self.document)).digest()

    @property
    def hash(self) -> str:
        """The same in hex, as people and clients hand it on."""
        return self.content_hash.hex()


def _round(each: RoundDecided) -> dict[str, object]:
    return {
        "round": each.key,
        "revision": each.row.revision + 1,
        "was": each.row.decision,
        "bill_hash": each.bill.hash if each.bill else None,
        "wagers": len(each.bill.lines) if each.bill else 0,
        "to_players_minor": each.to_players_minor,
        "to_bank_minor": each.to_bank_minor,
    }
