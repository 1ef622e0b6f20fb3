"""Betting: a round gets its number, wagers stand in revisions, the first card closes it."""

import pytest

from tables.models import Limits, Round, SeatWagers
from tables.selectors.round_read import RoundName, read_round
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import Step, call_off_round, open_betting, place_wagers
from tests.factories.house import House, bet, key, open_round, play_round
from tests.support.records import body_of, last_entry, refused
from tests.tables.terms import GAME, T, preparing, sign, sign_until_burn, under_terms

MAIN = {"main": 10000}


@pytest.fixture
def name(floor: House) -> RoundName:
    """A round at T1 in which nobody has bet."""
    return open_round(floor)


def place(
    house: House, name: RoundName, seat: int, wagers: dict[str, int], *, revision: int = 1
) -> Step:
    by = house.acting("dealer", table=name.table)
    return place_wagers(name=name, seat=seat, revision=revision, wagers=wagers, by=by)


def stored(name: RoundName) -> Round:
    return Round.objects.get(key=name.key)


def test_a_round_gets_its_number_when_betting_opens(floor: House) -> None:
    by = floor.acting("dealer", table="T1")
    step = open_betting(table="T1", shoe=1, by=by)
    opened = stored(step.round.name)
    assert (opened.key, opened.number, opened.stage) == ("T1/1/1", 1, "betting")
    assert opened.dealer.number == "1001"
    assert opened.gaming_day == opened.session.gaming_day
    assert opened.limits is None, "limits are pinned by the first card"
    assert opened.shoe.rounds == 1
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject) == ("round.opened", "T1/1/1")
    assert step.receipt.hash == bytes(entry.hash).hex()
    with refused("round.in_play") as caught:
        open_betting(table="T1", shoe=1, by=by)
    assert caught.value.data["round"] == "T1/1/1"


def test_a_set_of_wagers_is_one_fact(floor: House, name: RoundName) -> None:
    step = place(floor, name, 3, {"main": 10000, "pair": 500})
    row = SeatWagers.objects.get()
    assert (row.seat, row.revision, row.main_minor, row.pair_minor) == (3, 1, 10000, 500)
    assert (row.tie_minor, row.jacks_minor) == (None, None)
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject, entry.device) == ("wagers.placed", name.key, "D1")
    assert body_of(entry)["facts"][0]["row"]["main_minor"] == 10000
    assert step.round.wagers == {3: {"main": 10000, "pair": 500}}


def test_the_same_set_again_changes_nothing(floor: House, name: RoundName) -> None:
    first = place(floor, name, 3, MAIN)
    again = place(floor, name, 3, MAIN)
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)
    assert (again.receipt.seq, again.receipt.at) == (first.receipt.seq, first.receipt.at)
    assert SeatWagers.objects.count() == 1


def test_a_kind_left_out_is_cleared_and_a_seat_can_be_cleared(
    floor: House, name: RoundName
) -> None:
    place(floor, name, 3, {"main": 10000, "pair": 500})
    place(floor, name, 3, {"main": 20000}, revision=2)
    assert read_round(name).wagers == {3: {"main": 20000}}
    place(floor, name, 3, {}, revision=3)
    assert last_entry("table/T1").action == "wagers.cleared"
    assert read_round(name).wagers == {}
    assert SeatWagers.objects.count() == 3, "none is overwritten"


def test_revisions_of_a_seat_are_linear(floor: House, name: RoundName) -> None:
    place(floor, name, 3, MAIN)
    with refused("wagers.conflict") as caught:
        place(floor, name, 3, {"main": 5})
    assert caught.value.data["stored"] == MAIN
    assert caught.value.data["keyed"] == {"main": 5}
    with refused("revision.beyond"):
        place(floor, name, 3, MAIN, revision=3)
    place(floor, name, 3, {"main": 5}, revision=2)
    with refused("revision.superseded"):
        place(floor, name, 3, MAIN)
    with refused("revision.superseded"):
        place(floor, name, 3, MAIN, revision=0)


def test_every_fault_of_a_set_comes_at_once(floor: House) -> None:
    under_terms(floor, limits={"min": {"main": 1000}, "step": {"main": 100}})
    preparing(floor)
    sign_until_burn(floor)
    sign(floor, "burn", burned=["?"])
    name = open_round(floor, table=T)
    with refused("wagers.refused") as caught:
        place(floor, name, 2, {"main": 950, "tie": 10, "insurance": 1})
    codes = {fault["code"] for fault in caught.value.faults}
    assert codes == {
        "wager.below_min",
        "wager.off_step",
        "wager.closed",
        "wager.unknown_kind",
    }


def test_a_side_bet_stays_only_with_its_main_bet(floor: House, name: RoundName) -> None:
    """The whole set is stated, so a main bet cannot be taken from under a side bet (A21)."""
    place(floor, name, 1, {"main": 10000, "pair": 500})
    with refused("wagers.refused"):
        place(floor, name, 1, {"pair": 500}, revision=2)


def test_an_aggregate_counts_the_whole_table(floor: House) -> None:
    under_terms(floor, limits={"aggregate": {"jacks": 22000}})
    preparing(floor)
    sign_until_burn(floor)
    sign(floor, "burn", burned=["?"])
    name = open_round(floor, table=T)
    place(floor, name, 1, {**MAIN, "jacks": 1500})
    with refused("wagers.refused"):
        place(floor, name, 2, {**MAIN, "jacks": 501})
    place(floor, name, 2, {**MAIN, "jacks": 500})
    place(floor, name, 1, MAIN, revision=2)
    place(floor, name, 2, {**MAIN, "jacks": 2000}, revision=2)


def test_limits_are_those_in_force_at_the_first_card(floor: House, name: RoundName) -> None:
    """They change from the next round on, and are pinned when betting closes (rules 1E)."""
    place(floor, name, 1, MAIN)
    under_terms(floor, table="T1", limits={"max": {"main": 5000}})
    with refused("wagers.refused"):
        key(floor, name, {1: "2H"})
    place(floor, name, 1, {"main": 5000}, revision=2)
    key(floor, name, {1: "2H"})
    pinned = stored(name).limits
    assert pinned == Limits.objects.latest("id")
    under_terms(floor, table="T1", limits={"max": {"main": 1}})
    key(floor, name, dict(enumerate(["5S", "7C", "3D", "KD", "QC"], start=2)))
    assert stored(name).limits == pinned


def test_the_first_card_closes_betting_and_pins_the_seats(floor: House, name: RoundName) -> None:
    bet(floor, name, {4: MAIN, 2: MAIN})
    place(floor, name, 5, MAIN)
    place(floor, name, 5, {}, revision=2)
    key(floor, name, {1: "2H"})
    assert stored(name).live_seats == [2, 4]
    assert stored(name).stage == "first_lap"
    with refused("round.betting_closed"):
        place(floor, name, 2, {"main": 20000}, revision=2)
    with refused("round.betting_closed"):
        place(floor, name, 1, MAIN)
    again = place(floor, name, 2, MAIN)
    assert again.done_before, "a late retry of what stands is answered as the first time"


def test_no_card_without_a_wager(floor: House, name: RoundName) -> None:
    with refused("round.no_wagers"):
        key(floor, name, {1: "2H"})
    place(floor, name, 1, MAIN)
    place(floor, name, 1, {}, revision=2)
    with refused("round.no_wagers"):
        key(floor, name, {1: "2H"})


def test_a_round_without_cards_is_called_off_and_keeps_its_number(
    floor: House, name: RoundName
) -> None:
    place(floor, name, 1, MAIN)
    by = floor.acting("dealer", table="T1")
    call_off_round(name=name, by=by)
    over = stored(name)
    assert (over.stage, over.ended_at) == ("called_off", floor.now)
    assert last_entry("table/T1").action == "round.called_off"
    with refused("round.betting_closed"):
        place(floor, name, 2, MAIN)
    with refused("round.stage"):
        key(floor, name, {1: "2H"})
    with refused("round.stage"):
        call_off_round(name=name, by=by)
    assert open_round(floor).number == 2


def test_a_round_with_a_card_even_an_undone_one_is_not_called_off(
    floor: House, name: RoundName
) -> None:
    place(floor, name, 1, MAIN)
    key(floor, name, {1: "2H"})
    by = floor.acting("dealer", table="T1")
    with refused("round.dealt"):
        call_off_round(name=name, by=by)
    deal_cards(name=name, cards=[KeyedCard(1, 2, None)], by=by)
    with refused("round.dealt"):
        call_off_round(name=name, by=by)


def test_a_dealer_keys_in_its_own_rounds_and_a_supervisor_in_any(
    floor: House, name: RoundName
) -> None:
    place(floor, name, 1, MAIN)
    next_dealer = floor.acting("dealer_2", table="T1")
    with refused("round.other_dealer"):
        place_wagers(name=name, seat=2, revision=1, wagers=MAIN, by=next_dealer)
    for elsewhere in (None, "T2"):
        with refused("device.other_table"):
            place_wagers(
                name=name,
                seat=2,
                revision=1,
                wagers=MAIN,
                by=floor.acting("dealer", table=elsewhere),
            )
    supervisor = floor.acting("supervisor", table="T1")
    place_wagers(name=name, seat=2, revision=1, wagers=MAIN, by=supervisor)
    entry = last_entry("table/T1")
    assert (entry.actor, entry.role) == ("1003", "supervisor")


def test_a_handover_is_between_rounds(floor: House) -> None:
    hands = {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]}
    play_round(floor, {1: MAIN}, hands)
    step = open_betting(table="T1", shoe=1, by=floor.acting("dealer_2", table="T1"))
    assert stored(step.round.name).dealer.number == "1002"
    with refused("round.other_dealer"):
        place(floor, step.round.name, 1, MAIN)


def test_a_round_is_dealt_under_the_ruleset_of_its_shoe(floor: House) -> None:
    under_terms(floor, table="T1", options={"kicker_by": "points"})
    name = open_round(floor)
    assert stored(name).ruleset == stored(name).shoe.ruleset
    assert read_round(name).ruleset.options["kicker_by"] == "rank"
    assert read_round(name).ruleset.game == GAME
