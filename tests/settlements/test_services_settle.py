"""Settling a part: what is owed, what was handed over, and where every minor unit went."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from casino.outbox.models import OutboxItem
from settlements.models import Payout, Settlement
from settlements.services.settle import Settled, settle_round
from settlements.services.voids import VoidCause
from tables.models import Round, Shoe, TableSession
from tables.selectors.board import TableLine, table_lines
from tables.selectors.round_read import RoundName
from tables.services.cards import KeyedCard, deal_cards
from tests.factories.house import House, bet, key, open_round, settle_part, signer, void_as_shown
from tests.support.records import body_of, last_entry, refused
from tests.tables.terms import T, preparing, sign, sign_until_burn, under_terms

MAIN = {"main": 10000}
# Seat 1 has nine, seat 3 a pair of eights in its first two; the House has eight.
WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700, "jacks": 500}}
HANDS = {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "3D", "QC"]}
OPENER_MINOR = 16_000_000


def dealt(
    house: House,
    wagers: Mapping[int, Mapping[str, int]] = WAGERS,
    hands: Mapping[int, list[str]] = HANDS,
    *,
    table: str = "T1",
    laps: int = 3,
) -> RoundName:
    """Deal a round up to a lap; the sweep is settled as owed on the way to the third."""
    name = open_round(house, table=table)
    bet(house, name, wagers)
    order = [*sorted(seat for seat in hands if seat), 0]
    faces = [hands[hand][lap] for lap in range(3) for hand in order]
    step = key(house, name, dict(enumerate(faces[: 2 * len(order)], start=1)))
    if laps == 2:
        return name
    if step.round.stage == "sweep":
        settle_part(house, name, "sweep")
    key(house, name, dict(enumerate(faces[2 * len(order) :], start=2 * len(order) + 1)))
    return name


def settle(
    house: House,
    name: RoundName,
    part: str = "final",
    *,
    handed: Mapping[tuple[int, str], int] | None = None,
    revision: int = 1,
) -> Settled:
    by = house.acting("dealer", table=name.table)
    return settle_round(name=name, part=part, revision=revision, handed=handed or {}, by=by)


def session(table: str = "T1") -> TableSession:
    return TableSession.objects.get(key=f"{table}/S1")


def line_of(table: str = "T1") -> TableLine:
    return next(line for line in table_lines() if line.code == table)


def test_a_settlement_is_one_entry_with_all_that_follows_from_it(floor: House) -> None:
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]})
    done = settle(floor, name)
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject) == ("round.settled", name.key)
    assert done.receipt.hash == bytes(entry.hash).hex()
    settled = Settlement.objects.get()
    assert (settled.part, settled.revision, settled.kind) == ("final", 1, "settled")
    assert settled.entry == entry
    assert (settled.handle_minor, settled.bank_owed_minor, settled.bank_handed_minor) == (
        10000,
        -9500,
        -9500,
    )
    paid = Payout.objects.get()
    assert (paid.seat, paid.wager, paid.stake_minor, paid.outcome) == (1, "main", 10000, "win")
    assert (paid.odds_numerator, paid.odds_denominator) == (95, 100)
    assert (paid.profit_minor, paid.owed_minor, paid.handed_minor) == (9500, 19500, 19500)
    assert (paid.bank, paid.bank_minor, paid.clause) == ("house", -9500, "A2")
    over = Round.objects.get(key=name.key)
    assert (over.stage, over.final_revision, over.ended_at) == ("settled", 1, floor.now)
    assert Shoe.objects.get(key="T1/1").cards_dealt == 6
    now = session()
    assert (now.rounds_settled, now.handle_minor, now.bank_owed_minor) == (1, 10000, -9500)
    work = OutboxItem.objects.get()
    assert work.key == f"{name.key}/final/1"
    assert {fact["kind"] for fact in body_of(entry)["facts"]} == {"settlement", "payout"}


def test_the_sweep_and_the_rest_are_two_settlements(floor: House) -> None:
    name = dealt(floor, laps=2)
    swept = settle(floor, name, "sweep")
    assert last_entry("table/T1").action == "round.swept"
    assert {(line.seat, line.wager): str(line.outcome) for line in swept.lines} == {
        (1, "pair"): "lose",
        (3, "pair"): "win",
    }
    assert (session().rounds_settled, session().handle_minor) == (0, 1700)
    assert session().bank_owed_minor == 1000 - 7000
    assert Round.objects.get(key=name.key).stage == "third_lap"
    key(floor, name, {7: "KD", 8: "3C", 9: "QC"})
    settle(floor, name)
    assert (session().rounds_settled, session().handle_minor) == (1, 1700 + 30500)
    kept = Payout.objects.filter(part="final").order_by("seat", "id")
    assert [(paid.seat, paid.wager, paid.outcome) for paid in kept] == [
        (1, "main", "win"),
        (3, "main", "win"),
        (3, "jacks", "lose"),
    ]
    total = sum(Payout.objects.values_list("bank_minor", flat=True))
    assert session().bank_owed_minor == session().bank_handed_minor == total


@pytest.mark.parametrize("off", [-19500, -500, 500, 100_000])
def test_what_was_handed_over_otherwise_is_recorded_never_absorbed(floor: House, off: int) -> None:
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]})
    settle(floor, name, handed={(1, "main"): 19500 + off})
    paid = Payout.objects.get()
    assert (paid.owed_minor, paid.handed_minor, paid.bank_minor) == (19500, 19500 + off, -9500)
    settled = Settlement.objects.get()
    assert (settled.bank_owed_minor, settled.bank_handed_minor) == (-9500, -9500 - off)
    assert (session().bank_owed_minor, session().bank_handed_minor) == (-9500, -9500 - off)
    line = line_of()
    assert line.tray_owed_minor == OPENER_MINOR - 9500
    assert line.tray_handed_minor == OPENER_MINOR - 9500 - off
    assert line.result_minor == -9500 - off


def test_a_losing_wager_that_was_left_is_recorded(floor: House) -> None:
    name = dealt(floor, {1: MAIN}, {1: ["2H", "2C", "3D"], 0: ["KS", "KD", "KC"]})
    settle(floor, name, handed={(1, "main"): 10000})
    paid = Payout.objects.get()
    assert (paid.outcome, paid.owed_minor, paid.handed_minor) == ("lose", 0, 10000)


def test_the_same_again_gets_the_same_receipt(floor: House) -> None:
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]})
    first = settle(floor, name, handed={(1, "main"): 20000})
    again = settle(floor, name, handed={(1, "main"): 20000})
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)
    assert again.lines == first.lines
    assert session().rounds_settled == 1
    for other in ({}, {(1, "main"): 19500}, {(1, "main"): 20000, (2, "main"): 1}):
        with refused("settlement.conflict"):
            settle(floor, name, handed=other)
    with refused("round.over"):
        settle(floor, name, revision=2)
    with refused("revision.beyond"):
        settle(floor, name, revision=3)
    with refused("revision.superseded"):
        settle(floor, name, revision=0)


def test_a_sweep_sent_again_after_the_round_is_over_is_answered(floor: House) -> None:
    name = dealt(floor, laps=2)
    first = settle(floor, name, "sweep")
    key(floor, name, {7: "KD", 8: "3C", 9: "QC"})
    assert settle(floor, name, "sweep").receipt.hash == first.receipt.hash
    settle(floor, name)
    again = settle(floor, name, "sweep")
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)


@pytest.mark.parametrize("stage", ["betting", "first_lap", "third_lap"])
def test_a_part_is_settled_when_its_cards_lie(floor: House, stage: str) -> None:
    name = open_round(floor)
    bet(floor, name, {1: MAIN})
    faces = ["2H", "5S", "7C", "3D", "KD"]
    if stage != "betting":
        key(floor, name, dict(enumerate(faces[: 1 if stage == "first_lap" else 5], start=1)))
    assert Round.objects.get(key=name.key).stage == stage
    for part in ("sweep", "final"):
        with refused("settlement.not_due") as caught:
            settle(floor, name, part)
        assert caught.value.data["stage"] == stage


def test_a_face_never_known_is_not_settled(floor: House) -> None:
    name = dealt(floor, {1: MAIN}, {1: ["2H", "7C", "?"], 0: HANDS[0]})
    with refused("round.unsettled"):
        settle(floor, name)
    by = floor.acting("dealer", table="T1")
    deal_cards(name=name, cards=[KeyedCard(5, 2, "KD")], by=by)
    settle(floor, name)


def test_a_void_round_is_not_settled_by_a_late_confirmation(floor: House) -> None:
    """It ended otherwise: a tablet must not be told that what it sent was done."""
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]})
    void_as_shown(
        name=name,
        cause=VoidCause(event=26, first_two=False, note="dropped"),
        signers=[signer("supervisor"), signer("manager")],
        by=floor.acting("supervisor"),
    )
    for handed in ({}, {(1, "main"): 10000}):
        with refused("round.over"):
            settle(floor, name, handed=handed)
    with refused("settlement.not_due"):
        settle(floor, name, "sweep")


def opened(house: House, options: Mapping[str, object]) -> None:
    """Table T2 with a shoe ready under these options."""
    under_terms(house, options=options)
    preparing(house)
    sign_until_burn(house)
    sign(house, "burn", burned=["?"])


def test_breakage_is_exact_less_rounded(floor: House) -> None:
    opened(floor, {"rounding": {"unit_minor": 500, "mode": "down"}})
    name = dealt(floor, {1: {"main": 10101}}, {1: HANDS[1], 0: HANDS[0]}, table=T)
    settle(floor, name)
    paid = Payout.objects.get()
    exact = Fraction(10101 * 95, 100)
    assert paid.profit_minor == 9500
    assert Fraction(paid.breakage_numerator, paid.breakage_denominator) == exact - 9500
    assert paid.bank_minor == -9500, "what is cut stays with the bank"


def test_a_cap_is_named_apart(floor: House) -> None:
    opened(floor, {"max_payout_minor": {"main": 5000}})
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]}, table=T)
    settle(floor, name)
    paid = Payout.objects.get()
    assert (paid.profit_minor, paid.cap_cut_minor, paid.owed_minor) == (5000, 4500, 15000)


def test_a_push_gives_the_stake_back_and_counts_in_the_handle(floor: House) -> None:
    hands = {1: ["2H", "3C", "4D"], 0: ["2S", "3D", "4C"]}
    name = dealt(floor, {1: MAIN}, hands)
    settle(floor, name)
    paid = Payout.objects.get()
    assert (paid.outcome, paid.owed_minor, paid.bank_minor) == ("push", 10000, 0)
    assert (session().handle_minor, session().bank_owed_minor) == (10000, 0)


def test_who_settles(floor: House) -> None:
    name = dealt(floor, {1: MAIN}, {1: HANDS[1], 0: HANDS[0]})
    for who, table, code in (
        ("dealer_2", "T1", "round.other_dealer"),
        ("dealer", "T2", "device.other_table"),
        ("supervisor", None, "device.other_table"),
        ("manager", "T1", "role.not_allowed"),
        ("auditor", None, "role.not_allowed"),
    ):
        with refused(code):
            by = floor.acting(who, table=table)
            settle_round(name=name, part="final", revision=1, handed={}, by=by)
    by = floor.acting("supervisor", table="T1")
    settle_round(name=name, part="final", revision=1, handed={}, by=by)
    assert last_entry("table/T1").role == "supervisor"
