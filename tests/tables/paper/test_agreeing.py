"""What differs, what is void and what a tablet held waits for a supervisor, who signs."""

from typing import Any

import pytest

from audit.findings.models import Finding
from casino.kernel.errors import DomainError
from casino.people.errors import RoleNotAllowedError, SignatureSamePersonError
from casino.people.models import Signature
from settlements.models import Payout, Settlement
from tables.models import Round, SheetKeying
from tables.selectors.paper import copies_differ, sheet_copies
from tables.selectors.round_read import RoundName, read_round
from tables.sheets.errors import (
    SheetConflictError,
    SheetCopyMissingError,
    SheetNotAwaitedError,
    SheetNotKeyedError,
    SheetRefusedError,
    SheetSignersError,
)
from tests.factories.house import House, play_round
from tests.tables.paper.sheets import (
    HANDS,
    agree,
    entries,
    hold,
    key_copy,
    key_twice,
    misdeal,
    other,
    sheet,
    stage,
)

OTHER = other()


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
        ({"event": 32}, "sheet.event"),
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
        {"cells": "seat 2, card 3"},
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


def test_what_a_tablet_held_otherwise_is_named_in_words(floor: House, name: RoundName) -> None:
    held = sheet(
        {1: {"main": 10_000}, 2: {"main": 30_000, "pair": 2_000, "jacks": 1_000}},
        hands={**HANDS, 0: ("5H", "3C", "9D")},
        dealer="1002",
    )
    hold(floor, name, held)
    key_twice(floor, name, sheet())
    agree(floor, name, keep="first")
    assert Finding.objects.get().detail["cells"] == (
        "dealer; seat 1, stake on pair; seat 2, stake on main; the bank's hand, card 3"
    )


@pytest.mark.parametrize("spelled", ["in another order", "with empty fields", "with no draws"])
def test_the_same_agreement_again_however_it_is_spelled(
    floor: House, name: RoundName, spelled: str
) -> None:
    document = sheet(hands={**HANDS, 2: ("KS", "KD", "2D")})
    document["seats"] = {
        "in another order": document["seats"][::-1],
        "with empty fields": [{**seat, "handed": {}} for seat in document["seats"]],
        "with no draws": [{**seat, "draw": "none"} for seat in document["seats"]],
    }[spelled]
    key_twice(floor, name, sheet(), OTHER)
    first = agree(floor, name, document=document)
    count = entries()
    assert agree(floor, name, document=document).seq == first.seq
    assert entries() == count
