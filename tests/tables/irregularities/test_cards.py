"""Cards in excess, exposed, boxed, dropped, damaged, stuck (events 1 to 4, 11, 12, 14)."""

import pytest

from tables.models import Card, Departure, Irregularity, Round
from tables.selectors.round_read import read_round
from tables.selectors.table_view import round_view
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import call_off_round
from tables.services.shoes import mark_cut_card
from tests.factories.house import House, bet, key, open_round, settle_part
from tests.support.records import refused
from tests.tables.irregularities.ruling import (
    BURNED_FIRST,
    DEAL,
    TOLD_ALL,
    begin,
    deal,
    drawn,
    finish,
    house_with,
    paid,
    prove,
    rule,
    shoe,
)

WON = {
    (1, "pair"): ("win", 11000),
    (1, "main"): ("win", 20000),
    (3, "main"): ("win", 39000),
    (3, "jacks"): ("lose", 0),
}


def test_an_unseen_card_is_the_next_card_of_the_round(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 1, "next_card", "S", name=name, draws=drawn((5, None)))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert not Departure.objects.exists()
    prove(house, out=9)


def test_an_unseen_card_that_no_hand_needs_begins_the_next_round(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    settle_part(house, name, "final")
    assert paid(name) == WON
    assert shoe().cards_dealt == 10, "it keeps its draw in the round in which it left the shoe"

    later = open_round(house)
    bet(house, later, {2: {"main": 1000}})
    assert read_round(later).state().carried
    with refused("card.conflict"):
        key(house, later, {0: "9S"}, revision=1)
    key(house, later, {0: "9S"}, revision=2)
    view = round_view(read_round(later))
    assert view["round"]["next"]["draw"] == 1  # type: ignore[index]  # a document
    deal(house, later, ["2C", "TS", "2S", "KH", "3S"])
    settle_part(house, later, "final")
    # 9S TS KH is nine against 2C 2S 3S, a pair of twos: the House wins.
    assert paid(later) == {(2, "main"): ("lose", 0)}
    faces = Card.objects.filter(round__key=name.key, draw=10).order_by("revision")
    assert list(faces.values_list("face", flat=True)) == ["?", "9S"]
    assert shoe().cards_dealt == 15
    prove(house, out=15)


def test_a_card_for_the_next_round_waits_past_one_that_is_called_off(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    with refused("card.carried"):
        key(house, name, {10: "9S"}, revision=2)
    settle_part(house, name, "final")
    dealer = house.acting("dealer", table="T1")
    call_off_round(name=open_round(house), by=dealer)
    later = open_round(house)
    bet(house, later, {2: {"main": 1000}})
    key(house, later, {0: "9S"}, revision=2)
    undo = KeyedCard(draw=0, revision=3, face=None)
    deal_cards(name=later, cards=[undo], by=dealer)
    assert read_round(later).faces == {}
    assert read_round(later).stage == Round.Stage.FIRST_LAP
    prove(house)


def test_where_no_round_follows_an_unseen_card_is_burned(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    with refused("irregularity.policy"):
        rule(house, 1, "burn", "S", name=name, draws=drawn((10, None)))
    mark_cut_card(table="T1", shoe=1, by=house.acting("dealer", table="T1"))
    with refused("irregularity.stage"):
        rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    rule(house, 1, "burn", "S", name=name, draws=drawn((10, None)))
    settle_part(house, name, "final")
    assert (shoe().cards_dealt, shoe().cards_burned) == (9, 2)
    prove(house, out=10)


def test_a_house_that_burns_unseen_cards_burns_them(house: House) -> None:
    table = house_with(house, excess_unseen="burn")
    name = begin(house, cards=DEAL[:4], table=table)
    for procedure in ("next_card", "next_round"):
        with refused("irregularity.policy"):
            rule(house, 1, procedure, "S", name=name, draws=drawn((5, None)))
    rule(house, 1, "burn", "S", name=name, draws=drawn((5, None)))
    assert read_round(name).faces[5] == "?"
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    prove(house, out=10, table=table)


def test_a_card_drawn_in_excess_and_seen_is_burned(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    with refused("irregularity.refused"):
        rule(house, 2, "burn", "S", name=name, draws=drawn((5, None)))
    with refused("cards.refused"):
        rule(house, 2, "burn", "S", name=name, draws=drawn((7, None, "9H")))
    rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))
    assert read_round(name).stage == "second_lap"
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    assert (shoe().cards_dealt, shoe().cards_burned) == (9, 2)
    prove(house, out=10)


def test_a_card_seen_between_rounds_is_burned_with_its_face(house: House) -> None:
    with refused("irregularity.refused"):
        rule(house, 2, "burn", "S", burned=("?",))
    rule(house, 2, "burn", "S", burned=("9H",))
    assert shoe().cards_burned == 2
    prove(house, out=1)


def test_a_ninth_copy_among_burned_cards_is_a_question_too(house: House) -> None:
    rule(house, 2, "burn", "S", burned=("9H",) * 8)
    name = begin(house, cards=DEAL[:4])
    with refused("card.one_too_many"):
        rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))


def test_an_exposed_card_stays_where_it_belongs(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 3, "stays", "S", name=name, seats=(1,), draws=drawn((4, None)))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_boxed_card_is_discarded_and_the_next_takes_its_place(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 4, "discard", "S", name=name, draws=drawn((5, None, "JH")))
    departed = Departure.objects.get()
    assert (departed.draw, departed.use, departed.irregularity_number) == (5, "set_aside", 1)
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    prove(house, out=10)


def test_a_supervisor_alone_discards_one_boxed_card(house: House) -> None:
    with refused("irregularity.refused") as caught:
        rule(house, 4, "discard", "S", burned=("JH", "QH"))
    assert "event 5" in str(caught.value.faults)
    name = begin(house, cards=DEAL[:4])
    both = drawn((5, None, "JH"), (6, None, "QH"))
    with refused("irregularity.refused") as caught:
        rule(house, 4, "discard", "S", name=name, draws=both)
    assert [fault["where"] for fault in caught.value.faults] == ["draws[6]"]


def test_a_card_that_leaves_the_shoe_in_a_round_has_its_draw_there(house: House) -> None:
    settled = begin(house, cards=DEAL[:6])
    finish(house, settled, DEAL[6:], start=7)
    begin(house, cards=DEAL[:3])
    for event, procedure in ((1, "burn"), (2, "burn"), (4, "discard"), (16, "burn_now")):
        for name in (None, settled):
            with refused("round.in_play"):
                rule(house, event, procedure, "S", name=name, burned=("JH",))
    with refused("round.in_play"):
        rule(house, 17, "finish_round", "D", name=settled)
    assert shoe().cards_burned == BURNED_FIRST


def test_a_boxed_card_as_the_first_closes_betting(house: House) -> None:
    name = begin(house)
    rule(house, 4, "discard", "S", name=name, draws=drawn((1, None, "JH")))
    read = read_round(name)
    assert (read.stage, read.live, read.limits_pinned) == ("first_lap", (1, 3), True)
    with refused("round.betting_closed"):
        bet(house, name, {2: {"main": 1000}})
    deal(house, name, DEAL[:6], start=2)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    prove(house, out=10)


def test_a_boxed_card_that_was_keyed_moves_those_after_it(house: House) -> None:
    name = begin(house, cards=["2H", "JH", "8S", "5S", "2D"])
    rule(house, 4, "discard", "S", name=name, draws=drawn((2, None, "JH")))
    deal(house, name, ["7C", "3D"], start=6)
    finish(house, name, DEAL[6:], start=8)
    assert paid(name) == WON
    prove(house, out=10)


def test_third_cards_are_taken_back_before_one_before_them_moves(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, ["KD", "4C"], start=7)
    with refused("irregularity.third_cards"):
        rule(house, 4, "discard", "S", name=name, draws=drawn((7, None, "KD")))
    with refused("card.swept"):
        rule(house, 4, "discard", "S", name=name, draws=drawn((2, None, "8S")))


def test_a_dropped_card_keeps_its_value_and_is_inspected(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 11, "keep", "SV", name=name, draws=drawn((4, None)))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9, findings=["card.to_inspect"])


def test_a_card_dropped_out_of_sight_voids_the_round(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 11, "void", "SMV", name=name, draws=drawn((4, None)))
    assert set(paid(name).values()) == {
        ("void", 10000),
        ("void", 1000),
        ("void", 20000),
        ("void", 500),
    }
    prove(house, out=4)


@pytest.mark.parametrize(("procedure", "letters"), [("replace", "S"), ("replace_suspected", "HV")])
def test_a_damaged_card_is_replaced_by_the_same(house: House, procedure: str, letters: str) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    with refused("irregularity.refused"):
        rule(house, 12, procedure, letters, name=name, told=TOLD_ALL, replaced=("7C", "7S"))
    rule(house, 12, procedure, letters, name=name, told=TOLD_ALL, replaced=("7C", "7C"))
    assert Irregularity.objects.get().details["replaced"] == ["7C", "7C"]
    assert paid(name) == WON
    prove(house, out=9)


def test_stuck_cards_that_come_apart_unseen_are_used_in_order(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 14, "in_order", "S", name=name, draws=drawn((5, None), (6, None)))
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_stuck_cards_that_were_seen_void_the_round(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    both = drawn((7, None, "KD"), (8, None, "4C"))
    for unknown in ((), both[:1], drawn((7, None, "KD"), (8, None))):
        with refused("irregularity.refused"):
            rule(house, 14, "void", "SM", name=name, draws=unknown, cards_out=8)
    for fewer in (6, 7):  # both are out
        with refused("irregularity.refused"):
            rule(house, 14, "void", "SM", name=name, draws=both, cards_out=fewer)
    rule(house, 14, "void", "SM", name=name, draws=both, cards_out=8)
    assert {wager for wager, (outcome, _) in paid(name).items() if outcome != "void"} == {
        (1, "pair")
    }
    assert (shoe().cards_dealt, shoe().cards_burned) == (6, BURNED_FIRST + 2)
    prove(house, out=8)
