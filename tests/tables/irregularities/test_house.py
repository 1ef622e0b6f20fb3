"""Misreads, disputes, misdeals, failures, a table that closes, a person who may not play
(events 21, 22, 25, 26, 29, 32, 33)."""

from dataclasses import replace

import pytest

from settlements.services.irregularities import record_irregularity
from settlements.services.irregularity_preview import foresee_irregularity
from tables.irregularities import Told
from tables.models import Departure, DisputeHold, Irregularity
from tables.services.cards import KeyedCard, deal_cards
from tables.services.irregularities import amend_irregularity
from tests.factories.house import House, key, settle_part
from tests.support.records import body_of, last_entry, nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    begin,
    case,
    deal,
    drawn,
    finish,
    paid,
    prove,
    rule,
    session,
    shoe,
    signed,
)
from tests.tables.irregularities.test_cards import WON
from tests.tables.irregularities.test_shoes import BACK


@pytest.mark.parametrize(
    ("event", "act"), [(21, "correction"), (22, "correction"), (25, "dispute")]
)
def test_what_has_an_act_of_its_own_is_recorded_by_it(house: House, event: int, act: str) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    procedure = "hold" if event == 25 else "correct"
    with refused("irregularity.elsewhere") as caught:
        rule(house, event, procedure, "S", name=name)
    assert caught.value.data["act"] == act


def test_before_chips_move_a_hand_is_read_anew(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 21, "read_anew", "S", name=name, seats=(1,), draws=drawn((4, None)))
    dealer = house.acting("dealer", table="T1")
    deal_cards(name=name, cards=[KeyedCard(4, 2, None)], by=dealer)
    key(house, name, {4: "2C"}, revision=3)
    deal(house, name, DEAL[4:6], start=5)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


@pytest.mark.parametrize("cards", [1, 4, 6])
def test_a_misdeal_gives_open_bets_back(house: House, cards: int) -> None:
    name = begin(house, cards=DEAL[:cards])
    rule(house, 26, "void", "SM", name=name)
    assert paid(name) == BACK
    assert (session().handle_minor, session().bank_handed_minor) == (0, 0)
    with refused("irregularity.stage"):
        rule(house, 26, "void", "SM", name=name)
    prove(house, out=cards)


def test_a_misdeal_before_the_first_card_is_called_off_instead(house: House) -> None:
    name = begin(house)
    with refused("round.stage"):
        rule(house, 26, "void", "SM", name=name)


def test_a_round_on_paper_goes_on_there(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 29, "paper", "M", name=name)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


def test_a_failure_that_hides_cards_voids_the_round(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    rule(house, 29, "void", "SM", name=name)
    assert paid(name) == BACK | {(1, "pair"): ("win", 11000)}
    prove(house, out=6)


def test_a_table_that_closes_voids_the_round_and_stops_the_shoe(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 32, "void", "SH", name=name)
    assert paid(name) == BACK
    assert shoe().state == "stopped"
    prove(house, out=4)
    assert shoe().state == "ended", "it is counted later"


def test_a_table_that_closes_may_hold_the_bets_with_a_receipt(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 32, "hold", "SH", name=name)
    hold = DisputeHold.objects.get()
    assert (hold.seat, hold.disputed_minor, hold.in_result) == (None, 31500, False)
    assert session().disputed_minor == 0
    assert paid(name) == BACK
    prove(house, out=4)


def test_the_bets_of_a_person_who_may_not_play_are_held(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 33, "hold", "H", name=name, seats=(3,), told=TOLD_ALL)
    hold = DisputeHold.objects.get()
    assert (hold.key, hold.seat, hold.wager, hold.disputed_minor) == ("T1/D1", 3, "", 20500)
    with refused("dispute.held"):
        rule(house, 9, "void_seat", "M", name=name, seats=(3,))
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON, "the round settles around it"
    assert session().disputed_minor == 39500, "two stakes, and what one of them won"
    prove(house, out=9)


def test_the_same_case_again_changes_nothing(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 2, "burn", name=name, draws=drawn((5, None, "9H")))
    by = house.acting("supervisor")
    first = record_irregularity(case=made, signers=signed("S"), by=by)
    with nothing_recorded():
        again = record_irregularity(case=made, signers=signed("S"), by=by)
    assert again.recorded.done_before
    assert again.receipt.seq == first.receipt.seq
    other = case(house, 3, "stays", name=name, number=1)
    with refused("irregularity.number"):
        record_irregularity(case=other, signers=signed("S"), by=by)
    with refused("irregularity.number"):
        rule(house, 3, "stays", "S", name=name, number=3)


def test_what_was_seen_is_what_is_signed(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    by = house.acting("supervisor")
    made = case(house, 26, "void", name=name)
    foreseen = foresee_irregularity(case=made, by=by)
    assert sum(turn.back_minor for turn in foreseen.wagers) == 31500
    # Meanwhile the second lap is dealt to its end, and the pair bet is settled.
    deal(house, name, DEAL[4:6], start=5)
    settle_part(house, name, "sweep")
    with nothing_recorded(), refused("irregularity.refused"):  # how many third cards are out?
        record_irregularity(case=made, signers=signed("SM"), seen=foreseen.hash, by=by)
    made = case(house, 26, "void", name=name)
    with nothing_recorded(), refused("irregularity.changed"):
        record_irregularity(case=made, signers=signed("SM"), seen=foreseen.hash, by=by)
    now = foresee_irregularity(case=made, by=by)
    assert {turn.what for turn in now.wagers if turn.wager == "pair"} == {"settled"}
    record_irregularity(case=made, signers=signed("SM"), seen=now.hash, by=by)
    with nothing_recorded():
        again = record_irregularity(case=made, signers=signed("SM"), seen=now.hash, by=by)
    assert again.recorded.done_before
    assert paid(name) == BACK | {(1, "pair"): ("win", 11000)}


def test_a_void_again_is_the_same_void(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 26, "void", name=name)
    by = house.acting("supervisor")
    record_irregularity(case=made, signers=signed("SM"), by=by)
    with nothing_recorded():
        record_irregularity(case=made, signers=signed("SM"), by=by)
    prove(house, out=4)


def test_the_entry_holds_the_case_its_effects_and_who_signed(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject) == ("irregularity.recorded", name.key)
    kinds = [fact["kind"] for fact in body_of(entry)["facts"]]
    assert kinds == ["irregularity", "departure", "card", "signature"]
    stored = Irregularity.objects.get()
    assert (stored.number, stored.event, stored.procedure, stored.stage) == (
        1,
        2,
        "burn",
        "second_lap",
    )
    assert stored.entry_id == Departure.objects.get().entry_id == entry.pk


def test_what_is_on_record_is_amended_by_a_revision(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 3, "stays", "S", name=name)
    by = house.acting("supervisor")
    told = Told(seen="Seat 3 saw it too.", ruling="As the list says.", patrons="Seat 3, agreed.")
    amend_irregularity(table="T1", number=1, revision=2, told=told, by=by)
    kept = list(Irregularity.objects.order_by("revision").values_list("seen", "event"))
    assert kept == [("The dealer saw it.", 3), ("Seat 3 saw it too.", 3)]
    with nothing_recorded():
        amend_irregularity(table="T1", number=1, revision=2, told=told, by=by)
    other = Told(seen="Something else.", ruling="So.")
    with refused("irregularity.conflict"):
        amend_irregularity(table="T1", number=1, revision=2, told=other, by=by)
    with refused("revision.superseded"):
        amend_irregularity(table="T1", number=1, revision=1, told=other, by=by)
    with refused("irregularity.missing"):
        amend_irregularity(table="T1", number=2, revision=2, told=told, by=by)
    with refused("role.not_allowed"):
        amend_irregularity(
            table="T1", number=1, revision=3, told=told, by=house.acting("dealer", table="T1")
        )
    prove(house)


def test_that_the_regulator_was_told_is_not_amended_away(house: House) -> None:
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    by, less = house.acting("supervisor"), Told(seen="The dealer saw it.", ruling="Ruled.")
    with refused("irregularity.regulator"):
        amend_irregularity(table="T1", number=1, revision=2, told=less, by=by)
    more = replace(TOLD_ALL, regulator="A. Cruz, phone, 22:01; B. Reyes, letter.")
    amend_irregularity(table="T1", number=1, revision=2, told=more, by=by)
    assert Irregularity.objects.get(revision=2).regulator_told == more.regulator


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"event": 30, "procedure": "move_on"}, "irregularity.event"),
        ({"event": 99}, "irregularity.event"),
        ({"procedure": "shout"}, "irregularity.procedure"),
        ({"told": Told(seen="", ruling="x")}, "irregularity.told"),
        ({"told": Told(seen="x", ruling="y" * 501)}, "irregularity.told"),
    ],
)
def test_what_no_list_knows_is_refused(house: House, change: dict[str, object], code: str) -> None:
    name = begin(house, cards=DEAL[:4])
    fields = {"event": 3, "procedure": "stays", **change}
    made = case(house, fields.pop("event"), fields.pop("procedure"), name=name, **fields)  # type: ignore[arg-type]  # by name
    with refused(code):
        record_irregularity(case=made, signers=signed("S"), by=house.acting("supervisor"))


def test_an_event_has_happened(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house.at(minutes=9), 3, "stays", name=name)
    with refused("irregularity.time"):
        record_irregularity(case=made, signers=signed("S"), by=house.acting("supervisor"))
