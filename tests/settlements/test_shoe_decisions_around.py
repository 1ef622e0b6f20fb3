"""Decisions on void shoes where more is touched: closed sessions, other games, two at once, faults
that were planted past the log."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from audit.log.replay import replay_log
from audit.log.rows import Ref, Row
from audit.log.services import append, service
from settlements.api.signed import signed_act
from settlements.day.checks import examine
from settlements.errors import DecisionChangedError
from settlements.models import Settlement, ShoeVoidRound
from settlements.reaudit import reaudit
from settlements.selectors.shoe_decisions import OwedYet, decisions_of, owed_yet
from settlements.services import shoe_voids
from settlements.services.shoe_voids import RoundsDecided, decide_rounds
from tables.models import Round, Shoe
from tables.selectors.round_read import RoundName
from tests.concurrency.racing import at_once, code_of, constraint_of, overlap
from tests.factories.house import House
from tests.log.databases import unguarded
from tests.settlements.correcting import check_all, correct, dealt, hire, mispaid, put_in_charge
from tests.settlements.deciding import bill_for, decide, decision
from tests.settlements.test_late_money import close, differs, open_again, session, tray
from tests.support.floors import FloorClone
from tests.support.pages import PagePerson, text_of
from tests.support.records import recorded, refused
from tests.tables.irregularities.ruling import TOLD_ALL, prove, rule, signed

LOST, WON = 31_000, 12_500


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open and its shoe ready; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor)
    return floor


def void(house: House) -> None:
    rule(house, 27, "void", "MH", told=TOLD_ALL)


def test_what_moves_after_the_session_closed_comes_out_of_the_open_tray(house: House) -> None:
    dealt(house)
    left = close(house)
    void(house)
    open_again(house, left=left)
    made = decision("refund_losers", moved=True)
    (bill,) = bill_for(made).bills
    assert bill.late is not None
    assert (bill.late.moved_minor, bill.late.session) == (LOST, "T1/S2")
    decide(house, made)
    assert tray() == left - LOST
    assert differs() == [], "the closed session's tray stays as it was counted"
    assert (session(1).moved_late_minor, session(2).moved_late_minor) == (LOST, -LOST)
    prove(house)
    decide(house, decision("stand", "T1/1/1", moved=True))
    assert tray() == left
    assert (session(1).moved_late_minor, session(2).moved_late_minor) == (0, 0)
    prove(house)


def test_each_of_several_late_rounds_moves_the_trays_once(house: House) -> None:
    dealt(house)
    dealt(house)
    left = close(house, out=18)
    void(house)
    open_again(house, left=left)
    decide(house, decision("reverse", moved=True))
    moved = 2 * (LOST - WON)
    assert tray() == left - moved
    assert (session(1).moved_late_minor, session(2).moved_late_minor) == (moved, -moved)
    assert session(1).bank_handed_minor == session(1).bank_owed_minor == 0
    assert differs() == []
    prove(house)


def test_of_a_closed_session_only_what_is_not_handed_over_is_found(house: House) -> None:
    dealt(house)
    close(house)
    void(house)
    decide(house, decision("refund_losers"))
    found = reaudit(Round.objects.values_list("pk", flat=True)).found
    assert [each.differences for each in found] == [(), ()]
    assert {(p.seat, p.wager) for each in found for p in each.mispaid} == {
        (1, "pair"),
        (1, "main"),
        (3, "main"),
    }
    assert differs() == [], "its tray was counted without what is owed since"
    shoe = examine("shoe", "T1/1", day=session(1).gaming_day)
    # The cards of the void shoe are still to be verified, which no decision changes.
    expected = ["payout.mispaid"] * 3 + ["shoe.unverified"]
    assert [problem.code for problem in shoe.problems] == expected
    assert shoe.figures["mispaid_minor"] == -LOST
    prove(house)


@pytest.mark.parametrize(
    ("what", "players", "bank"), [("stand", WON, LOST), ("refund_losers", WON, 0)]
)
def test_what_a_later_decision_left_owed_is_paid_by_the_same_decision(
    house: House, what: str, players: int, bank: int
) -> None:
    name = dealt(house)
    void(house)
    decide(house, decision("reverse", moved=True))
    decide(house, decision(what, name.key))
    later = decision(what, name.key, moved=True)
    assert (bill_for(later).to_players_minor, bill_for(later).to_bank_minor) == (players, bank)
    assert owed_yet(the_shoe()) == OwedYet(players, bank, frozenset({name.key}))
    decide(house, later)
    assert owed_yet(the_shoe()) == OwedYet(0, 0)
    assert session(1).bank_handed_minor == session(1).bank_owed_minor
    assert (bill_for(later).to_players_minor, bill_for(later).to_bank_minor) == (0, 0)
    prove(house, out=9, findings=["payout.mispaid"] * (5 if bank else 2))


def the_shoe() -> Ref:
    stored = Shoe.objects.get(key="T1/1")
    return Ref(stored.pk, stored.key)


def test_what_was_mispaid_before_the_shoe_was_void_is_no_part_of_its_decisions(
    house: House,
) -> None:
    name = dealt(house)
    correct(house, name, mispaid({(3, "pair"): 300}, moved=False))
    void(house)
    assert bill_for(decision("stand", moved=True)).to_players_minor == 0
    decide(house, decision("refund_losers"))
    decide(house, decision("refund_losers", name.key, moved=True))
    assert session(1).bank_handed_minor - session(1).bank_owed_minor == 7_400


def test_a_decision_from_before_there_were_bills_is_shown_as_the_word_it_was(
    house: House,
) -> None:
    name = dealt(house)
    void(house)
    say_as_before(house, name)
    page = PagePerson(house, "manager").get("/tables/T1/shoes/1/void-rounds/")
    assert "decided before decisions had bills" in text_of(page)
    assert [each["rounds"] for each in page.context["decisions"]] == [1]
    bill = bill_for(decision("reverse", name.key, moved=True))
    assert (bill.to_players_minor, bill.to_bank_minor) == (LOST, WON), "it moved nothing"
    decide(house, decision("reverse", name.key, moved=True))
    assert session(1).bank_handed_minor == session(1).bank_owed_minor == 0
    prove(house, out=9)


def test_the_camera_reference_of_a_signature_is_told_with_the_decision(house: House) -> None:
    name = dealt(house)
    void(house)
    first, second = signed("MH")
    decide_rounds(
        table="T1",
        shoe=1,
        decision=decision("stand", name.key),
        bill_hash=bill_for(decision("stand", name.key)).hash,
        signers=[replace(first, camera_reference="CAM 7 22:14"), second],
        by=house.acting("manager"),
    )
    page = text_of(PagePerson(house, "manager").get("/tables/T1/shoes/1/void-rounds/"))
    assert "manager_2, manager, camera CAM 7 22:14 manager, manager" in page
    (done,) = decisions_of("T1/1")
    document = signed_act(done)
    assert document["signed"] == [
        {
            "number": each.number,
            "name": each.name,
            "role": "manager",
            "camera_reference": camera,
        }
        for each, camera in zip(done.signed, ("CAM 7 22:14", None), strict=True)
    ]


@service
def say_as_before(house: House, name: RoundName) -> None:
    """Put a decision on record as one was when it had no bill."""
    row = ShoeVoidRound.objects.select_related("shoe", "round").get(round__key=name.key)
    append(
        stream="table/T1",
        action="shoe.decided",
        subject=row.shoe.key,
        actor=house.acting("manager").actor,
        facts=[
            Row(
                ShoeVoidRound,
                {
                    "shoe": Ref(row.shoe_id, row.shoe.key),
                    "round": Ref(row.round_id, row.round.key),
                    "revision": 2,
                    "decision": "reverse",
                    "sweep_revision": row.sweep_revision,
                    "final_revision": row.final_revision,
                    "irregularity_number": row.irregularity_number,
                    "note": "A king was missing.",
                    "signed_hash": "0" * 64,
                },
            )
        ],
        data={
            "act": "shoe.decide",
            "shoe": row.shoe.key,
            "decision": "reverse",
            "note": "A king was missing.",
            "told": "A. Cruz, 23:10",
            "rounds": [name.key],
        },
    )


@pytest.mark.parametrize("spelled", [str.upper, " {}".format])
def test_a_hash_that_is_spelled_otherwise_names_no_bill(
    house: House, spelled: Callable[[str], str]
) -> None:
    name = dealt(house)
    void(house)
    reverse = decision("reverse", name.key, moved=True)
    signed_hash = decide(house, reverse).bill_hash
    decide(house, decision("stand", name.key, moved=True))
    with refused("shoe_void.bill_changed"):
        decide_rounds(
            table="T1",
            shoe=1,
            decision=reverse,
            bill_hash=spelled(signed_hash),
            signers=signed("MH"),
            by=house.acting("manager"),
        )


@pytest.mark.parametrize(
    "other",
    [
        {"decision": "stand"},
        {"note": "A queen was missing."},
        {"told": "Nobody."},
        {"moved": False},
        {"rounds": ("T1/1/2",)},
    ],
)
def test_another_decision_with_the_hash_of_one_that_was_made_is_none_that_was_made(
    house: House, other: dict[str, Any]
) -> None:
    name, _ = dealt(house), dealt(house)
    void(house)
    made = decision("reverse", name.key, moved=True)
    bill = bill_for(made)
    decide(house, made, bill=bill)
    assert decide(house, replace(made, rounds=()), bill=bill).done_before
    before = recorded()
    with refused("shoe_void.bill_changed"):
        decide(house, replace(made, **other), bill=bill)
    assert recorded() == before


def deciding(house: House, what: str) -> Callable[[], RoundsDecided]:
    """Two managers sign the bill that they have just read."""
    made = decision(what, "T1/1/1", moved=True)
    bill = bill_for(made)
    return lambda: decide(house, made, bill=bill)


@pytest.fixture
def shared(floor_clone: FloorClone) -> FloorClone:
    """A floor of the test's own, with a void shoe of one round."""
    hire(floor_clone.house)
    put_in_charge(floor_clone.house)
    dealt(floor_clone.house)
    void(floor_clone.house)
    return floor_clone


def test_the_second_of_two_decisions_is_shown_the_new_bill(shared: FloorClone) -> None:
    first, second = deciding(shared.house, "reverse"), deciding(shared.house, "refund_losers")
    met = overlap(first, second, writes=shoe_voids, clone=shared.database)
    assert met.waited
    assert code_of(met.first) == ""
    assert isinstance(met.second, DecisionChangedError)
    anew = bill_for(decision("refund_losers", "T1/1/1", moved=True))
    assert met.second.data["bill_hash"] == anew.hash
    assert met.second.data["bill"] == anew.document
    assert ShoeVoidRound.objects.filter(revision__gt=1).count() == 1
    assert replay_log().problems == []


def test_without_the_lock_a_constraint_is_all_that_is_left(
    shared: FloorClone, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = deciding(shared.house, "reverse"), deciding(shared.house, "refund_losers")
    monkeypatch.setattr(shoe_voids, "lock_stream", lambda stream: None)
    met = overlap(first, second, writes=shoe_voids, clone=shared.database)
    assert not met.waited
    assert code_of(met.second) == ""
    assert constraint_of(met.first) == "shoe_void_round_one_per_revision"


def test_the_same_decision_sent_by_many_is_one(shared: FloorClone) -> None:
    results = at_once([deciding(shared.house, "reverse")] * 4)
    done = [result for result in results if isinstance(result, RoundsDecided)]
    assert len(done) == 4, results
    assert sorted(result.done_before for result in done) == [False, True, True, True]
    assert Settlement.objects.filter(kind="corrected").count() == 2


PLANTED = {
    "another ruling": (
        "UPDATE settlements_settlement SET given_back = 'all' WHERE revision = 2",
        "outcome",
    ),
    "no ruling": (
        "UPDATE settlements_settlement SET given_back = '' WHERE revision = 2",
        "outcome",
    ),
    "a ruling of a round that nobody decided of": (
        "UPDATE settlements_settlement SET given_back = 'losers' WHERE revision = 1",
        "outcome",
    ),
    "a ruling with all that follows from it, and no decision": (
        "UPDATE settlements_shoevoidround SET decision = 'reverse' WHERE revision = 2",
        "given_back",
    ),
    "a decision that was not carried out": (
        "UPDATE settlements_shoevoidround SET decision = 'stand' WHERE revision = 2",
        "given_back",
    ),
    "another reason to pay": (
        "UPDATE settlements_payout SET profit_minor = 1 WHERE revision = 2 AND outcome = 'void'",
        "profit_minor",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_what_was_planted_past_the_log_differs(shared: FloorClone, fault: str) -> None:
    decide(shared.house, decision("refund_losers", moved=True))
    ids = list(Round.objects.values_list("pk", flat=True))
    assert reaudit(ids).found == ()
    statement, field = PLANTED[fault]
    tables = ("settlements_settlement", "settlements_payout", "settlements_shoevoidround")
    with unguarded(shared.database.admin_url, *tables) as admin:
        admin.execute(statement)
    found = reaudit(ids).found
    assert field in {each["field"] for part in found for each in part.differences}
    check_all()
    assert {problem.code for problem in replay_log(limit=9).problems} == {"fact.differs"}
