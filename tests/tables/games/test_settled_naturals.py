"""What becomes of a natural of game C that was paid before the rest was decided (C3, A20)."""

import pytest

from settlements.models import Payout
from settlements.services.irregularity_preview import foresee_irregularity
from tables.models import Round, TakenOut
from tests.settlements.correcting import hire
from tests.support.records import refused
from tests.tables.games.playing import GameTable
from tests.tables.games.test_events import NewTable, elective, proved, ruled
from tests.tables.irregularities.ruling import case, paid, wager

__all__ = ["elective"]


def test_a_void_leaves_settled_naturals_alone(elective: GameTable) -> None:
    elective.decide(7, "stand")
    ruled(elective, 26, "void", "SM")
    assert Round.objects.get().stage == Round.Stage.VOIDED
    assert paid(elective.name) == {
        (2, "main"): ("win", 200),
        (5, "main"): ("void", 100),
        (7, "main"): ("void", 100),
    }
    assert set(Payout.objects.values_list("bank", flat=True)) == {"4"}
    proved(elective, out=8, loaded=52)


def test_a_fault_in_the_first_two_cards_reverses_them(elective: GameTable) -> None:
    ruled(elective, 26, "void", "SM", first_two=(2,))
    assert {outcome for outcome, _ in paid(elective.name).values()} == {"void"}
    proved(elective, out=8, loaded=52)


@pytest.mark.parametrize("touched", [False, True])
def test_a_settled_natural_outlives_its_hand_unless_its_first_two_are_touched(
    touched: bool, elective: GameTable
) -> None:
    table = elective
    first_two = (2,) if touched else False
    made = case(table.house, 9, "void_seat", name=table.name, seats=(2,), first_two=first_two)
    shown = foresee_irregularity(case=made, by=table.house.acting("supervisor"))
    (turn,) = (each for each in shown.wagers if each.seat == 2)
    assert (turn.what, turn.back_minor) == ("undone" if touched else "settled", 0)
    assert turn.collect_minor == (100 if touched else 0)
    ruled(table, 9, "void_seat", "M", seats=(2,), first_two=first_two)
    out = TakenOut.objects.get()
    assert (out.stands, out.reverses) == (([], ["main"]) if touched else (["main"], []))
    natural = {(2, "main"): ("void", 100) if touched else ("win", 200)}
    assert paid(table.name) == natural
    line = Payout.objects.filter(part="sweep", seat=2).latest("revision")
    assert (line.handed_minor, line.clause) == ((100, "C3") if touched else (200, "C2"))
    for hand in (7, 5, 0):
        table.decide(hand, "stand")
    table.settle("final")
    assert paid(table.name) == {**natural, (7, "main"): ("lose", 0), (5, "main"): ("win", 200)}
    proved(table, out=8, loaded=52)


@pytest.mark.parametrize("touched", [False, True])
def test_a_void_leaves_what_became_of_a_dead_hands_natural(
    touched: bool, elective: GameTable
) -> None:
    first_two = (2,) if touched else False
    ruled(elective, 9, "void_seat", "M", seats=(2,), first_two=first_two)
    ruled(elective, 26, "void", "SM")
    assert paid(elective.name) == {
        (2, "main"): ("void", 100) if touched else ("win", 200),
        (5, "main"): ("void", 100),
        (7, "main"): ("void", 100),
    }
    assert Round.objects.get().sweep_revision == (2 if touched else 1)
    proved(elective, out=8, loaded=52)


def test_a_wager_that_a_natural_settled_is_not_given_back(elective: GameTable) -> None:
    with refused("irregularity.wager_settled"):
        ruled(elective, 23, "return", "SV", wagers=(wager(2, "main"),))
    ruled(elective, 23, "return", "SV", wagers=(wager(5, "main"),))
    assert TakenOut.objects.get().seat == 5


def test_a_natural_whose_wager_went_back_leaves_nothing_to_pay(new_table: NewTable) -> None:
    table = new_table("home")
    hire(table.house)
    table.open(bank_seat=4)
    table.bet({2: 100, 7: 100})
    table.deal({2: "9S KD", 7: "AS AD", 0: "6S JD"})
    assert table.next["kind"] == "sweep"
    ruled(table, 23, "return", "SV", wagers=(wager(2, "main"),))
    assert (table.next["kind"], table.next["hand"]) == ("ask", 7)
    for hand in (7, 0):
        table.decide(hand, "stand")
    table.settle("final")
    assert paid(table.name) == {(7, "main"): ("lose", 0)}
    proved(table, out=6, loaded=52)
