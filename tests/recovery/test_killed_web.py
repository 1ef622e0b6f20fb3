"""The web process killed between commit and answer: sent again, a write has one effect (trust R3).

The lost answer is kept by the process that dies, so that what the client gets in the end can be
laid beside it: the same bytes under an `Idempotency-Key`, the same receipt under a natural key.
"""

import http.client
import json
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.cookies import SimpleCookie
from itertools import count, islice
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.embedded.process import start_child
from casino.embedded.state import CHECKOUT
from casino.people.models import StoredAnswer
from tables.games import load_ruleset
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, open_floor, ready_the_shoe
from tests.loader.dealing import calls_of, shoes
from tests.support.api import ApiPerson, Json
from tests.support.floors import FloorClone

TABLE = "T2"
SIZES = [20, pytest.param(5000, marks=pytest.mark.long)]
PATIENCE_S = 60
IDEMPOTENCY_KEY, DIES = "Idempotency-Key", "X-Dies-Into"


class MortalDealer(ApiPerson):
    """A dealer at a tablet whose writes kill the process that serves them, and who sends again."""

    def __init__(self, house: House, *, port: int, folder: Path) -> None:
        self.port, self.folder = port, folder
        self.cookies: SimpleCookie = SimpleCookie()
        self.kills = 0
        self._keys = count(1)
        super().__init__(house, "dealer", table=TABLE)

    def send(
        self, method: str, path: str, body: object = None, *, raw: bytes | None = None
    ) -> tuple[int, Json]:
        """Send one request over a connection of its own."""
        status, content = self._until_answered(method, path, body)
        return status, json.loads(content) if content else {}

    def write_once(self, method: str, path: str, body: Json, *, keyed: bool) -> None:
        """Write; the answer is lost; write again and compare."""
        if keyed:
            self.headers[IDEMPOTENCY_KEY] = f"key-{next(self._keys)}"
        before = Entry.objects.filter(stream=f"table/{TABLE}").count()
        lost = self._killed(method, path, body)
        assert lost[0] == 201
        assert Entry.objects.filter(stream=f"table/{TABLE}").count() == before + 1, (
            "it is committed"
        )
        again = [self._until_answered(method, path, body) for _ in range(2)]
        if keyed:
            assert again == [lost, lost]
            del self.headers[IDEMPOTENCY_KEY]
        else:
            receipt = json.loads(lost[1])["receipt"]
            assert [status for status, _ in again] == [200, 200]
            assert [json.loads(content)["receipt"] for _, content in again] == [receipt, receipt]
        assert Entry.objects.filter(stream=f"table/{TABLE}").count() == before + 1, "one effect"

    def _killed(self, method: str, path: str, body: Json) -> tuple[int, bytes]:
        """Have the process killed; return what it would have answered."""
        self.kills += 1
        lost = self.folder / f"{self.kills}"
        deadline = time.monotonic() + PATIENCE_S
        while not lost.exists():  # Nobody may be there yet after the last death.
            assert time.monotonic() < deadline
            with pytest.raises(ConnectionError):
                self._exchange(method, path, body, {DIES: str(lost)})
        status, _, content = lost.read_bytes().partition(b" ")
        return int(status), content

    def _until_answered(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        """Send until there is an answer, as a tablet does."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._exchange(method, path, body)
            except ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def _exchange(
        self, method: str, path: str, body: object, more: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        cookies = "; ".join(f"{name}={each.value}" for name, each in self.cookies.items())
        sent = {"Content-Type": "application/json", "Cookie": cookies, **self.headers}
        content = b"" if method == "GET" else json.dumps({} if body is None else body).encode()
        try:
            connection.request(method, f"/api/v1/{path}", content, {**sent, **(more or {})})
            answer = connection.getresponse()
            for value in answer.headers.get_all("Set-Cookie", []):
                self.cookies.load(value)
            return answer.status, answer.read()
        finally:
            connection.close()


@pytest.fixture
def house(floor_clone: FloorClone) -> House:
    """The house as of now, with a table open at which nothing was dealt."""
    house = replace(floor_clone.house, now=timezone.now())
    open_floor(house, TABLE)
    return house


@pytest.fixture
def port(house: House, floor_clone: FloorClone, tmp_path: Path) -> Iterator[int]:
    """The site, served by processes that may die."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    environment = floor_clone.database.environment() | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        # The secrets of the house are kept under it.
        "SECRET_KEY": settings.SECRET_KEY,
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    log = tmp_path / "web.log"
    command = [sys.executable, "-m", "tests.recovery.dying", str(free)]
    child = start_child(command, name="web", folder=CHECKOUT, environment=environment, log=log)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not _listens(free):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield free
    finally:
        child.kill()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def writes(house: House) -> Iterator[tuple[str, str, Json, bool]]:
    """Every write of the rounds of one shoe after another, and whether it needs a key.

    The opening of a round has no natural key. Shoes are ended and readied past the site.
    """
    ruleset = load_ruleset("poker-lucky-9", {})
    for number, shoe in enumerate(shoes(ruleset, seed="R3", five_seats=True), start=1):
        rounds = f"tables/{TABLE}/shoes/{number}/rounds"
        for round_number, dealt in enumerate(shoe.rounds(), start=1):
            yield "POST", rounds, {}, True
            for method, rest, body in calls_of(dealt):
                yield method, f"{rounds}/{round_number}/{rest}", body, False
        stub = len(shoe.cards)
        end_shoe(table=TABLE, shoe=number, stub_cards=stub, by=house.acting("supervisor"))
        ready_the_shoe(house, TABLE)


@pytest.mark.parametrize("kills", SIZES)
def test_a_write_whose_answer_was_lost_has_one_effect(
    house: House, port: int, tmp_path: Path, kills: int
) -> None:
    dealer = MortalDealer(house, port=port, folder=tmp_path)
    keyed = 0
    for method, path, body, has_key in islice(writes(house), kills):
        dealer.write_once(method, path, body, keyed=has_key)
        keyed += has_key
    assert 1 < keyed < kills
    assert StoredAnswer.objects.count() == keyed
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
