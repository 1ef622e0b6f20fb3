"""Rows for the tests of the log: a person (a head) and a role (a fact), written past no guard."""

from audit.log.models import Entry
from audit.log.rows import Actor, Change, Receipt, Ref, Row
from audit.log.services import append, create_stream, lock_stream, service
from casino.outbox.models import OutboxItem
from casino.people.models import RoleGrant, Staff

ADMINISTRATOR = Actor("S9", "Ana Pe\u00f1a", "administrator", None, "request-1")


@service
def hire(number: str = "S1") -> Ref:
    """A new member of staff in the stream `people`."""
    lock_stream("people")
    receipt = append(
        stream="people",
        action="staff.hired",
        subject=number,
        actor=ADMINISTRATOR,
        new_heads=[Row(Staff, {"number": number, "badge": f"B-{number}", "name": "Ben Cruz"})],
    )
    return Ref(receipt.ids[0], number)


@service
def rename(staff: Ref, name: str) -> Receipt:
    """Another name for a member of staff."""
    lock_stream("people")
    return append(
        stream="people",
        action="staff.renamed",
        subject=staff.key,
        actor=ADMINISTRATOR,
        changes=[Change(Staff, staff, {"name": name})],
    )


@service
def grant(staff: Ref, *roles: str, revision: int = 1) -> Receipt:
    """Roles for a member of staff, all in one entry."""
    lock_stream("people")
    return append(
        stream="people",
        action="role.granted",
        subject=staff.key,
        actor=ADMINISTRATOR,
        facts=[
            Row(RoleGrant, {"staff": staff, "role": role, "revision": revision, "granted": True})
            for role in roles
        ],
    )


def counts() -> tuple[int, int, int, int]:
    """Entries, heads, facts, working rows: what a failing call must leave as they were."""
    return (
        Entry.objects.count(),
        Staff.objects.count(),
        RoleGrant.objects.count(),
        OutboxItem.objects.count(),
    )


@service
def note(stream: str, subject: str = "x") -> Receipt:
    """An entry that changes nothing."""
    return append(stream=stream, action="test.noted", subject=subject, actor=ADMINISTRATOR)


def with_one_role() -> Ref:
    """One person with one role: two entries, a head and a fact."""
    staff = hire()
    grant(staff, "dealer")
    return staff


def populate() -> Ref:
    """Six entries in `people`, three in another stream, an empty stream; answers with S1."""
    ref = hire("S1")
    grant(ref, "dealer", "auditor")
    other = hire("S2")
    rename(ref, "Ben Dela Cruz")
    grant(other, "cashier")
    rename(other, "Cora Lim")
    create_stream("table/T1")
    for _ in range(3):
        note("table/T1", "T1")
    create_stream("table/T2")
    return ref
