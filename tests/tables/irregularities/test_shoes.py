"""Events of the shoe: face-up, foreign, short, unshuffled, cut card, run out, void, verified."""

from dataclasses import replace

import pytest

from audit.findings.models import Finding
from audit.log.rows import Ref
from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_voids import listed_rounds
from settlements.services.irregularities import record_irregularity
from settlements.services.shoe_voids import decide_rounds
from settlements.services.voids import VoidCause
from tables.games.cards import copies_max
from tables.models import BurnedCard, Irregularity, ShoeStatement, TableSession
from tables.services.rounds import open_betting
from tables.services.sessions import start_closing
from tables.services.shoe_end import end_shoe
from tables.services.shoes import burn_cards, prepare_shoe
from tests.factories.house import (
    House,
    bet,
    key,
    open_round,
    play_round,
    ready_the_shoe,
    settle_part,
    signer,
    void_as_shown,
)
from tests.settlements.correcting import put_in_charge
from tests.settlements.deciding import bill_for, decide, decision
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    BURNED_FIRST,
    DEAL,
    TOLD_ALL,
    WAGERS,
    begin,
    case,
    close_shoe,
    deal,
    drawn,
    finish,
    house_with,
    paid,
    prove,
    rule,
    session,
    shoe,
    signed,
)
from tests.tables.irregularities.test_cards import WON

HANDS = {1: ["2H", "2D", "KD"], 3: ["8S", "7C", "4C"], 0: ["5S", "3D", "QC"]}
BACK = {
    (1, "main"): ("void", 10000),
    (1, "pair"): ("void", 1000),
    (3, "main"): ("void", 20000),
    (3, "jacks"): ("void", 500),
}
FACES = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


def test_several_face_up_cards_void_the_round_and_set_the_shoe_aside(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    name = begin(house, cards=["AS", "9S"])
    rule(house, 5, "void", "SM", name=name, draws=drawn((3, None, "JH"), (4, None, "QH")))
    assert paid(name) == BACK
    assert shoe().state == "stopped"
    with refused("shoe.state"):
        open_round(house)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    assert shoe().state == "voided"
    assert [row.round.key for row in ShoeVoidRound.objects.all()] == ["T1/1/1", "T1/1/2"]
    prove(house, out=13)
    assert shoe().state == "voided", "it is counted and stays void"
    prepare_shoe(table="T1", by=house.acting("dealer", table="T1"))


@pytest.mark.parametrize("event", [13, 15, 16])
def test_doubtful_cards_void_round_and_shoe(house: House, event: int) -> None:
    before = play_round(house, WAGERS, HANDS)
    name = begin(house, cards=DEAL[:4])
    rule(house, event, "void", "SMH", name=name, told=TOLD_ALL)
    assert paid(name) == BACK
    assert paid(before) == WON, "settled rounds stand until they are decided of"
    assert shoe().state == "voided"
    rounds = {row.round.key: row.decision for row in ShoeVoidRound.objects.all()}
    assert rounds == {before.key: "open", name.key: "open"}
    prove(house, out=13)


@pytest.mark.parametrize("event", [13, 15, 16, 27])
def test_between_rounds_the_shoe_alone_is_void(house: House, event: int) -> None:
    play_round(house, WAGERS, HANDS)
    with refused("irregularity.signers"):
        rule(house, event, "void", "SMH", told=TOLD_ALL)
    rule(house, event, "void", "MH", told=TOLD_ALL)
    assert shoe().state == "voided"
    assert ShoeVoidRound.objects.count() == 1
    prove(house, out=9)


def test_a_round_in_play_is_named_with_the_void_of_its_shoe(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    with refused("round.in_play"):
        rule(house, 27, "void", "MH", told=TOLD_ALL)
    rule(house, 27, "void", "SMH", name=name, told=TOLD_ALL)
    assert paid(name) == BACK
    prove(house, out=4)


def test_a_plain_void_for_doubtful_cards_sets_the_shoe_aside(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    void_as_shown(
        name=name,
        cause=VoidCause(event=13, first_two=False, note="a joker"),
        signers=[signer("supervisor"), signer("manager")],
        by=house.acting("supervisor"),
    )
    assert shoe().state == "stopped"
    kept = Irregularity.objects.get()
    assert (kept.event, kept.procedure, kept.details["found"]) == (26, "void", {"cause": 13})
    prove(house, out=4)


@pytest.mark.parametrize("then", ["counted", "voided"])
def test_a_table_closes_once_a_shoe_that_was_set_aside_is_counted_or_void(
    house: House, then: str
) -> None:
    name = begin(house, cards=["AS", "9S"])
    rule(house, 5, "void", "SM", name=name, draws=drawn((3, None, "JH"), (4, None, "QH")))
    by = house.acting("supervisor")
    with refused("shoe.uncounted") as caught:
        start_closing(table="T1", session=1, by=by)
    assert caught.value.data == {"shoe": "T1/1"}
    assert TableSession.objects.get(key="T1/S1").state == "open"
    if then == "counted":
        end_shoe(table="T1", shoe=1, stub_cards=411, by=by)
    else:
        rule(house, 27, "void", "MH", told=TOLD_ALL)
    start_closing(table="T1", session=1, by=by)
    assert TableSession.objects.get(key="T1/S1").state == "closing"


def test_a_shoe_of_a_table_that_was_evacuated_is_counted_later(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 32, "void", "SH", name=name)
    assert shoe().state == "stopped"
    start_closing(table="T1", session=1, by=house.acting("supervisor"))
    end_shoe(table="T1", shoe=1, stub_cards=411, by=house.acting("supervisor"))
    assert shoe().state == "ended"


def test_every_bet_of_a_void_shoe_is_listed_and_decided_of(house: House) -> None:
    first = play_round(house, WAGERS, HANDS)
    second = play_round(house, WAGERS, HANDS)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    listed = listed_rounds(_ref())
    assert [(each.row.round.key, len(each.wagers)) for each in listed] == [
        (first.key, 4),
        (second.key, 4),
    ]
    assert {each.stake_minor for each in listed} == {31500}
    assert {each.bank_minor for each in listed} == {31500 - 70000}
    assert {each.lost_minor for each in listed} == {500}
    stand = decision("stand", first.key)
    for letters in ("M", "H", "SH", "SM", "SMH"):
        with refused("irregularity.signers"):
            decide(house, stand, letters)
    with refused("role.not_allowed"):
        decide(house, stand, by="supervisor")
    assert session().bank_handed_minor == 2 * (31500 - 70000), "nothing is reversed by itself"
    decide(house, stand)
    rest = decision("refund_losers")
    decide(house, rest)
    decided = {each.row.round.key: each.row.decision for each in listed_rounds(_ref())}
    assert decided == {first.key: "stand", second.key: "refund_losers"}
    with refused("shoe_void.decision"):
        bill_for(rest)
    assert session().bank_handed_minor == 2 * (31500 - 70000), "it is owed and not handed over"
    assert session().bank_owed_minor == 2 * (31500 - 70000) - 500
    prove(house, out=18)


@pytest.mark.parametrize(
    ("event", "procedure", "letters", "playing"),
    [(27, "void", "MH", False), (27, "void", "SMH", True), (26, "void", "SM", True)],
)
def test_what_voids_is_sent_again_and_done_once(
    house: House, event: int, procedure: str, letters: str, playing: bool
) -> None:
    name = begin(house, cards=DEAL[:4]) if playing else None
    made = case(house, event, procedure, name=name, told=TOLD_ALL)
    by = house.acting("supervisor")
    first = record_irregularity(case=made, signers=signed(letters), by=by)
    with nothing_recorded():
        again = record_irregularity(case=made, signers=signed(letters), by=by)
    assert (again.recorded.done_before, again.receipt.hash) == (True, first.receipt.hash)
    other = replace(made, told=replace(TOLD_ALL, ruling="Otherwise."))
    with refused("irregularity.number"):
        record_irregularity(case=other, signers=signed(letters), by=by)


@pytest.mark.parametrize("named", [True, False])
def test_a_decision_that_is_sent_again_is_answered_as_the_first_time(
    house: House, named: bool
) -> None:
    keys = tuple(play_round(house, WAGERS, HANDS).key for _ in range(2))
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    stand = decision("stand", *(keys if named else ()))
    bill = bill_for(stand)
    first = decide(house, stand, bill=bill)
    put_in_charge(house, "manager_2", minutes=1)
    with nothing_recorded():
        again = decide(house.at(minutes=2), stand, bill=bill)
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)
    # Another decision takes its place, after which the first is no retry any more.
    decide(house.at(minutes=3), decision("refund_losers", keys[0]))
    with refused("shoe_void.replaced") as caught:
        decide(house.at(minutes=4), stand, bill=bill)
    assert caught.value.data["rounds"] == [keys[0]]
    decisions = [each.row.decision for each in listed_rounds(_ref())]
    assert decisions == ["refund_losers", "stand"]


def test_rounds_of_an_earlier_shoe_are_listed_if_its_check_was_no_good(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    close_shoe(house, out=9)
    ready_the_shoe(house)
    play_round(house, WAGERS, HANDS, shoe=2)
    rule(house, 27, "void", "MH", told=TOLD_ALL, shoe=2, since_shoe=1)
    keys = [row.round.key for row in ShoeVoidRound.objects.order_by("id")]
    assert keys == ["T1/1/1", "T1/2/1"]


def test_only_the_rounds_of_a_void_shoe_are_decided_of(house: House) -> None:
    with refused("shoe_void.not_void"):
        decide_rounds(
            table="T1",
            shoe=1,
            decision=decision("stand"),
            bill_hash="",
            signers=signed("MH"),
            by=house.acting("manager"),
        )


def test_a_forgotten_burn_is_made_up_before_the_first_card(house: House) -> None:
    name = begin(house)
    rule(house, 16, "burn_now", "S", name=name, burned=("9H",))
    assert BurnedCard.objects.filter(shoe__key="T1/1").count() == 2
    deal(house, name, DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    with refused("irregularity.refused"):
        rule(house, 16, "burn_now", "S", burned=("9H",))
    assert paid(name) == WON
    prove(house, out=10)


def test_after_the_first_card_a_forgotten_burn_is_logged(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    rule(house, 16, "carry_on", "S", name=name)
    finish(house, name, DEAL[6:], start=7)
    assert paid(name) == WON
    prove(house, out=9)


@pytest.mark.parametrize(("procedure", "more"), [("finish_round", 0), ("one_more", 1)])
def test_after_the_cut_card_the_round_is_finished(house: House, procedure: str, more: int) -> None:
    table = house_with(house, after_cut=procedure)
    name = begin(house, cards=DEAL[:6], table=table)
    other = "one_more" if procedure == "finish_round" else "finish_round"
    with refused("irregularity.policy"):
        rule(house, 17, other, "D", name=name)
    tablet = house.acting("dealer", table=table)
    rule(house, 17, procedure, "D", name=name)
    assert Irregularity.objects.get().details["found"] == {"cards_out": 7}
    finish(house, name, DEAL[6:], start=7)
    for _ in range(more):
        play_round(house, WAGERS, HANDS, table=table)
    with refused("shoe.cut_card_out"):
        open_betting(table=table, shoe=1, by=tablet)
    with refused("shoe.state"):
        rule(house, 17, procedure, "D", table=table)
    prove(house, out=9 * (1 + more), table=table)


def test_with_the_cut_card_face_down_cards_are_counted(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    for out in (None, 5, 10):
        with refused("irregularity.refused"):
            rule(house, 17, "finish_round", "D", name=name, cards_out=out)
    rule(house, 17, "finish_round", "D", name=name, cards_out=9)
    assert Irregularity.objects.get().details["found"] == {"cards_out": BURNED_FIRST + 9}


def test_with_the_cut_card_a_card_carried_over_is_counted_once(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    settle_part(house, name, "final")
    later = open_round(house)
    bet(house, later, {2: {"main": 1000}})
    key(house, later, {0: "9S"}, revision=2)
    deal(house, later, ["2C"])
    rule(house, 17, "finish_round", "D", name=later)
    found = Irregularity.objects.get(event=17).details["found"]
    assert found == {"cards_out": BURNED_FIRST + 10 + 1}


def test_a_shoe_that_runs_out_voids_the_round_and_ends(house: House) -> None:
    # Nine cards are left for nine; one of them is drawn in excess, and burned.
    _burn(house, 406)
    name = begin(house, cards=DEAL[:4])
    rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))
    deal(house, name, DEAL[4:6], start=6)
    settle_part(house, name, "sweep")
    deal(house, name, ["KD", "4C"], start=8)
    with refused("irregularity.policy"):
        rule(house, 18, "reshuffle_discards", "M", name=name)
    rule(house, 18, "void", "SM", name=name)
    assert paid(name) == BACK | {(1, "pair"): ("win", 11000)}
    assert shoe().state == "ended"
    statement = ShoeStatement.objects.get()
    assert (statement.dealt, statement.burned, statement.stub) == (8, 408, 0)
    assert statement.counted_closes
    prove(house)


def test_a_round_is_completed_from_the_discards(house: House) -> None:
    table = house_with(house, shoe_exhausted="reshuffle_discards")
    play_round(house, WAGERS, HANDS, table=table)
    _burn(house, 397, table=table)
    name = begin(house, cards=DEAL[:6], table=table)
    with refused("irregularity.policy"):
        rule(house, 18, "void", "SM", name=name)
    settle_part(house, name, "sweep")
    deal(house, name, ["KD"], start=7)
    rule(house, 18, "reshuffle_discards", "M", name=name)
    assert shoe(table).cards_reshuffled == 9
    # Cards that were dealt before come again: no question, no composition above the decks.
    finish(house, name, ["4C", "QC"], start=8)
    assert paid(name) == WON
    with refused("shoe.cut_card_out"):
        open_betting(table=table, shoe=1, by=house.acting("dealer", table=table))
    # 9 of the first round, 397 burned, 9 of this one: 416 and 9 were loaded, 9 are left.
    end_shoe(table=table, shoe=1, stub_cards=9, by=house.acting("supervisor"))
    statement = ShoeStatement.objects.get()
    assert statement.counted_closes
    assert statement.composed_holds
    prove(house)


@pytest.mark.parametrize("procedure", ["match", "record_error", "composition_error"])
def test_the_count_of_the_cards_says_what_the_result_is(house: House, procedure: str) -> None:
    play_round(house, WAGERS, HANDS)
    counted = {face: copies_max(face, decks=8) for face in FACES}
    wrong_stub = procedure == "record_error"
    if procedure == "composition_error":
        counted["KS"] -= 1
        counted["QS"] += 1
    made = case(house, 28, procedure, counted=counted)
    with refused("shoe.state"):
        record_irregularity(case=made, signers=signed("SV"), by=house.acting("supervisor"))
    close_shoe(house, out=10 if wrong_stub else 9)
    for other in {"match", "record_error", "composition_error"} - {procedure}:
        with refused("irregularity.verification"):
            rule(house, 28, other, "SV", counted=counted)
    rule(house, 28, procedure, "SV", counted=counted)
    found = Irregularity.objects.get().details["found"]
    missing = {"KS": 1} if procedure == "composition_error" else {}
    assert (found["cards_counted"], found["missing"]) == (416, missing)
    expected = {
        "match": [],
        "record_error": ["shoe.count_open", "shoe.record_error"],
        "composition_error": ["shoe.composition_error"],
    }[procedure]
    prove(house, findings=expected)
    assert Finding.objects.filter(subject_key="T1/1").count() == len(expected)


def _burn(house: House, cards: int, *, table: str = "T1") -> None:
    """Burn unseen cards between rounds until few are left."""
    by = house.acting("supervisor")
    for event, burned in enumerate(range(0, cards, 11), start=2):
        faces = ["?"] * min(cards - burned, 11)
        burn_cards(table=table, shoe=1, event=event, faces=faces, reason="test", by=by)


def _ref() -> Ref:
    return Ref(shoe().pk, shoe().key)
