"""Two people key a sheet blind; what differs a supervisor settles, signed."""

from datetime import timedelta
from typing import Any

import pytest

from audit.findings.models import Finding
from audit.log.models import Entry
from casino.kernel.errors import DomainError
from casino.people.errors import RoleNotAllowedError, SignatureSamePersonError
from casino.people.models import Signature
from settlements.models import Payout, Settlement
from tables.errors import (
    NotAtThisTableError,
    OneCardTooManyError,
    RevisionBeyondError,
    RevisionSupersededError,
    RoundInPlayError,
    ShoeNotInStateError,
)
from tables.models import Card, Round, SheetKeying
from tables.selectors.paper import awaited_rounds, copies_differ, sheet_copies
from tables.selectors.round_read import RoundName, read_round
from tables.services.shoe_end import end_shoe
from tables.sheets.errors import (
    AwaitedCountError,
    AwaitedNumbersError,
    SheetComparedError,
    SheetConflictError,
    SheetCopyMissingError,
    SheetNotAwaitedError,
    SheetNotKeyedError,
    SheetOtherPersonError,
    SheetRefusedError,
    SheetSamePersonError,
    SheetSignersError,
)
from tests.factories.house import House, open_round, play_round
from tests.tables.paper.sheets import (
    HANDS,
    WAGERS,
    agree,
    hold,
    key_copy,
    key_twice,
    misdeal,
    reserve,
    sheet,
)

OTHER = sheet(hands={**HANDS, 2: ("KS", "KD", "2H")})


@pytest.fixture
def name(floor: House) -> RoundName:
    """One round dealt on paper."""
    return reserve(floor, 1, after=0).rounds[0]


def stage(name: RoundName) -> str:
    """Where the round stands."""
    return Round.objects.get(key=name.key).stage


def entries() -> int:
    """How many entries the table's stream has."""
    return Entry.objects.filter(stream="table/T1").count()


# Reserving.


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
    from tables.services.paper import reserve_rounds

    reserve_rounds(table="T1", shoe=1, rounds=1, after=0, by=house.acting("dealer", table="T2"))


def test_a_shoe_that_is_only_prepared_has_no_rounds_on_paper(floor: House) -> None:
    from tables.services.shoes import prepare_shoe

    end_shoe(table="T1", shoe=1, stub_cards=415, by=floor.acting("supervisor"))
    prepare_shoe(table="T1", by=floor.acting("supervisor"))
    with pytest.raises(ShoeNotInStateError):
        reserve(floor, 1, after=0, who="supervisor", shoe=2)


# Keying.


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


# Differences, and who settles them.


def test_keyings_that_differ_wait_and_the_cell_is_named(floor: House, name: RoundName) -> None:
    assert key_twice(floor, name, sheet(), OTHER).accepted is None
    assert stage(name) == "awaited"
    found = copies_differ(sheet_copies(read_round(name).ref))
    assert [(each.where, each.values) for each in found] == [("seats.2.cards.3", ("2C", "2H"))]


def test_a_third_reading_counts_and_is_signed(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    third = sheet(hands={**HANDS, 2: ("KS", "KD", "2D")})
    receipt = agree(floor, name, document=third)
    read = read_round(name)
    assert (read.stage, read.faces[8]) == ("settled", "2D")
    agreed = SheetKeying.objects.get(round__key=name.key, copy="agreed")
    assert (agreed.staff.number, agreed.entry.seq) == ("1004", receipt.seq)
    signed = Signature.objects.get(subject=name.key)
    assert (signed.purpose, signed.staff.number) == ("sheet.agreed", "1004")
    assert agree(floor, name, document=third).seq == receipt.seq
    with pytest.raises(SheetNotAwaitedError):
        agree(floor, name, keep="first")


def test_who_settles_a_difference(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    count = entries()
    refused: list[tuple[dict[str, Any], type[DomainError]]] = [
        ({"who": "dealer_2", "keep": "first"}, RoleNotAllowedError),
        ({"signers": ("supervisor",), "keep": "first"}, SheetSignersError),  # keyed one of them
        ({"signers": ("dealer_2",), "keep": "first"}, SheetSignersError),
        ({"signers": ("manager", "supervisor"), "keep": "first"}, SheetSignersError),
        ({"signers": (), "keep": "first"}, SheetSignersError),
        ({"keep": "device"}, SheetCopyMissingError),
        ({"keep": "agreed"}, SheetCopyMissingError),
        ({}, SheetCopyMissingError),
        ({"document": sheet(dealer="9999")}, SheetRefusedError),
    ]
    for arguments, error in refused:
        with pytest.raises(error):
            agree(floor, name, **arguments)
    assert entries() == count
    agree(floor, name, keep="second")
    assert read_round(name).faces[8] == "2H"


def test_nothing_is_settled_before_both_have_keyed(floor: House, name: RoundName) -> None:
    key_copy(floor, name, sheet(), who="dealer", copy="first")
    with pytest.raises(SheetNotKeyedError):
        agree(floor, name, keep="first")


# Voids.


def test_a_void_sheet_waits_for_two_signatures(floor: House, name: RoundName) -> None:
    assert key_twice(floor, name, misdeal()).accepted is None
    for signers in (("supervisor",), ("manager",), ("dealer", "manager")):
        with pytest.raises(SheetSignersError):
            agree(floor, name, keep="first", signers=signers)
    with pytest.raises(SignatureSamePersonError):
        agree(floor, name, keep="first", signers=("manager", "manager"))
    agree(floor, name, keep="first", signers=("supervisor", "manager"))
    read = read_round(name)
    assert (read.stage, dict(read.faces)) == (
        "voided",
        {1: "4S", 2: "6S", 3: "8H", 4: "4D"},
    )
    settled = Settlement.objects.get(round__key=name.key)
    assert (settled.part, settled.kind, settled.void_stage) == ("final", "voided", "second_lap")
    assert {p.outcome for p in Payout.objects.filter(round__key=name.key)} == {"void"}


@pytest.mark.parametrize(
    ("touched", "parts"),
    [
        (False, [("final", 1, "voided"), ("sweep", 1, "settled")]),
        ([2], [("final", 1, "voided"), ("sweep", 1, "settled"), ("sweep", 2, "voided")]),
    ],
)
def test_a_void_after_the_sweep(
    floor: House, name: RoundName, touched: object, parts: list[tuple[str, int, str]]
) -> None:
    hands = {1: ("AS", "7D", "9H"), 2: ("KS", "KD"), 0: ("5H", "3C")}
    void = {**misdeal()["void"], "stage": "third_lap", "affects_first_two_cards": touched}
    key_twice(floor, name, sheet(hands=hands, end="voided", void=void))
    agree(floor, name, keep="second", signers=("supervisor", "manager"))
    found = Settlement.objects.filter(round__key=name.key).order_by("part", "revision")
    assert [(s.part, s.revision, s.kind) for s in found] == parts
    latest = Payout.objects.filter(round__key=name.key, seat=2, wager="pair").latest("revision")
    assert latest.owed_minor == (2_000 if touched else 22_000)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"event": 21}, "sheet.event"),
        ({"note": " "}, "sheet.note"),
        ({"signed_by": ["1003"]}, "sheet.signed_by"),
        ({"signed_by": ["1003", "1003"]}, "sheet.signed_by"),
        ({"signed_by": ["1001", "1004"]}, "sheet.signed_by"),
        ({"signed_by": ["1003", "9999"]}, "sheet.staff"),
        ({"stage": "first_lap"}, "card_count"),
        ({"stage": "pair_settled"}, "card_count"),
        ({"affects_first_two_cards": [4]}, "void_seat"),
    ],
)
def test_a_void_sheet_says_all_that_a_void_needs(
    floor: House, name: RoundName, changed: dict[str, object], code: str
) -> None:
    with pytest.raises(SheetRefusedError) as refused:
        key_copy(floor, name, misdeal(**changed), who="dealer", copy="first")
    assert code in {fault["code"] for fault in refused.value.faults}


# A copy from the tablet.


def test_a_supervisor_keeps_one_of_a_device_and_a_paper_copy(floor: House, name: RoundName) -> None:
    hold(floor, name, OTHER)
    assert key_twice(floor, name, sheet()).accepted is None
    found = copies_differ(sheet_copies(read_round(name).ref))
    assert [(each.where, each.values) for each in found] == [
        ("seats.2.cards.3", ("2C", "2C", "2H"))
    ]
    agree(floor, name, keep="device", signers=("supervisor",), who="supervisor")
    accepted = Round.objects.get(key=name.key)
    assert (accepted.source, read_round(name).faces[8]) == ("held", "2H")
    assert SheetKeying.objects.filter(round=accepted, copy="first").exists()
    finding = Finding.objects.get()
    assert (finding.kind, finding.detail) == (
        "sheet.copies_differ",
        {"cells": "seats.2.cards.3"},
    )


def test_a_device_copy_that_comes_later_is_evidence(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet())
    first = hold(floor, name, sheet())
    assert not Finding.objects.exists()
    assert hold(floor, name, sheet()).receipt.seq == first.receipt.seq
    with pytest.raises(SheetConflictError):
        hold(floor, name, OTHER)
    hold(floor, name, OTHER, revision=2)
    assert Finding.objects.get().kind == "sheet.copies_differ"
    assert read_round(name).faces[8] == "2C"


def test_a_device_copy_is_kept_whatever_is_wrong_with_it(floor: House, name: RoundName) -> None:
    broken = sheet(dealer="9999", house={"cards": ["5H"]})
    hold(floor, name, broken)
    key_twice(floor, name, sheet())
    with pytest.raises(SheetRefusedError):
        agree(floor, name, keep="device")
    agree(floor, name, keep="first")
    assert stage(name) == "settled"


def test_a_live_round_has_no_held_copy(floor: House) -> None:
    live = play_round(floor, {1: {"main": 10_000}}, {1: ("2S", "3S", "4S"), 0: ("2H", "3H", "4H")})
    with pytest.raises(SheetNotAwaitedError):
        hold(floor, live, sheet())
