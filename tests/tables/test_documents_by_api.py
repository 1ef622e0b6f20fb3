"""Published rounds dealt over the API, under a ruleset with their options: the same money."""

import json
from pathlib import Path
from typing import Any

import pytest

from casino.kernel.jsonio import loads
from settlements.models import Payout
from tables.games import settle_document
from tables.models import Limits
from tables.services.house import publish_procedures, publish_ruleset
from tests.factories.house import SET_UP, House, open_floor, set_terms
from tests.support.api import ApiPerson
from tests.support.floors import ref_of

Json = dict[str, Any]  # Any: documents

GAMES = Path(__file__).parents[1] / "games"
DEFAULTS = "34b40b9df4dc3b6dd043f28cd02b1c1cd060cb4d48e9707c0e44df2e717db55f"
REFUSED = {"pair": "wager.needs_main", "jacks": "wager.needs_main", "tie": "wager.closed"}


def documents(name: str) -> list[Json]:
    """Whole rounds of Poker Lucky 9 whose cards a table could key: all with suits, or none."""
    lines = [json.loads(line) for line in (GAMES / name).read_text().splitlines()]
    return [
        doc
        for doc in lines
        if doc["game"] == "poker-lucky-9"
        and not doc.get("void")
        and len({len(face) for face in faces_of(doc)}) == 1
    ]


def faces_of(doc: Json) -> list[str]:
    """Every card of a document."""
    return [card for hand in (*doc["seats"], doc["house"]) for card in hand["cards"]]


class Table:
    """Table T2 under the options of one document, with a shoe of its own."""

    def __init__(self, house: House, doc: Json) -> None:
        self.doc = doc
        detail = "rank" if len(faces_of(doc)[0]) == 1 else "rank_suit"
        self.ruleset = publish_ruleset(
            game=doc["game"], name=doc["title"], options=doc.get("options", {}), by=SET_UP
        )
        procedures = publish_procedures(
            game=doc["game"], options={"card_detail": detail}, by=SET_UP
        )
        set_terms(
            table="T2",
            ruleset=self.ruleset,
            procedures=procedures,
            limits=ref_of(Limits.objects.earliest("id")),
        )
        open_floor(house, "T2")
        self.dealer = ApiPerson(house, "dealer", table="T2")
        self.rejected = {
            (line["seat"], line["bet"]) for line in doc["expected"] if line["outcome"] == "rejected"
        }

    def deal(self) -> Json:
        """Key the whole round; answers with the table's view."""
        self.dealer.post("tables/T2/shoes/1/rounds")
        for seat in self.doc["seats"]:
            self.wager(seat["seat"], seat["bets"])
        order = sorted(seat["seat"] for seat in self.doc["seats"] if seat["cards"])
        cards = {seat["seat"]: seat["cards"] for seat in self.doc["seats"]}
        cards[0] = self.doc["house"]["cards"]
        faces = [cards[hand][lap] for lap in range(3) for hand in (*order, 0)]
        laps = 2 * (len(order) + 1)
        view = self.key(dict(enumerate(faces[:laps], start=1)))
        if view["round"]["stage"] == "sweep":
            self.settle("sweep")
        self.key(dict(enumerate(faces[laps:], start=laps + 1)))
        return self.settle("final")

    def wager(self, seat: int, bets: dict[str, int]) -> None:
        """Place what is taken; what is not, is refused at entry, and nothing of the set is kept."""
        path = f"tables/T2/shoes/1/rounds/1/seats/{seat}/wagers"
        kept = {kind: stake for kind, stake in bets.items() if (seat, kind) not in self.rejected}
        if kept != bets:
            problem = self.dealer.refused("PUT", path, {"revision": 1, "wagers": bets})
            assert problem["code"] == "wagers.refused"
            assert {fault["wager"]: fault["code"] for fault in problem["faults"]} == {
                kind: REFUSED[kind] for kind in bets.keys() - kept.keys()
            }
        if kept:
            self.dealer.put(path, {"revision": 1, "wagers": kept})

    def key(self, faces: dict[int, str]) -> Json:
        keyed = [{"draw": draw, "revision": 1, "face": face} for draw, face in faces.items()]
        answer = self.dealer.post("tables/T2/shoes/1/rounds/1/cards", {"cards": keyed})
        view: Json = answer["view"]
        return view

    def settle(self, part: str) -> Json:
        answer = self.dealer.post(
            "tables/T2/shoes/1/rounds/1/settlements", {"part": part, "revision": 1}
        )
        view: Json = answer["view"]
        return view


def assert_same_money(house: House, doc: Json) -> None:
    """Deal a document and compare what was paid with what is published."""
    table = Table(house, doc)
    view = table.deal()
    paid = {
        (line.seat, line.wager): (line.outcome, line.profit_minor, line.owed_minor)
        for line in Payout.objects.all()
    }
    assert paid == {
        (line["seat"], line["bet"]): (
            line["outcome"],
            line["payout_minor"],
            line["returned_minor"],
        )
        for line in doc["expected"]
        if (line["seat"], line["bet"]) not in table.rejected
    }
    assert sum(Payout.objects.values_list("bank_minor", flat=True)) == doc["house_net_minor"]
    told = settle_document(loads(json.dumps(doc).encode()))
    assert view["ruleset"]["hash"] == table.ruleset.key == told["ruleset"]


@pytest.mark.parametrize("doc", documents("examples.jsonl"), ids=lambda doc: doc["id"])
def test_a_published_round_dealt_over_the_api_gives_the_same_money(floor: House, doc: Json) -> None:
    assert_same_money(floor, doc)


@pytest.mark.long
@pytest.mark.parametrize("doc", documents("vectors.jsonl"), ids=lambda doc: doc["id"])
def test_every_case_dealt_over_the_api_gives_the_same_money(floor: House, doc: Json) -> None:
    assert_same_money(floor, doc)


def test_the_hash_of_the_defaults_is_the_published_one(floor: House) -> None:
    assert floor.ruleset.key == DEFAULTS
    assert publish_ruleset(game="poker-lucky-9", name="x", options={}, by=SET_UP).key == DEFAULTS


def test_the_options_change_the_hash_and_the_same_options_give_the_same_row(floor: House) -> None:
    published = [
        publish_ruleset(game="poker-lucky-9", name=name, options=options, by=SET_UP)
        for name, options in (
            ("one", {"kicker_by": "points"}),
            ("two", {"kicker_by": "points"}),
            ("three", {"kicker_by": "rank"}),
        )
    ]
    assert published[0] == published[1] != published[2]
    assert published[2].key == DEFAULTS
