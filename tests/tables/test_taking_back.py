"""Taking back what was never keyed, and one draw twice in a call: refused, nothing written."""

import pytest

from audit.log.models import Entry
from tables.errors import CardsRefusedError
from tables.models import Card, Round
from tables.services.cards import KeyedCard, deal_cards
from tests.factories.house import House, bet, build_house, key, open_floor, open_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    house = build_house()
    open_floor(house)
    return house


@pytest.mark.parametrize("draw", [1, 99, 0])
def test_a_draw_that_was_never_keyed_is_not_taken_back(house: House, draw: int) -> None:
    name = open_round(house)
    bet(house, name, {1: {"main": 10000}})
    entries = Entry.objects.count()
    with pytest.raises(CardsRefusedError) as refused:
        deal_cards(
            name=name,
            cards=[KeyedCard(draw=draw, revision=1, face=None)],
            by=house.acting("dealer", table="T1"),
        )
    assert [fault["code"] for fault in refused.value.faults] == ["card.not_keyed"]
    assert Entry.objects.count() == entries
    assert Round.objects.get().stage == Round.Stage.BETTING


@pytest.mark.parametrize("faces", [(None, "KS"), (None, None), ("KS", "QS")])
def test_one_draw_stands_once_in_a_call(house: House, faces: tuple[str | None, str | None]) -> None:
    name = open_round(house)
    bet(house, name, {1: {"main": 10000}})
    key(house, name, {1: "2H"})
    cards = [KeyedCard(draw=1, revision=2, face=face) for face in faces]
    with pytest.raises(CardsRefusedError) as refused:
        deal_cards(name=name, cards=cards, by=house.acting("dealer", table="T1"))
    assert [fault["code"] for fault in refused.value.faults] == ["card.twice"]
    assert Card.objects.count() == 1
