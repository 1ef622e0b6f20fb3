"""Cards to a seat without a wager (event 7): the ghost hand is completed in its turn, whatever else
happens in the round."""

from tables.games import hands
from tables.selectors.round_read import RoundName, read_round
from tests.factories.house import House, key, settle_part
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.recording import WORDS
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    deal,
    drawn,
    finish,
    paid,
    prove,
    rule,
)
from tests.tables.irregularities.test_cards import WON
from tests.tables.irregularities.test_places import uses


def hands_of(name: RoundName) -> dict[int, tuple[str | None, ...]]:
    """The cards of each hand that is not dead."""
    read = read_round(name)
    dead = {taken.seat for taken in read.taken_out}
    lie = hands(read.ruleset, read.state())
    return {hand: cards for hand, cards in lie.items() if hand not in dead}


def test_a_ghost_hand_is_completed_and_discarded(house: House) -> None:
    # Draw 2 went to seat 2, which has no bet; the dealer went on.
    name = begin(house, cards=["2H", "AC", "8S"])
    rule(house, 7, "ghost", "S", name=name, seats=(2,), draws=drawn((2, None)))
    assert uses() == [
        (2, "ghost", None, None),
        (6, "ghost", None, None),
        (10, "ghost", None, None),
    ]
    assert read_round(name).stage == "first_lap"
    deal(house, name, ["5S", "2D"], start=4)
    with refused("cards.refused"):
        key(house, name, {7: "7C"})
    deal(house, name, ["AD", "7C", "3D"], start=6)
    settle_part(house, name, "sweep")
    deal(house, name, ["KD", "AH", "4C", "QC"], start=9)
    settle_part(house, name, "final")
    assert paid(name) == WON
    prove(house, out=12)


def test_a_ghost_found_in_the_second_lap_takes_two_more_cards(house: House) -> None:
    name = begin(house, cards=[*DEAL[:4], "AC"])
    with refused("irregularity.refused"):
        rule(house, 7, "ghost", "S", name=name, seats=(3,), draws=drawn((5, None)))
    rule(house, 7, "ghost", "S", name=name, seats=(2,), draws=drawn((5, None)))
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, ["KD", "AH", "4C", "QC"], start=8)
    assert paid(name) == WON
    prove(house, out=11)


def test_a_ghost_hand_has_no_card_after_the_last_of_the_deal(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    with nothing_recorded(), refused("irregularity.refused") as caught:
        rule(house, 7, "ghost", "S", name=name, seats=(2,), draws=drawn((10, None)))
    assert [fault["where"] for fault in caught.value.faults] == ["draws[10]"]
    page = PagePerson(house, "supervisor").post(
        "/tables/T1/irregularities/record/7/ghost/?shoe=1&round=1",
        {**WORDS, "hands": "2", "apart_1": "10", "act": "show"},
    )
    assert page.status_code == 422
    assert "expected at most draw 9" in text_of(page)


def test_a_ghost_hand_is_completed_beside_one_that_died(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 9, "void_seat", "M", name=name, seats=(3,), cards_out=4)
    rule(house, 7, "ghost", "S", name=name, seats=(2,), draws=drawn((5, None, "AC")))
    # Seat 3 gets no third card: the ghost's lies before the House's.
    assert uses()[-2:] == [(5, "ghost", None, None), (8, "ghost", None, None)]
    deal(house, name, ["3D"], start=6)
    finish(house, name, ["KD", "AH", "QC"], start=7)
    assert paid(name) == {(1, "pair"): ("win", 11000), (1, "main"): ("win", 20000)}
    prove(house, out=9)


def test_a_ghost_hand_keeps_its_turn_when_a_card_is_set_aside_and_a_hand_dies(
    house: House,
) -> None:
    # Draw 2 went to seat 2; seat 1's second card is boxed, later seat 3 is void.
    wagers = {1: {"main": 10000}, 3: {"main": 20000}, 5: {"main": 5000}}
    name = begin(house, wagers, cards=["2H", "AC", "8S"])
    rule(house, 7, "ghost", "S", name=name, seats=(2,), draws=drawn((2, None)))
    deal(house, name, ["9C", "5S"], start=4)
    rule(house, 4, "discard", "S", name=name, draws=drawn((6, None, "JH")))
    deal(house, name, ["2D", "AD"], start=7)
    assert hands_of(name)[1][:2] == ("2H", "2D"), "the next card took the boxed one's place"
    rule(house, 9, "void_seat", "M", name=name, seats=(3,))
    deal(house, name, ["7C", "3D"], start=9)
    lies = {draw: each.use for draw, each in read_round(name).departures.items()}
    ghosts = [draw for draw, use in sorted(lies.items()) if use == "ghost"]
    assert ghosts == [2, 8, 12], "after seat 1, before seat 5"
    deal(house, name, ["KD", "AH", "KC", "QC"], start=11)
    assert hands_of(name) == {
        1: ("2H", "2D", "KD"),
        5: ("9C", "7C", "KC"),
        0: ("5S", "3D", "QC"),
    }
    settle_part(house, name, "final")
    assert paid(name) == {(1, "main"): ("win", 20000), (5, "main"): ("lose", 0)}
    prove(house, out=14)


def test_two_ghost_hands_get_their_cards_in_turn(house: House) -> None:
    name = begin(house, {1: {"main": 10000}, 5: {"main": 5000}}, cards=["2H", "AC"])
    for seat, draw in ((2, 2), (4, 3)):
        rule(house, 7, "ghost", "S", name=name, seats=(seat,), draws=drawn((draw, None, "AC")))
    lies = read_round(name).departures
    ghosts = [draw for draw, each in sorted(lies.items()) if each.use == "ghost"]
    assert ghosts == [2, 3, 7, 8, 12, 13]
    deal(house, name, ["9C", "5S", "2D", "AD", "AH", "7C", "3D"], start=4)
    deal(house, name, ["KD", "AS", "4S", "KC", "QC"], start=11)
    settle_part(house, name, "final")
    assert paid(name) == {(1, "main"): ("win", 20000), (5, "main"): ("lose", 0)}
    prove(house, out=15)
