"""A card carried over to the next round (event 1): corrected where it lies, shown, on a sheet."""

from datetime import timedelta

import pytest

from audit.log.models import Entry
from settlements.selectors.bill import correction_bill
from settlements.selectors.round_page import round_page
from settlements.services.voids import VoidCause
from tables.games import hands
from tables.models import Card, Departure, Round, ShoeStatement
from tables.selectors.round_read import RoundName, read_round
from tests.factories.house import (
    House,
    bet,
    key,
    open_round,
    settle_part,
    void_as_shown,
)
from tests.settlements.correcting import correct, misread, sign
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.ruling import (
    BURNED_FIRST,
    DEAL,
    begin,
    close_shoe,
    deal,
    drawn,
    paid,
    prove,
    rule,
    shoe,
    signed,
)
from tests.tables.paper.sheets import key_twice, reserve, sheet

LATE = (sign("manager"), sign("watcher", camera="CAM 1"))


def carried_from(house: House) -> RoundName:
    """A round that is settled, whose tenth card waits for the next one."""
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    settle_part(house, name, "final")
    return name


def opened(house: House) -> RoundName:
    """The round after: 9S TS KH loses to 2C 2S 3S."""
    name = open_round(house)
    bet(house, name, {2: {"main": 1000}})
    key(house, name, {0: "9S"}, revision=2)
    deal(house, name, ["2C", "TS", "2S", "KH", "3S"])
    settle_part(house, name, "final")
    return name


def faces() -> list[tuple[int, int, str]]:
    """The carried card as it was written: round, revision, face."""
    rows = Card.objects.filter(draw=10).order_by("revision")
    return list(rows.values_list("round__number", "revision", "face"))


def test_a_card_carried_over_is_corrected_where_it_was_opened(house: House) -> None:
    first, later = carried_from(house), opened(house)
    assert paid(later) == {(2, "main"): ("lose", 0)}
    with nothing_recorded(), refused("correction.refused") as caught:
        correction_bill(first, misread(10, "TH"))
    (fault,) = caught.value.faults
    assert (fault["code"], fault["round"]) == ("correction.carried", later.key)
    bill = correction_bill(later, misread(0, "TH"))
    assert [(card.draw, card.hand, card.before) for card in bill.cards] == [(0, 2, "9S")]
    correct(house, later, misread(0, "TH"))
    assert paid(later) == {(2, "main"): ("win", 2000)}
    assert faces() == [(1, 1, "?"), (1, 2, "9S"), (1, 3, "TH")]
    written = Entry.objects.filter(pk=Card.objects.get(draw=10, revision=3).entry_id).get()
    assert (written.action, written.subject) == ("round.corrected", later.key)
    assert not Card.objects.filter(round__key=later.key, draw=0).exists()
    assert shoe().cards_dealt == 15
    prove(house, out=15)


def test_a_bill_of_a_card_carried_over_names_its_revision(house: House) -> None:
    carried_from(house)
    later = opened(house)
    before = correction_bill(later, misread(1, "2D")).hash
    correct(house, later, misread(0, "8S"))
    assert correction_bill(later, misread(1, "2D")).hash != before


def test_a_card_that_no_round_took_is_corrected_where_it_was_drawn(house: House) -> None:
    first = carried_from(house)
    correct(house, first, misread(10, "TH"))
    assert faces() == [(1, 1, "?"), (1, 2, "TH")]
    prove(house, out=10)


def test_pages_show_the_card_in_both_rounds_and_correct_it_in_one(house: House) -> None:
    first, later = carried_from(house), opened(house)
    hands = {each.hand: each.cards for each in round_page(later, now=house.now).hands}
    assert [(card.draw, card.face) for card in hands[2]] == [(0, "9S"), (2, "TS"), (4, "KH")]
    apart = round_page(first, now=house.now).apart
    assert [(card.draw, card.face, card.use) for card in apart] == [(10, "9S", "next_round")]
    supervisor = PagePerson(house, "supervisor")
    text = text_of(supervisor.get("/tables/T1/shoes/1/rounds/1/"))
    assert "Draw 10, first card of the next round" in text
    form = supervisor.get("/tables/T1/shoes/1/rounds/2/correct/").context["hands_form"]
    assert [laid.draw for laid, _ in form[0]["cards"]] == [0, 2, 4]


@pytest.mark.parametrize("plain", [False, True])
def test_a_card_for_the_next_round_is_burned_with_a_round_that_is_void(
    house: House, plain: bool
) -> None:
    name = begin(house, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    rule(house, 1, "next_round", "S", name=name, draws=drawn((10, None)))
    if plain:
        cause, by = VoidCause(event=29, first_two=False, note="Dark."), house.acting("supervisor")
        void_as_shown(name=name, cause=cause, signers=signed("SM"), by=by)
    else:
        rule(house, 26, "void", "SM", name=name)
    kept = Departure.objects.filter(draw=10).order_by("revision")
    assert list(kept.values_list("use", "irregularity_number")) == [
        ("next_round", 1),
        ("burned", 2),
    ]
    assert (shoe().cards_dealt, shoe().cards_burned) == (9, BURNED_FIRST + 1)
    later = open_round(house)
    bet(house, later, {2: {"main": 1000}})
    assert read_round(later).carried is None
    key(house, later, {1: "9S"})
    prove(house)


@pytest.mark.parametrize("ended", [False, True])
def test_a_sheet_opens_the_card_that_was_carried_over(house: House, ended: bool) -> None:
    carried_from(house)
    reserved = reserve(house, 1, after=1)
    name = RoundName("T1", 1, reserved.rounds[0].number)
    if ended:
        close_shoe(house, out=18)
    key_twice(house, name, sheet(), dealt_at=house.now - timedelta(minutes=10))
    assert Round.objects.get(key=name.key).stage == "settled"
    assert read_round(name).faces[0] == "AS"
    assert faces() == [(1, 1, "?"), (1, 2, "AS")]
    cards = Card.objects.filter(round__key=name.key).order_by("draw")
    assert list(cards.values_list("draw", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert shoe().cards_dealt == 18
    prove(house, out=None if ended else 18)
    stated = ShoeStatement.objects.order_by("revision").last()
    assert stated is not None
    assert (stated.counted_closes, stated.unknown_faces, stated.dealt) == (True, BURNED_FIRST, 18)


CALLED_OFF = {"end": "called_off", "dealer": "1001", "seats": [], "house": {"cards": []}}
PLAYED_ON = ["8C", "2C", "TS", "2S", "KH", "3S"]


def call_off_by_sheet(house: House, name: RoundName) -> None:
    """The sheet says that no card was dealt in this round."""
    key_twice(house, name, CALLED_OFF, dealt_at=house.now - timedelta(minutes=10))
    assert Round.objects.get(key=name.key).stage == "called_off"


def dealt_past(house: House) -> tuple[RoundName, RoundName]:
    """A round that waits for its sheet, and the next one, dealt from the shoe meanwhile: seat 2
    has 8C TS KH against 2C 2S 3S."""
    reserved = reserve(house, 1, after=1)
    name = open_round(house)
    bet(house, name, {2: {"main": 1000}})
    deal(house, name, PLAYED_ON)
    return reserved.rounds[0], name


def as_it_lies(name: RoundName) -> tuple[object, ...]:
    """A round's cards by hand, its money, and whether its first card came from another round."""
    read = read_round(name)
    return hands(read.ruleset, read.state()), paid(name), read.carried is None


@pytest.mark.parametrize("over", [False, True])
def test_a_round_that_was_dealt_takes_no_card_from_one_called_off_later(
    house: House, over: bool
) -> None:
    first = carried_from(house)
    waiting, later = dealt_past(house)
    if over:
        settle_part(house, later, "final")
    lay = as_it_lies(later)
    call_off_by_sheet(house, waiting)
    assert as_it_lies(later) == lay
    if not over:
        settle_part(house, later, "final")
    assert paid(later) == {(2, "main"): ("lose", 0)}
    correct(house, first, misread(10, "TH"), *LATE)
    correct(house, later, misread(1, "8D"))
    assert faces() == [(1, 1, "?"), (1, 2, "TH")], "no round took it"
    page = round_page(first, now=house.now)
    assert [(card.draw, card.face, card.use) for card in page.apart] == [(10, "TH", "next_round")]
    again = open_round(house)
    bet(house, again, {2: {"main": 1000}})
    assert read_round(again).carried is None
    key(house, again, {1: "9S"})
    prove(house, findings=["card.not_taken"])


def test_a_round_not_dealt_yet_takes_the_card_of_one_called_off_by_its_sheet(house: House) -> None:
    carried_from(house)
    reserved = reserve(house, 1, after=1)
    name = open_round(house)
    bet(house, name, {2: {"main": 1000}})
    call_off_by_sheet(house, reserved.rounds[0])
    key(house, name, {0: "9S"}, revision=2)
    deal(house, name, ["2C", "TS", "2S", "KH", "3S"])
    settle_part(house, name, "final")
    assert paid(name) == {(2, "main"): ("lose", 0)}
    assert faces() == [(1, 1, "?"), (1, 2, "9S")]
    prove(house, out=15)


@pytest.mark.parametrize("called_off_first", [False, True])
def test_of_two_sheets_the_first_round_that_was_dealt_takes_the_card(
    house: House, called_off_first: bool
) -> None:
    """Whichever comes in first: behind a round that is awaited nobody knows whose the card is."""
    carried_from(house)
    off, played = reserve(house, 2, after=1).rounds
    if called_off_first:
        call_off_by_sheet(house, off)
    key_twice(house, played, sheet(), dealt_at=house.now - timedelta(minutes=9))
    if not called_off_first:
        lay = as_it_lies(played)
        call_off_by_sheet(house, off)
        assert as_it_lies(played) == lay
    assert (read_round(played).carried is not None) == called_off_first
    assert faces() == [(1, 1, "?"), *([(1, 2, "AS")] if called_off_first else [])]
    correct(house, played, misread(8, "TC"))
    prove(house, findings=[] if called_off_first else ["card.not_taken"])
