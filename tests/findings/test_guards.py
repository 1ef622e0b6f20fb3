"""What the database refuses for findings and their notes, around the services."""

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError, InternalError, ProgrammingError

from audit.findings.models import Finding, FindingNote
from audit.findings.services import answer_finding
from audit.log.models import Entry
from audit.log.rows import Change, Ref, Row
from audit.log.services import append
from tests.findings.people import CHECK, NOW, raise_one, supervisor
from tests.support.database import CloneDatabase

in_transaction = pytest.mark.django_db


def _refused(sql: str, *, error: type[DatabaseError]) -> None:
    with pytest.raises(error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@in_transaction
@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("delete from findings_finding", ProgrammingError),
        ("truncate findings_finding cascade", ProgrammingError),
        ("update findings_findingnote set text = 'x'", ProgrammingError),
        ("delete from findings_findingnote", ProgrammingError),
        ("truncate findings_findingnote", ProgrammingError),
    ],
)
def test_the_application_has_no_right_to_remove_or_rewrite(
    sql: str, error: type[DatabaseError]
) -> None:
    answer_finding(raise_one(), n=1, text="Counted again.", person=supervisor)
    _refused(sql, error=error)


def test_a_head_changed_without_an_entry_is_refused(clone_db: CloneDatabase) -> None:
    raise_one()
    with psycopg.connect(clone_db.app_url) as around, pytest.raises(psycopg.DatabaseError):
        around.execute("update findings_finding set state = 'closed', notes_count = 1")


def test_a_note_without_an_entry_of_its_transaction_is_refused(clone_db: CloneDatabase) -> None:
    raise_one()
    entry, finding = Entry.objects.get(stream="audit"), Finding.objects.get()
    with pytest.raises((InternalError, DatabaseError)):
        FindingNote.objects.create(
            entry=entry,
            finding=finding,
            n=1,
            author_number="S1",
            author_name="x",
            author_role="supervisor",
            text="x",
            state_after="answered",
        )


@in_transaction
@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"number": "F-3"}, "finding_number_is_serial"),
        ({"serial": 0, "number": "F-0"}, "finding_serial_from_1"),
        ({"severity": "grave"}, "finding_severity_known"),
        ({"state": "ignored", "notes_count": 1}, "finding_state_known"),
        ({"state": "closed"}, "finding_moved_has_notes"),
    ],
)
def test_heads_keep_their_constraints(values: dict[str, object], constraint: str) -> None:
    row: dict[str, object] = {
        "serial": 1,
        "number": "F-1",
        "kind": "test.noted",
        "severity": "notice",
        "subject_kind": "round",
        "subject_key": "T1/7/12",
        "fingerprint": "0" * 64,
        "raised_by": "S1",
        "raised_at": NOW,
    }
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        append(
            stream="audit",
            action="finding.raised",
            subject="F-1",
            actor=CHECK,
            new_heads=[Row(Finding, row | values)],
        )


@in_transaction
def test_a_finding_lives_in_the_stream_audit() -> None:
    raise_one()
    row: dict[str, object] = {
        "serial": 2,
        "number": "F-2",
        "kind": "test.noted",
        "severity": "notice",
        "subject_kind": "round",
        "subject_key": "T1/7/12",
        "fingerprint": "0" * 64,
        "raised_by": "S1",
        "raised_at": NOW,
    }
    with connection.cursor() as cursor:
        cursor.execute("select public.create_stream('house')")
    with pytest.raises(IntegrityError, match="finding_lives_in_stream_audit"), transaction.atomic():
        append(
            stream="house",
            action="finding.raised",
            subject="F-2",
            actor=CHECK,
            new_heads=[Row(Finding, row)],
        )


@in_transaction
@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"n": 0}, "finding_note_from_1"),
        ({"text": ""}, "finding_note_says_something"),
        ({"state_after": "ignored"}, "finding_note_state_known"),
        ({"n": 1}, "finding_note_one_per_number"),
    ],
)
def test_notes_keep_their_constraints(values: dict[str, object], constraint: str) -> None:
    answer_finding(raise_one(), n=1, text="Counted again.", person=supervisor)
    finding = Finding.objects.get()
    ref = Ref(finding.pk, finding.number)
    note: dict[str, object] = {
        "finding": ref,
        "n": 2,
        "author_number": "S1",
        "author_name": "x",
        "author_role": "supervisor",
        "text": "x",
        "state_after": "answered",
    }
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        append(
            stream="audit",
            action="finding.answered",
            subject="F-1",
            actor=CHECK,
            facts=[Row(FindingNote, note | values)],
            changes=[Change(Finding, ref, {"notes_count": 2})],
        )
