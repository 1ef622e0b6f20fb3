"""As the superuser, one thing changed behind the log: `verify_log` or `replay_log` names it first.

Each change is made in one transaction with the guards aside and back, looked at, and rolled back.
"""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from settlements.models import Payout, Settlement
from tables.models import Card, Count, SeatWagers
from tests.support.database import default_database
from tests.support.floors import FloorClone

TOUCHED = (
    "log_entry",
    "log_stream",
    "tables_card",
    "tables_count",
    "tables_round",
    "tables_seatwagers",
    "tables_shoe",
    "tables_tablesession",
    "settlements_payout",
    "settlements_settlement",
)


@pytest.fixture
def superuser(played: FloorClone) -> Iterator[None]:
    """Django as the superuser, in a transaction that is rolled back."""
    with default_database(played.database.admin_url), transaction.atomic():
        yield
        transaction.set_rollback(True)


def execute(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.rowcount)


def change(statement: str) -> None:
    """Change exactly one row past all triggers, which are as they were afterwards."""
    for table in TOUCHED:
        execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    assert execute(statement) == 1, "one thing at a time"
    for table in TOUCHED:
        execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
        execute(
            "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tgname FROM pg_trigger"
            f" WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal LOOP EXECUTE"
            f" format('ALTER TABLE {table} ENABLE ALWAYS TRIGGER %I', name); END LOOP; END $$"
        )


def named() -> tuple[str, str, str]:
    """The first thing that is wrong: who says so, its code, and where it is."""
    for who, report in (("verify", verify_log(place=None)), ("replay", replay_log())):
        if report.problems:
            return who, report.problems[0].code, report.problems[0].where
    raise AssertionError("nobody noticed")


def where(entry: Entry) -> str:
    return f"entry {entry.stream} {entry.seq}"


def test_an_untouched_house_is_sound(superuser: None) -> None:
    change("UPDATE tables_round SET stage = stage WHERE key = 'T1/1/1'")
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []


@pytest.mark.parametrize("place", [0, 60, -2])
def test_one_byte_of_an_entry(superuser: None, place: int) -> None:
    entry = Entry.objects.filter(stream="table/T1", action="card.dealt").latest("seq")
    at = place % len(bytes(entry.body))
    change(
        f"UPDATE log_entry SET body = set_byte(body, {at}, get_byte(body, {at}) # 1)"
        f" WHERE id = {entry.pk}"
    )
    assert named() == ("verify", "entry.hash", where(entry))


@pytest.mark.parametrize(
    "changed",
    [
        "action = 'card.undone'",
        "subject = 'T1/1/2'",
        "actor = '1002'",
        "role = 'supervisor'",
        "device = 'D2'",
        "request_id = 'x'",
    ],
)
def test_a_column_beside_an_entry(superuser: None, changed: str) -> None:
    entry = Entry.objects.filter(stream="table/T1", subject="T1/1/1").earliest("seq")
    change(f"UPDATE log_entry SET {changed} WHERE id = {entry.pk}")
    assert named() == ("verify", "entry.copy", where(entry))


@pytest.mark.parametrize(
    "changed",
    [
        "face = '9S'",
        "draw = 17",
        "revision = 2",
        "as_seen = NOT as_seen",
        "claimed_at = now()",
        "round_id = (SELECT max(id) FROM tables_round WHERE shoe_id = tables_card.shoe_id)",
        "shoe_id = (SELECT max(id) FROM tables_shoe)",
    ],
)
def test_a_card(superuser: None, changed: str) -> None:
    card = Card.objects.filter(round__key="T1/1/1", draw=3).get()
    change(f"UPDATE tables_card SET {changed} WHERE id = {card.pk}")
    assert named() == ("replay", "fact.differs", where(card.entry))


@pytest.mark.parametrize(
    "changed",
    [
        "handed_minor = handed_minor + 1",
        "owed_minor = owed_minor + 1, bank_minor = bank_minor - 1",
        "profit_minor = profit_minor + 1",
        "stake_minor = stake_minor + 1, bank_minor = bank_minor + 1",
        "odds_numerator = odds_numerator + 1",
        "seat = 2",
        "wager = 'tie'",
        "clause = 'Z9'",
        "bank = '1'",
        "breakage_numerator = 1",
        """why = '{"code": "other", "params": {}}'""",
    ],
)
def test_a_payout(superuser: None, changed: str) -> None:
    payout = Payout.objects.filter(round__key="T1/1/1", wager="main", outcome="win").earliest("id")
    change(f"UPDATE settlements_payout SET {changed} WHERE id = {payout.pk}")
    assert named() == ("replay", "fact.differs", where(payout.entry))


def test_other_money(superuser: None) -> None:
    """A settlement's sum, a wager and a count: each is named, and only the first."""
    settled = Settlement.objects.filter(round__key="T1/1/2", part="final").get()
    wagers = SeatWagers.objects.filter(round__key="T1/1/2").latest("id")
    count = Count.objects.earliest("id")
    for statement, entry in (
        ("settlements_settlement SET handle_minor = 1", settled),
        ("tables_seatwagers SET main_minor = 1", wagers),
        ("tables_count SET total_minor = 1", count),
    ):
        with transaction.atomic():
            change(f"UPDATE {statement} WHERE id = {entry.pk}")
            assert named() == ("replay", "fact.differs", where(entry.entry))
            transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("changed", "head"),
    [
        ("tables_round SET stage = 'voided' WHERE key = 'T1/1/1'", "round T1/1/1"),
        ("tables_round SET live_seats = '{1}' WHERE key = 'T1/1/1'", "round T1/1/1"),
        ("tables_shoe SET cards_dealt = 1 WHERE key = 'T1/1'", "shoe T1/1"),
        (
            "tables_tablesession SET bank_handed_minor = 0 WHERE key = 'T1/S1'",
            "session T1/S1",
        ),
    ],
)
def test_a_head(superuser: None, changed: str, head: str) -> None:
    change(f"UPDATE {changed}")
    assert named() == ("replay", "head.differs", head)


def test_a_card_or_payout_that_is_gone_or_was_added(superuser: None) -> None:
    card = Card.objects.filter(round__key="T1/1/1", draw=3).get()
    payout = Payout.objects.filter(round__key="T1/1/1", wager="main").earliest("id")
    added = (
        "INSERT INTO tables_card (round_id, shoe_id, draw, revision, face, as_seen, entry_id)"
        " SELECT round_id, shoe_id, 18, 1, '9S', false, entry_id FROM tables_card"
        f" WHERE id = {card.pk}"
    )
    for statement, code, place in (
        (f"DELETE FROM tables_card WHERE id = {card.pk}", "fact.missing", where(card.entry)),
        (
            f"DELETE FROM settlements_payout WHERE id = {payout.pk}",
            "fact.missing",
            where(payout.entry),
        ),
        (added, "fact.extra", None),
    ):
        with transaction.atomic():
            change(statement)
            who, found, there = named()
            assert (who, found) == ("replay", code)
            assert place in (None, there)
            transaction.set_rollback(True)


@pytest.mark.parametrize("table", ["tables_card", "settlements_payout", "tables_round"])
@pytest.mark.parametrize("act", ["DISABLE TRIGGER", "ENABLE TRIGGER", "drop"])
def test_a_trigger_turned_off_or_dropped(superuser: None, table: str, act: str) -> None:
    """Turned off, or left on only for those who do not ask for a replica's role, or dropped."""
    name = "log_head_write" if table == "tables_round" else "log_fact_insert"
    if act == "drop":
        execute(f"DROP TRIGGER {name} ON {table}")
    else:
        execute(f"ALTER TABLE {table} {act} {name}")
    code = "guard.trigger_missing" if act == "drop" else "guard.trigger_off"
    assert named() == ("verify", code, f"table {table}")
