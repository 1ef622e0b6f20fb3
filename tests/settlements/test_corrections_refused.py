"""What no correction can say: cards, wagers and amounts that cannot have been; and the question."""

import pytest

from audit.findings.models import Finding
from audit.log.models import Entry
from settlements.correction import CorrectedCard, Correction
from settlements.errors import (
    CorrectionEmptyError,
    CorrectionEventError,
    CorrectionReasonError,
    CorrectionRefusedError,
    CorrectionStageError,
)
from settlements.selectors.bill import correction_bill
from tables.errors import OneCardTooManyError
from tables.games import UnsettledError
from tables.models import Card
from tests.factories.house import House, open_round, play_round
from tests.settlements.correcting import HOUSE_THIRD, correct, dealt, hire, mispaid, misread


@pytest.fixture
def house(house: House) -> House:
    """The house of the settlement tests, with enough people to sign."""
    hire(house)
    return house


def test_one_copy_too_many_is_a_question_then_a_finding(house: House) -> None:
    for number in range(8):
        other = "2345678T"[number]
        play_round(
            house,
            {1: {"main": 10_000}},
            {1: ["9S", f"{other}H", f"{other}D"], 0: [f"{other}S", f"{other}C", "QD"]},
        )
    name = dealt(house)
    with pytest.raises(OneCardTooManyError) as caught:
        correction_bill(name, misread(1, "9S"))
    places = caught.value.data["places"]
    assert isinstance(places, list)
    assert len(places) == 8
    seen = misread(1, "9S", as_seen=True)
    correct(house, name, seen, minutes=1)
    assert Finding.objects.filter(kind="shoe.one_card_too_many", subject_key=name.key).count() == 1
    assert Card.objects.get(round__key=name.key, draw=1, revision=2).as_seen


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (misread(10, "2C"), "correction.no_such_card"),
        (misread(9, "2"), "card.detail"),
        (misread(9, "XX"), "card.unknown"),
        (misread(9, "?"), "card.face_unknown"),
        (mispaid({(2, "main"): 5}, moved=False), "correction.no_such_wager"),
        (mispaid({(1, "main"): -1}, moved=False), "correction.handed"),
        (mispaid({}, moved=False, wagers={1: {"main": 0}}), "wager.stake"),
        (mispaid({}, moved=False, wagers={1: {"rouge": 5}}), "wager.unknown_kind"),
        (mispaid({}, moved=False, wagers={9: {"main": 5}}), "seat.unknown"),
        (mispaid({}, moved=False, wagers={2: {"main": 5}}), "correction.hands"),
        (mispaid({}, moved=False, wagers={1: {}}), "correction.hands"),
        (
            mispaid({}, moved=False, wagers={3: {"main": 20_000, "pair": 700}}),
            "correction.money_stays",
        ),
        (
            Correction(21, "twice", False, (CorrectedCard(9, "2C"), CorrectedCard(9, "3C"))),
            "correction.card_twice",
        ),
    ],
)
def test_what_cannot_have_been_is_refused(house: House, correction: Correction, code: str) -> None:
    name = dealt(house)
    before = Entry.objects.count()
    with pytest.raises(CorrectionRefusedError) as caught:
        correction_bill(name, correction)
    assert code in [fault["code"] for fault in caught.value.faults]
    assert Entry.objects.count() == before


def test_every_fault_comes_at_once(house: House) -> None:
    name = dealt(house)
    correction = Correction(
        event=21,
        reason="all of it",
        moved=False,
        cards=(CorrectedCard(12, "2C"), CorrectedCard(9, "2")),
        wagers={1: {"main": 0}},
    )
    with pytest.raises(CorrectionRefusedError) as caught:
        correction_bill(name, correction)
    codes = {fault["code"] for fault in caught.value.faults}
    assert codes == {"correction.no_such_card", "card.detail", "wager.stake"}


def test_a_face_never_known_settles_nothing(house: House) -> None:
    name = dealt(house)
    with pytest.raises(UnsettledError):
        correction_bill(name, misread(9, "?", as_seen=True))


def test_a_correction_says_what_and_why_and_changes_something(house: House) -> None:
    name = dealt(house)
    with pytest.raises(CorrectionEmptyError):
        correction_bill(name, misread(HOUSE_THIRD, "JC"))
    with pytest.raises(CorrectionEventError):
        correction_bill(name, Correction(26, "a void is no correction", False))
    with pytest.raises(CorrectionReasonError):
        correction_bill(name, Correction(21, " ", False, (CorrectedCard(9, "2C"),)))


def test_a_round_in_play_is_keyed_anew_not_corrected(house: House) -> None:
    name = open_round(house)
    with pytest.raises(CorrectionStageError):
        correction_bill(name, misread())
