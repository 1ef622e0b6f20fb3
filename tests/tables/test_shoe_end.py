"""How a shoe ends: the cut card, too few cards, and what is stated of its 416 (events 17, 18)."""

import pytest

from audit.findings.models import Finding
from tables.models import ShoeStatement
from tables.selectors.round_read import RoundName
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import call_off_round, open_betting
from tables.services.shoe_end import end_shoe
from tables.services.shoes import burn_cards, mark_cut_card
from tables.simulation import CARDS
from tests.factories.house import (
    House,
    bet,
    key,
    open_round,
    play_round,
    ready_the_shoe,
    settle_part,
)
from tests.support.records import last_entry, refused
from tests.tables.terms import T, preparing, sign, sign_until_burn, stored_shoe, under_terms

MAIN = {"main": 10000}
SIX = ["2H", "5S", "7C", "3D", "KD", "QC"]


def one_seat(house: House, *, table: str = T) -> RoundName:
    """Deal and settle a round of one seat."""
    hands = {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]}
    return play_round(house, {1: MAIN}, hands, table=table)


def cut(house: House, *, table: str = T) -> None:
    mark_cut_card(table=table, shoe=1, by=house.acting("dealer", table=table))


def end(house: House, stub: int, *, table: str = T, shoe: int = 1) -> ShoeStatement:
    end_shoe(table=table, shoe=shoe, stub_cards=stub, by=house.acting("supervisor"))
    return ShoeStatement.objects.get(shoe__key=f"{table}/{shoe}")


def opened(house: House, *, after_cut: str) -> None:
    """Table T2 with a shoe ready, under this rule of the cut card."""
    under_terms(house, procedures={"after_cut": after_cut})
    preparing(house)
    sign_until_burn(house)
    sign(house, "burn", burned=["?"])


@pytest.mark.parametrize(("after_cut", "further"), [("finish_round", 0), ("one_more", 1)])
def test_a_cut_card_in_a_round_lets_it_finish_and_so_many_more(
    floor: House, after_cut: str, further: int
) -> None:
    opened(floor, after_cut=after_cut)
    one_seat(floor)
    name = open_round(floor, table=T)
    bet(floor, name, {1: MAIN})
    key(floor, name, {1: "2H"})
    cut(floor)
    assert (stored_shoe().cut_card_round, last_entry(f"table/{T}").action) == (
        2,
        "shoe.cut_card_out",
    )
    key(floor, name, dict(enumerate(SIX[1:], start=2)))
    settle_part(floor, name, "final")
    for _ in range(further):
        one_seat(floor)
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)
    assert end(floor, 416 - 1 - 6 * (2 + further)).counted_closes


def test_a_cut_card_before_the_first_card_lets_the_round_not_start(floor: House) -> None:
    opened(floor, after_cut="finish_round")
    one_seat(floor)
    name = open_round(floor, table=T)
    bet(floor, name, {1: MAIN})
    cut(floor)
    with refused("shoe.cut_card_out"):
        key(floor, name, {1: "2H"})
    call_off_round(name=name, by=floor.acting("dealer", table=T))
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)
    assert stored_shoe().rounds == 2, "the round that was not started keeps its number"
    assert end(floor, 416 - 1 - 6).counted_closes


def test_with_one_more_the_round_before_whose_first_card_it_came_is_that_one(
    floor: House,
) -> None:
    opened(floor, after_cut="one_more")
    one_seat(floor)
    name = open_round(floor, table=T)
    bet(floor, name, {1: MAIN})
    cut(floor)
    key(floor, name, dict(enumerate(SIX, start=1)))
    settle_part(floor, name, "final")
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)


def test_with_one_more_a_round_called_off_is_not_the_one_more(floor: House) -> None:
    opened(floor, after_cut="one_more")
    one_seat(floor)
    cut(floor)
    call_off_round(name=open_round(floor, table=T), by=floor.acting("dealer", table=T))
    one_seat(floor)
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)
    assert end(floor, 416 - 1 - 6 * 2).counted_closes


def test_a_cut_card_between_rounds_ends_the_shoe(floor: House) -> None:
    opened(floor, after_cut="finish_round")
    one_seat(floor)
    cut(floor)
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)
    with refused("shoe.state"):
        cut(floor)


def test_a_shoe_that_was_never_dealt_from_may_show_its_cut_card(floor: House) -> None:
    opened(floor, after_cut="finish_round")
    cut(floor)
    with refused("shoe.cut_card_out"):
        open_round(floor, table=T)
    assert end(floor, 415).counted_closes


def test_a_shoe_that_counts_up_closes(floor: House) -> None:
    one_seat(floor, table="T1")
    by = floor.acting("supervisor")
    burn_cards(table="T1", shoe=1, event=2, faces=["?", "2S"], reason="exposed", by=by)
    statement = end(floor, 416 - 1 - 6 - 2, table="T1")
    assert (statement.dealt, statement.burned, statement.stub) == (6, 3, 407)
    assert (statement.counted_closes, statement.composed_holds) == (True, True)
    assert (statement.unknown_faces, statement.over) == (2, {})
    assert stored_shoe(table="T1").state == "ended"
    assert stored_shoe(table="T1").ended_at == floor.now
    assert not Finding.objects.exists()


@pytest.mark.parametrize("off", [-1, 1])
def test_a_shoe_one_card_short_or_over_is_a_finding(floor: House, off: int) -> None:
    one_seat(floor, table="T1")
    statement = end(floor, 409 + off, table="T1")
    assert not statement.counted_closes
    finding = Finding.objects.get()
    assert (finding.kind, finding.subject_key) == ("shoe.count_open", "T1/1")
    assert finding.detail == {"dealt": 6, "burned": 1, "stub": 409 + off, "loaded": 416}


def test_an_undone_card_was_not_dealt(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: MAIN})
    key(floor, name, {1: "AS"})
    dealer = floor.acting("dealer", table="T1")
    deal_cards(name=name, cards=[KeyedCard(1, 2, None)], by=dealer)
    deal_cards(name=name, cards=[KeyedCard(1, 3, "2H")], by=dealer)
    key(floor, name, dict(enumerate(SIX[1:], start=2)))
    settle_part(floor, name, "final")
    statement = end(floor, 409, table="T1")
    assert (statement.dealt, statement.counted_closes) == (6, True)


def test_a_copy_too_many_spoils_the_composition(floor: House) -> None:
    """The ninth was confirmed as seen: the round goes on, the statement says so (event 13)."""
    for _ in range(2):
        play_round(
            floor,
            {1: MAIN, 2: MAIN},
            {1: ["7H", "7H", "2C"], 2: ["7H", "7H", "3C"], 0: ["4S", "5S", "6S"]},
        )
    name = open_round(floor)
    bet(floor, name, {1: MAIN})
    dealer = floor.acting("dealer", table="T1")
    ninth = KeyedCard(draw=1, revision=1, face="7H", as_seen=True)
    deal_cards(name=name, cards=[ninth], by=dealer)
    key(floor, name, dict(enumerate(SIX[1:], start=2)))
    settle_part(floor, name, "final")
    statement = end(floor, 416 - 1 - 24, table="T1")
    assert (statement.counted_closes, statement.composed_holds) == (True, False)
    assert statement.over == {"7H": 1}
    kinds = set(Finding.objects.values_list("kind", flat=True))
    assert kinds == {"shoe.one_card_too_many", "shoe.composition_over"}


def test_a_shoe_does_not_end_in_a_round_nor_twice(floor: House) -> None:
    name = open_round(floor)
    with refused("round.in_play"):
        end(floor, 415, table="T1")
    call_off_round(name=name, by=floor.acting("dealer", table="T1"))
    for stub in (-1, 417):
        with refused("stub.refused"):
            end(floor, stub, table="T1")
    end(floor, 415, table="T1")
    with refused("shoe.state"):
        end(floor, 415, table="T1")
    by = floor.acting("dealer", table="T1")
    with refused("shoe.state"):
        open_betting(table="T1", shoe=1, by=by)
    assert ready_the_shoe(floor, "T1") == 2


def test_a_shoe_that_was_only_being_prepared_ends_whole(floor: House) -> None:
    preparing(floor)
    assert end(floor, 416).counted_closes


def test_the_dealer_does_not_end_a_shoe(floor: House) -> None:
    with refused("role.not_allowed"):
        end_shoe(table="T1", shoe=1, stub_cards=1, by=floor.acting("dealer", table="T1"))


def test_a_round_starts_only_with_three_cards_for_each_hand(floor: House) -> None:
    """One deck: 52 cards, one burned, two rounds of five seats leave 15 (event 18)."""
    under_terms(floor, options={"decks": 1}, procedures={"cut_card_depth": 10})
    preparing(floor)
    sign_until_burn(floor)
    deck = list(CARDS)
    sign(floor, "burn", burned=[deck.pop()])
    wagers = dict.fromkeys(range(1, 6), MAIN)
    for _ in range(2):
        hands = {hand: [deck.pop() for _lap in range(3)] for hand in (1, 2, 3, 4, 5, 0)}
        play_round(floor, wagers, hands, table=T)
    name = open_round(floor, table=T)
    bet(floor, name, wagers)
    with refused("shoe.exhausted") as caught:
        key(floor, name, {1: deck[0]})
    assert caught.value.data == {"cards_left": 15, "cards_needed": 18}
    bet(floor, name, {5: {}}, revision=2)
    faces = {draw: deck.pop() for draw in range(1, 16)}
    key(floor, name, faces)
    settle_part(floor, name, "final")
    with refused("shoe.exhausted") as caught:
        open_round(floor, table=T)
    assert caught.value.data == {"cards_left": 0, "cards_needed": 6}
    assert end(floor, 0).counted_closes
