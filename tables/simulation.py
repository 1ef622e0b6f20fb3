"""Deal real rounds through the public API, as a tablet and a pit page do: load, and a demo.

It speaks HTTP to a running site and knows the house only by its sign-ins; it imports no service.
Cards and wagers come from a seeded generator, so that the same seed deals the same shoe.
"""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

from tables.demo_house import SignIn

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
_DECKS = 8
_TIMEOUT_S = 30
_OPENER = {"1000000": 20, "500000": 20, "100000": 100, "50000": 100, "10000": 200, "500": 200}
_STAKES = {"main": (10_000, 20_000, 50_000, 100_000), "pair": (5_000, 10_000), "jacks": (5_000,)}

Json = dict[str, Any]  # Any: documents of the API


class ApiProblemError(Exception):
    """The API refused: its problem document."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.problem = problem


class ApiClient:
    """One signed-on person, with or without a tablet in hand."""

    def __init__(self, base: str, *, device_token: str | None = None) -> None:
        self.base = base.rstrip("/") + "/api/v1/"
        self.headers = {"Accept": "application/json"}
        if device_token:
            self.headers["X-Device-Token"] = device_token
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(jar)

    def sign_on(self, *, badge: str, secret: str, role: str) -> None:
        """Open a session; later writes carry its CSRF token."""
        self.headers["X-CSRFToken"] = self.call("GET", "sign-on")["csrf_token"]
        body = {"badge": badge, "secret": secret, "role": role}
        self.headers["X-CSRFToken"] = self.call("POST", "sign-on", body)["csrf_token"]

    def call(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Json:
        """Send one request and return its document. Raises ApiProblemError."""
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            self.base + path, data=data, method=method, headers=dict(self.headers)
        )
        if data is not None:
            request.add_header("Content-Type", "application/json")
        request.add_header("Referer", self.base)
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                document: Json = json.load(answer)
        except urllib.error.HTTPError as error:
            raise ApiProblemError(error.code, _problem(error)) from error
        return document


def _problem(error: urllib.error.HTTPError) -> Json:
    try:
        problem: Json = json.load(error)
    except ValueError:
        return {"code": "not.a.problem", "detail": error.reason}
    return problem


@dataclass(slots=True)
class SimulatedTable:
    """A table that deals to itself: a dealer at the tablet, a supervisor at the pit page."""

    code: str
    dealer: ApiClient
    supervisor: ApiClient
    dealer_sign_in: SignIn
    supervisor_sign_in: SignIn
    random: random.Random
    cards: list[str] = field(default_factory=list)

    def view(self) -> Json:
        """Return the table as its tablet shows it."""
        return self.dealer.call("GET", f"tables/{self.code}/round")

    def open(self) -> None:
        """Open the table on two equal counts, unless it is open."""
        if self.view()["session"] is not None:
            return
        path = f"tables/{self.code}/sessions"
        key = self.supervisor.call("POST", path)["view"]["session"]["key"]
        session = f"{path}/{key.rsplit('/S', 1)[1]}"
        count = {"kind": "opener", "revision": 1, "pieces": _OPENER}
        for person in (self.dealer, self.supervisor):
            person.call("POST", f"{session}/counts", count)
        self.supervisor.call("POST", f"{session}/open")

    def prepare(self) -> int:
        """Prepare a shoe in its signed steps; return its number."""
        view = self.dealer.call("POST", f"tables/{self.code}/shoes")["view"]
        number: int = view["shoe"]["number"]
        self.cards = CARDS * _DECKS
        self.random.shuffle(self.cards)
        signer = {
            "badge": self.dealer_sign_in.badge,
            "secret": self.dealer_sign_in.pin,
            "role": "dealer",
        }
        second = {
            "badge": self.supervisor_sign_in.badge,
            "secret": self.supervisor_sign_in.pin,
            "role": "supervisor",
        }
        for step in ("shuffle", "check", "cut", "burn"):
            body: Json = {"step": step, "signers": [signer]}
            if step == "check":
                body["signers"].append(second)
            if step == "burn":
                body["burned"] = [self.cards.pop()]
            self.dealer.call("POST", f"tables/{self.code}/shoes/{number}/steps", body)
        return number

    def play(self, shoe: int) -> Json:
        """Deal one round to random seats and settle it; return the view after it."""
        path = f"tables/{self.code}/shoes/{shoe}/rounds"
        view: Json = self.dealer.call("POST", path)["view"]
        path = f"{path}/{view['round']['number']}"
        for seat in sorted(self.random.sample(range(1, 6), self.random.randint(1, 5))):
            body = {"revision": 1, "wagers": self._stakes()}
            view = self.dealer.call("PUT", f"{path}/seats/{seat}/wagers", body)["view"]
        draw = 1
        while (kind := view["round"]["next"]["kind"]) != "done":
            if kind in ("sweep", "settle"):
                part = "sweep" if kind == "sweep" else "final"
                body = {"part": part, "revision": 1}
                view = self.dealer.call("POST", f"{path}/settlements", body)["view"]
                continue
            card = {"draw": draw, "revision": 1, "face": self.cards.pop()}
            view = self.dealer.call("POST", f"{path}/cards", {"cards": [card]})["view"]
            draw += 1
        return view

    def _stakes(self) -> dict[str, int]:
        stakes = {"main": self.random.choice(_STAKES["main"])}
        for kind in ("pair", "jacks"):
            if self.random.random() < 0.5:
                stakes[kind] = self.random.choice(_STAKES[kind])
        return stakes

    def end(self, shoe: int) -> None:
        """End the shoe: the stub is what is left."""
        body = {"stub_cards": len(self.cards)}
        self.supervisor.call("POST", f"tables/{self.code}/shoes/{shoe}/end", body)


def deal_shoe(table: SimulatedTable, *, cut_card_depth: int) -> Iterator[Json]:
    """Deal one whole shoe, to the cut card and the counted stub; yield the view of each round."""
    table.open()
    shoe = table.prepare()
    while len(table.cards) > cut_card_depth:
        yield table.play(shoe)
    table.dealer.call("POST", f"tables/{table.code}/shoes/{shoe}/cut-card")
    table.end(shoe)
