"""Corrections: the bill, the next revisions, the tray, and what two engines and the log say."""

import json
from dataclasses import replace

import pytest

from audit.findings.models import Finding
from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.people.models import Signature
from settlements.correction import CorrectedCard, Correction
from settlements.errors import BillChangedError, CorrectionEmptyError
from settlements.models import CheckResult, Payout, Settlement
from settlements.selectors.bill import correction_bill
from settlements.selectors.corrections import corrections_of
from settlements.selectors.round_page import round_page
from settlements.services.settle import settle_round
from tables.errors import RevisionSupersededError
from tables.models import Card, Round, SeatWagers, Shoe
from tables.selectors.board import table_lines
from tests.factories.house import (
    NOW,
    House,
    build_house,
    key,
    open_floor,
    play_round,
)
from tests.settlements.correcting import (
    HANDS,
    HOUSE_THIRD,
    SEAT_3_SECOND,
    TWO,
    WAGERS,
    check_all,
    correct,
    dealt,
    hire,
    mispaid,
    misread,
    session,
    sums,
)


@pytest.fixture
def house(house: House) -> House:
    """The house of the settlement tests, with enough people to sign."""
    hire(house)
    return house


def test_the_bill_shows_what_changes_and_what_is_to_move(house: House) -> None:
    name = dealt(house)
    bill = correction_bill(name, misread(moved=False))
    (card,), (part,) = bill.cards, bill.parts
    assert (card.draw, card.hand, card.before, card.after, card.revision) == (9, 0, "JC", "2C", 2)
    assert (part.part, part.revision) == ("final", 2)
    moves = {(line.seat, line.wager): line.to_move_minor for line in bill.lines}
    # 9 beats 7 at 95 to 100, the pair of eights beats it at 1 to 1, jacks no longer wins 11 to 1.
    assert moves == {(1, "main"): 19_500, (3, "main"): 40_000, (3, "jacks"): -6_000}
    assert (bill.to_players_minor, bill.to_bank_minor) == (59_500, 6_000)
    assert (bill.to_move_minor, bill.amount_minor) == (53_500, 65_500)
    assert [(item.kind, item.subject) for item in bill.reissue] == [
        ("check", f"{name.key}/final/2")
    ]
    assert bill.document["base"] == {
        "stage": "settled",
        "sweep": 1,
        "final": 1,
        "cards": {str(draw): 1 for draw in range(1, 10)},
        "wagers": {"1": 1, "3": 1},
    }


def test_making_a_bill_writes_nothing(house: House) -> None:
    name = dealt(house)
    before = Entry.objects.count()
    assert correction_bill(name, misread()).hash == correction_bill(name, misread()).hash
    assert Entry.objects.count() == before


def test_a_round_corrected_twice_prints_three_revisions(house: House) -> None:
    name = dealt(house)
    correct(house, name, misread())
    correct(house, name, misread(SEAT_3_SECOND, "9D"))
    shown = round_page(name, now=NOW)
    assert [(old.part, old.revision, old.kind) for old in shown.superseded] == [
        ("sweep", 1, "settled"),
        ("final", 1, "settled"),
        ("final", 2, "corrected"),
    ]
    assert {(line.part, line.revision) for line in shown.lines} == {("sweep", 2), ("final", 3)}
    house_cards = next(hand.cards for hand in shown.hands if hand.hand == 0)
    assert (house_cards[2].face, house_cards[2].earlier) == ("2C", ("JC",))
    done = corrections_of(name.key)
    assert [len(each.signed) for each in done] == [2, 2]
    assert done[0].document["cards"][0]["before"] == "JC"


def test_the_bill_equals_the_difference_of_the_settlements(house: House) -> None:
    name = dealt(house)
    start = session()
    for revision, correction in ((2, misread()), (3, misread(SEAT_3_SECOND, "9D"))):
        bill = correction_bill(name, correction)
        before = {part.part: sums(name, part.part, part.revision - 1) for part in bill.parts}
        was = session()
        correct(house, name, correction, bill=bill)
        now = session()
        moved = [0, 0, 0]
        for part in bill.parts:
            after = sums(name, part.part, part.revision)
            moved = [m + a - b for m, a, b in zip(moved, after, before[part.part], strict=True)]
        by = bill.sums
        assert moved == [by.handle_minor, by.bank_owed_minor, by.bank_handed_minor]
        assert now.bank_owed_minor - was.bank_owed_minor == by.bank_owed_minor
        assert now.bank_handed_minor - was.bank_handed_minor == -bill.to_move_minor
        assert Round.objects.get(key=name.key).final_revision == revision
    assert session().rounds_settled == start.rounds_settled


def test_the_tray_follows_as_owed_and_as_handed(house: House) -> None:
    name = dealt(house)
    (before,) = table_lines()
    correct(house, name, misread(moved=False))
    (open_,) = table_lines()
    assert open_.tray_handed_minor == before.tray_handed_minor
    assert open_.tray_owed_minor == (before.tray_owed_minor or 0) - 53_500
    lines = {
        (row.seat, row.wager): row.handed_minor
        for row in Payout.objects.filter(round__key=name.key, part="final", revision=2)
    }
    rest = mispaid(lines, moved=True)
    assert correction_bill(name, rest).to_move_minor == 53_500
    correct(house, name, rest)
    (after,) = table_lines()
    assert after.tray_handed_minor == after.tray_owed_minor == open_.tray_owed_minor


def test_the_second_engine_agrees_with_every_revision(house: House) -> None:
    name = dealt(house)
    correct(house, name, misread())
    correct(house, name, misread(SEAT_3_SECOND, "9D"))
    correct(house, name, mispaid({(1, "main"): 19_000}, moved=False))
    check_all()
    checked = CheckResult.objects.filter(round__key=name.key).order_by("-part", "revision")
    assert [(each.part, each.revision, each.agrees) for each in checked] == [
        ("sweep", 1, True),
        ("sweep", 2, True),
        ("final", 1, True),
        ("final", 2, True),
        ("final", 3, True),
        ("final", 4, True),
    ]
    assert list(Finding.objects.values_list("kind", flat=True)) == ["payout.mispaid"]
    assert replay_log().problems == []
    assert verify_log(place=None).problems == []


def test_the_entry_holds_bill_and_signatures(house: House) -> None:
    name = dealt(house)
    bill = correction_bill(name, misread())
    corrected = correct(house, name, misread())
    entry = Entry.objects.get(pk=corrected.receipt.entry_id)
    body = json.loads(bytes(entry.body))
    assert (entry.action, entry.subject, entry.stream) == ("round.corrected", name.key, "table/T1")
    assert body["data"] == bill.document
    kinds = [fact["kind"] for fact in body["facts"]]
    assert kinds == ["card", "settlement", *["payout"] * 3, "signature", "signature"]
    signed = Signature.objects.filter(entry=entry)
    assert {bytes(each.content_hash) for each in signed} == {bill.content_hash}
    assert Settlement.objects.get(revision=2).signed_hash == bill.hash
    heads = {head["kind"]: head["set"] for head in body["heads"]}
    assert heads["round"] == {"final_revision": 2}
    assert Shoe.objects.get().cards_dealt == 9


def test_a_correction_signed_while_another_lands_is_a_conflict_with_a_new_bill(
    house: House,
) -> None:
    name = dealt(house)
    other = misread(SEAT_3_SECOND, "9D")
    bill = correction_bill(name, other)
    correct(house, name, misread())
    before = Entry.objects.count()
    with pytest.raises(BillChangedError) as caught:
        correct(house, name, other, bill=bill)
    assert Entry.objects.count() == before
    anew = correction_bill(name, other)
    assert caught.value.data["bill_hash"] == anew.hash != bill.hash
    assert caught.value.data["bill"] == anew.document
    correct(house, name, other, bill=anew)


def test_another_round_at_the_table_makes_no_other_bill(house: House) -> None:
    name = dealt(house)
    bill = correction_bill(name, misread())
    following = play_round(house, WAGERS, HANDS)
    assert correction_bill(name, misread()).hash == bill.hash
    assert following.number == 2


def test_the_same_bill_again_changes_nothing(house: House) -> None:
    name = dealt(house)
    bill = correction_bill(name, misread())
    first = correct(house, name, misread(), bill=bill)
    again = correct(house, name, misread(), bill=bill)
    assert (again.done_before, first.done_before) == (True, False)
    assert (again.receipt.seq, again.receipt.hash) == (first.receipt.seq, first.receipt.hash)
    assert Settlement.objects.filter(part="final").count() == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(misread(), reason="the dealer says so"),
        replace(misread(), moved=False),
        replace(misread(), event=28),
        misread(HOUSE_THIRD, "4C"),
        replace(misread(), cards=(*misread().cards, CorrectedCard(SEAT_3_SECOND, "9D"))),
        replace(misread(), cards=(), handed={(1, "main"): 10_000}),
        replace(misread(), handed={(1, "pair"): 500}),
        replace(misread(), wagers={3: {"main": 30_000}}),
    ],
)
def test_another_correction_with_the_hash_of_one_that_was_made_is_not_done(
    house: House, other: Correction
) -> None:
    """Whoever goes back to a signed bill and changes it must not read that it was done."""
    name = dealt(house)
    bill = correction_bill(name, misread())
    correct(house, name, misread(), bill=bill)
    before = Entry.objects.count()
    with pytest.raises((BillChangedError, CorrectionEmptyError)):
        correct(house, name, other, bill=bill)
    assert Entry.objects.count() == before


def test_what_a_correction_says_beside_its_bill_stands_when_it_is_sent_again(house: House) -> None:
    name = dealt(house)
    whole = replace(
        misread(),
        cards=(*misread().cards, CorrectedCard(SEAT_3_SECOND, HANDS[3][1])),
        wagers=WAGERS,
        handed={(1, "pair"): 0, (3, "main"): 0},
    )
    bill = correction_bill(name, whole)
    first = correct(house, name, whole, bill=bill)
    correct(house, name, misread(HOUSE_THIRD, "4C"))
    again = correct(house, name, whole, bill=bill)
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)


def test_only_parts_whose_lines_change_are_settled_anew(house: House) -> None:
    name = dealt(house)
    correct(house, name, misread(1, "2D"))  # the suit alone: no line says anything else
    assert Settlement.objects.count() == 2
    assert Card.objects.get(draw=1, revision=2).face == "2D"
    correct(house, name, misread(1, "3D"))
    assert set(Settlement.objects.values_list("part", "revision")) == {
        ("sweep", 1),
        ("sweep", 2),
        ("final", 1),
        ("final", 2),
    }
    assert replay_log().problems == []


@pytest.mark.parametrize(
    ("handed", "moved", "to_move", "stands"),
    [
        (6_500, False, -500, 6_500),  # overpaid, and the player is gone: the tray's loss
        (6_500, True, -500, 6_000),
        (5_000, False, 1_000, 5_000),  # underpaid: owed to the player
        (5_000, True, 1_000, 6_000),
    ],
)
def test_what_was_handed_over_is_stated_and_moved_or_left(
    house: House, handed: int, moved: bool, to_move: int, stands: int
) -> None:
    name = dealt(house)
    before = session().bank_handed_minor
    correction = mispaid({(3, "jacks"): handed}, moved=moved)
    assert correction_bill(name, correction).to_move_minor == to_move
    correct(house, name, correction)
    line = Payout.objects.get(round__key=name.key, part="final", revision=2, wager="jacks")
    assert (line.owed_minor, line.handed_minor) == (6_000, stands)
    assert session().bank_handed_minor - before == 6_000 - stands


def test_a_wager_that_was_not_keyed_is_added_and_paid(house: House) -> None:
    name = play_round(house, {1: {"main": 10_000}, 3: {"main": 20_000}}, HANDS)
    correction = mispaid({}, moved=True, wagers={3: {"main": 20_000, "pair": 700}})
    bill = correction_bill(name, correction)
    assert [(part.part, part.revision) for part in bill.parts] == [("sweep", 1)]
    assert bill.to_move_minor == 7_000  # ten to one; the stake still lies there
    correct(house, name, correction)
    assert SeatWagers.objects.get(seat=3, revision=2).pair_minor == 700
    assert session().handle_minor == 30_700
    check_all()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}


def test_a_wager_keyed_on_the_wrong_seat_moves_with_its_hand(house: House) -> None:
    name = dealt(house)
    check_all()
    wagers = {3: {}, 4: WAGERS[3]}
    handed = {(4, "main"): 0, (4, "pair"): 7_700, (4, "jacks"): 6_000}
    handed |= {(3, "main"): 0, (3, "pair"): 0, (3, "jacks"): 0}
    correction = mispaid(handed, moved=False, wagers=wagers)
    bill = correction_bill(name, correction)
    assert (bill.to_players_minor, bill.to_bank_minor) == (0, 0)
    before = session()
    correct(house, name, correction)
    assert Round.objects.get(key=name.key).live_seats == [1, 4]
    assert session().bank_handed_minor == before.bank_handed_minor
    check_all()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    assert CheckResult.objects.count() == 4
    assert replay_log().problems == []


def test_an_earlier_revision_is_still_checked_with_its_own_seats(house: House) -> None:
    name = dealt(house)
    handed = {(seat, kind): 0 for seat in (3, 4) for kind in ("main", "pair", "jacks")}
    correct(house, name, mispaid(handed, moved=True, wagers={3: {}, 4: WAGERS[3]}))
    check_all()  # nothing was checked before
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
    assert CheckResult.objects.count() == 4


def test_a_stake_that_was_keyed_wrongly_moves_no_chips_by_itself(house: House) -> None:
    name = dealt(house)
    correction = mispaid({}, moved=False, wagers={1: {"main": 12_000, "pair": 1_000}})
    (line,) = correction_bill(name, correction).lines
    # The record says that 10,000 were taken; 2,000 more are to be collected.
    assert (line.seat, line.wager, line.so_far_minor, line.to_move_minor) == (
        1,
        "main",
        2_000,
        -2_000,
    )
    taken = mispaid({(1, "main"): 0}, moved=False, wagers={1: {"main": 12_000, "pair": 1_000}})
    assert correction_bill(name, taken).to_move_minor == 0
    correct(house, name, taken)
    assert session().handle_minor == 34_200


@pytest.mark.django_db
def test_a_wager_beyond_its_limit_is_recorded_with_a_warning() -> None:
    limited = build_house(limits={"max": {"main": 50_000}})
    open_floor(limited)
    name = dealt(limited)
    correction = mispaid({}, moved=True, wagers={1: {"main": 90_000, "pair": 1_000}})
    bill = correction_bill(name, correction)
    assert [warning["code"] for warning in bill.warnings] == ["wager.above_max"]


def test_the_dealer_cannot_settle_over_a_correction(house: House) -> None:
    name = dealt(house)
    correct(house, name, misread())
    by = house.acting("dealer", table="T1")
    with pytest.raises(RevisionSupersededError):
        settle_round(name=name, part="final", revision=1, handed={}, by=by)
    with pytest.raises(RevisionSupersededError):
        key(house, name, {9: "JC"})


def test_the_signers_are_kept_with_their_roles(house: House) -> None:
    name = dealt(house)
    correct(house, name, misread(), *TWO)
    (done,) = corrections_of(name.key)
    assert [(each.name, each.role) for each in done.signed] == [
        ("supervisor", "supervisor"),
        ("supervisor_2", "supervisor"),
    ]
    assert done.document_hash == bytes(Signature.objects.latest("id").content_hash).hex()
