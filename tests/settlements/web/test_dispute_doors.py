"""A dispute by API and by page: what the one refuses the other refuses, and both keep the same."""

from typing import Any

import pytest

from tables.models import DisputeFile, DisputeHold
from tables.services.rounds import call_off_round
from tests.factories.house import House, bet, open_round
from tests.settlements.disputing import FILE, OPEN, PAGE, RULING, hold, ready_to_rule, signing
from tests.support.api import ApiPerson, Json
from tests.support.pages import PagePerson
from tests.support.records import nothing_recorded
from tests.tables.irregularities.ruling import signed

DISPUTES = "tables/T1/disputes"


@pytest.fixture
def house(floor: House) -> House:
    """A house with enough people to sign and a manager in charge; its first round is settled."""
    return ready_to_rule(floor)


def took(person: ApiPerson, path: str, body: Json) -> bool:
    """Whether the API took a call; a refusal says why and writes nothing."""
    status, answer = person.send("POST", path, body)
    if status in (200, 201):
        return True
    assert status in (403, 409, 422), answer
    assert answer["code"]
    return False


def boxes(letters: str) -> list[Json]:
    return [
        {"badge": each.badge, "secret": each.secret, "role": each.role} for each in signed(letters)
    ]


@pytest.mark.parametrize(
    ("what", "amount", "words", "taken"),
    [
        ((3, "main"), "50", "He says nine.", True),
        ((3, ""), "", "He says nine.", True),
        ((None, ""), "", "He says nine.", True),
        ((3, "main"), "0", "He says nine.", True),
        ((3, "pair"), "", "He says nine.", False),
        ((2, "main"), "5", "He says nine.", False),
        ((3, "jackpot"), "5", "He says nine.", False),
        ((3, "main"), "-5", "He says nine.", False),
        ((3, "main"), "99999999999999", "He says nine.", False),
        ((3, "main"), "5", "  ", False),
        ((3, "main"), "5", "x" * 501, False),
    ],
)
def test_both_doors_open_the_same(
    house: House, what: tuple[int | None, str], amount: str, words: str, taken: bool
) -> None:
    seat, wager = what
    body: Json = {"number": 1, "shoe": 1, "round": 1, "seen": words, "seat": seat, "wager": wager}
    body["disputed_minor"] = int(amount) * 100 if amount else None
    assert took(ApiPerson(house, "supervisor"), DISPUTES, body) == taken
    chosen = "all" if seat is None else f"{seat}/{wager}" if wager else str(seat)
    typed = {"seen": words, "what": chosen, "disputed_minor": amount, "number": "1"}
    # Under another number it is another dispute, with the same content.
    page = PagePerson(house, "supervisor").post(OPEN, typed | {"number": "2" if taken else "1"})
    assert (page.status_code == 302) == taken
    rows = DisputeHold.objects.values_list("seat", "wager", "disputed_minor", "in_result")
    assert (len(rows), len(set(rows))) == ((2, 1) if taken else (0, 0))


@pytest.mark.parametrize("over", [False, True])
def test_both_doors_refuse_a_round_in_which_nothing_can_be_disputed(
    house: House, over: bool
) -> None:
    name = open_round(house)
    if over:
        call_off_round(name=name, by=house.acting("dealer", table="T1"))
    else:
        bet(house, name, {3: {"main": 10_000}})
    body: Json = {"number": 1, "shoe": 1, "round": 2, "seen": "He says nine."}
    assert took(ApiPerson(house, "supervisor"), DISPUTES, body) == (not over)
    page = PagePerson(house, "supervisor").get(OPEN.replace("rounds/1/", "rounds/2/"))
    assert (page.status_code == 200) == (not over)


LONG_NAME, LONG = "x" * 201, "x" * 4000


@pytest.mark.parametrize(
    ("changed", "taken"),
    [
        ({}, True),
        ({"staff_involved": "1001, 1001,, 1003"}, True),
        ({"patron_informed": LONG, "witnesses": LONG, "house_action": LONG}, True),
        ({"narrative": LONG}, True),
        ({"patron": LONG_NAME}, False),
        ({"contact": LONG_NAME}, False),
        ({"camera_reference": LONG_NAME}, False),
        ({"narrative": f"{LONG}x"}, False),
        ({"patron_informed": f"{LONG}x"}, False),
        ({"patron": "  "}, False),
        ({"staff_involved": "x" * 33}, False),
        ({"staff_involved": ",".join(map(str, range(21)))}, False),
    ],
)
def test_both_doors_keep_the_same_file(house: House, changed: dict[str, str], taken: bool) -> None:
    hold(house)
    typed = {**FILE, **changed}
    body: dict[str, Any] = {**typed, "revision": 1}
    body["staff_involved"] = [n for n in typed["staff_involved"].replace(" ", "").split(",") if n]
    assert took(ApiPerson(house, "supervisor"), f"{DISPUTES}/1/file", body) == taken
    typed["revision"] = "2" if taken else "1"
    page = PagePerson(house, "supervisor").post(f"{PAGE}file/", typed)
    assert (page.status_code == 302) == taken
    kept = [
        (file.patron, file.contact, file.narrative, file.staff_involved, file.patron_informed)
        for file in DisputeFile.objects.order_by("revision")
    ]
    assert len(kept) == (2 if taken else 0)
    assert kept[:1] == kept[1:]


@pytest.mark.parametrize("letters", ["SM", "MH", "HS", "SS"])
def test_both_doors_take_the_same_signatures(house: House, letters: str) -> None:
    hold(house)
    body: Json = {**RULING, "content_hash": signing()["content_hash"], "signers": boxes(letters)}
    people = {"S": "supervisor", "M": "manager_2", "H": "manager"}
    names = [people[letter] for letter in letters]
    taken = letters == "HS"
    assert took(ApiPerson(house, "supervisor"), f"{DISPUTES}/1/release", body) == taken
    # The page asks for the supervisor first; of what was ruled it answers the retry.
    typed = signing(*sorted(names, key=lambda name: name.startswith("manager")))
    with nothing_recorded():
        page = PagePerson(house, "supervisor").post(f"{PAGE}ruling/", typed)
    assert (page.status_code == 302) == taken


@pytest.mark.parametrize("person", ["cashier", "auditor"])
def test_both_doors_are_shut_to_the_same_people(house: House, person: str) -> None:
    body: Json = {"number": 1, "shoe": 1, "round": 1, "seen": "He says nine."}
    api = ApiPerson(house, person)
    problem = api.refused("POST", DISPUTES, body)
    assert problem["status"] == 403
    assert PagePerson(house, person).get(OPEN).status_code == 403
