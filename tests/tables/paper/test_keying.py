"""Two people key a sheet blind; equal keyings make the round, and every fault is named."""

from datetime import timedelta
from typing import Any

import pytest

from audit.findings.models import Finding
from casino.people.errors import RoleNotAllowedError
from settlements.models import Payout, Settlement
from tables.errors import (
    OneCardTooManyError,
    RevisionBeyondError,
    RevisionSupersededError,
)
from tables.models import Card, Round
from tables.selectors.round_read import RoundName, read_round
from tables.sheets.errors import (
    SheetComparedError,
    SheetConflictError,
    SheetNotAwaitedError,
    SheetOtherPersonError,
    SheetRefusedError,
    SheetSamePersonError,
)
from tests.factories.house import House, play_round
from tests.tables.paper.sheets import (
    WAGERS,
    entries,
    key_copy,
    key_twice,
    misdeal,
    other,
    reserve,
    sheet,
    stage,
)

OTHER = other()


def test_two_equal_keyings_make_the_round(floor: House, name: RoundName) -> None:
    assert key_copy(floor, name, sheet(), who="dealer", copy="first").accepted is None
    assert stage(name) == "awaited"
    done = key_copy(floor, name, sheet(), who="supervisor", copy="second")
    assert done.accepted is not None
    read = read_round(name)
    assert (read.stage, read.live, read.dealer.key) == ("settled", (1, 2), "1001")
    assert (read.sweep_revision, read.final_revision) == (1, 1)
    assert read.faces[1] == "AS"
    assert read.faces[9] == "TD"
    paid = {(p.seat, p.wager): p.owed_minor for p in Payout.objects.filter(round__key=name.key)}
    assert paid == {
        (1, "main"): 0,
        (1, "pair"): 0,
        (2, "main"): 40_000,
        (2, "pair"): 22_000,
        (2, "jacks"): 0,
    }


def test_the_time_on_the_sheet_is_when_it_was_dealt(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet())
    accepted = Round.objects.get(key=name.key)
    assert accepted.ended_at == floor.now - timedelta(minutes=30)
    claimed = set(Card.objects.filter(round=accepted).values_list("claimed_at", flat=True))
    assert claimed == {accepted.ended_at}


def test_the_order_of_seats_and_of_the_two_people_does_not_matter(
    floor: House, name: RoundName
) -> None:
    turned = sheet()
    turned["seats"].reverse()
    key_copy(floor, name, turned, who="supervisor", copy="second")
    assert key_copy(floor, name, sheet(), who="dealer", copy="first").accepted


def test_one_person_does_not_key_twice(floor: House, name: RoundName) -> None:
    key_copy(floor, name, sheet(), who="dealer", copy="first")
    count = entries()
    with pytest.raises(SheetSamePersonError):
        key_copy(floor, name, sheet(), who="dealer", copy="second")
    with pytest.raises(SheetOtherPersonError):
        key_copy(floor, name, sheet(), who="supervisor", copy="first", revision=2)
    assert entries() == count


def test_a_keying_is_revised_by_its_person_until_both_are_in(floor: House, name: RoundName) -> None:
    key_copy(floor, name, OTHER, who="dealer", copy="first")
    again = key_copy(floor, name, OTHER, who="dealer", copy="first")
    assert again.done_before
    with pytest.raises(SheetConflictError):
        key_copy(floor, name, sheet(), who="dealer", copy="first")
    with pytest.raises(RevisionBeyondError):
        key_copy(floor, name, sheet(), who="dealer", copy="first", revision=3)
    key_copy(floor, name, misdeal(), who="dealer", copy="first", revision=2)
    with pytest.raises(RevisionSupersededError):
        key_copy(floor, name, OTHER, who="dealer", copy="first")
    key_copy(floor, name, sheet(), who="supervisor", copy="second")
    with pytest.raises(SheetComparedError):
        key_copy(floor, name, sheet(), who="dealer", copy="first", revision=3)
    assert stage(name) == "awaited"


def test_a_round_on_record_is_keyed_no_more(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet())
    with pytest.raises(SheetNotAwaitedError):
        key_copy(floor, name, OTHER, who="dealer", copy="first", revision=2)
    live = play_round(floor, {1: {"main": 10_000}}, {1: ("2S", "3S", "4S"), 0: ("2H", "3H", "4H")})
    with pytest.raises(SheetNotAwaitedError):
        key_copy(floor, live, sheet(), who="dealer", copy="first")


@pytest.mark.parametrize("who", ["cashier", "auditor", "surveillance"])
def test_who_may_key(floor: House, name: RoundName, who: str) -> None:
    with pytest.raises(RoleNotAllowedError):
        key_copy(floor, name, sheet(), who=who, copy="first")


FAULTS: list[tuple[str, dict[str, Any], set[str]]] = [
    ("no end", {"end": "over"}, {"sheet.end"}),
    ("no such dealer", {"dealer": "9999"}, {"sheet.staff"}),
    ("an unknown field", {"weather": "hot"}, {"unknown_field"}),
    ("a bank at a seat", {"bank_seat": 3}, {"sheet.bank_seat"}),
    ("two cards", {"house": {"cards": ["5H", "3C"]}}, {"card_count"}),
    ("no card", {"house": {"cards": ["5H", "3C", "1X"]}}, {"unknown_card"}),
    ("a rank alone", {"house": {"cards": ["5H", "3C", "T"]}}, {"card.detail"}),
    ("a face not known", {"house": {"cards": ["5H", "3C", "?"]}}, {"card_unknown"}),
    ("a void of a settled round", {"void": {"stage": "opened"}}, {"sheet.void"}),
    ("nothing about the void", {"end": "voided", "void": None}, {"missing_field"}),
    ("no seats", {"seats": []}, {"no_seats"}),
    (
        "everything at once",
        {"dealer": "", "house": {"cards": ["5H", "3C"]}, "seats": [{"seat": 9, "bets": {}}]},
        {"sheet.staff", "card_count", "seat", "no_bets", "missing_field"},
    ),
]


@pytest.mark.parametrize(("document", "codes"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_sheet_that_cannot_be_a_round_is_refused_with_every_fault(
    floor: House, name: RoundName, document: dict[str, Any], codes: set[str]
) -> None:
    count = entries()
    with pytest.raises(SheetRefusedError) as refused:
        key_copy(floor, name, sheet(**document), who="dealer", copy="first")
    assert {str(fault["code"]) for fault in refused.value.faults} == codes
    assert entries() == count


@pytest.mark.parametrize("minutes", [1, -60 * 24 * 3])
def test_a_time_that_cannot_be_is_refused(floor: House, name: RoundName, minutes: int) -> None:
    when = floor.now + timedelta(minutes=minutes)
    with pytest.raises(SheetRefusedError) as refused:
        key_copy(floor, name, sheet(), who="dealer", copy="first", dealt_at=when)
    assert [fault["code"] for fault in refused.value.faults] == ["sheet.time"]


def test_what_was_handed_over_otherwise_is_recorded(floor: House, name: RoundName) -> None:
    paid = sheet()
    paid["seats"][1]["handed"] = {"main": 39_000}
    key_twice(floor, name, paid)
    line = Payout.objects.get(round__key=name.key, seat=2, wager="main")
    assert (line.owed_minor, line.handed_minor) == (40_000, 39_000)
    settled = Settlement.objects.get(round__key=name.key, part="final")
    assert settled.bank_handed_minor == settled.bank_owed_minor + 1_000


def test_wagers_that_no_limit_takes_are_recorded_with_a_finding(
    floor: House, name: RoundName
) -> None:
    side_alone = {**WAGERS, 3: {"jacks": 1_000}}
    assert key_twice(floor, name, sheet(side_alone)).accepted
    line = Payout.objects.get(round__key=name.key, seat=3)
    assert (line.outcome, line.owed_minor) == ("rejected", 1_000)
    assert Finding.objects.get().kind == "sheet.outside_limits"


def test_a_round_called_off_keeps_its_number(floor: House, name: RoundName) -> None:
    empty = {"end": "called_off", "dealer": "1001", "seats": [], "house": {"cards": []}}
    assert key_twice(floor, name, empty).accepted
    assert stage(name) == "called_off"
    assert not Settlement.objects.exists()


def test_a_round_called_off_may_name_its_stakes_but_no_card(floor: House, name: RoundName) -> None:
    stakes = {"seat": 2, "bets": {"main": 10_000}}
    empty = {"end": "called_off", "dealer": "1001", "seats": [stakes], "house": {"cards": []}}
    for wrong in (
        {"seats": [{**stakes, "cards": ["AS"]}]},
        {"house": {"cards": ["AS"]}},
        {"seats": [], "house": {"cards": ["AS"]}},
        {"seats": [{**stakes, "handed": {"main": 0}}]},
    ):
        with pytest.raises(SheetRefusedError):
            key_copy(floor, name, {**empty, **wrong}, who="dealer", copy="first")
    key_twice(floor, name, empty)
    read = read_round(name)
    assert (read.stage, read.wagers, read.live) == ("called_off", {2: {"main": 10_000}}, ())


def test_one_copy_too_many_is_a_question_and_then_a_finding(floor: House) -> None:
    names = reserve(floor, 5, after=0).rounds
    pair = {1: ("AS", "AS", "2D"), 0: ("3D", "4D", "5D")}
    for each in names[:4]:
        key_twice(floor, each, sheet({1: {"main": 10_000}}, pair))
    ninth = sheet({1: {"main": 10_000}}, {**pair, 1: ("AS", "2H", "2D")})
    with pytest.raises(OneCardTooManyError) as asked:
        key_copy(floor, names[4], ninth, who="dealer", copy="first")
    assert (asked.value.data["face"], asked.value.data["copies"]) == ("AS", 9)
    key_copy(floor, names[4], ninth, who="dealer", copy="first", as_seen=True)
    with pytest.raises(OneCardTooManyError):
        key_copy(floor, names[4], ninth, who="supervisor", copy="second")
    key_copy(floor, names[4], ninth, who="supervisor", copy="second", as_seen=True)
    assert Card.objects.get(round__key=names[4].key, as_seen=True).face == "AS"
    assert Finding.objects.get().kind == "shoe.one_card_too_many"
