from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest

from audit.findings.log_check import CHECKER, HOUR_UTC, TOPIC, ask_log_check, check_day
from audit.findings.models import Finding
from audit.findings.tasks import ask_for_log_check
from audit.log.models import Entry
from audit.log.services import append, lock_stream, service
from casino.outbox.handlers import drain
from casino.outbox.models import OutboxItem
from tests.log.databases import unguarded
from tests.log.people import hire
from tests.support.database import CloneDatabase

NIGHT = datetime(2026, 3, 1, HOUR_UTC, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("clone_db")


@service
def _write_something() -> None:
    lock_stream("house")
    append(stream="house", action="house.tested", subject="house", actor=CHECKER)


def _checked() -> list[str]:
    return list(Entry.objects.filter(action="log.checked").values_list("subject", flat=True))


def test_the_check_s_day_begins_at_its_hour() -> None:
    assert check_day(NIGHT) == date(2026, 3, 1)
    assert check_day(NIGHT - timedelta(hours=1)) == date(2026, 2, 28)


def test_a_sound_log_is_checked_once_a_night() -> None:
    _write_something()
    ask_log_check(NIGHT)
    ask_log_check(NIGHT + timedelta(minutes=15))
    assert drain() == 1
    ask_log_check(NIGHT + timedelta(hours=1))
    assert drain() == 0
    ask_log_check(NIGHT + timedelta(days=1))
    assert drain() == 1
    assert _checked() == ["log-check/2026-03-01", "log-check/2026-03-02"]
    assert not Finding.objects.exists()


def test_what_is_wrong_becomes_one_finding(clone_db: CloneDatabase) -> None:
    _write_something()
    with psycopg.connect(clone_db.admin_url) as admin:
        admin.execute("ALTER TABLE log_entry DISABLE TRIGGER log_refuse_row")
    for night in (NIGHT, NIGHT + timedelta(days=1)):
        ask_log_check(night)
        assert drain() == 1
    finding = Finding.objects.get()
    assert (finding.kind, finding.severity, finding.raised_by) == (
        "log.broken",
        "alarm",
        CHECKER.key,
    )


def test_a_text_that_cannot_stand_in_the_log_does_not_silence_the_check(
    clone_db: CloneDatabase,
) -> None:
    hire()
    with unguarded(clone_db.admin_url, "people_staff") as admin:
        admin.execute("UPDATE people_staff SET name = %s", ["Pen\u0303a"])
    ask_log_check(NIGHT)
    assert drain() == 1
    assert not OutboxItem.objects.exists(), "nothing was given up"
    finding = Finding.objects.get()
    assert (finding.kind, finding.subject_key) == ("log.differs", "staff S1")
    assert "Pen\\u0303a" in finding.detail["detail"]


def test_the_bell_asks() -> None:
    ask_for_log_check()
    assert OutboxItem.objects.filter(topic=TOPIC).count() == 1
