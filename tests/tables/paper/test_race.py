"""Two people key at once, and a sheet comes in while a round is settled live.

The twins without the lock show the harm: one person who keyed both copies, and sums in which a
round is missing.
"""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from settlements.models import Settlement
from settlements.services import paper_round, settle
from settlements.services.settle import settle_round
from tables.models import Round, TableSession
from tables.selectors.round_read import RoundName
from tables.services import paper
from tests.concurrency.racing import code_of, overlap
from tests.factories.house import House, bet, key, open_round
from tests.support.floors import FloorClone
from tests.tables.paper.sheets import key_copy, reserve, sheet

Call = Callable[[], object]


def two_keyings(house: House, name: RoundName) -> tuple[Call, Call]:
    """The dealer and the supervisor key the same sheet."""
    return (
        lambda: key_copy(house, name, sheet(), who="dealer", copy="first"),
        lambda: key_copy(house, name, sheet(), who="supervisor", copy="second"),
    )


def test_of_two_keyings_at_once_the_later_one_makes_the_round(floor_clone: FloorClone) -> None:
    house = floor_clone.house
    name = reserve(house, 1, after=0).rounds[0]
    first, second = two_keyings(house, name)
    met = overlap(first, second, writes=paper, clone=floor_clone.database)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    assert Round.objects.get(key=name.key).stage == "settled"
    assert replay_log().problems == []


def one_person(house: House, name: RoundName) -> tuple[Call, Call]:
    """The supervisor keys both copies, from two browsers."""
    return (
        lambda: key_copy(house, name, sheet(), who="supervisor", copy="first"),
        lambda: key_copy(house, name, sheet(), who="supervisor", copy="second"),
    )


def test_one_person_does_not_key_both_copies_at_once(floor_clone: FloorClone) -> None:
    house = floor_clone.house
    name = reserve(house, 1, after=0).rounds[0]
    first, second = one_person(house, name)
    met = overlap(first, second, writes=paper, clone=floor_clone.database)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "sheet.same_person")
    assert Round.objects.get(key=name.key).stage == "awaited"


def test_without_the_lock_one_person_is_both(
    floor_clone: FloorClone, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = floor_clone.house
    name = reserve(house, 1, after=0).rounds[0]
    first, second = one_person(house, name)
    monkeypatch.setattr(paper, "lock_stream", lambda stream: None)
    met = overlap(first, second, writes=paper, clone=floor_clone.database)
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    keyed = Round.objects.get(key=name.key).sheets.values_list("copy", "staff__number")
    assert set(keyed) == {("first", "1003"), ("second", "1003")}


def late_and_live(house: House) -> tuple[Call, Call]:
    """A sheet keyed once, and a live round behind it that is at showdown."""
    name = reserve(house, 1, after=0).rounds[0]
    first, second = two_keyings(house, name)
    first()
    live = open_round(house)
    bet(house, live, {1: {"main": 10_000}})
    key(house, live, dict(enumerate(("2S", "2H", "3S", "3H", "4S", "4H"), start=1)))
    by = house.acting("dealer", table="T1")

    def settle_live() -> object:
        return settle_round(name=live, part="final", revision=1, handed={}, by=by)

    return second, settle_live


def sums() -> tuple[int, int]:
    """The session's handle, and that of its settlements."""
    settled = Settlement.objects.values_list("handle_minor", flat=True)
    return TableSession.objects.get(key="T1/S1").handle_minor, sum(settled)


def test_a_sheet_and_a_live_settlement_both_count(floor_clone: FloorClone) -> None:
    late, live = late_and_live(floor_clone.house)
    met = overlap(late, live, writes=paper_round, clone=floor_clone.database)
    assert met.waited
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    handle, settled = sums()
    assert handle == settled
    assert replay_log().problems == []


def test_without_the_lock_one_of_them_is_lost_from_the_sums(
    floor_clone: FloorClone, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, live = late_and_live(floor_clone.house)
    for module in (paper, settle):
        monkeypatch.setattr(module, "lock_stream", lambda stream: None)
    met = overlap(late, live, writes=paper_round, clone=floor_clone.database)
    assert (code_of(met.first), code_of(met.second)) == ("", "")
    handle, settled = sums()
    assert handle < settled
