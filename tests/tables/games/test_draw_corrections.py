"""First cards that were misread, noticed after the settlement: the third ones are judged anew.

Event 30 for game B, C2 and C6 for game C; each with its money, its record and the second engine.
"""

from collections.abc import Callable
from typing import Any

import pytest

from settlements.errors import CorrectionSignersError
from settlements.models import Payout
from settlements.selectors.bill import correction_bill
from tables.models import Irregularity, TableSession
from tables.selectors.round_read import read_round
from tests.settlements.correcting import WITH_MANAGER, correct, hire, misread
from tests.support.api import ApiPerson
from tests.support.pages import PagePerson, text_of
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import drawn, prove, rule, wager

NewTable = Callable[..., GameTable]
WAGERS = {2: 10_000, 5: 10_000}
# Draws: 1 8S, 2 2S, 3 KS (bank), 4 9D, 5 3H, 6 2D (bank), 7 4C (seat 5), 8 5D (bank).
HANDS = {2: "8S 9D", 5: "2S 3H 4C", 0: "KS 2D 5D"}
AS_DEALT = {2: ("push", 10_000), 5: ("win", 20_000)}


@pytest.fixture
def settled(new_table: NewTable) -> GameTable:
    """A round of game B: seat 2 stands on 7, seat 5 drew a 4 to 5, the bank a 5 to 2."""
    table = new_table("super-9")
    hire(table.house)
    table.play(WAGERS, HANDS)
    assert main_wagers(table) == AS_DEALT
    return table


def main_wagers(table: GameTable) -> dict[int, tuple[str, int]]:
    """Outcome and what was handed over by seat, of the main wagers in their latest settlement."""
    read = read_round(table.name)
    latest = {"sweep": read.sweep_revision, "final": read.final_revision}
    rows = Payout.objects.filter(round__key=table.name.key, wager="main")
    return {
        row.seat: (row.outcome, row.handed_minor)
        for row in rows
        if row.revision == latest[row.part]
    }


def bill_of(table: GameTable, draw: int, face: str) -> dict[str, Any]:
    """What the bill of a misread card says of third cards."""
    error = correction_bill(table.name, misread(draw, face)).document.get("draw_error")
    return dict(error) if isinstance(error, dict) else {}


@pytest.mark.parametrize(
    ("draw", "face", "unneeded", "void", "after"),
    [
        pytest.param(5, "4H", [7], [], {**AS_DEALT, 5: ("lose", 0)}, id="seat-6-stands"),
        pytest.param(5, "6H", [7], [], {**AS_DEALT, 5: ("win", 20_000)}, id="natural-overlooked"),
        pytest.param(4, "4D", [], [2], {5: ("win", 20_000)}, id="seat-lacks-a-card"),
        pytest.param(6, "6D", [8], [], {2: ("win", 20_000), 5: ("win", 20_000)}, id="bank-stands"),
        pytest.param(6, "9D", [7, 8], [], {2: ("lose", 0), 5: ("lose", 0)}, id="bank-natural"),
    ],
)
def test_third_cards_that_lie_wrongly_count_for_nothing_and_a_missing_one_voids(
    draw: int,
    face: str,
    unneeded: list[int],
    void: list[int],
    after: dict[int, tuple[str, int]],
    settled: GameTable,
) -> None:
    said = bill_of(settled, draw, face)
    assert ([each["draw"] for each in said["unneeded"]], said["void"]) == (unneeded, void)
    correct(settled.house, settled.name, misread(draw, face), *WITH_MANAGER)
    assert main_wagers(settled) == after
    told = Irregularity.objects.get()
    assert (told.event, told.procedure, told.stage) == (30, "correct", "settled")
    prove(settled.house, out=8)


def test_pages_say_what_became_of_third_cards(settled: GameTable) -> None:
    correct(settled.house, settled.name, misread(6, "9D"), *WITH_MANAGER)
    auditor = PagePerson(settled.house, "auditor")
    shown = text_of(auditor.get("/tables/T1/shoes/1/rounds/1/"))
    assert "Draw 7, Seat 5 counts for nothing" in shown
    assert "Draw 8, House counts for nothing" in shown
    assert "Draw error" in text_of(auditor.get("/tables/T1/irregularities/1/"))


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"card_6": "9d"}, ["Draw 8, House counts for nothing", "a supervisor and a manager sign"]),
        ({"card_4": "4d"}, ["Seat 2 is void", "and a second supervisor or a manager"]),
    ],
)
def test_the_bill_on_the_page_says_what_follows_and_who_signs(
    card: dict[str, str], words: list[str], settled: GameTable
) -> None:
    supervisor = ApiPerson(settled.house, "supervisor")
    typed = {"event": "21", "reason": "the camera", "moved": "yes", "act": "bill", **card}
    path = "/tables/T1/shoes/1/rounds/1/correct/"
    shown = text_of(supervisor.client.post(path, typed, headers=supervisor.headers))
    assert [each for each in words if each not in shown] == []


def test_a_bank_that_lacks_a_card_voids_what_waited_for_it(new_table: NewTable) -> None:
    table = new_table("super-9")
    hire(table.house)
    table.play({**WAGERS, 7: 10_000}, {2: "8S 9D", 5: "2S 3H 4C", 7: "9S KD", 0: "KS 7D"})
    bank_second = 8
    assert bill_of(table, bank_second, "3D")["void"] == [2, 5]
    with pytest.raises(CorrectionSignersError):
        correct(table.house, table.name, misread(bank_second, "3D"))
    correct(table.house, table.name, misread(bank_second, "3D"), *WITH_MANAGER)
    assert main_wagers(table) == {7: ("win", 20_000)}
    assert TableSession.objects.get().handle_minor == 10_000
    prove(table.house, out=9)


def test_a_wager_of_which_a_part_went_back_waits_for_the_bank_too(new_table: NewTable) -> None:
    table = new_table("super-9")
    hire(table.house)
    table.open()
    table.bet({2: 10_000})
    table.deal({2: "8S 9D", 0: "KS 7D"})
    part = (wager(2, "main", None, 4_000),)
    rule(table.house, 23, "return", "SV", name=table.name, wagers=part)
    table.settle("final")
    assert main_wagers(table) == {2: ("push", 6_000)}
    assert bill_of(table, 4, "3D")["void"] == [2]
    correct(table.house, table.name, misread(4, "3D"), *WITH_MANAGER)
    assert main_wagers(table) == {}
    prove(table.house, out=4)


def test_a_card_that_went_to_another_hand_is_judged_where_it_was_due(settled: GameTable) -> None:
    both = misread(4, "4D")
    both = type(both)(both.event, both.reason, both.moved, (*both.cards, *misread(5, "4H").cards))
    correct(settled.house, settled.name, both, *WITH_MANAGER)
    # The 4 was due to seat 2 and its 2; seat 5 stands on 6; the bank has 7.
    assert main_wagers(settled) == {2: ("lose", 0), 5: ("lose", 0)}
    assert not Irregularity.objects.exists()
    prove(settled.house, out=8)


def test_what_is_on_record_of_a_boxed_card_changes_no_judgement(new_table: NewTable) -> None:
    table = new_table("super-9")
    hire(table.house)
    table.open()
    table.bet(WAGERS)
    rule(table.house, 4, "discard", "S", name=table.name, draws=drawn((1, None, "QC")))
    table.view = table.dealer.get("tables/T1/round")
    table.deal(HANDS)
    table.settle("final")
    assert main_wagers(table) == AS_DEALT
    both = misread(5, "4D")  # as above, each draw one further
    both = type(both)(both.event, both.reason, both.moved, (*both.cards, *misread(6, "4H").cards))
    correct(table.house, table.name, both, *WITH_MANAGER)
    assert main_wagers(table) == {2: ("lose", 0), 5: ("lose", 0)}
    prove(table.house, out=9)


def test_a_card_that_counts_for_nothing_can_be_corrected_still(settled: GameTable) -> None:
    correct(settled.house, settled.name, misread(6, "9D"), *WITH_MANAGER)
    stands = main_wagers(settled)
    correct(settled.house, settled.name, misread(8, "5H"), *WITH_MANAGER)
    assert read_round(settled.name).faces[8] == "5H"
    assert main_wagers(settled) == stands
    prove(settled.house, out=8)


@pytest.mark.parametrize(
    ("draw", "face", "was"), [(5, "4H", "3H"), (4, "4D", "9D"), (6, "9D", "2D")]
)
def test_a_correction_of_the_correction_brings_the_round_back(
    draw: int, face: str, was: str, settled: GameTable
) -> None:
    correct(settled.house, settled.name, misread(draw, face), *WITH_MANAGER)
    assert main_wagers(settled) != AS_DEALT
    correct(settled.house, settled.name, misread(draw, was), *WITH_MANAGER)
    assert main_wagers(settled) == AS_DEALT
    prove(settled.house, out=8)


# Game C: the order of the deal is 2, 7, 5 and the bank at seat 4.
HOME_WAGERS = {2: 100, 5: 100, 7: 100}


def home(new_table: NewTable, hands: dict[int, str], decisions: dict[int, str]) -> GameTable:
    """A settled round of game C."""
    table = new_table("home")
    hire(table.house)
    table.play(HOME_WAGERS, hands, decisions=decisions, bank_seat=4)
    return table


def draw_of(table: GameTable, face: str) -> int:
    """The draw at which a face lies."""
    return next(draw for draw, lies in read_round(table.name).faces.items() if lies == face)


def test_a_natural_of_game_c_that_was_seen_later_wins_by_its_first_two(new_table: NewTable) -> None:
    hands = {2: "4S KD", 7: "AS AD 5C", 5: "8S KH", 0: "6S JD 2H"}
    table = home(new_table, hands, {2: "stand", 7: "hit", 5: "stand", 0: "hit"})
    assert main_wagers(table)[7] == ("lose", 0)
    correct(table.house, table.name, misread(draw_of(table, "AD"), "8D"))
    assert main_wagers(table) == {2: ("lose", 0), 7: ("win", 200), 5: ("push", 100)}
    prove(table.house)


def test_a_bank_of_game_c_whose_natural_was_seen_later_beats_all(new_table: NewTable) -> None:
    hands = {2: "4S KD", 7: "AS AD 5C", 5: "8S KH", 0: "6S JD 2H"}
    table = home(new_table, hands, {2: "stand", 7: "hit", 5: "stand", 0: "hit"})
    correct(table.house, table.name, misread(draw_of(table, "JD"), "3D"))
    assert set(main_wagers(table).values()) == {("lose", 0)}
    prove(table.house)


@pytest.mark.parametrize(
    ("face", "after"),
    [("9S", {2: ("lose", 0), 7: ("lose", 0), 5: ("win", 200)}), ("KD", {})],
)
def test_who_was_not_asked_for_a_natural_that_is_none_stands(
    face: str, after: dict[int, tuple[str, int]], new_table: NewTable
) -> None:
    natural_seat = {2: "9S KD", 7: "AS AD", 5: "8S KH", 0: "6S JD"}
    table = home(new_table, natural_seat, {7: "stand", 5: "stand", 0: "stand"})
    instead = "4C" if face == "9S" else "9D"
    said = bill_of(table, draw_of(table, face), instead)
    assert said["silent"] == [2]
    correct(table.house, table.name, misread(draw_of(table, face), instead))
    expected = after or {2: ("win", 200), 7: ("lose", 0), 5: ("win", 200)}
    assert main_wagers(table) == expected
    prove(table.house)


def test_a_bank_that_drew_against_a_natural_and_a_silent_hand_is_no_false_alarm(
    new_table: NewTable,
) -> None:
    table = new_table("home", options={"no_decision": "void_bet"})
    hire(table.house)
    hands = {7: "AS AD", 5: "8S KH", 0: "6S JD 2H"}
    said = {7: "stand", 5: "no_decision", 0: "hit"}
    table.play({5: 100, 7: 100}, hands, decisions=said, bank_seat=4)
    correct(table.house, table.name, misread(draw_of(table, "AD"), "8D"))
    assert main_wagers(table) == {7: ("win", 200), 5: ("void", 100)}
    prove(table.house)


@pytest.mark.parametrize(("second", "of_bank"), [("JD", False), ("4D", True)])
def test_a_manager_signs_where_a_staffed_bank_had_to_draw_and_was_not_asked(
    second: str, of_bank: bool, new_table: NewTable
) -> None:
    table = new_table("home", procedures={"bank": "house", "banker_rotation": "fixed"})
    hire(table.house)
    table.play({2: 100}, {2: "9S KD", 0: f"7S {second}"}, decisions={})
    error = correction_bill(table.name, misread(draw_of(table, "9S"), "4C")).draw_error
    assert error is not None
    assert (error.silent, error.of_bank) == ((2, 0), of_bank)


def test_where_the_banks_natural_is_none_all_stand(new_table: NewTable) -> None:
    table = home(new_table, {2: "4S KD", 7: "AS AD", 5: "8S KH", 0: "9S JD"}, {})
    assert set(main_wagers(table).values()) == {("lose", 0)}
    correct(table.house, table.name, misread(draw_of(table, "JD"), "4D"))
    assert main_wagers(table) == {2: ("win", 200), 7: ("lose", 0), 5: ("win", 200)}
    prove(table.house)
