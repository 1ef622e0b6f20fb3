"""Cards of the first two laps once a hand of game C has decided by them (C4, C7): none moves."""

from typing import Any

from tests.settlements.correcting import hire, put_in_charge
from tests.support.records import refused
from tests.tables.games.test_events import NewTable, proved, ruled
from tests.tables.irregularities.ruling import drawn, paid


def test_no_card_that_a_hand_decided_by_is_moved(new_table: NewTable) -> None:
    """The round would ask for a card of the second lap again, which nobody may key any more."""
    table = new_table("home")
    hire(table.house)
    put_in_charge(table.house, "manager")
    table.open(bank_seat=4)
    table.bet({2: 100, 5: 100})
    table.deal({2: "2S KD", 5: "8S KH", 0: "6S JD"})
    table.decide(2, "hit")
    moves: list[tuple[int, str, str, dict[str, Any]]] = [
        (10, "burn", "M", {"draws": drawn((6, None, "JD"))}),
        (10, "deal_next", "M", {"seats": (0,), "cards_out": 7}),
        (9, "void_seat", "M", {"seats": (5,), "draws": drawn((6, None, "JD"))}),
        (6, "void_hands", "M", {"seats": (5,), "draws": drawn((4, 5), (5, 2))}),
    ]
    for event, procedure, letters, case in moves:
        with refused("card.decided"):
            ruled(table, event, procedure, letters, **case)
    ruled(table, 6, "void_hands", "M", seats=(5,))
    table.key(7, "5C")
    table.decide(0, "stand")
    table.settle("final")
    assert paid(table.name) == {(2, "main"): ("win", 200)}
    proved(table, out=7, loaded=52)
