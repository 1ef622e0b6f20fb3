"""The API of findings: who reads, who answers, who decides, and what a client gets back."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from audit.findings.models import Finding
from audit.log.models import Entry
from tests.factories.people import People
from tests.findings.people import NOTICE, raise_one

URL = "/api/v1/findings"
Body = dict[str, Any]  # a JSON document


def _post(client: Client, path: str, body: object) -> Any:  # the test client's own response
    return client.post(f"{URL}/{path}", body, content_type="application/json")


def test_a_life_over_the_api(people: People) -> None:
    number = raise_one()
    supervisor, auditor = people.client("supervisor"), people.client("auditor")
    answered = _post(supervisor, f"{number}/answer", {"n": 1, "text": "Counted again."})
    assert answered.status_code == 200
    document = answered.json()
    assert document["finding"]["state"] == "answered"
    assert document["finding"]["owner"] == people.supervisor.number
    assert document["finding"]["next_note"] == 2
    entry = Entry.objects.filter(stream="audit").latest("seq")
    assert document["receipt"]["seq"] == entry.seq
    assert document["receipt"]["hash"] == bytes(entry.hash).hex()
    assert (entry.actor, entry.role) == (people.supervisor.number, "supervisor")
    assert _post(auditor, f"{number}/return", {"n": 2, "text": "By whom?"}).status_code == 200
    _post(supervisor, f"{number}/answer", {"n": 3, "text": "By two people."})
    assert _post(auditor, f"{number}/accept", {"n": 4, "text": "Seen."}).status_code == 200
    closed = _post(auditor, f"{number}/close", {"n": 5, "text": "Done."})
    assert closed.json()["finding"]["state"] == "closed"
    read = auditor.get(f"{URL}/{number}").json()
    assert read["sentence"] == "The counts of T1/7/12 differ by 5."
    assert read["detail"] == {"by_minor": 500}
    assert [note["state_after"] for note in read["notes"]] == [
        "answered",
        "open",
        "answered",
        "accepted",
        "closed",
    ]


def test_the_same_note_again_gives_the_same_receipt(people: People) -> None:
    number, client = raise_one(), people.client("supervisor")
    first = _post(client, f"{number}/answer", {"n": 1, "text": "Counted again."})
    again = _post(client, f"{number}/answer", {"n": 1, "text": "Counted again."})
    assert (again.status_code, again.json()) == (200, first.json())
    other = _post(client, f"{number}/answer", {"n": 1, "text": "Counted twice."})
    assert (other.status_code, other.json()["code"]) == (409, "finding.note_differs")
    assert Entry.objects.filter(stream="audit").count() == 2


BAD_NOTES: list[tuple[Body, str]] = [
    ({}, "field.required"),
    ({"n": 1}, "field.required"),
    ({"n": "1", "text": "x"}, "field.not_an_integer"),
    ({"n": True, "text": "x"}, "field.not_an_integer"),
    ({"n": 0, "text": "x"}, "field.min_value"),
    ({"n": 1, "text": ""}, "field.blank"),
    ({"n": 1, "text": 5}, "field.not_text"),
    ({"n": 1, "text": "x" * 2001}, "text.too_long"),
    ({"n": 1, "text": "x", "state": "closed"}, "field.unknown"),
]


def test_a_bad_note_is_refused_by_place(people: People) -> None:
    number, client = raise_one(), people.client("supervisor")
    for body, code in BAD_NOTES:
        answer = _post(client, f"{number}/answer", body)
        assert answer.status_code == 422
        assert code in {fault["code"] for fault in answer.json()["faults"]}
    assert Finding.objects.get().notes_count == 0


def test_an_unknown_finding_is_missing(people: People) -> None:
    raise_one()
    client = people.client("supervisor")
    for number in ("F-99", "F-0", "F-99999999999999999999", "f-1", "F-01"):
        answer = _post(client, f"{number}/answer", {"n": 1, "text": "x"})
        assert (answer.status_code, answer.json()["code"]) == (404, "finding.unknown"), number


def test_the_outsider_and_the_wrong_role_get_nothing(people: People) -> None:
    number, body = raise_one(), {"n": 1, "text": "x"}
    for step in ("answer", "return", "accept", "close"):
        outsider = _post(Client(), f"{number}/{step}", body)
        assert (outsider.status_code, outsider.json()["code"]) == (401, "session.missing")
        wrong = ["dealer", "cashier", "administrator", "regulator", "surveillance"]
        wrong += ["auditor"] if step == "answer" else ["supervisor", "manager"]
        for role in wrong:
            answer = _post(people.client(role), f"{number}/{step}", body)
            assert (answer.status_code, answer.json()["code"]) == (403, "role.not_allowed"), role
    assert Finding.objects.get().notes_count == 0


def test_who_may_read(people: People) -> None:
    number = raise_one()
    for path in (URL, f"{URL}/{number}"):
        assert Client().get(path).status_code == 401
        for role in ("supervisor", "manager", "surveillance", "auditor", "regulator"):
            assert people.client(role).get(path).status_code == 200, role
        for role in ("dealer", "cashier", "counter", "administrator"):
            assert people.client(role).get(path).status_code == 403, role


def test_who_answered_cannot_accept_in_another_role(people: People) -> None:
    number = raise_one()
    both = people.client("both", role="supervisor")
    _post(both, f"{number}/answer", {"n": 1, "text": "Counted again."})
    manager = people.client("both", role="manager")
    refused = _post(manager, f"{number}/accept", {"n": 2, "text": "Seen."})
    assert (refused.status_code, refused.json()["code"]) == (403, "role.not_allowed")


def test_lists_are_narrowed_and_paged(people: People) -> None:
    numbers = [raise_one(by_minor=place) for place in range(5)]
    other = raise_one("T2/1/1", table="T2", kind=NOTICE.code)
    client = people.client("auditor")

    def listed(query: str) -> tuple[list[str], str | None]:
        document = client.get(f"{URL}?{query}").json()
        return [item["number"] for item in document["items"]], document["next"]

    assert listed("") == ([other, *reversed(numbers)], None)
    assert listed("limit=4") == ([other, *reversed(numbers[2:])], numbers[2])
    assert listed(f"limit=4&after={numbers[2]}") == ([numbers[1], numbers[0]], None)
    assert listed("table=T2&state=open") == ([other], None)
    assert listed("state=unclosed&severity=warning&limit=1") == ([numbers[4]], numbers[4])
    assert listed(f"kind={NOTICE.code}") == ([other], None)
    assert listed("state=closed") == ([], None)


def test_a_mistyped_filter_is_refused(people: People) -> None:
    client = people.client("auditor")
    for query, status, code in (
        ("state=shut", 422, "finding.filter"),
        ("severity=grave", 422, "finding.filter"),
        ("after=12", 404, "finding.unknown"),
        ("limit=0", 422, "request.page"),
        ("table=%00", 422, "text.nul"),
    ):
        answer = client.get(f"{URL}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (status, code), query


@pytest.mark.parametrize("lines", [1, 3])
def test_a_list_takes_a_fixed_number_of_queries(
    people: People, lines: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(lines):
        raise_one(by_minor=place)
    client = people.client("auditor")
    client.get(URL)
    # Who is signed on, the findings.
    with django_assert_num_queries(2):
        client.get(URL)
