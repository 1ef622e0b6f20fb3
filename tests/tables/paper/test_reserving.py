"""The numbers of rounds dealt on paper are kept while live play goes on."""

import pytest

from casino.people.errors import RoleNotAllowedError
from tables.errors import (
    NotAtThisTableError,
    RoundInPlayError,
    ShoeNotInStateError,
)
from tables.models import Round
from tables.selectors.paper import awaited_rounds
from tables.services.paper import reserve_rounds
from tables.services.shoe_end import end_shoe
from tables.services.shoes import prepare_shoe
from tables.sheets.errors import (
    AwaitedCountError,
    AwaitedNumbersError,
)
from tests.factories.house import House, open_round, play_round
from tests.tables.paper.sheets import (
    entries,
    reserve,
)


def test_reserved_numbers_are_the_next_ones_and_live_play_goes_on(floor: House) -> None:
    reserved = reserve(floor, 2, after=0)
    assert [each.key for each in reserved.rounds] == ["T1/1/1", "T1/1/2"]
    assert open_round(floor).number == 3
    waiting = awaited_rounds("T1")
    assert [(each.name.number, each.keyings) for each in waiting] == [(1, 0), (2, 0)]


def test_the_same_again_reserves_nothing(floor: House) -> None:
    first = reserve(floor, 2, after=0)
    count = entries()
    again = reserve(floor, 2, after=0)
    assert again.done_before
    assert (again.receipt.seq, again.rounds) == (first.receipt.seq, first.rounds)
    assert entries() == count
    for rounds, after in ((1, 0), (3, 0), (2, 1)):
        with pytest.raises(AwaitedNumbersError):
            reserve(floor, rounds, after=after)


def test_a_supervisor_reserves_in_a_browser_and_the_dealer_is_taken_to_be_the_last(
    floor: House,
) -> None:
    play_round(floor, {1: {"main": 10_000}}, {1: ("2S", "3S", "4S"), 0: ("2H", "3H", "4H")})
    reserve(floor, 1, after=1, who="supervisor")
    assert Round.objects.get(key="T1/1/2").dealer.number == "1001"


@pytest.mark.parametrize("rounds", [0, -1, 81, 10_000])
def test_a_number_of_rounds_that_no_shoe_holds_is_refused(floor: House, rounds: int) -> None:
    with pytest.raises(AwaitedCountError):
        reserve(floor, rounds, after=0)


def test_a_round_in_play_is_finished_first(floor: House) -> None:
    open_round(floor)
    with pytest.raises(RoundInPlayError):
        reserve(floor, 1, after=1)


def test_who_may_reserve(floor: House) -> None:
    for who in ("cashier", "auditor", "surveillance"):
        with pytest.raises(RoleNotAllowedError):
            reserve(floor, 1, after=0, who=who)
    with pytest.raises(NotAtThisTableError):
        reserve_elsewhere(floor)
    end_shoe(table="T1", shoe=1, stub_cards=415, by=floor.acting("supervisor"))
    with pytest.raises(RoleNotAllowedError):
        reserve(floor, 1, after=0)
    assert reserve(floor, 1, after=0, who="manager").rounds[0].key == "T1/1/1"


def reserve_elsewhere(house: House) -> None:
    """A dealer at another table's tablet."""

    reserve_rounds(table="T1", shoe=1, rounds=1, after=0, by=house.acting("dealer", table="T2"))


def test_a_shoe_that_is_only_prepared_has_no_rounds_on_paper(floor: House) -> None:

    end_shoe(table="T1", shoe=1, stub_cards=415, by=floor.acting("supervisor"))
    prepare_shoe(table="T1", by=floor.acting("supervisor"))
    with pytest.raises(ShoeNotInStateError):
        reserve(floor, 1, after=0, who="supervisor", shoe=2)
