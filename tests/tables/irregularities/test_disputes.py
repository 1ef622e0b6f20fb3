"""Dispute holds: opened with one tap, ruled by two, the amount apart from the tray (event 25)."""

from dataclasses import replace

import pytest

from settlements.correction import Correction
from settlements.selectors.bill import correction_bill
from settlements.services.dispute_files import FileContent, keep_file
from tables.models import DisputeFile, DisputeHold, Irregularity, TableSession
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName, read_round
from tables.services.disputes import (
    Disputed,
    DisputeDone,
    Ruling,
    open_dispute,
    release_dispute,
    require_ruling,
    ruling_hash,
)
from tables.services.rounds import call_off_round
from tables.services.sessions import close_table, key_count, start_closing
from tests.factories.house import (
    OPENER,
    House,
    bet,
    open_round,
    play_round,
    settle_part,
)
from tests.settlements.correcting import correct, mispaid, put_in_charge
from tests.support.records import body_of, last_entry, nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    close_shoe,
    finish,
    paid,
    prove,
    session,
    signed,
)
from tests.tables.irregularities.test_cards import WON

BANK = 31500 - 70000  # what the bank gained by the round of these tests
OPENER_MINOR = sum(int(each) * pieces for each, pieces in OPENER.items())
FILE = FileContent(
    patron="J. Cruz",
    contact="0917 555 0100",
    narrative="He says that his hand was nine.",
    staff_involved=("1001", "1003"),
    witnesses="Seat 4.",
    camera_reference="CAM 4 22:03",
)


def settled(house: House) -> RoundName:
    """A round that was settled as owed."""
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    return name


def dispute(
    house: House,
    name: RoundName,
    *,
    number: int = 1,
    seat: int | None = 3,
    wager: str = "main",
    amount: int | None = 5000,
    dealer: bool = True,
) -> DisputeDone:
    by = house.acting("dealer", table="T1") if dealer else house.acting("supervisor")
    return open_dispute(
        name=name, disputed=Disputed(number, "He says nine.", seat, wager, amount), by=by
    )


def release(
    house: House, *, outcome: str = "house", letters: str = "SH", number: int = 1
) -> DisputeDone:
    return release_dispute(
        table="T1",
        number=number,
        ruling=Ruling(outcome, "The camera shows eight."),
        signers=signed(letters),
        by=house.acting("supervisor"),
    )


def tray() -> int | None:
    """The tray of the table as the board derives it from what was handed over."""
    return next(line.tray_handed_minor for line in table_lines() if line.code == "T1")


def test_the_amount_lies_apart_from_the_tray_until_it_is_ruled(house: House) -> None:
    name = settled(house)
    assert tray() == OPENER_MINOR + BANK
    assert dispute(house, name).key == "T1/D1"
    assert session().disputed_minor == 5000
    assert tray() == OPENER_MINOR + BANK - 5000
    release(house)
    assert session().disputed_minor == 0
    assert tray() == OPENER_MINOR + BANK
    kept = list(Irregularity.objects.order_by("revision").values_list("event", "ruling"))
    assert kept == [(25, "held as T1/D1 until it is ruled"), (25, "The camera shows eight.")]
    prove(house, out=9)


def test_the_round_settles_around_a_hold_of_a_round_in_play(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    dispute(house, name, amount=None)
    assert DisputeHold.objects.get().disputed_minor == 20000, "what lies there"
    assert session().disputed_minor == 0, "nothing of the round is in the tray's result yet"
    settle_part(house, name, "sweep")
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert session().disputed_minor == 39000, "the stake, and what it won"
    assert tray() == OPENER_MINOR + BANK
    prove(house, out=9)


def test_a_hold_of_a_part_leaves_the_bet_in_play(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    dispute(house, name, amount=5000)
    finish(house, name, DEAL[6:], start=7)
    assert (session().bank_handed_minor, session().disputed_minor) == (BANK, 5000)
    prove(house, out=9)


def test_a_hold_released_before_the_round_is_over_leaves_no_trace_in_the_tray(
    house: House,
) -> None:
    name = begin(house, cards=DEAL[:6])
    dispute(house, name)
    release(house)
    finish(house, name, DEAL[6:], start=7)
    assert session().disputed_minor == 0
    prove(house, out=9)


def test_a_hold_blocks_corrections_of_what_it_holds(house: House) -> None:
    name = settled(house)
    dispute(house, name)
    change: Correction = mispaid({(3, "main"): 38000}, moved=True)
    with refused("correction.disputed"):
        correct(house, name, change)
    other: Correction = mispaid({(1, "main"): 19000}, moved=False)
    correct(house, name, other)
    release(house, outcome="patron")
    correct(house, name, change)


def test_wagers_in_dispute_are_not_placed_anew(house: House) -> None:
    """What lies apart under a marker is no longer the patron's to move (event 25)."""
    name = open_round(house)
    bet(house, name, {2: {"main": 20000}, 3: {"main": 20000}})
    dispute(house, name)
    stands = [read_round(name).seats[seat].wagers for seat in (2, 3)]
    with refused("dispute.held"):
        bet(house, name, {3: {"main": 30000}}, revision=2)
    assert [read_round(name).seats[seat].wagers for seat in (2, 3)] == stands
    bet(house, name, {2: {"main": 30000}}, revision=2)
    release(house)
    bet(house, name, {3: {"main": 30000}}, revision=2)
    dispute(house, name, number=2, seat=None, wager="")
    for seat in (2, 3):
        with refused("dispute.held"):
            bet(house, name, {seat: {}}, revision=3)


def test_a_round_with_a_hold_is_not_called_off(house: House) -> None:
    """Its stakes would go back, and a release then give back what never lay apart."""
    name = open_round(house)
    bet(house, name, {3: {"main": 20000}})
    dispute(house, name)
    by = house.acting("dealer", table="T1")
    with refused("dispute.held"):
        call_off_round(name=name, by=by)
    release(house)
    call_off_round(name=name, by=by)
    assert session().disputed_minor == 0


def test_a_correction_carries_out_a_ruling_of_its_own_round_alone(house: House) -> None:
    name = settled(house)
    plain = mispaid({(3, "main"): 38000}, moved=True)
    carrying, bill = replace(plain, dispute=1), correction_bill(name, plain)
    with refused("correction.dispute"):
        correct(house, name, carrying, bill=bill)
    dispute(house, name)
    with refused("correction.dispute"):
        correct(house, name, carrying, bill=bill)
    release(house, outcome="patron")
    correct(house, name, carrying)
    other = play_round(house, {1: {"main": 10000}}, {1: list(DEAL[:3]), 0: list(DEAL[3:6])})
    plain = mispaid({(1, "main"): 5}, moved=True)
    with refused("correction.dispute"):
        correct(house, other, replace(plain, dispute=1), bill=correction_bill(other, plain))


def test_a_ruling_is_signed_as_it_was_read(house: House) -> None:
    dispute(house, settled(house))
    ruling = Ruling("house", "The camera shows eight.")
    read = ruling_hash(require_ruling(DisputeHold.objects.get(), ruling)).hex()
    by = house.acting("supervisor")
    for other in (replace(ruling, outcome="patron"), replace(ruling, ruling="It shows nine.")):
        with refused("dispute.ruling_changed"):
            release_dispute(
                table="T1",
                number=1,
                ruling=replace(other, content_hash=read),
                signers=signed("SH"),
                by=by,
            )
    as_read = replace(ruling, content_hash=read)
    release_dispute(table="T1", number=1, ruling=as_read, signers=signed("SH"), by=by)


@pytest.mark.parametrize("letters", ["", "S", "H", "SM", "MH", "SS", "SHV", "DH"])
def test_a_supervisor_and_the_manager_in_charge_rule(house: House, letters: str) -> None:
    dispute(house, settled(house))
    code = "signature.same_person" if letters == "SS" else "irregularity.signers"
    with refused(code):
        release(house, letters=letters)


def test_the_table_closes_with_the_amount_moved_to_the_hold(house: House) -> None:
    name = settled(house)
    dispute(house, name)
    close_shoe(house, out=9)
    supervisor, dealer = house.acting("supervisor"), house.acting("dealer", table="T1")
    start_closing(table="T1", session=1, by=supervisor)
    left = OPENER_MINOR + BANK - 5000
    pieces = {"1000000": 10, "100000": 50, "10000": (left - 15_000_000) // 10000}
    pieces["500"] = (left - 15_000_000) % 10000 // 500
    for by in (dealer, supervisor):
        key_count(table="T1", session=1, kind="closer", revision=1, pieces=pieces, by=by)
    close_table(table="T1", session=1, by=supervisor)
    assert DisputeHold.objects.get().moved_at == house.now
    closed = TableSession.objects.get(key="T1/S1")
    assert (closed.disputed_minor, closed.closer_minor) == (5000, left)
    data = body_of(last_entry("table/T1"))["data"]
    assert data == {"disputes": [{"dispute": "T1/D1", "disputed_minor": 5000}]}
    release(house)
    assert session().disputed_minor == 5000, "the closed session stays as it was counted"
    prove(house)


def test_a_dispute_is_numbered_and_ruled_once(house: House) -> None:
    name = settled(house)
    with refused("dispute.number"):
        dispute(house, name, number=2)
    first = dispute(house, name)
    again = dispute(house, name)
    assert (again.done_before, again.receipt.entry_id) == (True, first.receipt.entry_id)
    with refused("dispute.number"):
        dispute(house, name, amount=4000)
    release(house)
    assert dispute(house, name).done_before
    with nothing_recorded():
        assert release(house).done_before
    with refused("dispute.missing"):
        release(house, number=2)


def test_a_ruling_that_is_sent_again_is_answered_as_the_first_time(house: House) -> None:
    """The tablet lost its network; by then another manager may be in charge (trust R3)."""
    dispute(house, settled(house))
    first = release(house)
    put_in_charge(house, "manager_2", minutes=1)
    later = house.at(minutes=2)
    with nothing_recorded():
        again = release(later)
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)
    by = later.acting("supervisor")
    said = "The camera shows eight."
    for ruling, letters in (
        (Ruling("patron", said), "SH"),
        (Ruling("house", "It shows nine."), "SH"),
        (Ruling("house", said), "SM"),
    ):
        with refused("dispute.released"):
            release_dispute(table="T1", number=1, ruling=ruling, signers=signed(letters), by=by)


@pytest.mark.parametrize(
    ("seat", "wager", "amount"),
    [(2, "main", 1), (3, "pair", 1), (None, "main", 1), (3, "main", -1), (3, "main", 2**53)],
)
def test_a_dispute_is_about_something_that_lies_there(
    house: House, seat: int | None, wager: str, amount: int
) -> None:
    name = settled(house)
    with refused("dispute.refused"):
        dispute(house, name, seat=seat, wager=wager, amount=amount)


def test_a_round_without_a_wager_is_not_disputed(house: House) -> None:
    """Nothing lies there, and a hold would keep all seats from betting."""
    name = open_round(house)
    with refused("dispute.refused"):
        dispute(house, name, seat=None, wager="", amount=None)
    bet(house, name, {3: {"main": 20000}})


def test_a_dispute_may_hold_a_seat_or_the_round(house: House) -> None:
    name = settled(house)
    dispute(house, name, wager="", amount=None, dealer=False)
    dispute(house, name, number=2, seat=None, wager="", amount=None)
    held = DisputeHold.objects.order_by("number").values_list("seat", "disputed_minor")
    assert list(held) == [(3, 20500), (None, 31500)]


def test_the_file_freezes_the_round(house: House) -> None:
    name = settled(house)
    dispute(house, name)
    by = house.acting("supervisor")
    keep_file(table="T1", number=1, revision=1, content=FILE, by=by)
    with nothing_recorded():
        keep_file(table="T1", number=1, revision=1, content=FILE, by=by)
    evidence = DisputeFile.objects.get().evidence
    assert (evidence["round"], evidence["shoe"], evidence["stage"]) == (
        name.key,
        "T1/1",
        "settled",
    )
    assert evidence["wagers"] == {
        "1": {"main": 10000, "pair": 1000},
        "3": {"main": 20000, "jacks": 500},
    }
    assert [card["face"] for card in evidence["cards"]] == list(DEAL)
    assert [(s["part"], len(s["payouts"])) for s in evidence["settlements"]] == [
        ("sweep", 1),
        ("final", 3),
    ]
    later = FileContent(patron="J. Cruz", contact="none", narrative="He withdrew it.")
    with refused("dispute.file_conflict"):
        keep_file(table="T1", number=1, revision=1, content=later, by=by)
    keep_file(table="T1", number=1, revision=2, content=later, by=by)
    assert DisputeFile.objects.count() == 2
    prove(house, out=9)


def test_a_file_says_who_complains_how_to_reach_them_and_what_happened(house: House) -> None:
    dispute(house, settled(house))
    by = house.acting("supervisor")
    for content in (
        FileContent(patron="", contact="x", narrative="y"),
        FileContent(patron="x", contact="y", narrative="z" * 4001),
    ):
        with refused("dispute.file"):
            keep_file(table="T1", number=1, revision=1, content=content, by=by)
    with refused("dispute.missing"):
        keep_file(table="T1", number=2, revision=1, content=FILE, by=by)
    with refused("role.not_allowed"):
        dealer = house.acting("dealer", table="T1")
        keep_file(table="T1", number=1, revision=1, content=FILE, by=dealer)
