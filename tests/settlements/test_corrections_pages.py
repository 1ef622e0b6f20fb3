"""The page of a correction: a field beside everything on record, the bill, then two signatures."""

import pytest
from django.utils import timezone

from casino.people.selectors import manager_in_charge
from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from tables.models import Card, SeatWagers
from tables.selectors.round_read import RoundName
from tests.factories.house import (
    House,
    bet,
    build_house,
    key,
    open_floor,
    open_round,
    play_round,
)
from tests.settlements.correcting import (
    TWO,
    correct,
    dealt,
    hire,
    mispaid,
    misread,
    sign,
)
from tests.support.api import ApiPerson

NAME = RoundName("T1", 1, 1)
PAGE = "/tables/T1/shoes/1/rounds/1/"
TYPED = {"event": "21", "reason": "the camera shows another card", "moved": "yes", "card_9": "2c"}


@pytest.fixture
def house(house: House) -> House:
    """The house of the settlement tests, its first round dealt, with enough people to sign."""
    hire(house)
    dealt(house)
    return house


def page(house: House, name: str, path: str = f"{PAGE}correct/", **typed: str) -> tuple[int, str]:
    """Open or post the page; return its status and text."""
    person = ApiPerson(house, name)
    headers = person.headers
    if typed:
        answer = person.client.post(path, typed, headers=headers)
    else:
        answer = person.client.get(path, headers=headers)
    return answer.status_code, answer.content.decode()


def signatures(*names: str, **more: str) -> dict[str, str]:
    boxes: dict[str, str] = {}
    for number, each in enumerate([sign(name) for name in names], start=1):
        boxes |= {f"signer{number}-badge": each.badge, f"signer{number}-secret": each.secret}
    return boxes | {"signer2-role": "supervisor"} | more


def signing(*names: str, bill_hash: str = "", **more: str) -> dict[str, str]:
    read = bill_hash or correction_bill(NAME, misread()).hash
    return {**TYPED, "act": "sign", "bill_hash": read, **signatures(*names), **more}


def test_the_page_shows_what_is_on_record_and_asks_for_nothing_more(house: House) -> None:
    status, text = page(house, "supervisor")
    assert status == 200
    assert "Show the bill" in text
    assert "Sign and correct" not in text
    assert 'name="card_9"' in text
    assert 'name="stake_3_jacks"' in text


def test_the_bill_comes_before_the_signatures(house: House) -> None:
    status, text = page(house, "supervisor", **TYPED, act="bill")
    assert status == 200
    assert correction_bill(NAME, misread()).hash in text
    assert "To players" in text
    assert "Tray changes by" in text
    assert "595" in text
    assert "Sign and correct" in text
    assert not Settlement.objects.filter(kind="corrected").exists()


def test_two_people_sign_and_the_round_shows_its_corrections(house: House) -> None:
    status, _ = page(house, "supervisor", **signing("supervisor", "supervisor_2"))
    assert status == 302
    assert Card.objects.get(draw=9, revision=2).face == "2C"
    status, text = page(house, "auditor", PAGE)
    assert status == 200
    assert "Correction 1" in text
    assert "Final, revision 1, superseded" in text
    assert "supervisor_2, supervisor" in text
    assert "Correct round" not in text
    assert "Correct round" in page(house, "supervisor", PAGE)[1]


def test_a_stale_bill_is_shown_anew(house: House) -> None:
    stale = correction_bill(NAME, misread()).hash
    correct(house, NAME, mispaid({(3, "jacks"): 5_000}, moved=False))
    typed = signing("supervisor", "supervisor_2", bill_hash=stale)
    status, text = page(house, "supervisor", **typed)
    assert status == 422
    assert "has changed since" in text
    assert correction_bill(NAME, misread()).hash in text
    assert Settlement.objects.filter(part="final").count() == 2


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"signer2-secret": ""}, "This field is required"),
        ({"signer2-secret": "000000"}, "do not belong together"),
        ({"signer2-role": "manager"}, "does not hold the role"),
        ({"signer2-badge": "B1003", "signer2-secret": "730164"}, "two different people"),
        ({"reason": ""}, "This field is required"),
        ({"card_9": "ZZ"}, "expected a card"),
        ({"stake_1_main": "12.345"}, "decimals"),
    ],
)
def test_what_is_refused_stands_on_the_page(
    house: House, changed: dict[str, str], says: str
) -> None:
    typed = signing("supervisor", "supervisor_2") | changed
    status, text = page(house, "supervisor", **typed)
    assert status == 422
    assert says in text
    assert not Settlement.objects.filter(kind="corrected").exists()


def test_stakes_and_amounts_are_typed_as_people_write_them(house: House) -> None:
    typed = {
        "event": "22",
        "reason": "counted on the layout",
        "moved": "no",
        "stake_1_main": "120.00",
        "stake_1_pair": "0",
        "handed_1_main": "0",
        "handed_1_pair": "0",
    }
    status, text = page(house, "supervisor", **typed, act="bill")
    assert status == 200, text
    correction = mispaid(
        {(1, "main"): 0, (1, "pair"): 0}, moved=False, wagers={1: {"main": 12_000}}
    )
    assert correction_bill(NAME, correction).hash in text
    correct(house, NAME, correction, *TWO)
    assert SeatWagers.objects.get(seat=1, revision=2).pair_minor is None


def test_one_copy_too_many_is_asked_on_the_page(house: House) -> None:
    for suit in "HDCS":
        for _ in range(2):
            play_round(
                house,
                {1: {"main": 10_000}},
                {1: ["9S", f"4{suit}", f"5{suit}"], 0: [f"6{suit}", f"T{suit}", f"A{suit}"]},
            )
    typed = TYPED | {"card_9": "9s"}
    status, text = page(house, "supervisor", **typed, act="bill")
    assert status == 422
    assert "Which card was it" in text
    assert "would be copy 9 of 8" in text
    status, text = page(house, "supervisor", **typed, as_seen="on", act="bill")
    assert status == 200
    assert "Sign and correct" in text or "in charge" in text


def test_late_the_page_names_who_is_missing_and_managers_mend_it(house: House) -> None:
    name = open_round(house)
    bet(house, name, {2: {"main": 10_000}})
    key(house, name, {1: "4S"})
    status, text = page(house, "manager", **TYPED, act="bill")
    assert status == 200
    assert "Nobody is in charge" in text
    assert 'href="/in-charge/"' in text
    boxes = signatures("manager", "manager_2")
    status, text = page(house, "manager", "/in-charge/", **boxes | {"signer2-secret": "000000"})
    assert status == 422
    assert page(house, "manager", "/in-charge/", **boxes)[0] == 302
    found = manager_in_charge(timezone.now())
    assert found is not None
    assert found.name == "manager"
    assert "manager, 1004" in page(house, "manager", "/in-charge/")[1].replace("</b>", "")
    typed = signing("manager", "watcher") | {"signer2-camera": "C7 14:05:20"}
    status, text = page(house, "supervisor", **typed | {"signer2-camera": ""})
    assert status == 422
    assert page(house, "supervisor", **typed)[0] == 302


@pytest.mark.parametrize("name", ["auditor", "surveillance", "cashier"])
def test_who_does_not_correct_gets_no_page(house: House, name: str) -> None:
    assert page(house, name)[0] == 403
    assert page(house, name, "/in-charge/")[0] == 403


def test_a_round_in_play_has_no_correction(house: House) -> None:
    name = open_round(house)
    path = f"/tables/T1/shoes/1/rounds/{name.number}/"
    assert page(house, "supervisor", f"{path}correct/")[0] == 409
    assert "Correct round" not in page(house, "supervisor", path)[1]


def test_what_is_wrong_stands_at_its_field(house: House) -> None:
    typed = TYPED | {"card_9": "ZZ", "stake_1_main": "-5", "stake_3_main": "400", "act": "bill"}
    status, text = page(house, "supervisor", **typed)
    assert status == 422
    for field, says in {
        "card_9": "expected a card",
        "stake_1_main": "expected an amount above 0",
    }.items():
        cell = text.split(f'name="{field}"')[1].split("</td>")[0].split("</div>")[0]
        assert 'aria-invalid="true"' in cell
        assert says in cell
    assert "faults" not in text


@pytest.mark.django_db
def test_the_bill_says_limits_as_money_and_of_which_wager() -> None:
    limited = build_house(limits={"max": {"main": 1_000_000}})
    open_floor(limited)
    dealt(limited)
    typed = {"event": "24", "reason": "above the limit", "moved": "yes", "act": "bill"}
    status, text = page(limited, "supervisor", **typed, stake_1_main="250,000")
    assert status == 200
    assert "Seat 1, Main: expected at most 10,000<" in text
    status, text = page(limited, "supervisor", **typed, stake_1_main="90000000000")
    assert status == 422
    assert "come to at most 10,000,000,000<" in text


def test_a_correction_lists_wagers_as_the_bill_did(house: House) -> None:
    stakes = {3: {"main": 30_000, "jacks": 500}}
    correct(house, NAME, mispaid({}, moved=True, wagers=stakes), *TWO)
    done = page(house, "auditor", PAGE)[1].split("Correction 1")[1].split("</ul>")[0]
    assert "<b>Main 300, Jacks 5</b>" in done


def test_a_wager_that_was_not_there_is_not_said_to_be_unknown(house: House) -> None:
    typed = {"event": "22", "reason": "there was no pair wager", "moved": "yes", "act": "bill"}
    status, text = page(house, "supervisor", **typed, stake_1_pair="0")
    assert status == 200
    bill = text.split('aria-label="Bill"')[1].split("</section>")[0]
    assert "not there" in bill
    assert "not known" not in bill
