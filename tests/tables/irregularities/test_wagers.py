"""The sweep too late, mixed cards, late bets, bets over a limit (events 19, 20, 23, 24)."""

import pytest

from settlements.models import Settlement
from settlements.services.irregularity_preview import foresee_irregularity
from tables.models import DisputeHold, SeatWagers, TakenOut
from tables.selectors.round_read import read_round
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute
from tests.factories.house import House, key, open_floor, settle_part
from tests.support.records import refused
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    case,
    deal,
    finish,
    house_with,
    paid,
    prove,
    rule,
    session,
    signed,
    wager,
)
from tests.tables.irregularities.test_cards import WON
from tests.tables.terms import T, under_terms


def out() -> list[tuple[int, str, int | None]]:
    """What was taken out of play, as it was written."""
    rows = TakenOut.objects.order_by("seat", "wager", "revision")
    return list(rows.values_list("seat", "wager", "returned_minor"))


@pytest.mark.parametrize("thirds", [1, 3])
def test_pair_bets_are_settled_late_by_the_first_two_cards(house: House, thirds: int) -> None:
    name = begin(house, cards=DEAL[:6])
    with refused("cards.refused"):
        key(house, name, {7: "KD"})
    rule(house, 19, "settle_late", "SV", name=name)
    deal(house, name, DEAL[6 : 6 + thirds], start=7)
    read = read_round(name)
    assert (read.stage, read.sweep_late) == ("sweep", True)
    with refused("settlement.not_due"):
        settle_part(house, name, "final")
    settle_part(house, name, "sweep")
    finish(house, name, DEAL[6 + thirds :], start=7 + thirds)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_pair_bet_that_nobody_can_decide_is_void(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 19, "void_pair", "SV", name=name, wagers=(wager(1, "pair"),))
    assert out() == [(1, "pair", None)]
    assert read_round(name).stage == "third_lap"
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == {key: line for key, line in WON.items() if key != (1, "pair")}
    assert session().handle_minor == 30500
    prove(house, out=9)


def test_nothing_but_a_pair_wager_is_void_for_a_late_sweep(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    for named in (wager(3, "main"), wager(3, "jacks"), wager(1, "main")):
        with refused("irregularity.refused"):
            rule(house, 19, "void_pair", "SV", name=name, wagers=(wager(1, "pair"), named))
    assert out() == []


@pytest.mark.parametrize("cards", [0, 3, 6])
def test_a_sweep_is_late_once_it_is_due_and_not_settled(house: House, cards: int) -> None:
    name = begin(house, cards=DEAL[:cards])
    if cards == 6:
        settle_part(house, name, "sweep")
    for procedure, wagers in (("settle_late", ()), ("void_pair", (wager(1, "pair"),))):
        with refused("irregularity.stage"):
            rule(house, 19, procedure, "SV", name=name, wagers=wagers)


def test_a_round_void_before_its_late_sweep_gives_pair_bets_back(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 19, "settle_late", "SV", name=name)
    deal(house, name, ["KD"], start=7)
    rule(house, 26, "void", "SM", name=name)
    assert {outcome for outcome, _ in paid(name).values()} == {"void"}
    assert not Settlement.objects.filter(part="sweep").exists()
    prove(house, out=7)


@pytest.mark.parametrize(("procedure", "letters"), [("restore", "S"), ("restore_suspected", "H")])
def test_a_hand_whose_cards_are_known_is_restored(
    house: House, procedure: str, letters: str
) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 20, procedure, letters, name=name, seats=(1,))
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


@pytest.mark.parametrize(
    ("procedure", "letters"), [("dead_hand", "S"), ("dead_hand_suspected", "H")]
)
def test_a_hand_that_is_lost_is_dead_and_its_bets_are_held(
    house: House, procedure: str, letters: str
) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 20, procedure, letters, name=name, seats=(1,), cards_out=9)
    assert out() == [(1, "", 0)]
    hold = DisputeHold.objects.get()
    assert (hold.seat, hold.disputed_minor, hold.in_result) == (1, 10000, False)
    finish(house, name, ["?", "4C", "QC"], start=7)
    assert paid(name) == {key: line for key, line in WON.items() if key != (1, "main")}
    assert session().disputed_minor == 0, "no settlement counts the held stake as the bank's"
    with refused("dispute.out_of_play"):
        release_dispute(
            table="T1",
            number=1,
            ruling=Ruling("house", "Swapped."),
            signers=signed("SH"),
            by=house.acting("supervisor"),
        )
    release_dispute(
        table="T1",
        number=1,
        ruling=Ruling("patron", "The camera shows nothing."),
        signers=signed("SH"),
        by=house.acting("supervisor"),
    )
    assert out() == [(1, "", 0), (1, "", None)]
    prove(house, out=9)


def test_another_dispute_of_the_seat_leaves_the_stakes_of_its_dead_hand_held(
    house: House,
) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 20, "dead_hand", "S", name=name, seats=(1,), cards_out=9)
    finish(house, name, ["?", "4C", "QC"], start=7)
    by = house.acting("supervisor")
    open_dispute(name=name, disputed=Disputed(2, "He says three.", 1, "pair", 500), by=by)
    for number, ruling in ((2, Ruling("house", "A pair.")), (1, Ruling("patron", "It was his."))):
        assert out() == [(1, "", 0)]
        release_dispute(table="T1", number=number, ruling=ruling, signers=signed("SH"), by=by)
    assert out() == [(1, "", 0), (1, "", None)]
    given = TakenOut.objects.get(revision=2)
    assert given.irregularity_number == DisputeHold.objects.get(number=1).irregularity_number
    prove(house, out=9)


def test_a_late_bet_goes_back_whatever_the_result(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "jacks"), wager(5, "main", 5000)))
    assert out() == [(3, "jacks", None)], "a bet that never came on record is told in the case"
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == {key: line for key, line in WON.items() if key != (3, "jacks")}
    prove(house, out=9)


def test_of_a_raised_bet_the_raise_goes_back(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    with refused("irregularity.refused"):
        rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "main", None, 20001),))
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "main", None, 5000),))
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "main", None, 1000),))
    assert out() == [(3, "main", 5000), (3, "main", 6000)]
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name)[3, "main"] == ("win", 14000 + 13300)
    assert session().handle_minor == 25500
    prove(house, out=9)


@pytest.mark.parametrize(
    ("lay", "stated", "back"), [(30000, 10000, 10000), (30000, None, 10000), (50000, 30000, 30000)]
)
def test_of_a_raise_that_was_not_keyed_the_valid_bet_stands(
    house: House, lay: int, stated: int | None, back: int
) -> None:
    name = begin(house, cards=DEAL[:3])
    raised = (wager(3, "main", lay, stated),)
    foreseen = foresee_irregularity(
        case=case(house, 23, "return", name=name, wagers=raised), by=house.acting("supervisor")
    )
    (turn,) = (t for t in foreseen.wagers if (t.seat, t.wager) == (3, "main"))
    assert (turn.what, turn.was_minor, turn.stake_minor) == ("partly", 20000, lay)
    assert turn.back_minor == back
    rule(house, 23, "return", "SV", name=name, wagers=raised)
    assert out() == [(3, "main", back)]
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    assert session().handle_minor == 31500
    prove(house, out=9)


def test_a_raise_of_a_bet_of_which_a_part_went_back_leaves_what_lay(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "main", None, 5000),))
    raised = (wager(3, "main", 25000, 10000),)
    foreseen = foresee_irregularity(
        case=case(house, 23, "return", name=name, wagers=raised), by=house.acting("supervisor")
    )
    assert [t.back_minor for t in foreseen.wagers if t.wager == "main"] == [0, 10000]
    rule(house, 23, "return", "SV", name=name, wagers=raised)
    assert out() == [(3, "main", 5000), (3, "main", 15000)]
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name)[3, "main"] == ("win", 15000 + 14250)
    prove(house, out=9)


def test_side_bets_go_back_with_the_main_bet_that_carried_them(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(house, 23, "return", "SV", name=name, wagers=(wager(1, "main"),))
    assert out() == [(1, "main", None), (1, "pair", None)]
    deal(house, name, DEAL[3:6], start=4)
    assert read_round(name).stage == "third_lap"
    finish(house, name, DEAL[6:], start=7)
    assert set(paid(name)) == {(3, "main"), (3, "jacks")}
    prove(house, out=9)


def test_a_settled_pair_bet_changes_only_by_a_correction(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    with refused("irregularity.wager_settled"):
        rule(house, 23, "return", "SV", name=name, wagers=(wager(1, "pair"),))


def test_a_pulled_bet_stands(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 23, "recollect", "SV", name=name, wagers=(wager(3, "jacks"),))
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def limited(house: House, **procedures: str) -> str:
    """A table that takes at most 200.00 on main and 20.00 to 50.00 on pair."""
    limits = {"max": {"main": 20000, "pair": 5000}, "min": {"pair": 1000}}
    under_terms(house, procedures=procedures, limits=limits)
    open_floor(house, T)
    return T


@pytest.mark.parametrize(("house_third", "back"), [("QC", 39000), ("AC", 0)])
def test_a_bet_above_the_maximum_counts_up_to_it_won_or_lost(
    house: House, house_third: str, back: int
) -> None:
    name = begin(house, cards=DEAL[:3], table=limited(house))
    with refused("irregularity.refused"):
        rule(house, 24, "cap", "S", name=name, wagers=(wager(3, "main", 20000),))
    with refused("irregularity.policy"):
        rule(house, 24, "honour", "S", name=name, wagers=(wager(3, "main", 25000),))
    rule(house, 24, "cap", "S", name=name, wagers=(wager(3, "main", 25000),))
    kept = SeatWagers.objects.filter(seat=3).order_by("revision")
    assert list(kept.values_list("main_minor", flat=True)) == [20000, 25000]
    assert out() == [(3, "main", 5000)]
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, ["KD", "4C", house_third], start=7)
    # With an ace the House counts nine too, and has the higher card.
    assert paid(name)[3, "main"] == ("win" if back else "lose", back)
    prove(house, out=9, table=T)


def test_a_house_that_honours_pays_an_accepted_bet_whole(house: House) -> None:
    name = begin(house, cards=DEAL[:3], table=limited(house, over_max="honour"))
    rule(house, 24, "honour", "S", name=name, wagers=(wager(3, "main", 25000),))
    assert out() == []
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name)[3, "main"] == ("win", 25000 + 23750)
    prove(house, out=9, table=T)


def test_a_bet_below_the_minimum_counts_as_it_lay(house: House) -> None:
    name = begin(house, cards=DEAL[:3], table=limited(house))
    rule(house, 24, "cap", "S", name=name, wagers=(wager(1, "pair", 500),))
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name)[1, "pair"] == ("win", 5500)
    prove(house, out=9, table=T)


def test_a_side_bet_without_main_and_a_closed_bet_go_back(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(
        house,
        24,
        "return",
        "S",
        name=name,
        wagers=(wager(5, "jacks", 700), wager(1, "tie", 300)),
    )
    assert out() == [(1, "tie", None), (5, "jacks", None)]
    deal(house, name, DEAL[3:6], start=4)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_wager_that_was_rightly_taken_does_not_go_back_by_a_supervisor_alone(
    house: House,
) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    for named in (wager(3, "main"), wager(3, "jacks"), wager(1, "main", 25000), wager(4, "main")):
        with refused("irregularity.refused") as caught:
            rule(house, 24, "return", "S", name=name, wagers=(named,))
        assert [fault["where"] for fault in caught.value.faults] == [
            f"wagers.{named.seat}.{named.wager}"
        ]
    assert out() == []
    settle_part(house, name, "final")
    assert paid(name) == WON


@pytest.mark.parametrize(("event", "procedure"), [(23, "return"), (24, "cap"), (24, "return")])
def test_until_betting_closes_a_wager_is_changed_and_not_ruled(
    house: House, event: int, procedure: str
) -> None:
    """Taken out of play, a bet that is placed anew would not count."""
    name = begin(house, cards=())
    with refused("irregularity.stage"):
        rule(
            house,
            event,
            procedure,
            "SV" if event == 23 else "S",
            name=name,
            wagers=(wager(1, "pair"),),
        )


def test_a_case_that_does_not_fit_names_every_fault(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    with refused("irregularity.refused") as caught:
        rule(
            house,
            23,
            "return",
            "SV",
            name=name,
            seats=(7,),
            wagers=(wager(6, "main"), wager(1, "lucky"), wager(1, "main", None, 0)),
        )
    assert len(caught.value.faults) == 4


def test_house_with_other_procedures_is_pinned_to_its_shoe(house: House) -> None:
    table = house_with(house, over_max="honour")
    name = begin(house, cards=DEAL[:3], table=table)
    with refused("irregularity.policy"):
        rule(house, 24, "cap", "S", name=name, wagers=(wager(3, "main", 25000),))
