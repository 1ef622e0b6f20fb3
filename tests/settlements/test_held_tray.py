"""What lies in the tray while something lies under a dispute hold, at each moment (event 25).

Seat 1 wins its main bet and its pair; seat 3 wins its main bet and loses its pair and its jacks.
"""

from dataclasses import dataclass

import pytest

from audit.log.replay import replay_log
from settlements.models import Payout
from tables.models import DisputeHold
from tables.selectors.round_read import RoundName
from tests.factories.house import House, settle_part
from tests.settlements.correcting import hire, put_in_charge
from tests.settlements.trays import close, dispute, gained, problems, release
from tests.support.pages import PagePerson, text_of
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    begin,
    close_shoe,
    deal,
    rule,
    session,
    wager,
)

WAGERS = {
    1: {"main": 10_000, "pair": 1_000},
    3: {"main": 20_000, "pair": 500, "jacks": 500},
}
# What the tray gains where nothing is held: seat 1's pair pays 10,000, seat 3's is lost; then the
# main bets pay 10,000 and 19,000, and jacks is lost.
SWEPT = 500 - 10_000
ENDED = SWEPT - 10_000 - 19_000 + 500


@dataclass(frozen=True)
class Moments:
    """What of a hold came out of the tray once it is opened, after the sweep, and in the end.

    `lies_minor` is the sum that lies under it in the end.
    """

    opened: int
    swept: int
    ended: int
    lies_minor: int


# Opened before the sweep or after it; seat, wager, and the sum as it was said (None: the stakes).
TABLE: list[tuple[bool, int | None, str, int | None, Moments]] = [
    (True, 1, "pair", None, Moments(0, 11_000, 11_000, 11_000)),
    (True, 3, "pair", None, Moments(0, 500, 500, 500)),
    (True, 1, "pair", 500, Moments(0, 500, 500, 500)),
    (True, 3, "pair", 5_000, Moments(0, 500, 500, 500)),
    (True, 3, "main", None, Moments(0, 0, 39_000, 39_000)),
    (True, 3, "main", 5_000, Moments(0, 0, 5_000, 5_000)),
    (True, 1, "", None, Moments(0, 11_000, 31_000, 31_000)),
    (True, 3, "", None, Moments(0, 500, 40_000, 40_000)),
    (True, 3, "", 5_000, Moments(0, 0, 5_000, 5_000)),
    (True, None, "", None, Moments(0, 11_500, 71_000, 71_000)),
    (False, 1, "pair", None, Moments(0, 0, 0, 0)),
    (False, 3, "pair", None, Moments(500, 500, 500, 500)),
    (False, 1, "pair", 500, Moments(500, 500, 500, 500)),
    (False, 3, "main", None, Moments(0, 0, 39_000, 39_000)),
    (False, 3, "", None, Moments(500, 500, 40_000, 40_000)),
    (False, 1, "", None, Moments(0, 0, 20_000, 20_000)),
    (False, 1, "", 500, Moments(0, 0, 500, 500)),
]


def lying() -> dict[int, int | None]:
    """What came out of the tray under each open hold, by its number."""
    return dict(DisputeHold.objects.filter(state="open").values_list("number", "apart_minor"))


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor)
    return floor


def end(house: House, name: RoundName) -> None:
    deal(house, name, DEAL[6:], start=7)
    settle_part(house, name, "final")


@pytest.mark.parametrize(("before", "seat", "kind", "amount", "expected"), TABLE)
def test_the_tray_holds_what_lies_in_it_at_each_moment(
    house: House,
    before: bool,
    seat: int | None,
    kind: str,
    amount: int | None,
    expected: Moments,
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    if before:
        dispute(house, name, seat=seat, kind=kind, amount=amount)
        assert (session().disputed_minor, gained()) == (0, 0), "all of it lies on the felt"
    settle_part(house, name, "sweep")
    # What is held and not paid was not handed over: it lies in the hold, as its winnings do.
    unpaid = sum(p.owed_minor - p.handed_minor for p in Payout.objects.filter(part="sweep"))
    if not before:
        dispute(house, name, seat=seat, kind=kind, amount=amount)
        assert session().disputed_minor == expected.opened
    assert session().disputed_minor == expected.swept
    assert gained() == SWEPT + unpaid - expected.swept
    assert problems() == []
    end(house, name)
    unpaid = sum(p.owed_minor - p.handed_minor for p in Payout.objects.all())
    assert session().disputed_minor == expected.ended
    assert gained() == ENDED + unpaid - expected.ended
    hold = DisputeHold.objects.get()
    assert (hold.disputed_minor, hold.apart_minor) == (expected.lies_minor, expected.ended)
    assert problems() == []
    assert replay_log().problems == []


@pytest.mark.parametrize(
    ("seat", "moved", "kept"), [(1, SWEPT, SWEPT + 11_000), (3, SWEPT - 500, SWEPT)]
)
def test_a_pair_ruled_for_the_house_after_the_sweep_is_back_in_the_tray_at_once(
    house: House, seat: int, moved: int, kept: int
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=seat, kind="pair")
    settle_part(house, name, "sweep")
    assert gained() == moved
    release(house)
    assert (session().disputed_minor, gained()) == (0, kept)
    end(house, name)
    assert gained() == kept + ENDED - SWEPT
    assert problems() == []


@pytest.mark.parametrize("first_two", [False, True])
def test_a_void_after_the_sweep_leaves_a_held_pair_where_it_lies(
    house: House, first_two: bool
) -> None:
    """A lost pair under a hold: where the void takes the sweep back, its stake is owed back."""
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=3, kind="pair")
    settle_part(house, name, "sweep")
    rule(house, 26, "void", "SM", name=name, first_two=first_two)
    assert session().disputed_minor == 500
    assert gained() == (0 if first_two else -10_000)
    assert problems() == []
    release(house)
    assert gained() == (500 if first_two else 500 - 10_000)
    assert problems() == []


@pytest.mark.parametrize("outcome", ["house", "patron"])
@pytest.mark.parametrize(("seat", "out"), [(1, 11_000), (3, 500)])
def test_what_two_holds_are_about_stays_apart_when_one_is_ruled_after_the_sweep(
    house: House, seat: int, out: int, outcome: str
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=seat, kind="pair")
    dispute(house, name, seat=seat, kind="")
    settle_part(house, name, "sweep")
    assert lying() == {1: out, 2: 0}
    ruling = PagePerson(house, "supervisor").post(
        "/disputes/T1/1/ruling/", {"outcome": outcome, "ruling": "So.", "act": "look"}
    )
    assert "What T1/D2 is about too stays apart from the tray" in text_of(ruling)
    before = gained()
    release(house, outcome=outcome)
    assert (lying(), session().disputed_minor, gained()) == ({2: out}, out, before)
    deal(house, name, DEAL[6:], start=7)
    settle_part(house, name, "final")
    release(house, number=2)
    assert (lying(), session().disputed_minor) == ({}, 0)
    assert problems() == []
    assert replay_log().problems == []


def test_two_holds_on_one_bet_do_not_take_its_chips_twice(house: House) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=3, kind="main")
    dispute(house, name, seat=3, kind="main")
    settle_part(house, name, "sweep")
    end(house, name)
    assert (session().disputed_minor, gained()) == (39_000, ENDED)
    lies = list(DisputeHold.objects.order_by("number").values_list("disputed_minor", flat=True))
    assert lies == [39_000, 0]
    release(house, number=2)
    assert (session().disputed_minor, gained()) == (39_000, ENDED)
    release(house)
    assert (session().disputed_minor, gained()) == (0, ENDED + 39_000)
    assert problems() == []


@pytest.mark.parametrize("kind", ["main", "pair"])
@pytest.mark.parametrize("amounts", [(None, 300), (300, None)])
def test_a_sum_out_of_a_bet_that_is_held_whole_lies_with_it(
    house: House, kind: str, amounts: tuple[int | None, int | None]
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    for amount in amounts:
        dispute(house, name, seat=3, kind=kind, amount=amount)
    settle_part(house, name, "sweep")
    end(house, name)
    unpaid = {"main": 39_000, "pair": 500}[kind]
    assert session().disputed_minor == unpaid
    assert problems() == []


@pytest.mark.parametrize("amount", [None, 300])
def test_a_later_dispute_does_not_take_out_what_lies_under_one_already(
    house: House, amount: int | None
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=3, kind="main")
    settle_part(house, name, "sweep")
    end(house, name)
    dispute(house, name, seat=3, kind="main", amount=amount)
    assert (session().disputed_minor, gained()) == (39_000, ENDED)
    dispute(house, name, seat=3, kind="")
    assert session().disputed_minor == 39_000 + 500 + 500, "its pair and its jacks"
    for number in (3, 2, 1):
        release(house, number=number)
    assert (session().disputed_minor, gained()) == (0, ENDED + 39_000)
    assert problems() == []


def test_a_hold_of_the_round_holds_its_open_bets_beside_an_earlier_hold(house: House) -> None:
    """The winnings of seat 1's pair come to it in the sweep; its main bet stays held."""
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=3, kind="main")
    dispute(house, name, seat=None, kind="")
    settle_part(house, name, "sweep")
    end(house, name)
    assert not Payout.objects.filter(handed_minor__gt=0).exists()
    lies = DisputeHold.objects.order_by("number").values_list("disputed_minor", "apart_minor")
    rest = 11_000 + 20_000 + 500 + 500
    assert list(lies) == [(39_000, 39_000), (rest, rest)]
    assert gained() == -(10_000 + 10_000 + 19_000), "what the bank laid to the stakes"
    assert problems() == []


@pytest.mark.parametrize("number", [1, 2])
def test_holds_of_before_say_what_came_out_of_the_tray_once_a_part_is_settled(
    house: House, number: int
) -> None:
    name = begin(house, WAGERS, cards=DEAL[:6])
    dispute(house, name, seat=3, kind="main")
    dispute(house, name, seat=3, kind="main")
    DisputeHold.objects.update(apart_minor=None)
    settle_part(house, name, "sweep")
    end(house, name)
    assert problems() == []
    release(house, number=number)
    release(house, number=3 - number)
    assert (session().disputed_minor, gained()) == (0, ENDED + 39_000)
    assert problems() == []


def test_a_bet_of_one_person_is_held_after_the_sweep(house: House) -> None:
    """Event 33 opens its hold within the irregularity; the tray follows as with a dispute."""
    name = begin(house, WAGERS, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 33, "hold", "H", name=name, told=TOLD_ALL, wagers=(wager(3, "pair"),))
    assert (session().disputed_minor, gained()) == (500, SWEPT - 500)
    end(house, name)
    assert (session().disputed_minor, gained()) == (500, ENDED - 500)
    assert problems() == []


@pytest.mark.parametrize(
    ("before", "seat", "kind", "gain"),
    [
        (True, 1, "pair", ENDED),
        (True, 3, "pair", ENDED - 500),
        (False, 3, "pair", ENDED - 500),
        (False, 1, "pair", ENDED),
        (True, None, "", 0),
    ],
)
def test_the_closing_count_agrees_with_the_tray(
    house: House, before: bool, seat: int | None, kind: str, gain: int
) -> None:
    """The gain is told from the chips: of a round that is held whole none came or went but what
    the bank laid to the stakes."""
    name = begin(house, WAGERS, cards=DEAL[:6])
    if before:
        dispute(house, name, seat=seat, kind=kind)
    settle_part(house, name, "sweep")
    if not before:
        dispute(house, name, seat=seat, kind=kind)
    end(house, name)
    close_shoe(house, out=9)
    laid = 0 if seat is not None else 10_000 + 10_000 + 19_000
    close(house, gain=gain - laid)
    assert problems() == []
    release(house)
    assert problems() == [], "the closed session stays as it was counted"
