"""One whole shoe through the API: undos, a ninth copy, a void, a face never known."""

import random
from collections import Counter

import pytest

from audit.findings.models import Finding
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.outbox.handlers import drain
from settlements.models import CheckResult, Settlement
from tables.models import Round, Shoe, ShoeStatement
from tables.simulation import CARDS
from tests.factories.house import OPENER, PINS, STAFF, House, build_house
from tests.support.api import ApiPerson, Json

SEED = 9


class ShoeDealer:
    """Deals one shoe card by card, and makes the mistakes that dealers make."""

    def __init__(self, house: House) -> None:
        self.dealer = ApiPerson(house, "dealer", table="T1")
        self.supervisor = ApiPerson(house, "supervisor")
        self.random = random.Random(SEED)
        self.cards = CARDS * 8
        self.random.shuffle(self.cards)
        self.undone = 0
        # What is on record, and the face that is keyed as seen for a ninth time.
        self.keyed: Counter[str] = Counter()
        self.ninth = ""

    def open(self) -> None:
        self.supervisor.post("tables/T1/sessions")
        count = {"kind": "opener", "revision": 1, "pieces": OPENER}
        for person in (self.dealer, self.supervisor):
            person.post("tables/T1/sessions/1/counts", count)
        self.supervisor.post("tables/T1/sessions/1/open")
        self.dealer.post("tables/T1/shoes")
        for step in ("shuffle", "check", "cut", "burn"):
            names = ("dealer", "supervisor") if step == "check" else ("dealer",)
            body: Json = {"step": step, "signers": signers(*names)}
            if step == "burn":
                body["burned"] = [self.take()]
            self.dealer.post("tables/T1/shoes/1/steps", body)

    def open_round(self, *, seats: int) -> tuple[str, Json]:
        view = self.dealer.post("tables/T1/shoes/1/rounds")["view"]
        path = f"tables/T1/shoes/1/rounds/{view['round']['number']}"
        for seat in sorted(self.random.sample(range(1, 6), seats)):
            wagers = {"main": self.random.randrange(100, 100_000)}
            for kind in ("pair", "jacks"):
                if self.random.random() < 0.5:
                    wagers[kind] = self.random.randrange(1, 10_000)
            body = {"revision": 1, "wagers": wagers}
            view = self.dealer.put(f"{path}/seats/{seat}/wagers", body)["view"]
        return path, view

    def take(self) -> str:
        """Draw the next card; return the face that the dealer reads: once a wrong one, which has
        lain here eight times already."""
        face = self.cards.pop()
        eight = [each for each, copies in self.keyed.items() if copies == 8]
        if eight and not self.ninth:
            self.ninth = face = eight[0]
        self.keyed[face] += 1
        return face

    def key(self, path: str, draw: int, face: str, *, revision: int = 1) -> Json:
        card = {"draw": draw, "revision": revision, "face": face}
        status, answer = self.dealer.send("POST", f"{path}/cards", {"cards": [card]})
        if answer.get("code") == "card.one_too_many":
            assert answer["data"]["places"], answer
            card["as_seen"] = True
            status, answer = self.dealer.send("POST", f"{path}/cards", {"cards": [card]})
        assert status == 201, answer
        view: Json = answer["view"]
        return view

    def play(self, *, seats: int) -> Json:
        path, view = self.open_round(seats=seats)
        draw = 1
        while (kind := view["round"]["next"]["kind"]) != "done":
            if kind in ("sweep", "settle"):
                part = {"part": "sweep" if kind == "sweep" else "final", "revision": 1}
                view = self.dealer.post(f"{path}/settlements", part)["view"]
                continue
            face = self.take()
            if self.random.random() < 0.05:
                self.key(path, draw, self.random.choice(CARDS))
                undo = {"cards": [{"draw": draw, "revision": 2, "face": None}]}
                self.dealer.post(f"{path}/cards", undo)
                view = self.key(path, draw, face, revision=3)
                self.undone += 1
            else:
                view = self.key(path, draw, face)
            draw += 1
        return view

    def play_with_unknown_face(self) -> None:
        """A face that nobody saw spoils the hand: the round is voided by two people."""
        path, _view = self.open_round(seats=2)
        self.key(path, 1, self.take())
        self.cards.pop()
        unknown = {"draw": 2, "revision": 1, "face": "?", "as_seen": True}
        self.dealer.post(f"{path}/cards", {"cards": [unknown]})
        bill = self.supervisor.post(f"{path}/void/bill", expect=200)
        self.supervisor.post(
            f"{path}/void",
            {
                "event": 26,
                "note": "a card fell behind the table",
                "stage": bill["stage"],
                "returned_minor": bill["returned_minor"],
                "signers": signers("supervisor", "manager"),
            },
        )

    def end(self) -> Json:
        self.dealer.post("tables/T1/shoes/1/cut-card")
        return self.supervisor.post("tables/T1/shoes/1/end", {"stub_cards": len(self.cards)})


def signers(*names: str) -> list[Json]:
    """Signatures as the API takes them."""
    return [
        {"badge": STAFF[name][1], "secret": PINS[name], "role": str(STAFF[name][2])}
        for name in names
    ]


def drain_outbox() -> None:
    """Do all that waits, as a worker does."""
    while drain():
        pass


@pytest.fixture
def dealt(clone_db: object) -> ShoeDealer:
    shoe = ShoeDealer(build_house())
    shoe.open()
    shoe.play_with_unknown_face()
    while len(shoe.cards) > 52:
        shoe.play(seats=shoe.random.randint(1, 5))
    shoe.end()
    return shoe


def test_a_whole_shoe_closes_and_everything_agrees(dealt: ShoeDealer) -> None:
    statement = ShoeStatement.objects.get()
    assert statement.counted_closes
    assert statement.dealt + statement.burned + statement.stub == 416
    assert statement.unknown_faces == 1
    assert dealt.undone > 3

    assert dealt.ninth, "some face had eight copies on record before the shoe ended"
    assert not statement.composed_holds
    assert statement.over == {dealt.ninth: 1}
    assert dealt.keyed[dealt.ninth] == 9
    over = Finding.objects.get(kind="shoe.composition_over")
    assert (over.subject_key, over.detail["over"]) == ("T1/1", {dealt.ninth: 1})
    asked = Finding.objects.filter(kind="shoe.one_card_too_many")
    assert dealt.ninth in {finding.detail["face"] for finding in asked}

    assert Round.objects.filter(stage=Round.Stage.VOIDED).count() == 1
    numbers = list(Round.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert Shoe.objects.get().state == Shoe.State.ENDED

    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
    drain_outbox()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    assert CheckResult.objects.count() == Settlement.objects.count()
    assert replay_log().problems == []
