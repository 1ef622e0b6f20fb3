"""What is decided of the rounds of a void shoe moves their money, by one bill (event 27)."""

import pytest

from audit.log.models import Entry
from casino.people.models import Role
from settlements.correction import Correction
from settlements.errors import DecisionChangedError
from settlements.models import CheckResult, Payout, Settlement, ShoeVoidRound
from settlements.reaudit import reaudit
from settlements.selectors.bill import correction_bill
from settlements.selectors.corrections import corrections_of
from settlements.selectors.shoe_decisions import OwedYet, decisions_of, owed_yet
from settlements.services.shoe_voids import decide_rounds
from settlements.services.voids import VoidCause
from tables.models import Round, Shoe
from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, open_dispute
from tests.factories.house import (
    House,
    bet,
    key,
    open_round,
    play_round,
    settle_part,
    signer,
    void_as_shown,
)
from tests.settlements.correcting import (
    WAGERS,
    check_all,
    correct,
    dealt,
    grant_to_dealer,
    hire,
    misread,
    put_in_charge,
    session,
    sign,
)
from tests.settlements.deciding import bill_for, decide, decision
from tests.support.floors import ref_of
from tests.support.records import recorded, refused
from tests.tables.irregularities.ruling import TOLD_ALL, paid, prove, rule

# As the cards say: the House's pair of jacks takes both main wagers.
AS_DEALT = {
    (1, "main"): ("lose", 0),
    (1, "pair"): ("lose", 0),
    (3, "main"): ("lose", 0),
    (3, "pair"): ("win", 7_700),
    (3, "jacks"): ("win", 6_000),
}
LOST, WON = 31_000, 12_500
REFUNDED = AS_DEALT | {
    (1, "main"): ("void", 10_000),
    (1, "pair"): ("void", 1_000),
    (3, "main"): ("void", 20_000),
}
REVERSED = REFUNDED | {(3, "pair"): ("void", 700), (3, "jacks"): ("void", 500)}
ALL_WIN = {1: ["2H", "7C", "KD"], 3: ["8S", "AD", "KC"], 0: ["5S", "3D", "QC"]}


@pytest.fixture
def house(floor: House) -> House:
    """A house with a table open and its shoe ready; one of two managers is in charge."""
    hire(floor)
    put_in_charge(floor)
    return floor


def void(house: House) -> None:
    """Void the shoe between rounds."""
    rule(house, 27, "void", "MH", told=TOLD_ALL)


def void_and(house: House, name: RoundName) -> RoundName:
    void(house)
    return name


def handed(name: RoundName) -> dict[tuple[int, str], int]:
    """What was handed over by wager, as it stands."""
    round_ = Round.objects.get(key=name.key)
    standing = {"sweep": round_.sweep_revision, "final": round_.final_revision}
    rows = Payout.objects.filter(round=round_)
    return {(r.seat, r.wager): r.handed_minor for r in rows if r.revision == standing[r.part]}


def yet() -> OwedYet:
    return owed_yet(ref_of(Shoe.objects.get()))


def ruled(name: RoundName) -> set[tuple[str, int, str]]:
    rows = Settlement.objects.filter(round__key=name.key)
    return set(rows.values_list("part", "revision", "given_back"))


def test_losers_are_refunded_by_one_bill_and_one_correction_a_round(house: House) -> None:
    first, second = dealt(house), dealt(house)
    before = session()
    void(house)
    made = decision("refund_losers", first.key, moved=True)
    entries = Entry.objects.count()
    bill = bill_for(made)
    assert Entry.objects.count() == entries, "a bill writes nothing"
    assert (bill.to_players_minor, bill.to_bank_minor, bill.wagers_changed) == (LOST, 0, 3)
    done = decide(house, made)
    assert (paid(first), paid(second)) == (REFUNDED, AS_DEALT)
    assert handed(first) == {name: owed for name, (_, owed) in REFUNDED.items()}
    after = session()
    assert after.bank_handed_minor == after.bank_owed_minor == before.bank_handed_minor - LOST
    assert after.handle_minor == before.handle_minor - LOST
    assert ruled(first) >= {("sweep", 2, "losers"), ("final", 2, "losers")}
    (corrected,) = corrections_of(first.key)
    row = ShoeVoidRound.objects.get(round__key=first.key, revision=2)
    assert corrected.document["event"] == 27
    assert corrected.document["ruling"] == {
        "decision": "refund_losers",
        "shoe": "T1/1",
        "irregularity": "T1/I1",
        "revision": row.revision,
    }
    assert row.signed_hash == done.bill_hash == bill.hash
    assert [each.role for each in corrected.signed] == ["manager", "manager"]
    assert corrections_of(second.key) == []
    why = Payout.objects.get(round__key=first.key, revision=2, seat=1, wager="main")
    assert (why.clause, why.why["code"]) == ("event 27", "loser_refunded")
    prove(house, out=18)


@pytest.mark.parametrize("moved", [True, False])
def test_a_reversed_round_stands_again_when_that_is_decided(house: House, *, moved: bool) -> None:
    name = void_and(house, dealt(house))
    before = session()
    reverse = bill_for(decision("reverse", moved=moved))
    assert (reverse.to_players_minor, reverse.to_bank_minor) == (LOST, WON)
    decide(house, decision("reverse", moved=moved))
    assert paid(name) == REVERSED
    ended = session()
    assert (ended.bank_owed_minor, ended.handle_minor) == (0, 0)
    assert yet() == (OwedYet(0, 0) if moved else OwedYet(LOST, WON, frozenset({name.key})))
    assert ended.bank_handed_minor == (0 if moved else before.bank_handed_minor)
    check_all()
    assert not CheckResult.objects.filter(agrees=False).exists()
    decide(house, decision("stand", name.key, moved=moved))
    assert paid(name) == AS_DEALT
    assert handed(name) == {name: owed for name, (_, owed) in AS_DEALT.items()}
    again = session()
    assert again.bank_handed_minor == again.bank_owed_minor == before.bank_owed_minor
    assert ruled(name) == {
        (part, n, which)
        for part in ("sweep", "final")
        for n, which in enumerate(("", "all", ""), start=1)
    }
    prove(house, out=9)


def test_what_is_owed_is_handed_over_by_the_same_decision_later(house: House) -> None:
    name = void_and(house, dealt(house))
    decide(house, decision("refund_losers"))
    assert session().bank_handed_minor - session().bank_owed_minor == LOST
    (audited,) = [each.mispaid for each in reaudit(ids()).found if each.part == "sweep"]
    assert [(each.seat, each.wager) for each in audited] == [(1, "pair")]
    assert yet() == OwedYet(LOST, 0, frozenset({name.key}))
    later = decision("refund_losers", name.key, moved=True)
    assert bill_for(later).to_players_minor == LOST
    decide(house, later)
    assert session().bank_handed_minor == session().bank_owed_minor
    assert handed(name) == {name: owed for name, (_, owed) in REFUNDED.items()}
    assert bill_for(later).to_players_minor == 0
    assert yet() == OwedYet(0, 0)
    prove(house, out=9)


def ids() -> list[int]:
    return list(Round.objects.values_list("pk", flat=True))


def test_who_lost_is_found_anew_when_a_card_is_corrected(house: House) -> None:
    name = void_and(house, play_round(house, WAGERS, ALL_WIN))
    assert [paid(name)[seat, "main"][0] for seat in (1, 3)] == ["win", "win"]
    bill = bill_for(decision("refund_losers", moved=True))
    decide(house, decision("refund_losers", moved=True))
    assert bill.to_players_minor == 2_200, "the side wagers lost"
    # The House had a pair of threes: whoever lost by that is refunded as well.
    correct(house, name, misread(9, "3C"))
    owed = paid(name)
    assert [owed[seat, "main"] for seat in (1, 3)] == [("void", 10_000), ("void", 20_000)]
    assert ("final", 3, "losers") in ruled(name)
    prove(house, out=9)


def test_a_round_without_losers_keeps_the_ruling_for_what_comes(house: House) -> None:
    name = void_and(house, play_round(house, {3: {"main": 20_000}}, {3: ALL_WIN[3], 0: ALL_WIN[0]}))
    bill = bill_for(decision("refund_losers"))
    assert (bill.wagers_changed, len(list(bill.bills))) == (0, 1)
    decide(house, decision("refund_losers"))
    assert ruled(name) == {("final", 1, ""), ("final", 2, "losers")}
    correct(house, name, misread(6, "3C"))
    assert paid(name) == {(3, "main"): ("void", 20_000)}
    prove(house, out=6)


def test_what_stands_needs_no_correction(house: House) -> None:
    name = void_and(house, dealt(house))
    bill = bill_for(decision("stand"))
    assert (list(bill.bills), bill.to_players_minor) == ([], 0)
    decide(house, decision("stand"))
    assert corrections_of(name.key) == []
    assert ShoeVoidRound.objects.get(revision=2).decision == "stand"
    prove(house, out=9)


def test_of_a_round_void_before_only_its_settled_pairs_can_go_back(house: House) -> None:
    name = open_round(house)
    bet(house, name, WAGERS)
    key(house, name, dict(enumerate(["2H", "8S", "5S", "7C", "8D", "JD"], start=1)))
    settle_part(house, name, "sweep")
    void_as_shown(
        name=name,
        cause=VoidCause(event=26, first_two=False, note="a card fell"),
        signers=[signer("supervisor"), signer("manager")],
        by=house.acting("supervisor"),
    )
    void(house)
    bill = bill_for(decision("reverse", moved=True))
    assert (bill.to_players_minor, bill.to_bank_minor) == (1_000, 7_000)
    decide(house, decision("reverse", moved=True))
    assert paid(name)[1, "pair"] == ("void", 1_000)
    assert paid(name)[3, "pair"] == ("void", 700)
    assert session().bank_handed_minor == session().bank_owed_minor == 0
    prove(house, out=6)


def test_a_bill_that_was_overtaken_is_a_conflict_with_the_new_one(house: House) -> None:
    name = void_and(house, dealt(house))
    made = decision("refund_losers", moved=True)
    seen = bill_for(made)
    correct(house, name, misread())
    before = recorded()
    with refused("shoe_void.bill_changed") as caught:
        decide(house, made, bill=seen)
    assert recorded() == before
    anew = bill_for(made)
    assert isinstance(caught.value, DecisionChangedError)
    assert (caught.value.data["bill_hash"], caught.value.data["bill"]) == (anew.hash, anew.document)
    other = bill_for(decision("stand"))
    decide(house, made)
    with refused("shoe_void.bill_changed"):
        decide(house, decision("stand", name.key), bill=other)
    prove(house, out=9)


def test_the_same_decision_sent_again_changes_nothing(house: House) -> None:
    void_and(house, dealt(house))
    made = decision("reverse", moved=True)
    bill = bill_for(made)
    first = decide(house, made, bill=bill)
    before = recorded()
    again = decide(house, made, bill=bill)
    assert recorded() == before
    assert (first.done_before, again.done_before) == (False, True)
    assert again.receipt.hash == first.receipt.hash
    (done,) = decisions_of("T1/1")
    assert (done.document, done.document_hash) == (bill.document, bill.hash)
    assert [each.role for each in done.signed] == ["manager", "manager"]


@pytest.mark.parametrize("letters", ["M", "H", "SM", "SMH", "MHV"])
def test_another_authority_moves_nothing(house: House, letters: str) -> None:
    void_and(house, dealt(house))
    before = recorded()
    with refused("irregularity.signers"):
        decide(house, decision("reverse"), letters)
    assert recorded() == before


def test_whoever_dealt_one_of_the_rounds_signs_nothing(house: House) -> None:
    name = void_and(house, dealt(house))
    grant_to_dealer(house, Role.MANAGER)
    made = decision("reverse")
    with refused("shoe_void.dealer") as caught:
        decide_rounds(
            table="T1",
            shoe=1,
            decision=made,
            bill_hash=bill_for(made).hash,
            signers=[sign("manager"), sign("dealer", Role.MANAGER)],
            by=house.acting("manager"),
        )
    assert caught.value.data["round"] == name.key
    assert ShoeVoidRound.objects.count() == 1


def test_a_round_under_a_dispute_hold_is_refused_by_its_name(house: House) -> None:
    first, second = dealt(house), dealt(house)
    open_dispute(
        name=second,
        disputed=Disputed(1, "He says that he won.", 3, "main", 20_000),
        by=house.acting("supervisor"),
    )
    void(house)
    with refused("correction.disputed") as caught:
        bill_for(decision("refund_losers"))
    assert caught.value.data == {"round": second.key, "dispute": "T1/D1"}
    decide(house, decision("refund_losers", first.key, moved=True))
    assert paid(first) == REFUNDED


def test_event_27_is_no_correction_of_a_single_round(house: House) -> None:
    name = void_and(house, dealt(house))
    with refused("correction.event") as caught:
        correction_bill(name, Correction(27, "reversed", True))
    assert caught.value.data == {"events": [21, 22, 23, 24, 28]}
