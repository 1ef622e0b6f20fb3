"""Irregularities that games B and C meet: events 30 and 31, and what 2, 3, 11 and 26 say of them.

Each with its money and its shoe, under each of its procedures, replayed and checked again.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tables.models import Departure, Irregularity, TableSession, TakenOut
from tables.services.shoe_end import end_shoe
from tests.settlements.correcting import correct, hire, misread, put_in_charge
from tests.support.records import refused
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import drawn, paid, prove, rule, wager

NewTable = Callable[..., GameTable]
# Seat 2 stands on 7, seat 5 has to draw on 5, the bank on 2.
OPENING = {2: "8S 9D", 5: "2S 3H", 0: "KS 2D"}
WAGERS = {2: 10_000, 5: 10_000}
SEAT_2_WINS = {(2, "main"): ("win", 20_000), (5, "main"): ("lose", 0)}


@pytest.fixture
def fixed(new_table: NewTable) -> Callable[..., GameTable]:
    """A table of game B at which the first two cards of every hand lie."""

    def make(hands: dict[int, str] = OPENING, seats: tuple[int, ...] = (2, 5)) -> GameTable:
        table = new_table("super-9")
        _staff(table)
        table.open()
        table.bet({seat: WAGERS[seat] for seat in seats})
        while table.next["lap"] in (1, 2):
            step = table.next
            table.key(step["draw"], hands[step["hand"]].split()[step["lap"] - 1])
        return table

    return make


@pytest.fixture
def elective(new_table: NewTable) -> GameTable:
    """A table of game C: seat 2's natural is paid, then seat 7 and seat 5 are to decide."""
    table = new_table("home")
    _staff(table)
    table.open(bank_seat=4)
    table.bet({2: 100, 5: 100, 7: 100})
    table.deal({2: "9S KD", 7: "AS AD", 5: "8S KH", 0: "6S JD"})
    table.settle("sweep")
    return table


def _staff(table: GameTable) -> None:
    hire(table.house)
    put_in_charge(table.house, "manager")


def ruled(table: GameTable, event: int, procedure: str, letters: str, **rest: Any) -> None:
    """Rule an event of the round in play, and look at the table again."""
    rule(table.house, event, procedure, letters, name=table.name, **rest)
    table.view = table.dealer.get("tables/T1/round")


def cards_of(table: GameTable, *faces: str) -> None:
    """Key third cards as the table asks for them."""
    for face in faces:
        table.key(table.next["draw"], face)


def proved(
    table: GameTable, *, out: int, loaded: int = 416, findings: tuple[str, ...] = ()
) -> None:
    """Expect the shoe to close with this many cards out, and everything to agree."""
    by = table.house.acting("supervisor")
    stub = loaded - 1 - out
    shown = end_shoe(table="T1", shoe=1, stub_cards=stub, by=by).shoe
    assert shown.cards_out + stub == loaded
    prove(table.house, findings=findings)


# A card that was dropped is looked at after the round.
INSPECT = {11: ("card.to_inspect",)}


# Event 30, draw errors of game B.


def test_a_surplus_card_that_was_seen_is_burned(fixed: Callable[..., GameTable]) -> None:
    table = fixed()
    ruled(table, 30, "burn", "S", seats=(2,), draws=drawn((7, None, "4C")))
    assert (table.next["draw"], table.next["hand"]) == (8, 5)
    cards_of(table, "KD", "4H")
    table.settle("final")
    assert paid(table.name) == SEAT_2_WINS
    proved(table, out=9)


def test_a_surplus_card_that_nobody_saw_goes_to_the_next_hand(
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed()
    ruled(table, 30, "move_on", "S", seats=(2,))
    assert (table.next["draw"], table.next["hand"]) == (7, 5)
    cards_of(table, "KD", "4H")
    table.settle("final")
    assert paid(table.name) == SEAT_2_WINS
    assert not Departure.objects.exists()
    proved(table, out=8)


def test_a_missing_card_is_dealt_before_the_bank_acts(fixed: Callable[..., GameTable]) -> None:
    table = fixed({**OPENING, 2: "2H 3D"})
    cards_of(table, "4C")
    assert table.round["seats"][1]["hand"][2]["face"] == "4C"
    ruled(table, 30, "deal_now", "S", seats=(2,), cards_out=7)
    assert table.round["seats"][4]["hand"][2]["face"] == "4C"
    assert (table.next["draw"], table.next["hand"]) == (8, 2)
    cards_of(table, "KD", "4H")
    table.settle("final")
    # Seat 2 has 5 and a king, seat 5 has 5 and 4, the bank 2 and 4.
    assert paid(table.name) == {(2, "main"): ("lose", 0), (5, "main"): ("win", 20_000)}
    proved(table, out=9)


def test_the_banks_missing_card_is_the_next_one_and_a_manager_rules_it(
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed({**OPENING, 2: "2H 3D"})
    with refused("irregularity.refused") as caught:
        ruled(table, 30, "deal_now_bank", "M", seats=(0,), cards_out=7)
    assert "irregularity.missed" in str(caught.value.data["faults"])
    cards_of(table, "4C", "KD")
    ruled(table, 30, "deal_now_bank", "M", seats=(0,), cards_out=8)
    assert (table.next["draw"], table.next["hand"]) == (9, 0)
    assert not Departure.objects.exists(), "no card lies at another hand"
    cards_of(table, "4H")
    table.settle("final")
    proved(table, out=9)


def test_a_card_that_is_not_known_for_certain_voids_the_seat(
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed()
    ruled(table, 30, "void_seat", "S", seats=(5,))
    assert (table.next["draw"], table.next["hand"]) == (7, 0)
    cards_of(table, "4H")
    table.settle("final")
    assert paid(table.name) == {(2, "main"): ("win", 20_000)}
    assert TableSession.objects.get().handle_minor == 10_000
    proved(table, out=7)


def test_the_banks_surplus_card_is_ruled_by_a_manager(fixed: Callable[..., GameTable]) -> None:
    table = fixed({**OPENING, 5: "2S 5H", 0: "KS 6D"})
    case: dict[str, Any] = {"seats": (0,), "draws": drawn((7, None, "4C"))}
    with refused("irregularity.hand"):
        ruled(table, 30, "burn", "S", **case)
    with refused("irregularity.signers"):
        ruled(table, 30, "burn_bank", "S", **case)
    with refused("irregularity.hand"):
        ruled(table, 30, "burn_bank", "M", **{**case, "seats": (2,)})
    ruled(table, 30, "burn_bank", "M", **case)
    assert table.next["kind"] == "settle"
    table.settle("final")
    assert paid(table.name) == {(2, "main"): ("win", 20_000), (5, "main"): ("win", 20_000)}
    proved(table, out=7)


def test_the_banks_missing_card_and_its_unseen_one(fixed: Callable[..., GameTable]) -> None:
    table = fixed()
    cards_of(table, "KD")
    ruled(table, 30, "move_on_bank", "M", seats=(0,))
    assert (table.next["draw"], table.next["hand"]) == (8, 0)
    cards_of(table, "4H")
    table.settle("final")
    assert paid(table.name) == SEAT_2_WINS
    proved(table, out=8)


@pytest.mark.parametrize(("seats", "third", "out"), [((2,), (), 4), ((2, 5), ("KD",), 7)])
def test_where_every_wager_went_back_the_bank_does_not_draw(
    seats: tuple[int, ...],
    third: tuple[str, ...],
    out: int,
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed(seats=seats)
    ruled(table, 23, "return", "SV", wagers=tuple(wager(seat, "main") for seat in seats))
    cards_of(table, *third)  # seat 5 is dealt to the end; nothing is compared with it (B5)
    assert table.next["kind"] == "settle"
    table.settle("final")
    assert table.next["kind"] == "done"
    assert paid(table.name) == {}
    assert TableSession.objects.get().handle_minor == 0
    proved(table, out=out)


@pytest.mark.parametrize(
    ("event", "procedure", "letters", "case"),
    [
        (23, "return", "SV", {"wagers": (wager(5, "main"),)}),
        (30, "void_seat", "S", {"seats": (5,)}),
    ],
)
def test_the_bank_keeps_the_card_that_it_drew_before_the_last_open_wager_went_back(
    event: int,
    procedure: str,
    letters: str,
    case: dict[str, Any],
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed({**OPENING, 2: "9S KD"})
    cards_of(table, "4C", "5D")
    ruled(table, event, procedure, letters, **case)
    assert [card["face"] for card in table.round["house"]] == ["KS", "2D", "5D"]
    table.key(8, "5C", revision=2)
    table.key(8, None, revision=3)
    table.key(8, "5D", revision=4)
    table.settle("final")
    assert paid(table.name) == {(2, "main"): ("win", 20_000)}
    correct(table.house, table.name, misread(8, "5H"))
    proved(table, out=8)


def test_what_is_noticed_after_the_settlement_is_a_correction(
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed()
    with refused("irregularity.elsewhere"):
        ruled(table, 30, "correct", "S")


def test_events_of_another_game_are_refused(
    fixed: Callable[..., GameTable],
) -> None:
    table = fixed()
    with refused("irregularity.event"):
        ruled(table, 31, "absent", "S", seats=(2,))
    with refused("irregularity.procedure"):
        ruled(table, 3, "withdraw", "S", seats=(2,))
    assert not Irregularity.objects.exists()


# Events 31, 2, 3 and 11 in game C: who has not decided may withdraw.

WITHDRAWALS = [
    (31, "withdraw", "S", {}),
    (3, "withdraw", "S", {}),
    (11, "keep_withdraw", "SV", {}),
    (2, "burn_withdraw", "S", {"draws": drawn((9, None, "4C"))}),
]


@pytest.mark.parametrize(("event", "procedure", "letters", "case"), WITHDRAWALS)
def test_who_has_not_decided_may_withdraw(
    event: int, procedure: str, letters: str, case: dict[str, Any], elective: GameTable
) -> None:
    table = elective
    table.decide(7, "stand")
    ruled(table, event, procedure, letters, seats=(5,), **case)
    assert (table.next["kind"], table.next["hand"]) == ("ask", 0)
    table.decide(0, "stand")
    table.settle("final")
    assert paid(table.name) == {(2, "main"): ("win", 200), (7, "main"): ("lose", 0)}
    assert TakenOut.objects.get().seat == 5
    assert TableSession.objects.get().handle_minor == 200
    proved(table, out=8 + len(case), loaded=52, findings=INSPECT.get(event, ()))


def test_who_has_decided_plays_on(elective: GameTable) -> None:
    elective.decide(7, "stand")
    with refused("irregularity.hand_decided"):
        ruled(elective, 31, "withdraw", "S", seats=(7,))
    elective.decide(7, None, revision=2)
    ruled(elective, 31, "withdraw", "S", seats=(7,))
    assert elective.next["hand"] == 5


def test_all_may_withdraw_and_the_bank_has_nothing_to_decide(elective: GameTable) -> None:
    ruled(elective, 31, "withdraw", "S", seats=(7, 5))
    assert elective.next["kind"] == "settle"
    elective.settle("final")
    assert paid(elective.name) == {(2, "main"): ("win", 200)}
    proved(elective, out=8, loaded=52)


@pytest.mark.parametrize(("choice", "third"), [("hit", ("3C",)), ("stand", ())])
def test_the_bank_keeps_its_decision_where_the_open_wagers_go_back_after_it(
    choice: str, third: tuple[str, ...], elective: GameTable
) -> None:
    for hand, decided in ((7, "stand"), (5, "stand"), (0, choice)):
        elective.decide(hand, decided)
    cards_of(elective, *third)
    ruled(elective, 23, "return", "SV", wagers=(wager(7, "main"), wager(5, "main")))
    elective.settle("final")
    assert paid(elective.name) == {(2, "main"): ("win", 200)}
    proved(elective, out=8 + len(third), loaded=52)


@pytest.mark.parametrize("procedure", ["signal_void", "play_on", "absent"])
def test_what_moves_no_money_is_on_record(procedure: str, elective: GameTable) -> None:
    ruled(elective, 31, procedure, "S", seats=(5,))
    assert Irregularity.objects.get().procedure == procedure
    elective.decide(7, "stand")
    elective.decide(5, "no_decision")
    elective.decide(0, "stand")
    elective.settle("final")
    assert paid(elective.name)[5, "main"] == ("win", 200)
    proved(elective, out=8, loaded=52)


@pytest.mark.parametrize(
    ("event", "procedure", "letters", "case"),
    [
        (2, "burn", "S", {"draws": drawn((9, None, "4C"))}),
        (3, "stays", "S", {}),
        (11, "keep", "SV", {}),
    ],
)
def test_where_nobody_withdraws_play_goes_on(
    event: int, procedure: str, letters: str, case: dict[str, Any], elective: GameTable
) -> None:
    ruled(elective, event, procedure, letters, **case)
    elective.decide(7, "hit")
    elective.decide(5, "stand")
    elective.decide(0, "stand")
    elective.key(elective.next["draw"], "5C")
    elective.settle("final")
    assert paid(elective.name)[7, "main"] == ("win", 200)
    proved(elective, out=9 + len(case), loaded=52, findings=INSPECT.get(event, ()))


# Event 26: a void.


def test_a_void_of_game_b_gives_every_stake_back(fixed: Callable[..., GameTable]) -> None:
    table = fixed()
    ruled(table, 26, "void", "SM")
    assert paid(table.name) == {(2, "main"): ("void", 10_000), (5, "main"): ("void", 10_000)}
    assert TableSession.objects.get().bank_owed_minor == 0
    proved(table, out=6)


@pytest.mark.parametrize(
    ("event", "procedure", "letters"), [(2, "burn", "S"), (3, "stays", "S"), (11, "keep", "SV")]
)
def test_in_game_b_no_decision_is_open_and_nobody_withdraws(
    event: int, procedure: str, letters: str, fixed: Callable[..., GameTable]
) -> None:
    table = fixed()
    case: dict[str, Any] = {"draws": drawn((7, None, "4C"))} if event == 2 else {}
    ruled(table, event, procedure, letters, **case)
    cards_of(table, "KD", "4H")
    table.settle("final")
    assert paid(table.name) == SEAT_2_WINS
    proved(table, out=8 + len(case), findings=INSPECT.get(event, ()))


@pytest.mark.parametrize(
    ("event", "procedure"), [(2, "burn_withdraw"), (3, "withdraw"), (11, "keep_withdraw")]
)
def test_in_game_b_a_withdrawal_is_refused(
    event: int, procedure: str, fixed: Callable[..., GameTable]
) -> None:
    table = fixed()
    letters = "SV" if event == 11 else "S"
    case: dict[str, Any] = {"draws": drawn((7, None, "4C"))} if event == 2 else {}
    with refused("irregularity.procedure"):
        ruled(table, event, procedure, letters, seats=(5,), **case)
    assert not TakenOut.objects.exists()


# Event 11: a card that dropped and was out of sight.


def test_a_card_out_of_sight_voids_a_round_of_game_b(fixed: Callable[..., GameTable]) -> None:
    table = fixed()
    with refused("irregularity.signers"):
        ruled(table, 11, "void", "SM")
    ruled(table, 11, "void", "SMV")
    assert paid(table.name) == {(2, "main"): ("void", 10_000), (5, "main"): ("void", 10_000)}
    assert TableSession.objects.get().bank_owed_minor == 0
    proved(table, out=6)


def test_a_card_out_of_sight_leaves_settled_naturals_of_game_c(elective: GameTable) -> None:
    elective.decide(7, "hit")
    ruled(elective, 11, "void", "SMV")
    assert paid(elective.name) == {
        (2, "main"): ("win", 200),
        (5, "main"): ("void", 100),
        (7, "main"): ("void", 100),
    }
    proved(elective, out=8, loaded=52)
