"""Cards at the wrong place: wrong seat, ghost seat, missed seat, wrong number (events 6 to 10)."""

import pytest

from settlements.models import Settlement
from tables.models import Departure, TakenOut
from tables.selectors.round_read import read_round
from tables.services.cards import KeyedCard, deal_cards
from tests.factories.house import House, key, open_floor, settle_part
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    deal,
    drawn,
    finish,
    house_with,
    paid,
    prove,
    rule,
    session,
    shoe,
)
from tests.tables.irregularities.test_cards import WON
from tests.tables.terms import T, under_terms

THREE = {1: {"main": 10000}, 3: {"main": 20000, "pair": 700}, 5: {"main": 5000}}


def uses() -> list[tuple[int, str, int | None, int | None]]:
    """Every departure as it was written."""
    rows = Departure.objects.order_by("draw", "revision")
    return list(rows.values_list("draw", "use", "hand", "nth"))


@pytest.mark.parametrize(("event", "seats"), [(6, (1, 3)), (7, (2,))])
def test_a_card_found_before_the_next_one_is_moved(
    house: House, event: int, seats: tuple[int, ...]
) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, event, "move", "S", name=name, seats=seats, draws=drawn((5, None)))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert uses() == []
    prove(house, out=9)


def test_untouched_cards_are_laid_again_in_the_order_of_the_shoe(house: House) -> None:
    name = begin(house, cards=DEAL[:5])
    rule(house, 6, "rebuild", "M", name=name, draws=drawn((4, 3), (5, 1)))
    assert uses() == [
        (4, "hand", 3, 2),
        (4, "undone", None, None),
        (5, "hand", 1, 2),
        (5, "undone", None, None),
    ]
    deal(house, name, DEAL[5:6], start=6)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_after_the_sweep_first_cards_are_not_rebuilt(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    with refused("card.swept"):
        rule(house, 6, "rebuild", "M", name=name, draws=drawn((4, 3), (5, 1)))


@pytest.mark.parametrize(
    ("policy", "refuses"), [("move_only", ["rebuild"]), ("void", ["move", "rebuild"])]
)
def test_what_is_not_the_houses_policy_is_refused(
    house: House, policy: str, refuses: list[str]
) -> None:
    table = house_with(house, wrong_order_policy=policy)
    name = begin(house, cards=DEAL[:5], table=table)
    for procedure in refuses:
        letters = "S" if procedure == "move" else "M"
        with refused("irregularity.policy"):
            rule(house, 6, procedure, letters, name=name, draws=drawn((4, 3), (5, 1)))
    rule(house, 6, "void", "SM", name=name, first_two=True)
    assert {outcome for outcome, _ in paid(name).values()} == {"void"}
    prove(house, out=5, table=table)


def test_affected_hands_are_void_and_the_others_stay_as_they_lie(house: House) -> None:
    # In the second lap seats 3 and 5 got each other's cards; seat 1 and the House are sound.
    name = begin(house, THREE, cards=["2H", "8S", "9C", "5S", "2D", "7C", "8H", "3D"])
    ruled = rule(house, 6, "void_hands", "M", name=name, seats=(3, 5), draws=drawn((6, 5), (7, 3)))
    read = ruled.recorded.round
    assert read is not None
    assert read.stage == "third_lap", "no pair wager is left to sweep"
    out = TakenOut.objects.order_by("seat").values_list("seat", "wager", "returned_minor")
    assert list(out) == [(3, "", None), (5, "", None)]
    finish(house, name, ["KD", "QC"], start=9)
    assert paid(name) == {(1, "main"): ("win", 20000)}
    assert (session().handle_minor, session().bank_handed_minor) == (10000, -10000)
    prove(house, out=10)


def test_hands_on_which_a_pair_was_paid_already_are_void_as_they_lie(house: House) -> None:
    wagers = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000}, 5: {"main": 5000}}
    name = begin(house, wagers, cards=["2H", "8S", "9C", "5S", "2D", "7C", "8H", "3D"])
    with nothing_recorded(), refused("irregularity.refused"):
        rule(house, 6, "void_hands", "M", name=name, seats=(1, 3))
    settle_part(house, name, "sweep")
    assert paid(name) == {(1, "pair"): ("win", 11000)}
    # Seats 1 and 3 had each other's second cards: nothing is built anew once it was paid on.
    with nothing_recorded(), refused("card.swept"):
        rule(house, 6, "void_hands", "M", name=name, seats=(1, 3), draws=drawn((5, 3), (6, 1)))
    rule(house, 6, "void_hands", "M", name=name, seats=(1, 3), first_two=(1,), cards_out=8)
    out = TakenOut.objects.order_by("seat").values_list("seat", "wager", "stands")
    assert list(out) == [(1, "", []), (3, "", [])]
    finish(house, name, ["QC", "KD"], start=9)
    assert paid(name) == {(1, "pair"): ("void", 1000), (5, "main"): ("lose", 0)}
    assert (session().handle_minor, session().bank_handed_minor) == (5000, 5000)
    prove(house, out=10)


@pytest.mark.parametrize("draw", [11, 99])
def test_a_card_in_excess_is_the_next_of_the_round(house: House, draw: int) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    with nothing_recorded(), refused("irregularity.refused"):
        rule(house, 2, "burn", "S", name=name, draws=drawn((draw, None, "9H")))
    rule(house, 2, "burn", "S", name=name, draws=drawn((10, None, "9H")))
    settle_part(house, name, "final")
    assert paid(name) == WON
    prove(house, out=10)


def test_a_card_lies_at_no_hand_beyond_the_deal(house: House) -> None:
    name = begin(house, cards=DEAL[:5])
    with nothing_recorded(), refused("irregularity.refused"):
        rule(house, 6, "void_hands", "M", name=name, seats=(1,), draws=drawn((99, 3)))
    with nothing_recorded(), refused("irregularity.refused"):
        rule(house, 9, "void_seat", "M", name=name, seats=(1,), cards_out=10)


def test_a_seat_missed_before_the_house_is_dealt_next(house: House) -> None:
    # Seat 3 was passed over: draw 2 lies at seat 5.
    name = begin(house, THREE, cards=["2H", "9C"])
    rule(house, 8, "deal_next", "S", name=name, seats=(3,))
    assert uses() == [(2, "hand", 5, 1)]
    deal(house, name, ["8S", "5S", "2D", "8H", "7C", "3D"], start=3)
    finish(house, name, ["KD", "AC", "KC", "QC"], start=9)
    # Seat 3: 8S 8H AC; seat 5: 9C 7C KC, six against the House's eight.
    assert paid(name) == {
        (1, "main"): ("win", 20000),
        (3, "pair"): ("win", 7700),
        (3, "main"): ("win", 40000),
        (5, "main"): ("lose", 0),
    }
    prove(house, out=12)


def test_a_seat_missed_beyond_the_house_is_void(house: House) -> None:
    # Seat 3 was passed over: draws 2 and 3 lie at seat 5 and the House.
    name = begin(house, THREE, cards=["2H", "9C", "5S"])
    with refused("irregularity.refused"):
        rule(house, 8, "deal_next", "S", name=name, seats=(3,), cards_out=4)
    rule(
        house,
        8,
        "void_seat",
        "S",
        name=name,
        seats=(3,),
        draws=drawn((2, 5), (3, 0)),
    )
    deal(house, name, ["2D", "7C", "3D"], start=4)
    finish(house, name, ["KD", "KC", "QC"], start=7)
    assert paid(name) == {(1, "main"): ("win", 20000), (5, "main"): ("lose", 0)}
    assert session().handle_minor == 15000
    prove(house, out=9)


@pytest.mark.parametrize("cards", [4, 9])
def test_a_seat_that_was_not_missed_is_not_void_by_a_supervisor_alone(
    house: House, cards: int
) -> None:
    name = begin(house, cards=DEAL[:6] if cards == 9 else DEAL[:cards])
    if cards == 9:
        settle_part(house, name, "sweep")
        deal(house, name, DEAL[6:], start=7)
    for draws in ((), drawn((4, 1))) if cards == 4 else ((),):
        with refused("irregularity.refused") as caught:
            rule(house, 8, "void_seat", "S", name=name, seats=(3,), draws=draws)
        assert [fault["code"] for fault in caught.value.faults] == ["irregularity.missed"]


def test_a_seat_missed_in_the_third_lap_says_where_the_cards_lie(house: House) -> None:
    # All third cards lie face down: seat 1 has none, draws 7 and 8 lie at seat 3 and the House.
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    with refused("irregularity.refused"):
        rule(house, 8, "void_seat", "S", name=name, seats=(1,), cards_out=8)
    lies = drawn((7, 3), (8, 0))
    rule(house, 8, "void_seat", "S", name=name, seats=(1,), draws=lies, cards_out=8)
    finish(house, name, ["4C", "QC"], start=7)
    assert paid(name) == {key: line for key, line in WON.items() if key != (1, "main")}
    prove(house, out=8)


def test_a_house_that_voids_missed_seats_voids_them(house: House) -> None:
    table = house_with(house, missed_seat_policy="void_seat")
    name = begin(house, THREE, cards=["2H", "9C"], table=table)
    with refused("irregularity.policy"):
        rule(house, 8, "deal_next", "S", name=name, seats=(3,))
    rule(house, 8, "void_seat", "S", name=name, seats=(3,), draws=drawn((2, 5)))
    deal(house, name, ["5S", "2D", "7C", "3D"], start=3)
    finish(house, name, ["KD", "KC", "QC"], start=7)
    assert set(paid(name)) == {(1, "main"), (5, "main")}
    prove(house, out=9, table=table)


def test_a_missing_last_card_is_dealt_at_once(house: House) -> None:
    # Third cards lie face down; seat 1 has none: draw 7 lies at seat 3, draw 8 at the House.
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    with refused("irregularity.refused"):
        rule(house, 9, "deal_last", "M", name=name, seats=(1,))
    rule(house, 9, "deal_last", "M", name=name, seats=(1,), cards_out=8)
    assert uses() == [(7, "hand", 3, 3), (8, "hand", 0, 3)]
    finish(house, name, ["4C", "QC", "KD"], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_missing_last_card_of_the_house_is_dealt_in_turn(house: House) -> None:
    # The House was passed over in the first lap; draw 3 began the second one.
    name = begin(house, cards=["2H", "8S", "2D"])
    rule(house, 10, "deal_next", "M", name=name, seats=(0,))
    assert uses() == [(3, "hand", 1, 2)]
    deal(house, name, ["5S", "7C", "3D"], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_surplus_card_of_the_house_is_burned(house: House) -> None:
    name = begin(house, cards=[*DEAL[:6]])
    rule(house, 10, "burn", "M", name=name, draws=drawn((7, None, "9H")))
    settle_part(house, name, "sweep")
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    assert shoe().cards_burned == 2
    prove(house, out=10)


def test_a_wrong_number_that_cannot_be_repaired_voids_the_round(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 10, "void", "SM", name=name, draws=drawn((10, None, "9H")))
    assert paid(name) == {
        (1, "pair"): ("win", 11000),
        (1, "main"): ("void", 10000),
        (3, "main"): ("void", 20000),
        (3, "jacks"): ("void", 500),
    }
    prove(house, out=10)


@pytest.mark.parametrize("swept", [False, True])
def test_a_seat_with_a_wrong_number_is_void_and_surplus_is_burned(
    house: House, swept: bool
) -> None:
    name = begin(house, cards=DEAL[:6])
    if swept:
        settle_part(house, name, "sweep")
    rule(
        house,
        9,
        "void_seat",
        "M",
        name=name,
        seats=(1,),
        draws=drawn((7, None, "KD"), (8, None, "AH")),
    )
    deal(house, name, ["4C", "QC"], start=9)
    settle_part(house, name, "final")
    stands = {(1, "pair"): ("win", 11000)} if swept else {}
    assert paid(name) == {**stands, (3, "main"): ("win", 39000), (3, "jacks"): ("lose", 0)}
    assert TakenOut.objects.get().stands == (["pair"] if swept else [])
    assert session().handle_minor == 20500 + (1000 if swept else 0)
    prove(house, out=10)


@pytest.mark.parametrize("option", ["stands", "reversed"])
def test_the_settled_pair_bet_of_a_void_seat_goes_back_where_its_cards_are_touched(
    house: House, option: str
) -> None:
    under_terms(house, options={"pair_bet_on_void": option})
    open_floor(house, T)
    pairs = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700}}
    name = begin(house, pairs, cards=DEAL[:6], table=T)
    settle_part(house, name, "sweep")
    assert session(T).bank_handed_minor == -10000 + 700
    # Under `reversed` it goes back whatever was touched (A20).
    touched: bool | tuple[int, ...] = (1,) if option == "stands" else False
    rule(house, 9, "void_seat", "M", name=name, seats=(1,), first_two=touched)
    swept = {(1, "pair"): ("void", 1000), (3, "pair"): ("lose", 0)}
    assert paid(name) == swept
    again = Settlement.objects.get(part="sweep", revision=2)
    assert (again.kind, again.handle_minor) == ("corrected", 700)
    assert (session(T).handle_minor, session(T).bank_handed_minor) == (700, 700)
    finish(house, name, ["4C", "QC"], start=7)
    assert paid(name) == {**swept, (3, "main"): ("win", 39000)}
    prove(house, out=8, table=T)


def test_a_void_hand_keeps_its_cards_and_the_third_ones_stay(house: House) -> None:
    # All third cards lie face down when seat 1 is ruled void; its own is keyed for the count.
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 9, "void_seat", "M", name=name, seats=(1,), cards_out=9)
    deal(house, name, ["?", "4C", "QC"], start=7)
    settle_part(house, name, "final")
    assert paid(name) == {
        (1, "pair"): ("win", 11000),
        (3, "main"): ("win", 39000),
        (3, "jacks"): ("lose", 0),
    }
    prove(house, out=9)


def test_cards_are_taken_back_after_a_departure_too(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))
    dealer = house.acting("dealer", table="T1")
    deal_cards(name=name, cards=[KeyedCard(5, 2, None)], by=dealer)
    assert read_round(name).stage == "second_lap"
    with refused("cards.refused"):
        key(house, name, {6: "7C"})
    key(house, name, {5: "9D"}, revision=3)
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    prove(house, out=10)
