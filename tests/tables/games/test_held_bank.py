"""Dispute holds where a seat holds the bank: the stakes are not the house's (events 25, 33)."""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from tables.models import DisputeHold, TableSession
from tables.services.shoe_end import end_shoe
from tests.settlements.correcting import hire, put_in_charge
from tests.settlements.trays import close, dispute, gained, problems, release
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import rule, session

NewTable = Callable[..., GameTable]
# A bank at seat 3 of game B that takes five of a hundred of what is won (B20, B23): seat 2 wins
# 10,000 with 7 to 6 and pays 500; seat 8 loses.
HANDS = {2: "8S 9D", 8: "2S 3H KD", 0: "AS 5D"}
AT_A_SEAT = {2: 10_000, 8: 10_000}


@pytest.fixture
def banked(new_table: NewTable) -> GameTable:
    """A table whose bank a seat holds, with the bets placed and the cards dealt to showdown."""
    table = new_table("fixed-bank", options={"commission": [5, 100]})
    hire(table.house)
    put_in_charge(table.house)
    table.open(bank_seat=3)
    table.bet(AT_A_SEAT)
    table.deal(HANDS)
    return table


@pytest.mark.parametrize(
    ("seat", "amount", "apart", "lies"),
    [
        (2, None, 500, 19_500),  # won: the commission was not taken, it lies with the rest
        (8, None, 0, 10_000),  # lost: nothing of it is the house's
        (2, 4_000, 0, 4_000),  # a part: the bet is paid and its commission taken
        (None, None, 500, 29_500),
    ],
)
def test_where_a_seat_holds_the_bank_a_hold_takes_at_most_the_commission_out_of_the_tray(
    banked: GameTable, seat: int | None, amount: int | None, apart: int, lies: int
) -> None:
    house, name = banked.house, banked.name
    dispute(house, name, seat=seat, kind="main" if seat else "", amount=amount)
    assert gained() == 0
    banked.settle("final")
    hold = DisputeHold.objects.get()
    assert (hold.disputed_minor, hold.apart_minor) == (lies, apart)
    assert (session().disputed_minor, gained()) == (apart, 500 - apart)
    assert problems() == []
    release(house)
    assert (session().disputed_minor, gained()) == (0, 500)
    assert problems() == []
    assert replay_log().problems == []


@pytest.mark.parametrize(("seat", "amount"), [(8, None), (2, 4_000)])
def test_where_a_seat_holds_the_bank_a_hold_of_before_gives_nothing_back(
    banked: GameTable, seat: int, amount: int | None
) -> None:
    dispute(banked.house, banked.name, seat=seat, kind="main", amount=amount)
    DisputeHold.objects.update(apart_minor=None)
    banked.settle("final")
    release(banked.house)
    assert (session().disputed_minor, gained()) == (0, 500)
    assert problems() == []


@pytest.mark.parametrize("amount", [None, 4_000])
def test_where_a_seat_holds_the_bank_a_later_hold_takes_nothing_out_of_the_tray(
    banked: GameTable, amount: int | None
) -> None:
    banked.settle("final")
    dispute(banked.house, banked.name, seat=2, kind="main", amount=amount)
    assert (session().disputed_minor, gained()) == (0, 500)
    release(banked.house, outcome="patron")
    assert (session().disputed_minor, gained()) == (0, 500)
    assert problems() == []


def test_where_a_seat_holds_the_bank_a_void_leaves_nothing_of_the_houses_apart(
    banked: GameTable,
) -> None:
    dispute(banked.house, banked.name, seat=2, kind="main")
    rule(banked.house, 26, "void", "SM", name=banked.name, first_two=False)
    hold = DisputeHold.objects.get()
    assert (hold.disputed_minor, hold.apart_minor) == (10_000, 0)
    assert (session().disputed_minor, gained()) == (0, 0)
    assert problems() == []


@pytest.mark.parametrize(("seat", "gain"), [(2, 0), (8, 500)])
def test_where_a_seat_holds_the_bank_the_closing_count_agrees(
    banked: GameTable, seat: int, gain: int
) -> None:
    house = banked.house
    dispute(house, banked.name, seat=seat, kind="main")
    banked.settle("final")
    end_shoe(table="T1", shoe=1, stub_cards=52 - 1 - 7, by=house.acting("supervisor"))
    close(house, gain=gain)
    closed = TableSession.objects.get(key="T1/S1")
    assert closed.disputed_minor == 500 - gain
    assert problems() == []
    release(house, outcome="patron")
    assert problems() == []
