"""Documents that cannot be settled: every fault at once, each with a stable code and its place."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.jsonio import FloatLiteral
from tables.games import settle_document
from tests.games.rounds import FIXED, POKER, SOCIAL, document, fault_codes, outcomes

GOOD = document("1 main=100 pair=10: 2H 7C KD", "3 main=200: 4D 5S QC", bank="8H TC 9D")


def put(doc: dict[str, object], path: tuple[object, ...], value: object) -> None:
    """Set one place of a document; ... removes it."""
    target: Any = doc  # Any: a path leads through objects and lists alike
    for key in path[:-1]:
        target = target[key]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value


def broken(*path: object, value: object = None, remove: bool = False) -> dict[str, object]:
    """Return the good document with one place changed or removed."""
    doc = deepcopy(GOOD)
    put(doc, path, ... if remove else value)
    return doc


@pytest.mark.parametrize(
    ("doc", "code", "where"),
    [
        (broken("colour", value="red"), "unknown_field", "colour"),
        (broken("banker", value={"cards": []}), "unknown_field", "banker"),
        (broken("seats", 0, "name", value="Ana"), "unknown_field", "seats[0].name"),
        (broken("house", "bets", value={}), "unknown_field", "house.bets"),
        (broken("id", value=7), "id", "id"),
        (broken("id", remove=True), "id", "id"),
        (broken("options", value=[]), "option_value", "options"),
        (broken("options", value=None), "option_value", "options"),
        (broken("options", value={"decks": 9}), "option_value", "options.decks"),
        (broken("options", value={"suits": 4}), "unknown_option", "options.suits"),
        (
            broken("options", value={"rounding": {"to": 5}}),
            "unknown_field",
            "options.rounding.to",
        ),
        (broken("seats", value={}), "no_seats", "seats"),
        (broken("seats", value=[]), "no_seats", "seats"),
        (broken("seats", remove=True), "no_seats", "seats"),
        (broken("seats", 1, value="seat"), "not_an_object", "seats[1]"),
        (broken("seats", 1, "seat", value=6), "seat", "seats[1].seat"),
        (broken("seats", 1, "seat", value=0), "seat", "seats[1].seat"),
        (broken("seats", 1, "seat", value="3"), "seat", "seats[1].seat"),
        (broken("seats", 1, "seat", value=True), "seat", "seats[1].seat"),
        (broken("seats", 1, "seat", remove=True), "seat", "seats[1].seat"),
        (broken("seats", 1, "seat", value=1), "seat_twice", "seats[1].seat"),
        (broken("seats", 0, "bets", "main", value=0), "stake", "seats[0].bets.main"),
        (broken("seats", 0, "bets", "main", value=-1), "stake", "seats[0].bets.main"),
        (broken("seats", 0, "bets", "main", value=True), "stake", "seats[0].bets.main"),
        (broken("seats", 0, "bets", "main", value="100"), "stake", "seats[0].bets.main"),
        (broken("seats", 0, "bets", "main", value=None), "stake", "seats[0].bets.main"),
        (broken("seats", 0, "bets", "main", value=2**53), "stake", "seats[0].bets.main"),
        (
            broken("seats", 0, "bets", "main", value=FloatLiteral("1e4")),
            "stake",
            "seats[0].bets.main",
        ),
        (broken("seats", 0, "bets", "bonus", value=5), "unknown_bet", "seats[0].bets.bonus"),
        (broken("seats", 0, "cards", 1, value="7X"), "unknown_card", "seats[0].cards[1]"),
        (broken("seats", 0, "cards", 1, value=7), "unknown_card", "seats[0].cards[1]"),
        (broken("seats", 0, "cards", 1, value="10C"), "unknown_card", "seats[0].cards[1]"),
        (broken("seats", 0, "cards", value="2H"), "unknown_card", "seats[0].cards"),
        (broken("seats", 0, "cards", remove=True), "missing_field", "seats[0].cards"),
        (broken("seats", 0, "cards", 1, remove=True), "card_count", "seats[0].cards"),
        (broken("seats", 0, "cards", value=["2H"] * 4), "card_count", "seats[0].cards"),
        (broken("seats", 0, "cards", 1, value="?"), "card_unknown", "seats[0].cards[1]"),
        (broken("seats", 0, "draw", value="hit"), "draw_forbidden", "seats[0].draw"),
        (broken("seats", 0, "draw", value="fold"), "draw_value", "seats[0].draw"),
        (broken("house", "cards", value=["8H", "TC"]), "card_count", "house.cards"),
        (broken("house", "cards", 0, value="?"), "card_unknown", "house.cards[0]"),
        (broken("house", value=[]), "not_an_object", "house"),
        (broken("house", remove=True), "missing_field", "house"),
        (broken("void", value=None), "missing_field", "void"),
        (broken("void", value="opened"), "not_an_object", "void"),
        (
            broken("void", value={"stage": "opened", "affects_first_two_cards": True, "by": "S"}),
            "unknown_field",
            "void.by",
        ),
        (
            broken("void", value={"stage": "showdown", "affects_first_two_cards": True}),
            "void_stage",
            "void.stage",
        ),
        (broken("void", value={"affects_first_two_cards": True}), "void_stage", "void.stage"),
        (
            broken("void", value={"stage": "opened", "affects_first_two_cards": "no"}),
            "void_affects",
            "void.affects_first_two_cards",
        ),
        (
            broken("void", value={"stage": "opened", "affects_first_two_cards": [2]}),
            "void_seat",
            "void.affects_first_two_cards[0]",
        ),
        (
            broken("void", value={"stage": "opened"}),
            "missing_field",
            "void.affects_first_two_cards",
        ),
        (
            broken("options", value={"decks": 1, "kicker_by": "suit"}),
            "option_value",
            "options.kicker_by",
        ),
    ],
)
def test_a_document_with_one_fault(doc: dict[str, object], code: str, where: str) -> None:
    assert fault_codes(doc) == [(code, where)]


def test_bets_that_are_missing_or_empty_buy_no_hand_either() -> None:
    for bets, code in (({}, "no_bets"), (None, "missing_field"), ([], "not_an_object")):
        doc = broken("seats", 0, "bets", value=bets)
        assert fault_codes(doc)[0] == (code, "seats[0].bets")


def test_a_sound_document_names_no_fault() -> None:
    assert outcomes(GOOD) == [
        (1, "main", "win", 95),
        (1, "pair", "lose", 0),
        (3, "main", "win", 190),
    ]


def test_every_fault_is_named_at_once() -> None:
    doc = {
        "id": None,
        "game": POKER,
        "options": {"decks": 1, "colour": "red", "tie_odds": [8, 0]},
        "seats": [
            {"seat": 1, "bets": {"main": 1, "poker": 2}, "cards": ["AS", "XX"], "hat": 1},
            {"seat": 1, "bets": {"main": 2**53}, "cards": ["AS", "KD", "2C"]},
            "none",
        ],
        "house": {"cards": ["AS", "2C", "?"]},
        "void": {"stage": "late", "affects_first_two_cards": [4]},
        "more": 1,
    }

    assert sorted(fault_codes(doc), key=str) == [
        ("id", "id"),
        ("not_an_object", "seats[2]"),
        ("option_value", "options.tie_odds"),
        ("seat_twice", "seats[1].seat"),
        ("stake", "seats[1].bets.main"),
        ("too_many_copies", "house.cards[0]"),
        ("too_many_copies", "house.cards[1]"),
        ("too_many_copies", "seats[1].cards[0]"),
        ("unknown_bet", "seats[0].bets.poker"),
        ("unknown_card", "seats[0].cards[1]"),
        ("unknown_field", "more"),
        ("unknown_field", "seats[0].hat"),
        ("unknown_option", "options.colour"),
        ("void_seat", "void.affects_first_two_cards[0]"),
        ("void_stage", "void.stage"),
    ]


# Faults that do not touch one another: path, bad value, code and place.
INDEPENDENT: list[tuple[tuple[object, ...], object, str, str]] = [
    (("id",), None, "id", "id"),
    (("more",), 1, "unknown_field", "more"),
    (("options", "colour"), "red", "unknown_option", "options.colour"),
    (("options", "rounding"), {"mode": "near"}, "option_value", "options.rounding.mode"),
    (("seats", 0, "hat"), 1, "unknown_field", "seats[0].hat"),
    (("seats", 0, "draw"), "hit", "draw_forbidden", "seats[0].draw"),
    (("seats", 0, "bets", "main"), 1.5, "stake", "seats[0].bets.main"),
    (("seats", 0, "bets", "bonus"), 5, "unknown_bet", "seats[0].bets.bonus"),
    (("seats", 0, "cards", 2), "XX", "unknown_card", "seats[0].cards[2]"),
    (("seats", 1, "seat"), 1, "seat_twice", "seats[1].seat"),
    (("seats", 1, "cards"), ["2H"], "card_count", "seats[1].cards"),
    (("house", "cards", 1), "?", "card_unknown", "house.cards[1]"),
    (("house", "bets"), {}, "unknown_field", "house.bets"),
]


@given(st.lists(st.sampled_from(range(len(INDEPENDENT))), unique=True))
@settings(deadline=None)
def test_of_several_faults_none_hides_another(chosen: list[int]) -> None:
    doc = deepcopy(GOOD)
    for path, value, _, _ in (INDEPENDENT[n] for n in chosen):
        put(doc, path, value)

    expected = [(code, where) for _, _, code, where in (INDEPENDENT[n] for n in chosen)]
    found = [(fault["code"], fault["where"]) for fault in _faults(doc)]
    assert sorted(found, key=str) == sorted(expected, key=str)


def _faults(doc: object) -> list[dict[str, object]]:
    faults = settle_document(doc)["faults"]
    assert isinstance(faults, list)
    return faults


@pytest.mark.parametrize("value", [None, [], "round", 7, True, FloatLiteral("1.0")])
def test_a_line_that_is_no_object(value: object) -> None:
    answer = settle_document(value)

    assert answer["id"] is None
    assert fault_codes(value) == [("not_an_object", "")]


def test_an_unknown_game_is_named_and_reading_goes_on() -> None:
    doc = broken("game", value="baccarat")
    put(doc, ("seats", 0, "cards", 0), "1Z")
    doc["banker"] = {"cards": []}

    assert fault_codes(doc) == [("unknown_game", "game"), ("unknown_card", "seats[0].cards[0]")]


def test_a_refused_document_still_names_id_and_ruleset() -> None:
    answer = settle_document(broken("seats", value=[]))

    assert answer["id"] == "round"
    assert answer["ruleset"] == settle_document(GOOD)["ruleset"]
    assert answer["house_net_minor"] is None
    assert settle_document(broken("options", value={"decks": 0}))["ruleset"] is None


def test_a_fault_says_what_was_expected() -> None:
    doc = broken("seats", 0, "bets", "main", value=FloatLiteral("1e4"))

    assert settle_document(doc)["faults"] == [
        {
            "code": "stake",
            "where": "seats[0].bets.main",
            "detail": "expected an integer from 1 to 9007199254740991, not 1e4",
        }
    ]


def test_ignored_fields_are_not_read() -> None:
    doc = GOOD | {"title": 5, "expected": {"x": [FloatLiteral("1.5")]}, "banker_net_minor": "x"}

    assert outcomes(doc) == outcomes(GOOD)


def test_a_seat_without_a_hand_has_no_cards() -> None:
    assert fault_codes(document("1 pair=10: 2H 7C KD", "2 main=5: 4D 5S QC", bank="8H TC 9D")) == [
        ("card_count", "seats[0].cards")
    ]


def test_a_round_in_which_nothing_is_in_play_needs_no_house_cards() -> None:
    assert outcomes(document("1 pair=10:", bank="")) == [(1, "pair", "rejected", 0)]
    assert outcomes(document("1 pair=10:", bank="8H TC 9D")) == [(1, "pair", "rejected", 0)]


@pytest.mark.parametrize(
    ("stage", "cards", "code"),
    [
        ("betting", "2H", "card_count"),
        ("first_lap", "2H 7C", "card_count"),
        ("second_lap", "2H 7C KD", "card_count"),
        ("pair_settled", "2H 7C KD", "card_count"),
        ("pair_settled", "2H", "card_count"),
        ("third_lap", "2H 7C KD AS", "card_count"),
    ],
)
def test_cards_that_the_stage_of_a_void_cannot_have(stage: str, cards: str, code: str) -> None:
    void = {"stage": stage, "affects_first_two_cards": False}

    doc = document(f"1 main=5 pair=5: {cards}", bank="", void=void)

    assert fault_codes(doc) == [(code, "seats[0].cards")]


def test_copies_are_counted_by_identity_and_by_rank() -> None:
    one_deck = {"decks": 1}
    assert fault_codes(document("1 main=5: AS 2S 3S", bank="AS 4S 5S", options=one_deck)) == [
        ("too_many_copies", "house.cards[0]")
    ]
    assert outcomes(document("1 main=5: AS A A", bank="A 4S 5S", options=one_deck))
    assert fault_codes(document("1 main=5: AS A A", bank="A A 5S", options=one_deck)) == [
        ("too_many_copies", "house.cards[1]")
    ]


@pytest.mark.parametrize(
    ("seat", "bank", "faults"),
    [
        ("2H 3C", "KD 7S", [("draw_missing", "seats[0].cards")]),
        ("4H 3C 2D", "KD 7S", [("draw_forbidden", "seats[0].cards")]),
        ("8H KC 2D", "KD 7S", [("draw_forbidden", "seats[0].cards")]),
        ("2H 3C 4D", "KD 8S", [("draw_forbidden", "seats[0].cards")]),
        ("4H 3C", "KD 5S", [("draw_missing", "banker.cards")]),
        ("4H 3C", "KD 7S 2C", [("draw_forbidden", "banker.cards")]),
        ("9H KC", "KD 5S 2C", [("draw_forbidden", "banker.cards")]),
        ("4H", "KD 7S", [("card_count", "seats[0].cards")]),
        ("4H 3C 2S 2D", "KD 7S", [("card_count", "seats[0].cards")]),
        ("4H 3C", "KD", [("card_count", "banker.cards")]),
        (
            "2H 3C",
            "KD 7S 2C",
            [("draw_missing", "seats[0].cards"), ("draw_forbidden", "banker.cards")],
        ),
        ("4H ?", "KD 7S", [("card_unknown", "seats[0].cards[1]")]),
    ],
)
def test_draws_of_lucky_9(seat: str, bank: str, faults: list[tuple[str, str]]) -> None:
    assert fault_codes(document(f"1 main=5: {seat}", bank=bank, game=FIXED)) == faults


@pytest.mark.parametrize(
    ("seat", "bank", "draw", "faults"),
    [
        ("2H 3C", "KD 7S", "stand", [("draw_missing", "seats[0].draw")]),
        ("2H 3C / none", "KD 7S", "stand", [("draw_missing", "seats[0].draw")]),
        ("2H 3C / hit", "KD 7S", "stand", [("draw_missing", "seats[0].cards")]),
        ("2H 3C 4D / stand", "KD 7S", "stand", [("draw_forbidden", "seats[0].cards")]),
        ("2H 3C 4D / no_decision", "KD 7S", "stand", [("draw_forbidden", "seats[0].cards")]),
        ("9H KC / stand", "KD 7S", None, [("draw_forbidden", "seats[0].draw")]),
        ("9H KC 2D / none", "KD 7S", None, [("draw_forbidden", "seats[0].cards")]),
        ("2H 3C / hit", "9D KS", None, [("draw_forbidden", "seats[0].draw")]),
        ("2H 3C / stand", "KD 7S", None, [("draw_missing", "banker.draw")]),
        ("2H 3C / stand", "KD 7S", "hit", [("draw_missing", "banker.cards")]),
        ("2H 3C / stand", "KD 7S 2C", "stand", [("draw_forbidden", "banker.cards")]),
        ("9H KC / none", "KD 7S", "stand", [("draw_forbidden", "banker.draw")]),
        ("9H KC / none", "KD 7S 2C", None, [("draw_forbidden", "banker.cards")]),
        ("2H 3C / maybe", "KD 7S", "stand", [("draw_value", "seats[0].draw")]),
    ],
)
def test_draws_of_the_home_game(
    seat: str, bank: str, draw: str | None, faults: list[tuple[str, str]]
) -> None:
    doc = document(f"1 main=5: {seat}", bank=bank, bank_draw=draw, game=SOCIAL)

    assert fault_codes(doc) == faults


def test_the_silent_bank_of_the_home_game_stands() -> None:
    for no_decision in ("stand", "void_bet"):
        doc = document(
            "1 main=5: 8H KC / stand",
            bank="KD 7S",
            bank_draw="no_decision",
            game=SOCIAL,
            options={"no_decision": no_decision},
        )
        assert outcomes(doc) == [(1, "main", "win", 5)]


def test_a_voided_home_round_needs_its_first_cards_only_where_a_natural_may_stand() -> None:
    def voided(stage: str, touched: bool) -> dict[str, object]:
        void = {"stage": stage, "affects_first_two_cards": touched}
        return document("1 main=5: 9H ?", bank="KD 7S", game=SOCIAL, void=void)

    assert outcomes(voided("second_lap", False)) == [(1, "main", "void", 0)]
    assert outcomes(voided("opened", True)) == [(1, "main", "void", 0)]
    assert fault_codes(voided("opened", False)) == [("card_unknown", "seats[0].cards[1]")]
    answer: Any = settle_document(voided("opened", False))  # Any: a JSON value
    assert answer["faults"][0]["detail"].endswith("it decides what was settled before the void")
