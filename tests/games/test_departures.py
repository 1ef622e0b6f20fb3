"""Deals that departed from the plan: events 1, 2, 4, 6, 7, 8 and 9 as the engine sees them."""

from tables.games import (
    NewCard,
    RoundState,
    TakenOut,
    card_faults,
    hands,
    load_procedures,
    load_ruleset,
    next_step,
    settle,
)

RULES = load_ruleset("poker-lucky-9", {})
PROCEDURES = load_procedures("poker-lucky-9", {})
WAGERS = {1: {"main": 100}, 3: {"main": 200}}


def state(cards: str, **changed: object) -> RoundState:
    """Faces in the order of draws, "." for a draw not yet known."""
    faces = {n: face for n, face in enumerate(cards.split(), start=1) if face != "."}
    base = {"wagers": WAGERS, "live": (1, 3), "cards": faces}
    return RoundState(**{**base, **changed})  # type: ignore[arg-type]  # named by the test


def test_a_burned_draw_moves_the_rest_one_place_on() -> None:
    dealt = state("2S 3S 4S 5S", departures={2: None})
    assert hands(RULES, dealt) == {
        1: ("2S", None, None),
        3: ("4S", None, None),
        0: ("5S", None, None),
    }
    step = next_step(RULES, dealt)
    assert (step.draw, step.hand, step.lap) == (5, 1, 2)


def test_two_draws_that_changed_places_are_read_as_rebuilt() -> None:
    dealt = state("2S 3S 4S", departures={1: (3, 1), 2: (1, 1)})
    assert hands(RULES, dealt)[1][0] == "3S"
    assert hands(RULES, dealt)[3][0] == "2S"
    assert next_step(RULES, dealt).draw == 4


def test_a_ghost_hand_takes_cards_that_no_hand_counts() -> None:
    dealt = state("2S KH 3S 4S", departures={2: None})
    assert hands(RULES, dealt)[3][0] == "3S"
    assert hands(RULES, dealt)[0][0] == "4S"


def test_a_hand_taken_out_keeps_its_cards_and_gets_no_more() -> None:
    out = (TakenOut(seat=1, wager=None, event=9),)
    dealt = state("2S 3S 4S 5S 6S", taken_out=out, departures={1: (1, 1)})
    assert hands(RULES, dealt)[3] == ("3S", "5S", None)
    step = next_step(RULES, dealt)
    assert (step.draw, step.hand, step.lap) == (6, 3, 3)
    whole = state("2S 3S 4S 5S 6S 9S 9H", taken_out=out, departures={1: (1, 1)})
    assert next_step(RULES, whole).kind == "settle"
    lines = settle(RULES, whole, "final").lines
    assert [line.seat for line in lines] == [3]


def test_without_departures_nothing_is_renumbered() -> None:
    assert next_step(RULES, state("2S 3S 4S 5S")).draw == 5


def test_a_card_that_went_into_no_hand_is_asked_for_in_its_turn() -> None:
    gone = {2: None, 6: None, 10: None}
    step = next_step(RULES, state("2S", departures=gone))
    assert (step.kind, step.draw, step.hand, step.open_draws) == ("deal", 2, None, (2,))
    step = next_step(RULES, state("2S KH 3S 4S 5S", departures=gone))
    assert (step.draw, step.hand, step.lap) == (6, None, 2)
    step = next_step(RULES, state("2S KH 3S 4S 5S KD 6S 7S", departures=gone))
    assert (step.draw, step.hand, step.open_draws) == (9, 1, (9, 10, 11, 12))
    step = next_step(RULES, state("2S KH 3S 4S 5S KD 6S 7S 8S . 9S TS", departures=gone))
    assert (step.draw, step.hand, step.lap, step.open_draws) == (10, None, 3, (10,))
    whole = state("2S KH 3S 4S 5S KD 6S 7S 8S KC 9S TS", departures=gone)
    assert next_step(RULES, whole).kind == "settle"


def test_before_the_sweep_a_burned_card_comes_first() -> None:
    paired = {1: {"main": 100, "pair": 10}, 3: {"main": 200}}
    dealt = state("2S 3S 4S 5S . 6S 7S", departures={5: None}, wagers=paired)
    step = next_step(RULES, dealt)
    assert (step.kind, step.draw, step.hand, step.lap) == ("deal", 5, None, 2)
    dealt = state("2S 3S 4S 5S KH 6S 7S", departures={5: None}, wagers=paired)
    assert next_step(RULES, dealt).kind == "sweep"


def test_the_card_of_the_round_before_is_draw_0() -> None:
    begun = state("", carried=True)
    assert (next_step(RULES, begun).draw, next_step(RULES, begun).hand) == (0, 1)
    faces = dict(enumerate(["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS"]))
    dealt = RoundState(wagers=WAGERS, live=(1, 3), cards=faces, carried=True)
    assert hands(RULES, dealt)[1] == ("2S", "5S", "8S")
    assert next_step(RULES, dealt).kind == "settle"
    assert len(settle(RULES, dealt, "final").lines) == 2


def test_third_cards_before_the_sweep_are_open_beside_it() -> None:
    paired = {1: {"main": 100, "pair": 10}, 3: {"main": 200}}
    dealt = state("2S 3S 4S 5S 6S 7S 8S", wagers=paired, sweep_late=True)
    step = next_step(RULES, dealt)
    assert (step.kind, step.open_draws) == ("sweep", (8, 9))
    whole = state("2S 3S 4S 5S 6S 7S 8S 9S TS", wagers=paired, sweep_late=True)
    assert next_step(RULES, whole).kind == "sweep"
    assert next_step(RULES, state("2S 3S 4S 5S 6S 7S", wagers=paired)).open_draws == ()


def test_a_card_into_no_hand_is_keyed_for_no_hand() -> None:
    dealt = state("2S", departures={2: None})
    keyed = [NewCard(2, "KH"), NewCard(3, "3S", hand=3)]
    assert card_faults(RULES, PROCEDURES, dealt, {}, keyed) == []
    wrong = card_faults(RULES, PROCEDURES, dealt, {}, [NewCard(2, "KH", hand=3)])
    assert [fault.code for fault in wrong] == ["card.wrong_hand"]
    early = card_faults(RULES, PROCEDURES, state("", departures={2: None}), {}, [NewCard(2, "KH")])
    assert [fault.code for fault in early] == ["card.out_of_turn"]
