"""The registry of kinds, and the sentences made from them."""

import pytest

from audit.findings.kinds import (
    FindingKind,
    Severity,
    all_kinds,
    kind_of,
    name_of,
    register_kind,
    say,
)
from audit.findings.subjects import register_subject_page, subject_url
from casino.kernel.errors import InvariantError
from tests.findings.people import KIND


def test_a_kind_may_be_registered_twice_but_not_differently() -> None:
    register_kind(KIND)
    assert kind_of(KIND.code) is KIND
    assert KIND in all_kinds()
    with pytest.raises(InvariantError):
        register_kind(FindingKind(KIND.code, "Other", "Something else.", Severity.NOTICE))


@pytest.mark.parametrize("code", ["plain", "Upper.case", "a.b ", "", ".x", "a..b"])
def test_a_code_is_dotted_lower_case(code: str) -> None:
    with pytest.raises(InvariantError):
        register_kind(FindingKind(code, "x", "x", Severity.NOTICE))


def test_an_unknown_kind_cannot_be_raised() -> None:
    with pytest.raises(InvariantError):
        kind_of("nobody.knows")


def test_a_finding_says_what_it_states() -> None:
    said = say(KIND.code, subject_key="T1/7/12", table_code="T1", detail={"by_minor": 500})
    assert said == "The counts of T1/7/12 differ by 500."
    said = say(
        KIND.code,
        subject_key="T1/7/12",
        table_code="T1",
        detail={"by_minor": 500},
        money=lambda amount: f"{amount} centavos",
    )
    assert said == "The counts of T1/7/12 differ by 500 centavos."
    missing = say(KIND.code, subject_key="T1/7/12", table_code="T1", detail={})
    assert missing == "The counts of T1/7/12 differ by {by_minor}."
    assert (name_of(KIND.code), name_of("old.kind")) == ("Counts differ", "old.kind")
    assert say("old.kind", subject_key="T1", table_code="T1", detail={}) == "old.kind: T1"


def test_a_subject_leads_to_its_page() -> None:
    urls = {
        "round": ("T1/7/12", "/tables/T1/shoes/7/rounds/12/"),
        "shoe": ("T1/7", "/tables/T1/shoes/7/"),
        "table": ("T1", "/tables/T1/"),
        "weather": ("rain", None),
    }
    for kind, (key, url) in urls.items():
        assert subject_url(kind, subject_key=key) == url
    for odd in ("T1/7/12/final/1", "", "T1/x/y", "T1/x", "T1/7/", "//"):
        assert [subject_url(kind, subject_key=odd) for kind in urls] == [None] * len(urls), odd
    with pytest.raises(InvariantError):
        register_subject_page("round", url_of=str)
