"""Documents by the thousand through both engines: one total, and nothing that is lost or made.

Sound and broken documents of all games and options, played out and voided. Whatever settles must
come to the same money in the second engine, and house and players to nothing together.
"""

import json
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

from casino.kernel.jsonio import loads
from settlements.bulk import Line, Recomputed, RoundRecord, settle_one
from tables.games import GAMES, load_ruleset, settle_document
from tables.games.rounding import Pay, pay
from tables.games.values import Odds
from tests.bulk.engines import plant
from tests.games.strategies import broken_documents, sound_documents

THOUSANDS = settings(
    max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
Document = Mapping[str, object]


def record_of(doc: Document) -> RoundRecord:
    """Write a document that was settled down for the second engine."""
    game, given_options = doc["game"], doc.get("options", {})
    assert isinstance(game, str)
    assert isinstance(given_options, dict)
    seats, bank = doc["seats"], doc[GAMES[game].bank]
    assert isinstance(seats, list)
    assert isinstance(bank, dict)
    hands = {0: bank, **{seat["seat"]: seat for seat in seats}}
    void = doc.get("void")
    cause: dict[str, object] = {}
    if isinstance(void, dict):
        cause = {
            "part": "void",
            "stage": void["stage"],
            "touches_first_two": void.get("affects_first_two_cards", False),
        }
    return RoundRecord(
        game=game,
        options=load_ruleset(game, given_options).options,
        wagers={seat["seat"]: seat["bets"] for seat in seats},
        hands={number: hand["cards"] for number, hand in hands.items()},
        decisions={number: hand.get("draw", "") for number, hand in hands.items()}
        if GAMES[game].asks
        else {},
        **cause,  # type: ignore[arg-type]  # by name
    )


def line_of(line: Line) -> dict[str, object]:
    """Write a recomputed line in the words of the document."""
    found: dict[str, object] = {
        "seat": line.seat,
        "bet": line.kind,
        "stake_minor": line.stake_minor,
        "outcome": line.outcome,
        "odds": None if line.odds is None else list(line.odds),
        "payout_minor": line.profit_minor,
        "returned_minor": line.returned_minor,
    }
    return found | ({"extra_owed_minor": line.extra_owed_minor} if line.extra_owed_minor else {})


def check_document(sent: Document) -> bool:
    """Settle a document as the command reads it; return whether it was settled."""
    doc = loads(json.dumps(sent).encode())
    answer = settle_document(doc)
    json.dumps(answer)
    net = answer.get("house_net_minor", answer.get("banker_net_minor"))
    assert (net is None) == bool(answer["faults"])
    if net is None:
        assert answer["lines"] == []
        return False
    assert isinstance(net, int)
    assert isinstance(doc, dict)
    check_total(doc, answer, net=net)
    return True


def check_total(doc: Document, answer: Document, *, net: int) -> None:
    """Compare an answer with the second engine, and account for every minor unit."""
    found = settle_one(record_of(doc))
    told = answer["lines"]
    assert isinstance(told, list)
    assert found.fault == ""
    assert [line_of(line) for line in found.lines] == [
        {name: value for name, value in line.items() if name not in ("clause", "why")}
        for line in told
    ]
    players = sum(
        line["returned_minor"] - line["stake_minor"] - line.get("extra_owed_minor", 0)
        for line in told
    )
    assert players + net == 0
    assert found.bank_minor == net
    assert owed_exactly(doc, found) == players + withheld(found)


def withheld(found: Recomputed) -> Fraction:
    """Add up what winners do not get of the exact odds: commission, breakage and the cap."""
    return sum(
        (line.commission + line.breakage + line.cap_cut_minor for line in found.lines), Fraction(0)
    )


def owed_exactly(doc: Document, found: Recomputed) -> Fraction:
    """Add up what the exact odds owe the players, less what these owe beyond a stake (B13)."""
    seats = doc["seats"]
    assert isinstance(seats, list)
    main = {seat["seat"]: seat["bets"].get("main", 0) for seat in seats}
    total = Fraction(0)
    for line in found.lines:
        if line.odds is not None:
            staked = main[line.seat] if line.kind == "colon_bonus" else line.stake_minor
            total += staked * Fraction(*line.odds)
        elif line.outcome == "lose":
            total -= line.stake_minor + line.extra_owed_minor - line.breakage
    return total


@given(sound_documents())
@settings(max_examples=200, deadline=None)
def test_a_sound_document_comes_to_one_total(doc: Document) -> None:
    assert check_document(doc)


@given(broken_documents())
@settings(max_examples=200, deadline=None)
def test_a_broken_document_is_refused_or_comes_to_one_total(doc: Document) -> None:
    check_document(doc)


@pytest.mark.long
@given(sound_documents())
@THOUSANDS
def test_sound_documents_by_the_thousand(doc: Document) -> None:
    assert check_document(doc)


@pytest.mark.long
@given(broken_documents())
@THOUSANDS
def test_broken_documents_by_the_thousand(doc: Document) -> None:
    check_document(doc)


SETTLED: Document = {
    "id": "x",
    "game": "lucky-9",
    "options": {"commission": [5, 100]},
    "seats": [{"seat": 2, "bets": {"main": 333}, "cards": ["4H", "3S"]}],
    "banker": {"cards": ["KD", "6C"]},
}


def test_a_wrong_total_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets_the_commission(stake_minor: int, *, odds: Odds, **rest: object) -> Pay:
        rest["commission"] = (0, 1)
        return pay(stake_minor, odds=odds, **rest)  # type: ignore[arg-type]  # as it came

    assert check_document(SETTLED)
    plant(monkeypatch, pay, forgets_the_commission)
    with pytest.raises(AssertionError):
        check_document(SETTLED)
