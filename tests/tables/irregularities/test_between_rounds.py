"""Events ruled while no round is in play, or at another moment of one than elsewhere (1 to 33)."""

import pytest

from tables.models import BurnedCard, DisputeHold, Irregularity
from tables.services.rounds import open_betting
from tests.factories.house import House, open_floor, play_round
from tests.support.records import refused
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    WAGERS,
    begin,
    deal,
    finish,
    house_with,
    paid,
    prove,
    rule,
    session,
    shoe,
    wager,
)
from tests.tables.irregularities.test_cards import WON
from tests.tables.irregularities.test_shoes import HANDS
from tests.tables.terms import T, under_terms


@pytest.mark.parametrize(
    ("event", "procedure", "face"), [(1, "burn", "?"), (2, "burn", "9H"), (4, "discard", "JH")]
)
def test_a_card_out_of_the_shoe_between_rounds_is_burned(
    house: House, event: int, procedure: str, face: str
) -> None:
    first = play_round(house, WAGERS, HANDS)
    rule(house, event, procedure, "S", burned=(face,))
    last = BurnedCard.objects.order_by("event").last()
    assert last is not None
    assert (last.face, last.reason) == (face, f"event {event}")
    second = play_round(house, WAGERS, HANDS)
    assert paid(first) == paid(second) == WON
    assert (shoe().cards_dealt, shoe().cards_burned) == (18, 2)
    prove(house, out=19)


def test_several_face_up_between_rounds_stop_the_shoe(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    with refused("irregularity.refused"):
        rule(house, 5, "void", "M", burned=("JH", "?"))
    with refused("irregularity.signers"):
        rule(house, 5, "void", "S", burned=("JH", "QH"))
    rule(house, 5, "void", "M", burned=("JH", "QH"))
    assert paid(name) == WON
    assert (shoe().state, shoe().cards_burned) == ("stopped", 3)
    with refused("shoe.state"):
        open_betting(table="T1", shoe=1, by=house.acting("dealer", table="T1"))
    prove(house, out=11)


def test_a_burn_that_was_forgotten_is_noticed_between_rounds_too(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    rule(house, 16, "carry_on", "S")
    assert (shoe().state, Irregularity.objects.get().round) == ("ready", None)
    prove(house, out=9)


@pytest.mark.parametrize(("procedure", "letters"), [("replace", "S"), ("replace_suspected", "HV")])
def test_a_round_is_finished_with_a_damaged_card(
    house: House, procedure: str, letters: str
) -> None:
    name = begin(house, cards=DEAL[:4])
    with refused("irregularity.refused"):
        rule(house, 12, procedure, letters, name=name, told=TOLD_ALL)
    rule(house, 12, procedure, letters, name=name, told=TOLD_ALL, replaced=("2D", "2D"))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert shoe().cards_burned == 1, "one out, one in: nothing is missing from the shoe"
    prove(house, out=9)


def test_a_forgotten_burn_is_made_up_before_any_round(house: House) -> None:
    rule(house, 16, "burn_now", "S", burned=("?",))
    assert shoe().cards_burned == 2
    assert paid(play_round(house, WAGERS, HANDS)) == WON
    prove(house, out=10)


@pytest.mark.parametrize(("procedure", "more"), [("finish_round", 0), ("one_more", 1)])
def test_a_cut_card_between_rounds_ends_the_shoe(house: House, procedure: str, more: int) -> None:
    table = house_with(house, after_cut=procedure)
    first = play_round(house, WAGERS, HANDS, table=table)
    rule(house, 17, procedure, "D", table=table)
    assert Irregularity.objects.get().details["found"] == {"cards_out": 10}
    for _ in range(more):
        assert paid(play_round(house, WAGERS, HANDS, table=table)) == WON
    with refused("shoe.cut_card_out"):
        open_betting(table=table, shoe=1, by=house.acting("dealer", table=table))
    assert paid(first) == WON
    prove(house, out=9 * (1 + more), table=table)


def test_a_failure_between_rounds_is_on_record_and_costs_nothing(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    rule(house, 29, "paper", "M")
    with refused("irregularity.stage"):
        rule(house, 29, "void", "SM")
    assert paid(name) == WON
    assert shoe().state == "ready"
    prove(house, out=9)


@pytest.mark.parametrize(
    ("house_cards", "paid_back"),
    [(("5S", "3D", "QC"), ("lose", 0)), (("JS", "3D", "JC"), ("win", 1200))],
)
def test_a_bet_beyond_what_all_may_win_together_is_cut_by_what_is_stated(
    house: House, house_cards: tuple[str, str, str], paid_back: tuple[str, int]
) -> None:
    # All jacks bets together may win 1,100; seat 3 has 5 on it, seat 1 put 110.
    under_terms(house, limits={"aggregate": {"jacks": 110000}})
    open_floor(house, T)
    first, second, third = house_cards
    bets = {1: {"main": 10000}, 3: {"main": 20000, "jacks": 500}}
    name = begin(house, bets, cards=("2H", "8S", first), table=T)
    with refused("irregularity.refused"):
        rule(house, 24, "cap", "S", name=name, wagers=(wager(1, "jacks", 11000),))
    rule(house, 24, "cap", "S", name=name, wagers=(wager(1, "jacks", 11000, 10900),))
    deal(house, name, ("2D", "7C", second), start=4)
    finish(house, name, ("KD", "4C", third), start=7)
    assert paid(name)[1, "jacks"] == paid_back
    assert session(T).handle_minor == 10000 + 20000 + 500 + 100
    prove(house, out=9, table=T)


def test_one_bet_of_a_person_who_may_not_play_is_held(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    with refused("irregularity.refused"):
        rule(house, 33, "hold", "H", name=name, told=TOLD_ALL)
    rule(house, 33, "hold", "H", name=name, wagers=(wager(3, "jacks"),), told=TOLD_ALL)
    hold = DisputeHold.objects.get()
    assert (hold.seat, hold.wager, hold.disputed_minor, hold.in_result) == (3, "jacks", 500, True)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert session().disputed_minor == 500
    prove(house, out=9)
