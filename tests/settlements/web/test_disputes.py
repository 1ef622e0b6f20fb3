"""The pages of disputes without a script: opened, filed, ruled by two, paid; and refusals."""

import pytest
from django.template.loader import render_to_string

from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from tables.models import DisputeFile, DisputeHold
from tables.selectors.round_read import RoundName
from tests.factories.house import NOW, House
from tests.settlements.correcting import correct, hire, mispaid
from tests.settlements.disputing import (
    FILE,
    OPEN,
    PAGE,
    ROUND,
    RULING,
    TYPED,
    hold,
    ready_to_rule,
    settle_first_round,
    signatures,
    signing,
)
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded


@pytest.fixture
def house(floor: House) -> House:
    """A house with enough people to sign and a manager in charge; its first round is settled."""
    return ready_to_rule(floor)


def test_a_supervisor_opens_a_dispute_from_the_page_of_a_round(house: House) -> None:
    supervisor = PagePerson(house, "supervisor")
    assert ("Open dispute", OPEN, False) in supervisor.get(ROUND).context["actions"]
    form = supervisor.get(OPEN).context["form"]
    labels = [label for _value, label in form.fields["what"].choices]
    assert labels == [
        "Seat 1, Main (100)",
        "Seat 1, Pair (10)",
        "Seat 1, all wagers (110)",
        "Seat 3, Main (200)",
        "Seat 3, Jacks (5)",
        "Seat 3, all wagers (205)",
        "The whole round (315)",
    ]
    assert supervisor.post(OPEN, TYPED)["Location"] == PAGE
    held = DisputeHold.objects.get()
    assert (held.key, held.seat, held.wager, held.disputed_minor) == ("T1/D1", 3, "main", 5000)
    said = text_of(supervisor.get(PAGE))
    for words in (
        "Dispute T1/D1",
        "Seat 3, Main",
        "He says nine.",
        "Missing: who complains",
        "Corrections of T1/1/1 that touch: Seat 3, Main",
        "supervisor, supervisor",
    ):
        assert words in said, words
    shown = text_of(supervisor.get(ROUND))
    assert "held: no correction or void changes it" in shown
    assert "Dispute hold opened: T1/D1" in shown


def test_the_sum_left_empty_is_what_lies_there(house: House) -> None:
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(OPEN, {**TYPED, "disputed_minor": "", "what": "all"})
    held = DisputeHold.objects.get()
    assert (held.seat, held.wager, held.disputed_minor) == (None, "", 31500)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"seen": ""}, "This field is required"),
        ({"what": "2/main"}, "not one of the available choices"),
        ({"what": ""}, "This field is required"),
        ({"disputed_minor": "12.345"}, "decimals"),
        ({"disputed_minor": "-5"}, "xpected"),
        ({"disputed_minor": "999999999999999999"}, "xpected"),
        ({"seen": "x" * 501}, "at most 500 characters"),
    ],
)
def test_what_is_refused_keeps_what_was_typed(
    house: House, changed: dict[str, str], says: str
) -> None:
    supervisor = PagePerson(house, "supervisor")
    supervisor.get(OPEN)
    with nothing_recorded():
        answer = supervisor.post(OPEN, {**TYPED, **changed})
    assert answer.status_code == 422
    assert says in text_of(answer)
    kept = {**TYPED, **changed}
    assert kept["seen"] in answer.content.decode()
    assert (
        f'value="{kept["disputed_minor"]}"' in answer.content.decode() or not kept["disputed_minor"]
    )


def test_the_same_form_sent_twice_opens_one_dispute_and_says_so(house: House) -> None:
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(OPEN, TYPED)
    with nothing_recorded():
        assert supervisor.post(OPEN, TYPED)["Location"] == "/disputes/T1/1/"
        again = supervisor.post(OPEN, {**TYPED, "seen": "He says nine, too."})
    assert again.status_code == 422
    assert "was opened at this table just now" in text_of(again)
    assert 'href="/disputes/T1/1/"' in again.content.decode()
    assert "He says nine, too." in again.content.decode()
    # The form carries the next number: who means another dispute opens it.
    assert again.context["form"]["number"].value() == "2"
    assert supervisor.post(OPEN, {**TYPED, "number": "2"})["Location"] == "/disputes/T1/2/"


def test_an_open_hold_stops_a_correction_on_its_page(house: House) -> None:
    hold(house)
    typed = {"event": "22", "reason": "counted", "moved": "yes", "handed_3_main": "380"}
    answer = PagePerson(house, "supervisor").post(f"{ROUND}correct/", {**typed, "act": "bill"})
    assert answer.status_code == 422
    assert "Dispute T1/D1 holds what this changes" in text_of(answer)


def test_the_file_is_kept_with_the_round_frozen_and_says_what_is_missing(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    first = supervisor.get(f"{PAGE}file/")
    assert first.context["form"]["staff_involved"].value() == "1001"
    half = {**FILE, "camera_reference": "", "patron_informed": ""}
    assert supervisor.post(f"{PAGE}file/", half)["Location"] == PAGE
    said = text_of(supervisor.get(PAGE))
    assert "Missing: camera reference, player told of the right to complain" in said
    assert "1001 dealer, 1003 supervisor" in said
    again = supervisor.get(f"{PAGE}file/").context["form"]
    assert (again["revision"].value(), again["patron"].value()) == (2, "J. Cruz")
    supervisor.post(f"{PAGE}file/", {**FILE, "revision": "2"})
    page = supervisor.get(PAGE)
    said = text_of(page)
    assert "Says all that it must say." in said
    assert "File, revision 1, superseded" in said
    assert not page.context["has_changed"]
    kept = DisputeFile.objects.order_by("revision").values_list("staff_involved", flat=True)
    assert list(kept) == [["1001", "1003"], ["1001", "1003"]]


def test_the_file_says_in_words_where_the_round_stood() -> None:
    frozen = {"evidence": {"last_seq": 9, "stage": "third_lap"}, "at": NOW}
    said = render_to_string("settlements/disputes/_file.html", {"file": frozen})
    assert "after entry 9, third lap</span>" in said


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"patron": ""}, "This field is required"),
        ({"narrative": " "}, "This field is required"),
        ({"narrative": "x" * 4001}, "at most 4000 characters"),
        ({"staff_involved": ",".join(str(n) for n in range(21))}, "at most 20 people"),
        ({"staff_involved": "x" * 33}, "Expected staff numbers"),
        ({"revision": "5"}, "revision"),
    ],
)
def test_a_file_that_is_refused_keeps_what_was_typed(
    house: House, changed: dict[str, str], says: str
) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    with nothing_recorded():
        answer = supervisor.post(f"{PAGE}file/", {**FILE, **changed})
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert "0917 555 0100" in answer.content.decode()


def test_who_keeps_a_file_over_anothers_sees_both_and_loses_nothing(house: House) -> None:
    hold(house)
    supervisor, manager = PagePerson(house, "supervisor"), PagePerson(house, "manager")
    manager.post(f"{PAGE}file/", {**FILE, "narrative": "He withdrew it."})
    late = supervisor.post(f"{PAGE}file/", FILE)
    assert late.status_code == 422
    text = late.content.decode()
    assert "He says that his hand was nine." in text
    assert "He withdrew it." in text
    assert late.context["form"]["revision"].value() == "2"
    assert supervisor.post(f"{PAGE}file/", {**FILE, "revision": "2"}).status_code == 302


def test_text_is_kept_in_one_normal_form(house: House) -> None:
    hold(house)
    PagePerson(house, "supervisor").post(f"{PAGE}file/", {**FILE, "patron": "Jose\u0301 Cruz"})
    assert DisputeFile.objects.get().patron == "Jos\u00e9 Cruz"


def test_the_ruling_is_shown_before_two_people_sign_it(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    empty = text_of(supervisor.get(f"{PAGE}ruling/"))
    assert "Sign and release" not in empty
    assert "The file is not complete" in empty
    with nothing_recorded():
        shown = supervisor.post(f"{PAGE}ruling/", {**RULING, "act": "look"})
    assert shown.status_code == 200
    said = text_of(shown)
    assert signing()["content_hash"] in said
    assert "Manager in charge, manager" in said
    answer = supervisor.post(f"{PAGE}ruling/", signing("supervisor", "manager"))
    assert answer["Location"] == PAGE
    held = DisputeHold.objects.get()
    assert (held.state, held.outcome, held.ruling) == (
        "released",
        "patron",
        "The camera shows nine.",
    )
    said = text_of(supervisor.get(PAGE))
    assert "Signed by supervisor, supervisor; manager, manager" in said
    assert "No correction has carried it out yet." in said


def test_a_ruling_that_is_sent_twice_leads_to_the_dispute_and_another_is_refused(
    house: House,
) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    sent = signing("supervisor", "manager")
    for _ in range(2):
        assert supervisor.post(f"{PAGE}ruling/", sent)["Location"] == PAGE
    other = signing("supervisor", "manager", ruling={"outcome": "house", "ruling": "Eight."})
    with nothing_recorded():
        assert supervisor.post(f"{PAGE}ruling/", other).status_code == 409
        assert supervisor.get(f"{PAGE}ruling/").status_code == 409


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (signing("supervisor", "manager_2"), "the manager in charge"),
        (signing("manager_2", "manager"), "does not hold the role"),
        (signing("supervisor", "supervisor"), "role"),
        (signing("both", "both"), "two different people"),
        (
            {**signing("supervisor", "manager"), "signer2-secret": "000000"},
            "do not belong together",
        ),
        ({**signing("supervisor", "manager"), "signer1-secret": ""}, "This field is required"),
        (
            signing("supervisor", "manager", read={"outcome": "house", "ruling": "Eight."}),
            "is not the one that was read",
        ),
        ({**signing("supervisor", "manager"), "ruling": ""}, "This field is required"),
    ],
)
def test_a_ruling_that_is_not_signed_as_it_was_read_is_refused(
    house: House, sent: dict[str, str], says: str
) -> None:
    hold(house)
    with nothing_recorded():
        answer = PagePerson(house, "supervisor").post(f"{PAGE}ruling/", sent)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert sent["ruling"] in answer.content.decode()
    assert DisputeHold.objects.get().state == "open"


def test_nobody_in_charge_is_said_and_a_manager_is_led_there(floor: House) -> None:
    hire(floor)
    settle_first_round(floor)
    hold(floor)
    page = PagePerson(floor, "manager").post(f"{PAGE}ruling/", {**RULING, "act": "look"})
    assert "Nobody is in charge of the shift yet." in text_of(page)
    assert 'href="/in-charge/"' in page.content.decode()
    assert "Sign and release" not in text_of(page)


def test_a_ruling_for_the_patron_is_paid_by_a_correction_that_names_it(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(f"{PAGE}file/", FILE)
    supervisor.post(f"{PAGE}ruling/", signing("supervisor", "manager"))
    linked = f"{ROUND}correct/?dispute=1"
    assert f'href="{linked}"' in supervisor.get(PAGE).content.decode()
    form = supervisor.get(linked)
    assert "Carries out the ruling of dispute T1/D1" in text_of(form)
    assert form.context["form"]["dispute"].value() == "1"
    typed = {
        "event": "22",
        "reason": "paid as ruled",
        "moved": "no",
        "handed_3_main": "380",
        "dispute": "1",
    }
    bill = supervisor.post(f"{ROUND}correct/", {**typed, "act": "bill"})
    assert "Carries out the ruling" in text_of(bill)
    sent = {
        **typed,
        "act": "sign",
        "bill_hash": bill.context["bill"]["hash"],
        **signatures("supervisor", "supervisor_2"),
        "signer2-role": "supervisor",
    }
    assert supervisor.post(f"{ROUND}correct/", sent)["Location"] == PAGE
    assert Settlement.objects.filter(kind="corrected").count() == 1
    page = supervisor.get(PAGE)
    said = text_of(page)
    assert "Moved by the correction below." in said
    assert "paid as ruled" in said
    assert "The round has changed since this file froze it." in said
    assert "For dispute T1/D1" in text_of(supervisor.get(ROUND))


def test_a_correction_names_only_a_dispute_that_was_ruled_in_its_round(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    typed = {"event": "22", "reason": "x", "moved": "no", "handed_1_main": "10", "act": "bill"}
    for number in ("1", "7"):
        answer = supervisor.post(f"{ROUND}correct/", {**typed, "dispute": number})
        assert answer.status_code == 422
        assert "is not one that was ruled in round T1/1/1" in text_of(answer)
    assert supervisor.get(f"{ROUND}correct/?dispute=x").status_code == 200


def test_a_correction_of_something_else_does_not_count_as_its_money(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    supervisor.post(f"{PAGE}ruling/", signing("supervisor", "manager"))
    name = RoundName("T1", 1, 1)
    change = mispaid({(1, "main"): 19000}, moved=False)
    correct(house, name, change, bill=correction_bill(name, change))
    assert "No correction has carried it out yet." in text_of(supervisor.get(PAGE))


def test_a_ruling_for_the_house_moves_nothing(house: House) -> None:
    hold(house)
    supervisor = PagePerson(house, "supervisor")
    ruling = {"outcome": "house", "ruling": "The camera shows eight."}
    supervisor.post(f"{PAGE}ruling/", signing("supervisor", "manager", ruling=ruling))
    said = text_of(supervisor.get(PAGE))
    assert "ruled for the house" in said
    assert "Nothing moves by the ruling." in said
    over = supervisor.get(f"{PAGE}ruling/")
    assert over.status_code == 409
    assert "was ruled already" in text_of(over)
