"""Builders of rounds for the tests of the rules: documents and states in few words."""

from collections.abc import Mapping

from tables.games import Place, RoundState, Ruleset, load_ruleset, places, settle_document

POKER, FIXED, SOCIAL = "poker-lucky-9", "lucky-9", "lucky-9-social"


def ruleset(game: str = POKER, **options: object) -> Ruleset:
    """Load a ruleset with these options."""
    return load_ruleset(game, options)


def document(
    *seats: str,
    bank: str,
    game: str = POKER,
    options: Mapping[str, object] | None = None,
    bank_draw: str | None = None,
    **others: object,
) -> dict[str, object]:
    """Return a document; a seat reads "1 main=100 pair=10: 2H 7C KD / hit"."""
    bank_hand: dict[str, object] = {"cards": bank.split()}
    if bank_draw:
        bank_hand["draw"] = bank_draw
    return {
        "id": "round",
        "game": game,
        "options": dict(options or {}),
        "seats": [seat_document(seat) for seat in seats],
        "house" if game == POKER else "banker": bank_hand,
        **others,
    }


def seat_document(text: str) -> dict[str, object]:
    """Return one seat of a document from its short form."""
    left, _, right = text.partition(":")
    number, *bets = left.split()
    cards, _, draw = right.partition("/")
    stakes = {kind: int(stake) for kind, _, stake in (bet.partition("=") for bet in bets)}
    seat: dict[str, object] = {"seat": int(number), "bets": stakes, "cards": cards.split()}
    if draw:
        seat["draw"] = draw.strip()
    return seat


def outcomes(doc: object) -> list[tuple[object, ...]]:
    """Settle a document and return seat, bet, outcome and payout of each line."""
    answer = settle_document(doc)
    assert answer["faults"] == []
    lines = answer["lines"]
    assert isinstance(lines, list)
    return [(x["seat"], x["bet"], x["outcome"], x["payout_minor"]) for x in lines]


def fault_codes(doc: object) -> list[tuple[object, object]]:
    """Return code and place of every fault of a document."""
    answer = settle_document(doc)
    assert answer["lines"] == []
    faults = answer["faults"]
    assert isinstance(faults, list)
    return [(fault["code"], fault["where"]) for fault in faults]


def deal_plan(rules: Ruleset, live: tuple[int, ...]) -> tuple[Place, ...]:
    """Return the places that are certain before any card is known; `live` in dealing order."""
    return places(rules, RoundState(wagers={}, live=live, cards={}))


def dealt(
    rules: Ruleset,
    wagers: Mapping[int, Mapping[str, int]],
    hands: Mapping[int, str],
    *,
    decisions: Mapping[int, str] | None = None,
    swept: bool = False,
) -> RoundState:
    """Return a state with these hands laid out in dealing order; 0 is the bank's hand."""
    live = tuple(hand for hand in hands if hand)
    state = RoundState(wagers, live, {}, swept, decisions or {})
    cards: dict[int, str] = {}
    for lap_places in (deal_plan(rules, live), None):
        state = RoundState(wagers, live, dict(cards), swept, decisions or {})
        for place in lap_places or places(rules, state):
            faces = hands[place.hand].split()
            if place.nth <= len(faces):
                cards[place.draw] = faces[place.nth - 1]
    return RoundState(wagers, live, cards, swept, decisions or {})
