"""Burns over the API: the number of the next one is read, a retry is the same fact."""

from tables.models import BurnedCard
from tests.factories.house import House
from tests.support.api import ApiPerson

BURNS = "tables/T1/shoes/1/burns"


def test_a_burn_is_stated_under_the_number_that_was_read(floor: House) -> None:
    supervisor = ApiPerson(floor, "supervisor")
    first = {"event": 1, "faces": ["?"], "reason": "after the cut"}
    assert supervisor.get(BURNS) == {"next": 2, "burns": [first]}
    burn = {"event": 2, "faces": ["7H", "?"], "reason": "exposed"}
    done = supervisor.post(BURNS, burn)
    assert done["done_before"] is False
    assert supervisor.get(BURNS) == {"next": 3, "burns": [first, burn]}


def test_a_retry_is_answered_with_the_first_receipt(floor: House) -> None:
    supervisor = ApiPerson(floor, "supervisor")
    burn = {"event": 2, "faces": ["7H"], "reason": "exposed"}
    receipt = supervisor.post(BURNS, burn)["receipt"]
    again = supervisor.post(BURNS, burn, expect=200)
    assert (again["receipt"], again["done_before"]) == (receipt, True)
    status, problem = supervisor.send("POST", BURNS, {**burn, "faces": ["8H"]})
    assert (status, problem["code"]) == (409, "burn.conflict")
    assert problem["data"]["stands"]["faces"] == ["7H"]
    assert BurnedCard.objects.filter(event=2).count() == 1


def test_burns_are_listed_of_a_shoe_that_is_there(floor: House) -> None:
    supervisor = ApiPerson(floor, "supervisor")
    assert supervisor.refused("GET", "tables/T1/shoes/7/burns")["code"] == "shoe.missing"
