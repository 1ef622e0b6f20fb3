"""Findings through their services: raised once, answered, accepted, closed; every step logged."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction

from audit.chain import BodyError
from audit.findings import services
from audit.findings.errors import (
    FindingNoteDiffersError,
    FindingNoteNumberError,
    FindingOwnAnswerError,
    FindingStateError,
    FindingTextMissingError,
    FindingUnknownError,
)
from audit.findings.models import Finding, FindingNote
from audit.findings.selectors import (
    FindingFilter,
    finding_by_number,
    findings,
    findings_for,
    open_findings,
    sentence,
)
from audit.log.models import Entry
from casino.kernel.errors import InvariantError
from casino.kernel.text import TextLengthError
from casino.people.errors import RoleNotAllowedError
from casino.people.person import Person
from tests.findings.people import (
    CHECK,
    KIND,
    NOTICE,
    NOW,
    auditor,
    dealer,
    manager,
    other_auditor,
    raise_one,
    regulator,
    supervisor,
    supervisor_as_auditor,
)

pytestmark = pytest.mark.django_db
Step = Callable[..., services.Stepped]


def test_a_finding_is_raised_with_its_entry() -> None:
    number = raise_one()
    finding = Finding.objects.get(number=number)
    assert number == "F-1"
    assert finding.state == Finding.State.OPEN
    assert finding.severity == "warning"
    assert finding.due_at == NOW + timedelta(days=2)
    assert finding.raised_by == "system:check"
    assert sentence(finding) == "The counts of T1/7/12 differ by 5."
    entry = Entry.objects.get(stream="audit")
    body = json.loads(bytes(entry.body))
    assert entry.action == "finding.raised"
    assert entry.subject == number
    assert [head["key"] for head in body["heads"]] == [number]


def test_the_same_again_changes_nothing_also_when_closed() -> None:
    first = raise_one()
    _live_to_the_end(first)
    entries = Entry.objects.count()
    assert raise_one() == first
    assert Entry.objects.count() == entries
    assert Finding.objects.get().state == Finding.State.CLOSED


def test_other_subject_or_detail_is_another_finding_without_a_gap() -> None:
    numbers = [raise_one(), raise_one("T1/7/13"), raise_one(by_minor=501), raise_one()]
    assert numbers == ["F-1", "F-2", "F-3", "F-1"]


def test_a_refused_raise_takes_no_number() -> None:
    with transaction.atomic():
        raise_one()
        transaction.set_rollback(True)
    assert raise_one("T1/7/14") == "F-1"
    assert Entry.objects.filter(stream="audit").count() == 1


def test_floats_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(InvariantError):
        raise_one(kind="nobody.knows")
    with pytest.raises(BodyError):
        services.raise_finding(
            kind=KIND.code,
            subject_kind="round",
            subject_key="T1/7/12",
            table_code="T1",
            detail={"by": 0.5},
            raised_by=CHECK,
            now=NOW,
        )
    assert not Finding.objects.exists()


def test_a_whole_life() -> None:
    number = raise_one()
    _live_to_the_end(number)
    read = finding_by_number(number)
    assert [(note.n, note.author_number, note.state_after) for note in read.notes] == [
        (1, "S1", "answered"),
        (2, "S3", "open"),
        (3, "S2", "answered"),
        (4, "S3", "accepted"),
        (5, "S4", "closed"),
    ]
    assert read.next_note == 6
    assert read.finding.owner == "S1"
    actions = Entry.objects.filter(stream="audit").order_by("seq").values_list("action", flat=True)
    assert list(actions) == [
        "finding.raised",
        "finding.answered",
        "finding.returned",
        "finding.answered",
        "finding.accepted",
        "finding.closed",
    ]


@pytest.mark.parametrize("who", [supervisor, manager])
@pytest.mark.parametrize(
    "step", [services.accept_finding, services.return_finding, services.close_finding]
)
def test_the_auditee_can_answer_but_not_decide(who: Person, step: Step) -> None:
    number = raise_one()
    services.answer_finding(number, n=1, text="Counted again.", person=who)
    _refused(RoleNotAllowedError, step, number, n=2, who=who)


@pytest.mark.parametrize("who", [dealer, auditor, regulator])
def test_who_is_not_audited_cannot_answer(who: Person) -> None:
    _refused(RoleNotAllowedError, services.answer_finding, raise_one(), n=1, who=who)


def test_who_answered_cannot_decide_in_another_role() -> None:
    number = raise_one()
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    who = supervisor_as_auditor
    _refused(FindingOwnAnswerError, services.accept_finding, number, n=2, who=who)
    services.accept_finding(number, n=2, text="Seen.", person=auditor)
    _refused(FindingOwnAnswerError, services.close_finding, number, n=3, who=who)


def test_no_step_is_skipped_or_repeated() -> None:
    number = raise_one()
    _refused(FindingStateError, services.accept_finding, number, n=1, who=auditor)
    _refused(FindingStateError, services.return_finding, number, n=1, who=auditor)
    _refused(FindingStateError, services.close_finding, number, n=1, who=auditor)
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    _refused(FindingStateError, services.close_finding, number, n=2, who=auditor)
    services.accept_finding(number, n=2, text="Seen.", person=auditor)
    _refused(FindingStateError, services.accept_finding, number, n=3, who=other_auditor)
    _refused(FindingStateError, services.answer_finding, number, n=3, who=supervisor)
    services.close_finding(number, n=3, text="Done.", person=other_auditor)
    _refused(FindingStateError, services.close_finding, number, n=4, who=other_auditor)


def test_an_answer_may_be_added_to_until_decided() -> None:
    number = raise_one()
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    finding = services.answer_finding(number, n=2, text="And the stub.", person=manager).finding
    assert (finding.state, finding.notes_count, finding.owner) == ("answered", 2, "S1")


def test_a_note_sent_again_changes_nothing_and_other_content_is_a_conflict() -> None:
    number = raise_one()
    first = services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    entries = Entry.objects.count()
    again = services.answer_finding(number, n=1, text=" Counted again. ", person=supervisor)
    assert (again.finding.state, again.finding.notes_count) == ("answered", 1)
    assert Entry.objects.count() == entries
    assert (again.receipt.seq, again.receipt.hash) == (first.receipt.seq, first.receipt.hash)
    for text, who in [("Counted twice.", supervisor), ("Counted again.", manager)]:
        with pytest.raises(FindingNoteDiffersError):
            services.answer_finding(number, n=1, text=text, person=who)
    _refused(FindingNoteDiffersError, services.accept_finding, number, n=1, who=auditor)
    _refused(FindingNoteNumberError, services.accept_finding, number, n=3, who=auditor)
    _refused(FindingNoteDiffersError, services.answer_finding, number, n=0, who=supervisor)


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_step_says_why(text: str) -> None:
    number = raise_one()
    with pytest.raises(FindingTextMissingError):
        services.answer_finding(number, n=1, text=text, person=supervisor)
    with pytest.raises(TextLengthError):
        services.answer_finding(number, n=1, text="x" * 2001, person=supervisor)
    assert not FindingNote.objects.exists()


def test_an_unknown_finding() -> None:
    _refused(FindingUnknownError, services.answer_finding, "F-99", n=1, who=supervisor)
    with pytest.raises(FindingUnknownError):
        finding_by_number("F-99")


def test_lists_are_narrowed() -> None:
    closed, other, noted = raise_one(), raise_one("T2/1/1", table="T2"), raise_one(kind=NOTICE.code)
    _live_to_the_end(closed)

    def numbers(narrow: FindingFilter) -> list[str]:
        return [finding.number for finding in findings(narrow)]

    assert numbers(FindingFilter()) == [noted, other, closed]
    assert numbers(FindingFilter(state="closed")) == [closed]
    assert numbers(FindingFilter(table_code="T2")) == [other]
    assert numbers(FindingFilter(kind=NOTICE.code, table_code="T1")) == [noted]
    assert [finding.number for finding in open_findings()] == [noted, other]
    assert [f.number for f in findings_for("round", subject_key="T1/7/12")] == [closed, noted]


def _live_to_the_end(number: str) -> None:
    services.answer_finding(number, n=1, text="Counted again.", person=supervisor)
    services.return_finding(number, n=2, text="By whom?", person=auditor)
    services.answer_finding(number, n=3, text="By two people.", person=manager)
    services.accept_finding(number, n=4, text="Seen on camera.", person=auditor)
    services.close_finding(number, n=5, text="Done.", person=other_auditor)


def _refused(error: type[Exception], step: Step, number: str, *, n: int, who: Person) -> None:
    """The step is refused, and neither note nor entry nor state is written."""
    before = (
        Entry.objects.count(),
        FindingNote.objects.count(),
        list(Finding.objects.values_list("state", "notes_count")),
    )
    with pytest.raises(error):
        step(number, n=n, text="Why.", person=who)
    after = (
        Entry.objects.count(),
        FindingNote.objects.count(),
        list(Finding.objects.values_list("state", "notes_count")),
    )
    assert after == before
