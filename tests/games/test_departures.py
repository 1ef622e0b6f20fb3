"""Deals that departed from the plan: events 1, 2, 4, 6, 7, 8 and 9 as the engine sees them."""

from tables.games import RoundState, TakenOut, hands, load_ruleset, next_step, settle

RULES = load_ruleset("poker-lucky-9", {})
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
