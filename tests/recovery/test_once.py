"""One effect for one write, however often it is sent (trust R3, R4)."""

import threading

import pytest
from django.db import connection

from casino.people.models import StoredAnswer
from tables.models import Round
from tests.factories.house import House, build_house, open_floor
from tests.support.api import ApiPerson
from tests.support.database import CloneDatabase

PATH = "tables/T1/shoes/1/rounds"
KEYS = 5
COPIES = 8


@pytest.fixture
def house(clone_db: CloneDatabase) -> House:
    house = build_house()
    open_floor(house)
    return house


def keyed(person: ApiPerson, key: str) -> ApiPerson:
    """The same person, sending this key."""
    person.headers["Idempotency-Key"] = key
    return person


def raw(person: ApiPerson, path: str) -> tuple[int, bytes]:
    """Status and bytes of one write."""
    answer = person.client.post(
        f"/api/v1/{path}", b"{}", content_type="application/json", headers=person.headers
    )
    return answer.status_code, answer.content


def test_a_retry_with_the_same_key_is_the_same_write(house: House) -> None:
    dealer = keyed(ApiPerson(house, "dealer", table="T1"), "round-1")
    first = raw(dealer, PATH)
    assert first[0] == 201
    assert raw(dealer, PATH) == first
    assert Round.objects.count() == 1
    assert raw(keyed(dealer, "round-2"), PATH)[0] == 409
    assert StoredAnswer.objects.count() == 1


def test_another_body_under_a_key_is_refused(house: House) -> None:
    dealer = keyed(ApiPerson(house, "dealer", table="T1"), "one")
    dealer.post(PATH)
    assert dealer.refused("POST", PATH, {"x": 1})["code"] == "idempotency.reused"
    keyed(dealer, "with space")
    assert dealer.refused("POST", PATH)["code"] == "idempotency.key"


def test_a_key_belongs_to_one_person_and_address(house: House) -> None:
    dealer = keyed(ApiPerson(house, "dealer", table="T1"), "same")
    dealer.post(PATH)
    dealer.post(f"{PATH}/1/call-off")
    assert Round.objects.get().stage == Round.Stage.CALLED_OFF


def test_a_refused_write_stores_nothing(house: House) -> None:
    dealer = keyed(ApiPerson(house, "dealer", table="T1"), "early")
    assert dealer.refused("POST", f"{PATH}/9/call-off")["code"] == "round.missing"
    assert StoredAnswer.objects.count() == 0


def test_many_equal_writes_at_once_have_one_effect_each(house: House) -> None:
    for n in range(KEYS):
        people = [keyed(ApiPerson(house, "dealer", table="T1"), f"k{n}")]
        people += [_twin(people[0]) for _ in range(COPIES - 1)]
        answers: list[tuple[int, bytes]] = []

        def send(person: ApiPerson, into: list[tuple[int, bytes]] = answers) -> None:
            try:
                into.append(raw(person, PATH))
            finally:
                connection.close()

        threads = [threading.Thread(target=send, args=(person,)) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Round.objects.count() == n + 1
        assert {status for status, _ in answers} == {201}
        assert len({body for _, body in answers}) == 1
        del people[0].headers["Idempotency-Key"]
        people[0].post(f"{PATH}/{n + 1}/call-off")


def _twin(person: ApiPerson) -> ApiPerson:
    """The same session in another connection, as a client that repeats."""
    twin = ApiPerson.__new__(ApiPerson)
    twin.client = type(person.client)(enforce_csrf_checks=True)
    twin.client.cookies = person.client.cookies
    twin.headers = dict(person.headers)
    return twin
