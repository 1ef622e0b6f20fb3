"""The pages of rounds from paper, without a script."""

from typing import Any

import pytest

from audit.findings.models import Finding
from tables.models import Round, SheetKeying
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName, read_round
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, open_round
from tests.tables.paper.pages import LIST, OTHER, SHEET, TYPED, browser, signature
from tests.tables.paper.sheets import HANDS, hold, key_copy, key_twice, misdeal, reserve, sheet
from tests.tables.paper.test_lucky import one_round
from tests.tables.terms import under_terms


def test_a_supervisor_reserves_and_the_rounds_wait_on_the_board(floor: House) -> None:
    client = browser(floor, "supervisor")
    assert client.post(LIST, {"rounds": "3", "after": "0"}).status_code == 302
    page = client.get(LIST).content.decode()
    assert all(key in page for key in ("T1/1/1", "T1/1/2", "T1/1/3"))
    assert page.count("Key sheet") == 3
    line = next(line for line in table_lines() if line.code == "T1")
    assert line.awaited == 3
    assert "3 rounds on paper to key" in client.get("/pit/P1/").content.decode()
    refused = client.post(LIST, {"rounds": "1", "after": "0"})
    assert refused.status_code == 422
    assert "has 3 rounds, not 0" in refused.content.decode()
    after = refused.content.decode().split('name="after" value="')[1].split('"')[0]
    assert client.post(LIST, {"rounds": "1", "after": after}).status_code == 302
    assert Round.objects.filter(stage="awaited").count() == 4


def test_a_round_in_play_is_named_before_anything_is_reserved(floor: House) -> None:
    open_round(floor)
    page = browser(floor, "supervisor").get(LIST).content.decode()
    assert "Round T1/1/1 is in play" in page


def test_two_people_type_a_sheet_and_it_is_on_record(floor: House, name: RoundName) -> None:
    dealer = browser(floor, "dealer", table="T1")
    first = dealer.get(SHEET).content.decode()
    assert "First keying" in first
    assert dealer.post(SHEET, TYPED)["Location"] == LIST
    supervisor = browser(floor, "supervisor")
    second = supervisor.get(SHEET).content.decode()
    assert "Second keying" in second
    assert 'value="as"' not in second.lower()
    assert supervisor.post(SHEET, TYPED)["Location"] == "/tables/T1/shoes/1/rounds/1/"
    keyed = SheetKeying.objects.get(round__key=name.key, copy="first")
    assert keyed.document == {**sheet(), "seats": sheet()["seats"]}
    assert keyed.dealt_at.isoformat() == "2026-03-01T13:35:00+00:00"
    assert Round.objects.get(key=name.key).stage == "settled"
    assert "T1/1/1" in supervisor.get(LIST).content.decode().split("Came in")[1]


def test_one_may_key_again_until_the_other_has(floor: House, name: RoundName) -> None:
    dealer = browser(floor, "dealer", table="T1")
    dealer.post(SHEET, {**TYPED, "s2_c3": "2H"})
    assert "Key again" in dealer.get(LIST).content.decode()
    again = dealer.get(SHEET).content.decode()
    assert 'value="2H"' in again
    assert 'value="21:35"' in again
    dealer.post(SHEET, {**TYPED, "revision": "2"})
    assert browser(floor, "supervisor").post(SHEET, TYPED)["Location"].endswith("/rounds/1/")


WRONG: list[tuple[dict[str, str], str, str]] = [
    ({"s1_c2": "1X"}, "s1_c2", "expected a card"),
    ({"s0_c3": ""}, "s0_c3", "expected 3 cards, found 2"),
    ({"s1_main": "abc"}, "s1_main", "Expected an amount"),
    ({"s1_main": "9" * 16}, "s1_main", "Expected an amount of at most 90,071,992,547,409.91."),
    ({"time": "2575"}, "time", "Expected a time"),
    ({"dealer": "9999"}, "dealer", "somebody on staff"),
    ({"s1_c3": "", "s1_c2": ""}, "s1_c2", "expected 3 cards, found 1"),
]


@pytest.mark.parametrize(("changed", "field", "says"), WRONG)
def test_a_fault_stands_at_its_cell(
    floor: House, name: RoundName, changed: dict[str, str], field: str, says: str
) -> None:
    answer = browser(floor, "supervisor").post(SHEET, {**TYPED, **changed})
    page = answer.content.decode()
    assert answer.status_code == 422
    cell = page.split(f'name="{field}"')[1].split("</td>")[0].split("</div>")[0]
    assert 'aria-invalid="true"' in cell.split(">")[0]
    assert says in cell
    assert not SheetKeying.objects.exists()


def test_one_copy_too_many_is_asked_for_on_the_page(floor: House) -> None:
    names = reserve(floor, 5, after=0).rounds
    pair = {1: ("AS", "AS", "2D"), 0: ("3D", "4D", "5D")}
    for each in names[:4]:
        key_twice(floor, each, sheet({1: {"main": 10_000}}, pair))
    client = browser(floor, "supervisor")
    url = SHEET.replace("/1/sheet", "/5/sheet")
    assert "data-asked" not in client.get(url).content.decode()
    answer = client.post(url, TYPED)
    asked = answer.content.decode()
    assert answer.status_code == 422
    assert "data-asked" in asked
    assert "expected at most 8 of AS" in asked
    assert "Round 4, lap 2" in asked.split("Which card was it")[1]
    assert client.post(url, {**TYPED, "as_seen": "on"}).status_code == 302


def test_the_check_names_cells_and_amounts_and_stores_nothing(
    floor: House, name: RoundName
) -> None:
    client = browser(floor, "supervisor")
    sound = client.post(f"{SHEET}check/", TYPED).content.decode()
    assert "It can have been so." in sound
    assert 'data-seat="2"' in sound
    assert "620" in sound
    half = client.post(f"{SHEET}check/", {**TYPED, "s1_c2": "9"}).content.decode()
    assert 'data-field="s1_c2"' in half
    untyped = client.post(f"{SHEET}check/", {"revision": "1"}).content.decode()
    assert 'data-field="time" data-to-come' in untyped
    assert not SheetKeying.objects.exists()


def test_differences_are_laid_side_by_side_and_one_is_kept(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    dealer = browser(floor, "dealer", table="T1")
    assert dealer.get(f"{SHEET}copies/").status_code == 403
    assert dealer.get(SHEET)["Location"] == LIST
    client = browser(floor, "manager")
    assert "Compare" in client.get(LIST).content.decode()
    page = client.get(f"{SHEET}copies/").content.decode()
    assert "The copies differ in one cell." in page
    assert page.count("<tr data-differs>") == 1
    assert "before you decide" in page
    assert "1 round on paper to settle" in client.get("/pit/P1/").content.decode()
    reserve(floor, 2, after=1, who="supervisor")
    board = client.get("/pit/P1/").content.decode()
    assert "2 rounds on paper to key, 1 round on paper to settle" in board
    answer = client.post(
        f"{SHEET}copies/",
        {"keep": "second", "note": "card in the rack", **signature(1, "manager")},
    )
    assert answer["Location"] == "/tables/T1/shoes/1/rounds/1/"
    assert read_round(name).faces[8] == "2H"
    put = "Put on record from paper: the second keying. card in the rack"
    assert put in client.get("/tables/T1/shoes/1/rounds/1/").content.decode()
    kept = client.get(f"{SHEET}copies/").content.decode()
    assert "The copies differ in one cell." in kept
    assert "before you decide" not in kept


def test_a_wrong_signature_is_refused_on_the_page(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    client = browser(floor, "supervisor")
    sent = {"keep": "second", "note": "mine is right", **signature(1, "supervisor")}
    answer = client.post(f"{SHEET}copies/", sent)
    assert answer.status_code == 422
    assert "not of two whose keyings differ" in answer.content.decode()


def test_what_the_sheet_says_is_keyed_anew(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    client = browser(floor, "manager")
    page = client.get(f"{SHEET}anew/").content.decode()
    assert 'value="KD"' in page
    assert 'value="2H"' not in page
    sent: dict[str, Any] = {**TYPED, "s2_c3": "2D", "note": "read again", **signature(1, "manager")}
    assert client.post(f"{SHEET}anew/", sent)["Location"].endswith("/rounds/1/")
    assert read_round(name).faces[8] == "2D"


def test_a_misdeal_is_typed_and_signed_by_two(floor: House, name: RoundName) -> None:
    typed = {
        **{
            key: value for key, value in TYPED.items() if not key.startswith(("s1_c", "s2_c", "s0"))
        },
        "end": "voided",
        "void_stage": "second_lap",
        "void_event": "26",
        "void_touched": "",
        "void_signed": "1003, 1004",
        "void_note": "A card fell out of the shoe.",
        "s1_c1": "4S",
        "s1_c2": "4D",
        "s2_c1": "6S",
        "s0_c1": "8H",
    }
    browser(floor, "dealer", table="T1").post(SHEET, typed)
    supervisor = browser(floor, "supervisor")
    assert supervisor.post(SHEET, typed)["Location"] == LIST
    keyed = SheetKeying.objects.get(round__key=name.key, copy="second")
    assert keyed.document == misdeal()
    page = supervisor.get(f"{SHEET}copies/").content.decode()
    assert "All copies say the same." in page
    assert "second lap" in page
    assert "misdeal" in page
    signed = {**signature(1, "supervisor"), **signature(2, "manager")}
    supervisor.post(f"{SHEET}copies/", {"keep": "first", "note": "as signed", **signed})
    assert Round.objects.get(key=name.key).stage == "voided"


def test_a_copy_with_one_card_too_many_is_kept_once_it_is_confirmed(floor: House) -> None:
    names = reserve(floor, 5, after=0).rounds
    pair = {1: ("AS", "AS", "2D"), 0: ("3D", "4D", "5D")}
    for each in names[:4]:
        key_twice(floor, each, sheet({1: {"main": 10_000}}, pair))
    ninth = misdeal()
    ninth["seats"][0]["cards"] = ["AS", "4D"]
    key_copy(floor, names[4], ninth, who="dealer", copy="first", as_seen=True)
    key_copy(floor, names[4], ninth, who="supervisor", copy="second", as_seen=True)
    client = browser(floor, "manager")
    url = SHEET.replace("/1/sheet", "/5/sheet") + "copies/"
    assert 'name="as_seen"' not in client.get(url).content.decode()
    signed = {**signature(1, "supervisor"), **signature(2, "manager")}
    sent = {"keep": "first", "note": "as signed", **signed}
    answer = client.post(url, sent)
    asked = answer.content.decode()
    assert answer.status_code == 422
    assert "AS would be copy 9 of 8" in asked
    assert "Round 4, lap 2" in asked.split("Which card was it")[1]
    assert 'name="as_seen"' in asked
    assert client.post(url, {**sent, "as_seen": "on"}).status_code == 302
    assert Round.objects.get(key=names[4].key).stage == "voided"
    assert Finding.objects.get().kind == "shoe.one_card_too_many"


def test_an_amount_handed_over_for_no_wager_is_no_keying(floor: House, name: RoundName) -> None:
    client = browser(floor, "supervisor")
    typed = {**TYPED, "s1_handed_jacks": "20"}
    check = client.post(f"{SHEET}check/", typed).content.decode()
    assert "It can have been so." not in check
    assert "Seat 1, handed for jacks" in check
    assert client.post(SHEET, typed).status_code == 422
    assert not SheetKeying.objects.filter(round__key=name.key).exists()


def test_limits_are_said_as_money_and_of_which_wager(floor: House) -> None:
    under_terms(floor, table="T1", limits={"max": {"main": 1_000_000}})
    reserve(floor, 1, after=0)
    typed = {**TYPED, "s2_main": "250,000"}
    check = browser(floor, "supervisor").post(f"{SHEET}check/", typed).content.decode()
    assert "Seat 2, main" in check
    assert "expected at most 10,000<" in check
    assert "minor" not in check


def test_stakes_beyond_every_sum_are_refused(floor: House, name: RoundName) -> None:
    client = browser(floor, "supervisor")
    typed = {**TYPED, "s2_main": "9007199254740.99"}
    says = "come to at most 10,000,000,000<"
    assert says in client.post(f"{SHEET}check/", typed).content.decode()
    answer = client.post(SHEET, typed)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not SheetKeying.objects.filter(round__key=name.key).exists()


def test_a_seat_that_no_void_can_touch_is_marked_at_its_cell(floor: House, name: RoundName) -> None:
    typed = {**TYPED, "end": "voided", "void_touched": "x", "void_note": "fell", "void_signed": ""}
    page = browser(floor, "supervisor").post(SHEET, typed).content.decode()
    assert (
        "expected a seat of this round" in page.split('name="void_touched"')[1].split("</div>")[0]
    )


def test_why_it_counts_is_kept_when_a_signature_is_wrong(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    client = browser(floor, "manager")
    signed = {**signature(1, "manager"), "signer1-secret": "000000"}
    sent = {**TYPED, "note": "read again by two", **signed}
    answer = client.post(f"{SHEET}anew/", sent)
    assert answer.status_code == 422
    assert 'value="read again by two"' in answer.content.decode()
    unsaid = {**sent, "note": " ", **signature(1, "manager")}
    assert client.post(f"{SHEET}anew/", unsaid).status_code == 422
    long = {**sent, "note": "x" * 501, **signature(1, "manager")}
    assert client.post(f"{SHEET}anew/", long).status_code == 422
    assert Round.objects.get(key=name.key).stage == "awaited"


def test_a_supervisor_reserves_in_a_shoe_that_is_over(floor: House) -> None:
    end_shoe(table="T1", shoe=1, stub_cards=415, by=floor.acting("supervisor"))
    client = browser(floor, "supervisor")
    shut = client.get(LIST).content.decode()
    assert "No shoe is in use" in shut
    assert f'href="{LIST}?shoe=1"' in shut
    assert f'href="{LIST}?shoe=1"' in client.get("/tables/T1/shoes/1/").content.decode()
    page = client.get(f"{LIST}?shoe=1").content.decode()
    assert "Shoe 1 is over and has 0 rounds so far." in page
    answer = client.post(f"{LIST}?shoe=1", {"rounds": "2", "after": "0"})
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}?shoe=1")
    assert Round.objects.filter(shoe__key="T1/1", stage="awaited").count() == 2
    dealer = browser(floor, "dealer", table="T1")
    assert "Reserve numbers" not in dealer.get(f"{LIST}?shoe=1").content.decode()
    assert "?shoe=1" not in dealer.get(LIST).content.decode()
    for nowhere in ("2", "999999999999", "x", "²"):
        assert client.get(f"{LIST}?shoe={nowhere}").status_code == 200


@pytest.mark.parametrize(("preset", "bank"), [("super-9", "House"), ("home", "Bank")])
def test_a_sheet_says_bank_where_a_seat_holds_it(floor: House, preset: str, bank: str) -> None:
    house, name = one_round(floor, preset)
    page = browser(house, "supervisor").get(f"/tables/L1/shoes/1/rounds/{name.number}/sheet/")
    assert f'<th scope="row">{bank}</th>' in page.content.decode()
    assert f"{bank}, card 1" in page.content.decode()


def test_who_keyed_it_in_another_window_saves_again(floor: House, name: RoundName) -> None:
    dealer = browser(floor, "dealer", table="T1")
    assert dealer.post(SHEET, {**TYPED, "s2_c3": "2H"}).status_code == 302
    answer = dealer.post(SHEET, TYPED)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Save again, and this keying takes its place." in page
    revision = page.split('name="revision" value="')[1].split('"')[0]
    assert dealer.post(SHEET, {**TYPED, "revision": revision}).status_code == 302
    keyed = SheetKeying.objects.filter(round__key=name.key).order_by("revision")
    assert [each.revision for each in keyed] == [1, 2]


def test_a_third_person_is_told_that_both_have_keyed(floor: House, name: RoundName) -> None:
    key_twice(floor, name, sheet(), OTHER)
    answer = browser(floor, "manager").post(SHEET, TYPED)
    assert answer.status_code == 409
    assert "T1/1/1" in answer.content.decode()
    dealer = browser(floor, "dealer", table="T1")
    assert dealer.post(SHEET, TYPED)["Location"] == LIST, "what was saved before"
    revised = dealer.post(SHEET, {**TYPED, "revision": "2"})
    assert revised.status_code == 409, "the other keyed before this revision came"
    assert SheetKeying.objects.filter(round__key=name.key).count() == 2


@pytest.mark.parametrize(
    ("keep", "who", "stage"),
    [
        ("first", (1,), "settled"),
        ("first", (2,), "settled"),
        ("first", (), "awaited"),
        ("second", (1,), "awaited"),
        ("second", (2,), "awaited"),
        ("second", (1, 2), "voided"),
    ],
)
def test_one_signs_where_only_the_other_copy_is_void(
    floor: House, name: RoundName, keep: str, who: tuple[int, ...], stage: str
) -> None:
    key_copy(floor, name, sheet(), who="dealer", copy="first")
    key_copy(floor, name, misdeal(), who="dealer_2", copy="second")
    client = browser(floor, "supervisor")
    page = client.get(f"{SHEET}copies/").content.decode()
    assert "A void is signed by both" in page
    assert "required" not in page.split('name="signer1-badge"')[1].split(">")[0]
    signers = {1: "supervisor", 2: "manager"}
    sent = {"keep": keep, "note": "read again"}
    for number in who:
        sent |= signature(number, signers[number])
    client.post(f"{SHEET}copies/", sent)
    assert Round.objects.get(key=name.key).stage == stage


def test_a_round_that_was_called_off_waits_for_nothing(floor: House, name: RoundName) -> None:
    key_twice(floor, name, {"end": "called_off", "dealer": "1001", "seats": []})
    page = browser(floor, "supervisor").get("/tables/T1/shoes/1/rounds/1/").content.decode()
    assert "there is nothing to settle" in page
    assert "Nothing is settled yet" not in page
    assert "No check has run yet" not in page


def test_a_copy_that_cannot_be_a_round_says_which_hand_is_wrong(
    floor: House, name: RoundName
) -> None:
    hold(floor, name, sheet(hands={**HANDS, 2: ("KS", "KD")}, house={"cards": ["5H"]}))
    key_twice(floor, name, sheet())
    sent = {"keep": "device", "note": "the tablet", **signature(1, "manager")}
    answer = browser(floor, "manager").post(f"{SHEET}copies/", sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Seat 2: expected 3 cards, found 2" in page
    assert "House: expected 3 cards, found 1" in page
