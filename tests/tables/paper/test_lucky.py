"""Sheets of the Lucky 9 family: third cards by the rule or by decision, the bank at a seat."""

from typing import Any

import pytest

from audit.findings.models import Finding
from audit.log.replay import replay_log
from settlements.comparison import differences
from settlements.models import Payout, Settlement
from settlements.selectors.checks import read_subject
from settlements.services.paper import KeyedSheet, key_sheet
from tables.errors import PackNotShuffledError
from tables.selectors.round_read import RoundName, read_round
from tables.services.paper import reserve_rounds
from tables.sheets.errors import SheetRefusedError
from tests.factories.games import add_table
from tests.factories.house import House, open_the_table, ready_the_shoe
from tests.tables.paper.sheets import keying

SUPER_9: dict[str, Any] = {
    "end": "settled",
    "dealer": "1001",
    "seats": [
        {"seat": 1, "bets": {"main": 10_000}, "cards": ["9S", "2S", "7D"]},
        {"seat": 2, "bets": {"main": 20_000}, "cards": ["8C", "TH"]},
    ],
    "banker": {"cards": ["5H", "2D"]},
}
HOME: dict[str, Any] = {
    "end": "settled",
    "dealer": "1001",
    "bank_seat": 3,
    "seats": [
        {"seat": 1, "bets": {"main": 10_000}, "cards": ["5S", "2H"], "draw": "stand"},
        {"seat": 2, "bets": {"main": 20_000}, "cards": ["3S", "AC", "2D"], "draw": "hit"},
    ],
    "banker": {"cards": ["6C", "TS"], "draw": "stand"},
}


def one_round(house: House, preset: str, **procedures: object) -> tuple[House, RoundName]:
    """A table under a preset with a shoe, and one round dealt on paper."""
    house = add_table(house, code="L1", preset=preset, procedures=procedures)
    open_the_table(house, "L1")
    ready_the_shoe(house, "L1")
    by = house.acting("dealer", table="L1")
    return house, reserve_rounds(table="L1", shoe=1, rounds=1, after=0, by=by).rounds[0]


def key_both(house: House, name: RoundName, document: dict[str, Any]) -> KeyedSheet:
    """Dealer and supervisor key a sheet."""
    for who, copy in (("dealer", "first"), ("supervisor", "second")):
        by = house.acting(who, table=name.table if who == "dealer" else None)
        done = key_sheet(name=name, keying=keying(house, document, copy=copy), by=by)
    return done


def agrees(name: RoundName) -> bool:
    """Whether the second engine finds nothing in any part."""
    for settled in Settlement.objects.filter(round__key=name.key):
        subject = read_subject(name.key, part=settled.part, revision=settled.revision)
        assert subject is not None
        if differences(subject.read):
            return False
    return True


def paid(name: RoundName) -> dict[int, tuple[str, int]]:
    """Outcome and what was owed by seat, of main wagers."""
    lines = Payout.objects.filter(round__key=name.key, wager="main")
    return {line.seat: (line.outcome, line.owed_minor) for line in lines}


def test_third_cards_go_where_the_rule_sends_them(floor: House) -> None:
    house, name = one_round(floor, "super-9")
    assert key_both(house, name, SUPER_9).accepted
    read = read_round(name)
    assert dict(read.faces) == {
        1: "9S", 2: "8C", 3: "5H", 4: "2S", 5: "TH", 6: "2D", 7: "7D",
    }  # fmt: skip
    assert paid(name) == {1: ("win", 20_000), 2: ("win", 40_000)}
    assert agrees(name)
    assert replay_log().problems == []


def test_a_card_that_the_rule_forbids_is_refused(floor: House) -> None:
    house, name = one_round(floor, "super-9")
    drawn = {**SUPER_9, "banker": {"cards": ["5H", "2D", "3C"]}}
    with pytest.raises(SheetRefusedError):
        key_both(house, name, drawn)


def test_decisions_and_the_bank_at_a_seat_are_on_record(floor: House) -> None:
    house, name = one_round(floor, "home")
    assert key_both(house, name, HOME).accepted
    read = read_round(name)
    assert (read.bank_seat, {hand: d.choice for hand, d in read.decisions.items()}) == (
        3,
        {0: "stand", 1: "stand", 2: "hit"},
    )
    assert paid(name) == {1: ("win", 20_000), 2: ("push", 20_000)}
    assert agrees(name)
    assert replay_log().problems == []


@pytest.mark.parametrize("changed", [{"bank_seat": None}, {"bank_seat": 1}, {"bank_seat": 12}])
def test_the_bank_is_at_a_seat_that_does_not_bet(floor: House, changed: dict[str, Any]) -> None:
    house, name = one_round(floor, "home")
    with pytest.raises(SheetRefusedError) as refused:
        key_both(house, name, {**HOME, **changed})
    assert "sheet.bank_seat" in {fault["code"] for fault in refused.value.faults}


def test_a_pack_holds_one_round(floor: House) -> None:
    house, _name = one_round(floor, "home")
    by = house.acting("dealer", table="L1")
    with pytest.raises(PackNotShuffledError):
        reserve_rounds(table="L1", shoe=1, rounds=1, after=1, by=by)


def test_the_ninth_seat_bets_where_another_one_holds_the_bank(floor: House) -> None:
    house, name = one_round(floor, "home")
    ninth = {"seat": 9, "bets": {"main": 10_000}, "cards": ["5S", "2H"], "draw": "stand"}
    assert key_both(house, name, {**HOME, "seats": [ninth, HOME["seats"][1]]}).accepted
    assert read_round(name).live == (2, 9)
    assert paid(name) == {9: ("win", 20_000), 2: ("push", 20_000)}
    assert agrees(name)


@pytest.mark.parametrize(
    ("cards", "draw", "found"),
    [
        (["6C", "TS"], "stand", []),
        (["6C", "TS"], "no_decision", []),
        (["6C", "TS", "2S"], "hit", [{"decided": "hit", "expected": "stand"}]),
        (["5C", "TS"], "no_decision", [{"decided": "stand", "expected": "hit"}]),
    ],
)
def test_a_staffed_bank_that_left_its_written_rule_is_recorded_with_a_finding(
    cards: list[str], draw: str, found: list[dict[str, str]], floor: House
) -> None:
    house, name = one_round(floor, "home", bank="house", banker_rotation="fixed")
    seats = {key: value for key, value in HOME.items() if key != "bank_seat"}
    assert key_both(house, name, {**seats, "banker": {"cards": cards, "draw": draw}}).accepted
    raised = Finding.objects.filter(kind="sheet.house_policy", subject_key=name.key)
    assert [each.detail for each in raised] == found
    assert agrees(name)


def test_where_a_player_banks_the_houses_rule_binds_nobody(floor: House) -> None:
    house, name = one_round(floor, "home")
    drawn = {"cards": ["6C", "TS", "2S"], "draw": "hit"}
    assert key_both(house, name, {**HOME, "banker": drawn}).accepted
    assert not Finding.objects.exists()
