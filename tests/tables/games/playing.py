"""One table of Lucky 9 as its dealer keys it over the API, led by what the answers ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from settlements.models import Payout
from tables.selectors.round_read import RoundName
from tests.factories.house import House
from tests.support.api import ApiPerson, Json

Wagers = Mapping[int, int]
Hands = Mapping[int, str]


@dataclass
class GameTable:
    """The dealer at table T1, and the table as the last answer told it."""

    house: House
    shoe: int = 1
    view: Json = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dealer = ApiPerson(self.house, "dealer", table="T1")
        self.view = self.dealer.get("tables/T1/round")

    @property
    def round(self) -> Json:
        """The round in the view."""
        found: Json = self.view["round"]
        return found

    @property
    def next(self) -> Json:
        """What comes next."""
        step: Json = self.round["next"]
        return step

    @property
    def name(self) -> RoundName:
        """The round's name."""
        return RoundName("T1", self.shoe, self.round["number"])

    @property
    def path(self) -> str:
        """The round's address."""
        return f"tables/T1/shoes/{self.shoe}/rounds/{self.round['number']}"

    def open(self, *, bank_seat: int | None = None) -> None:
        """Open betting, the pack shuffled before if that is due."""
        if self.view["shoe"]["shuffle_due"]:
            self.shuffle()
        body = {} if bank_seat is None else {"bank_seat": bank_seat}
        self.view = self.dealer.post(f"tables/T1/shoes/{self.shoe}/rounds", body)["view"]

    def shuffle(self) -> None:
        """Shuffle and cut the pack."""
        burned = ["?"] * self.view["shoe"]["burn_cards"]
        done = self.dealer.post(f"tables/T1/shoes/{self.shoe}/shuffle", {"burned": burned})
        self.view = done["view"]
        self.shoe = self.view["shoe"]["number"]

    def bet(self, wagers: Wagers, *, revision: int = 1) -> None:
        """Place main wagers in this order."""
        for seat, stake in wagers.items():
            body = {"revision": revision, "wagers": {"main": stake}}
            self.view = self.dealer.put(f"{self.path}/seats/{seat}/wagers", body)["view"]

    def deal(self, hands: Hands, *, until: tuple[str, ...] = ("sweep", "ask", "settle")) -> None:
        """Key each card where the table asks for it, until something else is asked."""
        while self.next["kind"] not in until:
            step = self.next
            assert step["kind"] == "deal", step
            self.asked.append(("deal", step["hand"]))
            self.key(step["draw"], hands[step["hand"]].split()[step["lap"] - 1])

    def key(self, draw: int, face: str | None, *, revision: int = 1) -> None:
        """Key one card."""
        card = {"draw": draw, "revision": revision, "face": face}
        self.view = self.dealer.post(f"{self.path}/cards", {"cards": [card]})["view"]

    def decide(self, hand: int, choice: str | None, *, revision: int = 1) -> None:
        """Record a decision."""
        body = {"hand": hand, "revision": revision, "choice": choice}
        self.view = self.dealer.post(f"{self.path}/decisions", body)["view"]

    def settle(self, part: str) -> None:
        """Pay a part as owed."""
        body = {"part": part, "revision": 1}
        self.view = self.dealer.post(f"{self.path}/settlements", body)["view"]

    def play(
        self,
        wagers: Wagers,
        hands: Hands,
        *,
        decisions: Mapping[int, str] | None = None,
        bank_seat: int | None = None,
    ) -> None:
        """Play one whole round as the table asks for it; hand 0 is the bank's."""
        self.asked = []
        self.open(bank_seat=bank_seat)
        self.bet(wagers)
        while (kind := self.next["kind"]) != "done":
            if kind == "ask":
                hand = self.next["hand"]
                self.asked.append(("ask", hand))
                self.decide(hand, (decisions or {})[hand])
            elif kind in ("sweep", "settle"):
                self.settle("sweep" if kind == "sweep" else "final")
            else:
                self.deal(hands)

    def paid(self) -> dict[tuple[int, str], tuple[str, int]]:
        """Outcome and what went back, by seat and wager, of the round in its latest revisions."""
        rows = Payout.objects.filter(round__key=self.name.key).order_by("revision", "id")
        return {(row.seat, row.wager): (row.outcome, row.handed_minor) for row in rows}
