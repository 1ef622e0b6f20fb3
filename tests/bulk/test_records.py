"""Plain records through the second engine: every published document, and what is refused."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from settlements.bulk import BulkError, RoundRecord, recompute, settle_one
from tables.games import load_ruleset
from tests.bulk.rulesets import FIXED, POKER, SOCIAL, options

DOCUMENTS = Path(__file__).parent.parent / "games"
NINE, EIGHT = ("2H", "7C", "KD"), ("5S", "3D", "QC")
# What a document's line says, and where the second engine says it.
FIELDS = {
    "outcome": "outcome",
    "odds": "odds",
    "payout_minor": "profit_minor",
    "returned_minor": "returned_minor",
    "extra_owed_minor": "extra_owed_minor",
}

Document = Mapping[str, Any]  # JSON: whatever the file holds


def documents() -> Iterator[Document]:
    """Read the published examples and the project's own vectors."""
    for name in ("examples.jsonl", "vectors.jsonl"):
        for line in (DOCUMENTS / name).read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def record_of(document: Document) -> RoundRecord:
    """Turn a document into a record, options filled in."""
    bank = document.get("house") or document.get("banker") or {"cards": []}
    hands = {0: bank, **{seat["seat"]: seat for seat in document["seats"]}}
    void = document.get("void")
    return RoundRecord(
        game=document["game"],
        options=load_ruleset(document["game"], document.get("options", {})).options,
        wagers={seat["seat"]: seat["bets"] for seat in document["seats"]},
        hands={number: hand["cards"] for number, hand in hands.items()},
        decisions={number: hand["draw"] for number, hand in hands.items() if "draw" in hand},
        part="void" if void else "whole",
        stage=void["stage"] if void else "",
        touches_first_two=void["affects_first_two_cards"] if void else False,
    )


@pytest.mark.parametrize("document", list(documents()), ids=lambda document: document["id"])
def test_every_published_document_comes_out(document: Document) -> None:
    found = settle_one(record_of(document))
    assert found.fault == ""
    lines = {(line.seat, line.kind): line for line in found.lines}
    for expected in document["expected"]:
        line = lines.pop((expected["seat"], expected["bet"]))
        for name, field in FIELDS.items():
            if name in expected:
                value = getattr(line, field)
                assert (list(value) if isinstance(value, tuple) else value) == expected[name]
    assert lines == {}
    nets = [document[name] for name in ("house_net_minor", "banker_net_minor") if name in document]
    assert nets == [found.bank_minor]


def record(**changed: Any) -> RoundRecord:  # whatever a field of the record may hold
    """Make a sound record of game A with something changed."""
    fields: dict[str, Any] = {
        "game": POKER,
        "options": options(POKER),
        "wagers": {1: {"main": 100}},
        "hands": {1: NINE, 0: EIGHT},
    }
    return RoundRecord(**(fields | changed))


def test_answers_come_in_the_order_of_the_records() -> None:
    social = record(
        game=SOCIAL,
        options=options(SOCIAL),
        hands={1: ("8H", "7S", "4D"), 0: ("AC", "6D")},
        decisions={1: "hit", 0: "stand"},
    )
    fixed = record(
        game=FIXED, options=options(FIXED), hands={1: ("2H", "3C", "4D"), 0: ("KD", "7S")}
    )
    swept = record(part="sweep", wagers={1: {"main": 100, "pair": 10}})
    rich = record(options=options(POKER, pair_odds=[12, 1]), wagers={1: {"main": 300}})
    batch = [social, record(), fixed, swept, rich, record(), social]
    assert [answer.bank_minor for answer in recompute(batch)] == [
        -100,
        -95,
        -100,
        10,
        -285,
        -95,
        -100,
    ]
    assert recompute([]) == ()


def test_lines_keep_the_order_of_the_seats() -> None:
    wagers = {seat: {"main": seat} for seat in (4, 1, 3)}
    hands = {**dict.fromkeys(wagers, NINE), 0: EIGHT}
    assert [line.seat for line in settle_one(record(wagers=wagers, hands=hands)).lines] == [4, 1, 3]


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "baccarat"},
        {"options": {}},
        {"part": "half"},
        {"part": "void"},
        {"stage": "opened"},
        {"part": "void", "stage": "lunch"},
        {"wagers": {1: {"lucky": 1}}},
        {"wagers": {6: {"main": 1}}},
        {"wagers": {0: {"main": 1}}},
        {"hands": {6: NINE, 0: EIGHT}},
        {"hands": {1: ("1H", "7C", "KD"), 0: EIGHT}},
        {"hands": {1: ("TX", "7C", "KD"), 0: EIGHT}},
        {"hands": {1: ("", "7C", "KD"), 0: EIGHT}},
        {"hands": {1: (*NINE, "2S"), 0: EIGHT}},
        {"decisions": {1: "stand"}},
        {"decisions": {1: "double"}},
        {"taken_out": [(6, "main")]},
        {"part": "void", "stage": "opened", "touches_first_two": [6]},
    ],
    ids=str,
)
def test_what_is_not_known_is_refused(changed: dict[str, Any]) -> None:  # as in `record`
    with pytest.raises(BulkError, match="expected"):
        settle_one(record(**changed))


def test_ranks_alone_are_cards_too() -> None:
    assert settle_one(record(hands={1: ("2", "7", "K"), 0: ("5", "3", "Q")})).bank_minor == -95
