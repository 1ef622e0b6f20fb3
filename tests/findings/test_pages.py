"""The pages of findings: the filter as a sentence, the life of one, the steps that a role has."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from audit.findings.models import Finding
from audit.findings.services import raise_finding
from tests.factories.people import People
from tests.findings.people import CHECK, NOTICE, NOW, raise_one

LIST = "/audit/findings/"


def test_the_list_says_what_it_shows(people: People) -> None:
    raise_one()
    raise_one("T2/1/1", table="T2", kind=NOTICE.code)
    client = people.client("auditor")
    page = client.get(LIST).content.decode()
    assert "Findings that are not closed." in page
    assert "The counts of T1/7/12 differ by 5." in page
    assert "/audit/findings/F-2/" in page
    assert "/tables/T1/shoes/7/rounds/12/" in page
    narrowed = client.get(f"{LIST}?table_code=T2&severity=notice&state=open").content.decode()
    assert "Findings that are open, at table T2, of severity notice." in narrowed
    assert "F-1" not in narrowed
    of_kind = client.get(f"{LIST}?kind={NOTICE.code}")
    assert [line.number for line in of_kind.context["findings"]] == ["F-2"]
    assert "of the kind “Noted”." in of_kind.content.decode()
    assert of_kind.context["form"]["kind"].value() == NOTICE.code
    odd = client.get(f"{LIST}?kind=x%00&state=shut&severity=grave&after=x&table_code=%00")
    assert odd.status_code == 200
    empty = client.get(f"{LIST}?state=closed").content.decode()
    assert "Findings that are closed." in empty
    assert "No finding answers to this." in empty


def test_a_long_list_has_pages(people: People) -> None:
    for place in range(52):
        raise_one(by_minor=place)
    client = people.client("auditor")
    first = client.get(LIST)
    assert len(first.context["findings"]) == 50
    second = client.get(first.context["page"]["after_url"])
    assert [line.number for line in second.context["findings"]] == ["F-2", "F-1"]
    assert second.context["page"]["after_url"] is None
    assert client.get(second.context["page"]["first_url"]).status_code == 200


def test_a_finding_is_answered_and_accepted_on_its_page(people: People) -> None:
    number = raise_one()
    address = f"{LIST}{number}/"
    supervisor, auditor = people.client("supervisor"), people.client("auditor")
    assert "Counted again" not in supervisor.get(address).content.decode()
    assert auditor.get(address).context["form"] is None
    sent = supervisor.post(address, {"step": "answer", "n": "1", "text": "Counted again."})
    assert (sent.status_code, sent["Location"]) == (302, address)
    page = auditor.get(address)
    assert "Counted again." in page.content.decode()
    assert [choice for choice, _word in page.context["form"].fields["step"].choices] == [
        "accept",
        "return",
    ]
    auditor.post(address, {"step": "accept", "n": "2", "text": "Seen."})
    auditor.post(address, {"step": "close", "n": "3", "text": "Done."})
    assert Finding.objects.get().state == "closed"
    assert supervisor.get(address).context["form"] is None


def test_a_refused_step_says_so_on_the_page(people: People) -> None:
    number = raise_one()
    address = f"{LIST}{number}/"
    supervisor = people.client("supervisor")
    blank = supervisor.post(address, {"step": "answer", "n": "1", "text": " "})
    assert blank.status_code == 422
    early = supervisor.post(address, {"step": "answer", "n": "2", "text": "Late."})
    assert early.status_code == 409
    assert "The next note of F-1 is 1, not 2." in early.content.decode()
    wrong = supervisor.post(address, {"step": "close", "n": "1", "text": "Done."})
    assert wrong.status_code == 403
    assert supervisor.post(address, {"step": "burn", "n": "1", "text": "x"}).status_code == 422
    assert Finding.objects.get().notes_count == 0


def test_differences_read_as_words(people: People) -> None:
    found = {
        "seat": 3,
        "wager": "main",
        "field": "owed_minor",
        "stored": 19000,
        "recomputed": 19500,
    }
    whole = {"seat": None, "wager": None, "field": "fault", "stored": None, "recomputed": "x"}
    raise_finding(
        kind="round.engines_disagree",
        subject_kind="round",
        subject_key="T1/7/12",
        table_code="T1",
        detail={
            "part": "final",
            "revision": 1,
            "engine_version": "x",
            "count": 2,
            "differences": [found, whole],
            "over": {"KS": 9},
            "seats": [1, 2],
            "held": True,
            "others": [{"a": 1}],
        },
        raised_by=CHECK,
        now=NOW,
    )
    page = people.client("auditor").get(f"{LIST}F-1/")
    assert page.context["details"] == [
        ("Count", "2"),
        ("Seat 3, main: Owed", "190 on record, 195 recomputed"),
        ("Fault", "– on record, x recomputed"),
        ("Engine version", "x"),
        ("Held", "yes"),
        ("Others", "A: 1"),
        ("Over", "KS: 9"),
        ("Part", "final"),
        ("Revision", "1"),
        ("Seats", "1, 2"),
    ]


def test_a_kind_reads_as_words_and_leads_to_all_of_it(people: People) -> None:
    for place in range(2):
        raise_one(by_minor=place)
    raise_one(kind=NOTICE.code)
    client = people.client("auditor")
    page = client.get(f"{LIST}F-1/")
    facts = re.findall(
        r"<dt[^>]*>([^<]+)</dt><dd[^>]*>(?:<a [^>]+>)?([^<]+)", page.content.decode()
    )
    assert ("Kind", "Counts differ") in facts
    assert ("Code in the API", "test.counts_differ") in facts
    alike = client.get(page.context["kind_url"]).context["findings"]
    assert [line.number for line in alike] == ["F-2", "F-1"]


def test_who_gets_in(people: People) -> None:
    raise_one()
    for address in (LIST, f"{LIST}F-1/"):
        assert Client().get(address).status_code in (302, 401)
        for role in ("supervisor", "manager", "surveillance", "auditor", "regulator"):
            assert people.client(role).get(address).status_code == 200, role
        for role in ("dealer", "cashier", "counter", "administrator"):
            assert people.client(role).get(address).status_code == 403, role
    assert "You may not open this" in people.client("dealer").get(LIST).content.decode()
    assert people.client("auditor").get(f"{LIST}F-9/").status_code == 404
    start = people.client("auditor").get("/audit/")
    assert (start.status_code, start["Location"]) == (302, LIST)


@pytest.mark.parametrize("lines", [1, 3])
def test_the_list_takes_a_fixed_number_of_queries(
    people: People, lines: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(lines):
        raise_one(by_minor=place)
    client = people.client("auditor")
    client.get(LIST)
    # Who is signed on, the findings, how many are in each state.
    with django_assert_num_queries(3):
        client.get(LIST)
