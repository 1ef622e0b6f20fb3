"""Published cases: rounds whose settlement the rules texts and their clauses state.

`examples.jsonl` is the contract of the round document; `vectors.jsonl` holds every worked example
of the four rules texts and the cases of the clauses, each with the clause that decides.
"""

import json
from pathlib import Path

import pytest

from casino.kernel.jsonio import loads
from tables.games import settle_document

HERE = Path(__file__).parent
EXAMPLES = (HERE / "examples.jsonl").read_bytes().splitlines()
VECTORS = (HERE / "vectors.jsonl").read_bytes().splitlines()


def name_of(line: bytes) -> str:
    """Name a test by the case's id and title."""
    doc = json.loads(line)
    return f"{doc['id']} {doc['title']}"


@pytest.mark.parametrize("line", EXAMPLES + VECTORS, ids=name_of)
def test_published_case(line: bytes) -> None:
    doc = json.loads(line)
    bank = "house" if doc["game"] == "poker-lucky-9" else "banker"

    answer = settle_document(loads(line))

    assert answer["faults"] == []
    lines = answer["lines"]
    assert isinstance(lines, list)
    compared = [
        {key: found[key] for key in expected if key in found and key != "why"}
        for found, expected in zip(lines, doc["expected"], strict=True)
    ]
    for expected in doc["expected"]:
        expected.pop("why", None)
    assert compared == doc["expected"]
    assert answer[f"{bank}_net_minor"] == doc[f"{bank}_net_minor"]
    assert answer["id"] == doc["id"]


def test_vectors_have_ids_of_their_own() -> None:
    ids = [json.loads(line)["id"] for line in EXAMPLES + VECTORS]

    assert len(ids) == len(set(ids))
