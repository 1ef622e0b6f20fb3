"""An append: result, rows, entry; and the failing twin that wrote nothing."""

import json
from datetime import UTC, date, datetime

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from audit.chain import START, BodyError, entry_hash
from audit.log.build import build
from audit.log.errors import AppendError, RegistryError, StreamMissingError
from audit.log.models import Entry, Stream
from audit.log.receipts import receipt_of
from audit.log.rows import Actor, Change, Ref, Row
from audit.log.selectors import entries_of
from audit.log.services import append, create_stream, lock_stream, service
from casino.kernel.clock import format_instant
from casino.outbox.models import OutboxItem
from casino.outbox.services import outbox_row
from casino.people.models import RoleGrant, Signature, Staff
from tables.models import Round
from tests.log.people import ADMINISTRATOR, counts, grant, hire, rename

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)


def body_of(entry_id: int) -> dict[str, object]:
    body = json.loads(bytes(Entry.objects.get(pk=entry_id).body))
    assert isinstance(body, dict)
    return body


def test_an_entry_chains_and_the_receipt_names_it() -> None:
    staff = hire()
    receipt = grant(staff, "dealer")
    first, second = Entry.objects.order_by("id")
    assert (first.seq, bytes(first.prev_hash)) == (1, START)
    assert (second.seq, bytes(second.prev_hash)) == (2, bytes(first.hash))
    for entry in (first, second):
        assert bytes(entry.hash) == entry_hash(
            prev_hash=bytes(entry.prev_hash),
            stream=entry.stream,
            seq=entry.seq,
            at=format_instant(entry.at),
            body=bytes(entry.body),
        )
    head = Stream.objects.get(name="people")
    assert (head.seq, bytes(head.hash), head.last_at) == (2, bytes(second.hash), second.at)
    assert (receipt.stream, receipt.seq, receipt.hash) == ("people", 2, bytes(second.hash).hex())
    assert (receipt.entry_id, receipt.at) == (second.pk, second.at)
    assert receipt.ids == (RoleGrant.objects.get().pk,)
    again = receipt_of(receipt.entry_id)
    assert (again.seq, again.hash, again.at) == (receipt.seq, receipt.hash, receipt.at)


def test_the_body_says_all_and_the_columns_beside_it_are_copies() -> None:
    staff = hire()
    receipt = grant(staff, "dealer")
    assert body_of(receipt.entry_id) == {
        "v": 1,
        "action": "role.granted",
        "actor": {"key": "S9", "name": "Ana Pe\u00f1a"},
        "role": "administrator",
        "device": None,
        "subject": "S1",
        "request": "request-1",
        "facts": [
            {
                "kind": "role_grant",
                "row": {"staff": "S1", "role": "dealer", "revision": 1, "granted": True},
            }
        ],
        "heads": [],
        "data": {},
    }
    entry = Entry.objects.get(pk=receipt.entry_id)
    assert (entry.action, entry.subject, entry.actor, entry.role, entry.device) == (
        "role.granted",
        "S1",
        "S9",
        "administrator",
        None,
    )
    assert entry.request_id == "request-1"


def test_a_new_head_is_logged_without_its_secrets_and_with_its_defaults() -> None:
    hire()
    assert body_of(Entry.objects.get().pk)["heads"] == [
        {
            "kind": "staff",
            "key": "S1",
            "set": {"badge": "B-S1", "name": "Ben Cruz", "active": True},
        }
    ]
    staff = Staff.objects.get()
    assert (staff.stream, staff.pin_hash) == ("people", "")


def test_a_change_names_only_what_changes_and_never_a_secret() -> None:
    staff = hire()
    receipt = rename(staff, "Ben Dela Cruz")
    assert body_of(receipt.entry_id)["heads"] == [
        {"kind": "staff", "key": "S1", "set": {"name": "Ben Dela Cruz"}}
    ]
    with transaction.atomic():
        secret = append(
            stream="people",
            action="staff.pin_set",
            subject="S1",
            actor=ADMINISTRATOR,
            changes=[Change(Staff, staff, {"pin_hash": "argon"})],
        )
    assert body_of(secret.entry_id)["heads"] == [{"kind": "staff", "key": "S1", "set": {}}]
    assert Staff.objects.get().pin_hash == "argon"


def test_many_rows_go_in_one_statement_and_ids_come_back_in_order(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    staff = hire()
    roles = ["dealer", "cashier", "counter", "auditor", "manager"]
    with django_assert_num_queries(1), transaction.atomic(savepoint=False):
        receipt = append(
            stream="people",
            action="role.granted",
            subject="S1",
            actor=ADMINISTRATOR,
            facts=[
                Row(RoleGrant, {"staff": staff, "role": role, "revision": 1, "granted": True})
                for role in roles
            ],
            new_heads=[Row(Staff, {"number": n, "badge": n, "name": n}) for n in ("S3", "S2")],
            changes=[Change(Staff, staff, {"name": "Another"})],
            work=[outbox_row("topic", key=key, payload={"n": [1]}) for key in ("b", "a")],
            data={"why": "test"},
        )
    grants, heads = receipt.ids[:5], receipt.ids[5:]
    assert [RoleGrant.objects.get(pk=pk).role for pk in grants] == roles
    assert [Staff.objects.get(pk=pk).number for pk in heads] == ["S3", "S2"]
    assert {grant.entry_id for grant in RoleGrant.objects.all()} == {receipt.entry_id}
    assert set(OutboxItem.objects.values_list("key", flat=True)) == {"a", "b"}
    assert OutboxItem.objects.all()[0].payload == {"n": [1]}
    body = body_of(receipt.entry_id)
    assert body["data"] == {"why": "test"}
    assert "topic" not in json.dumps(body)


def test_the_number_of_rows_does_not_change_the_number_of_statements(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    staff = hire()
    for revision in range(1, 4):
        with django_assert_num_queries(1), transaction.atomic(savepoint=False):
            append(
                stream="people",
                action="role.granted",
                subject="S1",
                actor=ADMINISTRATOR,
                facts=[
                    Row(
                        RoleGrant,
                        {"staff": staff, "role": role, "revision": revision, "granted": True},
                    )
                    for role in ("dealer", "auditor")
                ],
            )


def test_every_kind_of_column_has_its_form_in_the_log() -> None:
    ref = Ref(1, "T1")
    built = build(
        facts=[
            Row(
                Signature,
                {
                    "staff": Ref(7, "S7"),
                    "role": "dealer",
                    "content_hash": b"\x00\xff",
                    "purpose": "p",
                    "subject": "s",
                },
            )
        ],
        new_heads=[
            Row(
                Round,
                {
                    "key": "T1/7/12",
                    "table": ref,
                    "session": Ref(2, "T1/S3"),
                    "shoe": Ref(3, "T1/7"),
                    "number": 12,
                    "stage": Round.Stage.BETTING,
                    "gaming_day": date(2026, 3, 1),
                    "dealer": Ref(7, "S7"),
                    "ruleset": Ref(4, "ab" * 32),
                    "live_seats": [1, 2],
                    "opened_at": NOW,
                },
            )
        ],
        changes=[],
        work=[],
    )
    signature, head = built.facts[0]["row"], built.heads[0]
    assert isinstance(signature, dict)
    assert (signature["content_hash"], signature["staff"], signature["device"]) == (
        "00ff",
        "S7",
        None,
    )
    written = head["set"]
    assert isinstance(written, dict)
    assert head["key"] == "T1/7/12"
    assert (written["stage"], written["gaming_day"], written["opened_at"]) == (
        "betting",
        "2026-03-01",
        "2026-03-01T14:05:00.000000Z",
    )
    assert (written["live_seats"], written["limits"], written["shoe"]) == ([1, 2], None, "T1/7")
    assert "stream" not in written


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"staff": 1},
        {"revision": True},
        {"revision": "1"},
        {"granted": 1},
        {"role": 5},
        {"role": None},
        {"unknown": 1},
        {"entry": Ref(1, "x")},
    ],
)
def test_a_row_that_breaks_its_declaration_is_refused_and_nothing_is_written(
    values: dict[str, object],
) -> None:
    staff = hire()
    before = counts()
    good: dict[str, object] = {"staff": staff, "role": "dealer", "revision": 1, "granted": True}
    row = {**good, **values} if values else {"staff": staff}
    with pytest.raises(AppendError), transaction.atomic():
        append(
            stream="people",
            action="role.granted",
            subject="S1",
            actor=ADMINISTRATOR,
            facts=[Row(RoleGrant, row)],
        )
    assert counts() == before


@pytest.mark.parametrize("name", ["nul \0", "lone \ud800", "Pen\u0303a"])
def test_text_that_the_door_let_through_is_refused_here(name: str) -> None:
    staff = hire()
    before = counts()
    with pytest.raises(BodyError):
        rename(staff, name)
    assert counts() == before


def test_a_change_of_a_head_elsewhere_writes_nothing() -> None:
    staff = hire()
    before = counts()
    for change in (
        Change(Staff, Ref(0, "S0"), {"name": "Nobody"}),
        Change(Staff, staff, {}),
        Change(Staff, staff, {"number": "S2"}),
        Change(Staff, staff, {"stream": "house"}),
    ):
        with pytest.raises(AppendError), transaction.atomic():
            append(
                stream="people",
                action="staff.renamed",
                subject="S1",
                actor=ADMINISTRATOR,
                changes=[change],
            )
    with pytest.raises((AppendError, DatabaseError)), transaction.atomic():
        append(
            stream="house",
            action="staff.renamed",
            subject="S1",
            actor=ADMINISTRATOR,
            changes=[Change(Staff, staff, {"name": "In another stream"})],
        )
    with pytest.raises(AppendError), transaction.atomic():
        append(
            stream="people",
            action="staff.renamed",
            subject="S1",
            actor=ADMINISTRATOR,
            changes=[Change(Staff, staff, {"name": "One"}), Change(Staff, staff, {"name": "Two"})],
        )
    assert counts() == before
    assert Staff.objects.get().name == "Ben Cruz"


def test_an_undeclared_table_and_a_wrong_list_are_refused() -> None:
    staff = hire()
    row = Row(RoleGrant, {"staff": staff, "role": "dealer", "revision": 1, "granted": True})
    with pytest.raises(AppendError):
        build(facts=[], new_heads=[row], changes=[], work=[])
    with pytest.raises(AppendError):
        build(facts=[], new_heads=[], changes=[], work=[row])
    with pytest.raises(RegistryError):
        build(facts=[Row(Entry, {})], new_heads=[], changes=[], work=[])


@pytest.mark.parametrize("action", ["", "dealt", "Card.dealt", "card.dealt.twice", "card dealt"])
def test_an_action_has_one_form(action: str) -> None:
    with pytest.raises(AppendError), transaction.atomic():
        append(stream="people", action=action, subject="x", actor=ADMINISTRATOR)


def test_a_constraint_broken_by_one_row_takes_the_entry_with_it() -> None:
    staff = hire()
    grant(staff, "dealer")
    before = counts()
    with pytest.raises(DatabaseError):
        grant(staff, "auditor", "dealer")
    assert counts() == before


def test_a_stream_that_is_not_there_is_an_error() -> None:
    with pytest.raises(StreamMissingError), transaction.atomic():
        lock_stream("table/NONE")
    with pytest.raises(DatabaseError, match="there is no stream"):
        _append_to("table/NONE")


@pytest.mark.parametrize("name", ["", "Table", "table/", "a b", "table/T1/2", "t\u00e4ble"])
def test_a_stream_has_a_name_of_one_form(name: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        create_stream(name)


def test_a_stream_is_made_once() -> None:
    create_stream("table/NEW")
    _append_to("table/NEW")
    create_stream("table/NEW")
    assert Stream.objects.get(name="table/NEW").seq == 1


def test_an_entry_is_found_by_its_subject() -> None:
    staff = hire()
    receipt = rename(staff, "Another")
    hired, renamed = entries_of("S1")
    assert [hired.action, renamed.action] == ["staff.hired", "staff.renamed"]
    assert (renamed.hash, renamed.actor_name) == (receipt.hash, "Ana Pe\u00f1a")
    assert len(entries_of("S1", limit=1)) == 1


def test_time_never_runs_backwards_in_a_stream() -> None:
    """The database's own clock gives the time; an entry is not before the one ahead."""
    hire()
    for number in range(20):
        hire(f"S1{number}")
    times = list(Entry.objects.order_by("id").values_list("at", flat=True))
    assert times == sorted(times)
    with connection.cursor() as cursor:
        cursor.execute("SELECT transaction_timestamp(), clock_timestamp()")
        start, now = cursor.fetchone()
    assert start <= times[0]
    assert times[-1] <= now


@service
def _append_to(stream: str) -> None:
    append(
        stream=stream,
        action="test.noted",
        subject="x",
        actor=Actor("system:test", "Test", "system"),
    )
