"""Eight tables dealt at once over HTTP: a dealer, a tablet and a shoe at each."""

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter, sleep

from casino.people.models import Role, SecretKind, Staff
from casino.people.person import Origin, Person
from casino.people.services import create_staff, grant_role, issue_code, set_own_secret
from tables.services.shoe_end import end_shoe
from tests.bench.report import Measured
from tests.bench.site import Json, TablePerson
from tests.factories.house import House, open_the_table, ready_the_shoe
from tests.loader.dealing import CARDS, DECKS

SEATS = 5
LAPS = 3
CARDS_OF_A_ROUND = LAPS * (SEATS + 1)
_PIN = "731946"
_DEPTH = CARDS_OF_A_ROUND + 20


def employ(house: House, table: str) -> str:
    """Take on a dealer for a table; return the badge."""
    number = f"2{table[1:]:0>3}"
    by = Person(staff=house.staff["administrator"], name="administrator", role=Role.ADMINISTRATOR)
    origin = Origin(address="127.0.0.1")
    badge = f"B{number}"
    if Staff.objects.filter(number=number).exists():
        return badge
    create_staff(number=number, badge=badge, name=f"dealer {table}", by=by, origin=origin)
    grant_role(number, role=Role.DEALER, by=by, origin=origin)
    code = issue_code(number, purpose=SecretKind.PIN, by=by, origin=origin, now=house.now)
    set_own_secret(badge=badge, code=code, secret=_PIN, origin=origin, now=house.now)
    return badge


@dataclass
class TableDealer:
    """One table with five seats that bet on the main wager alone, so that nothing interrupts."""

    house: House
    table: str
    person: TablePerson
    shoe: int = 0
    cards: list[str] = field(default_factory=list)
    path: str = ""

    @classmethod
    def sign_on(cls, house: House, table: str, port: int) -> "TableDealer":
        """Employ a dealer and sign on at the table's tablet."""
        person = TablePerson(
            port, badge=employ(house, table), pin=_PIN, role="dealer", token=house.tokens[table]
        )
        return cls(house, table, person)

    def new_shoe(self, *, open_first: bool) -> None:
        """End the shoe and prepare another, by the services."""
        if open_first:
            open_the_table(self.house, self.table)
        else:
            end_shoe(
                table=self.table,
                shoe=self.shoe,
                stub_cards=len(self.cards),
                by=self.house.acting("supervisor"),
            )
        self.shoe = ready_the_shoe(self.house, self.table)
        self.cards = CARDS * DECKS
        random.Random(f"{self.table} {self.shoe}").shuffle(self.cards)
        self.cards.pop()

    def bet(self) -> None:
        """Open a round and place five wagers."""
        if len(self.cards) < _DEPTH:
            self.new_shoe(open_first=False)
        rounds = f"tables/{self.table}/shoes/{self.shoe}/rounds"
        view = self.person.call("POST", rounds)["view"]
        self.path = f"{rounds}/{view['round']['number']}"
        for seat in range(1, SEATS + 1):
            wagers: Json = {"revision": 1, "wagers": {"main": 10_000}}
            self.person.call("PUT", f"{self.path}/seats/{seat}/wagers", wagers)

    def card_requests(self, *, at_once: int) -> list[bytes]:
        """The requests that key a whole round, so many cards in each."""
        cards = [
            {"draw": draw, "revision": 1, "face": self.cards.pop()}
            for draw in range(1, CARDS_OF_A_ROUND + 1)
        ]
        return [
            self.person.prepare(
                "POST", f"/api/v1/{self.path}/cards", {"cards": cards[n : n + at_once]}
            )
            for n in range(0, CARDS_OF_A_ROUND, at_once)
        ]

    def plain_requests(self) -> list[bytes]:
        """As many requests that store a plain row."""
        return [
            self.person.prepare(
                "POST", "/api/v1/bench/rows", {"round": self.path, "draw": draw, "face": "AS"}
            )
            for draw in range(1, CARDS_OF_A_ROUND + 1)
        ]

    def settle(self) -> None:
        """Settle the round as owed."""
        body: Json = {"part": "final", "revision": 1}
        self.person.call("POST", f"{self.path}/settlements", body)


def at_once(works: Sequence[Callable[[], None]]) -> float:
    """Do all works at once in threads; return the seconds from the common start to the last end."""
    barrier = threading.Barrier(len(works) + 1)
    failed: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        barrier.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001  raised below, in the thread that asked
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = perf_counter()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return perf_counter() - start


def key_rounds(
    dealers: Sequence[TableDealer], *, rounds: int, at_once_cards: int, every_s: float = 0.0
) -> Measured:
    """Deal rounds at all tables at once; only the cards are measured.

    With `every_s` each table sends a request that often, the tables evenly apart; a latency counts
    from when the request was due.
    """
    latencies: list[float] = []
    seconds = 0.0
    for _ in range(rounds):
        for dealer in dealers:
            dealer.bet()
        requests = [dealer.card_requests(at_once=at_once_cards) for dealer in dealers]
        seconds += _exchange(dealers, requests, latencies, every_s=every_s)
        for dealer in dealers:
            dealer.settle()
    return Measured(rounds * len(dealers) * CARDS_OF_A_ROUND, seconds, tuple(latencies))


def store_rows(dealers: Sequence[TableDealer], *, rounds: int) -> Measured:
    """Store as many plain rows in the same manner."""
    latencies: list[float] = []
    seconds = sum(
        _exchange(dealers, [dealer.plain_requests() for dealer in dealers], latencies)
        for _ in range(rounds)
    )
    return Measured(rounds * len(dealers) * CARDS_OF_A_ROUND, seconds, tuple(latencies))


def _exchange(
    dealers: Sequence[TableDealer],
    requests: Sequence[Sequence[bytes]],
    latencies: list[float],
    *,
    every_s: float = 0.0,
) -> float:
    def work(place: int) -> None:
        person = dealers[place].person
        due = perf_counter() + every_s * place / len(dealers)
        for request in requests[place]:
            start = perf_counter()
            if every_s:
                sleep(max(0.0, due - start))
                start, due = due, due + every_s
            status, answer = person.exchange(request)
            assert status == 201, answer
            latencies.append(perf_counter() - start)

    return at_once([lambda place=place: work(place) for place in range(len(dealers))])  # type: ignore[misc]  # bound now
