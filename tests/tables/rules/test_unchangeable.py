"""Published rules are not changed by any route: service, ORM, SQL, as application or owner."""

from collections.abc import Callable

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from audit.log.errors import AppendError
from audit.log.rows import Change, Ref, Row
from audit.log.services import append
from tables.models import Limits, Procedures, RuleApproval, Ruleset, RuleStanding
from tables.services.house import publish_ruleset
from tests.factories.house import SET_UP
from tests.support.floors import FloorClone
from tests.tables.rules.managers import Managers, options_of, published, redrafted_after

FACTS = ("tables_ruleset", "tables_procedures", "tables_limits", "tables_tableterms")
LIFE = ("tables_rulestanding", "tables_ruleapproval")


def snapshot() -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT hash, game, name, options::text FROM tables_ruleset ORDER BY id")
        return list(cursor.fetchall())


def test_publishing_again_under_another_name_changes_nothing(managers: Managers) -> None:
    before = snapshot()
    ref = publish_ruleset(game="poker-lucky-9", name="Another name", options={}, by=SET_UP)
    assert ref.key == managers.house.ruleset.key
    assert snapshot() == before


def test_a_published_draft_is_not_written_any_more(managers: Managers) -> None:
    hash_ = published(managers, options_of(tie_odds=[300, 1]))
    before = snapshot()
    redrafted_after(managers)
    assert snapshot() == before
    assert Ruleset.objects.get(hash=hash_).options["tie_odds"] == [300, 1]


def test_the_log_does_not_take_a_change_of_a_fact(managers: Managers) -> None:
    row = Ruleset.objects.get(hash=managers.house.ruleset.key)
    with pytest.raises(AppendError):
        append(
            stream="rulesets",
            action="ruleset.changed",
            subject=row.hash,
            actor=SET_UP,
            changes=[Change(Ruleset, Ref(row.pk, row.hash), {"name": "Changed"})],
        )


@pytest.mark.parametrize(
    "act",
    [
        lambda: Ruleset.objects.update(name="Changed"),
        lambda: Ruleset.objects.all()._raw_delete("default"),
        lambda: Ruleset.objects.bulk_update(_renamed(), ["name"]),
        lambda: _renamed()[0].save(),
        lambda: Procedures.objects.update(game="lucky-9"),
        lambda: Limits.objects.update(options={}),
        lambda: RuleStanding.objects.update(state="retired", reason="Secretly."),
        lambda: RuleApproval.objects.update(version=9),
    ],
)
def test_the_orm_is_refused(managers: Managers, act: Callable[[], object]) -> None:
    published(managers, options_of(tie_odds=[300, 1]))
    before = snapshot()
    with pytest.raises(DatabaseError), transaction.atomic():
        act()
    assert snapshot() == before


def _renamed() -> list[Ruleset]:
    rows = list(Ruleset.objects.all())
    for row in rows:
        row.name = "Changed"
    return rows


@pytest.mark.parametrize("row", ["standing", "ruleset"])
def test_an_insert_without_an_entry_is_refused(managers: Managers, row: str) -> None:
    entry = Ruleset.objects.get(hash=managers.house.ruleset.key).entry
    made = (
        RuleStanding(
            entry=entry,
            revision=2,
            hash=managers.house.ruleset.key,
            kind="ruleset",
            state="retired",
            reason="Secretly.",
        )
        if row == "standing"
        else Ruleset(entry=entry, hash="f" * 64, game="lucky-9", name="N", options={})
    )
    with pytest.raises(DatabaseError), transaction.atomic():
        made.save()


def test_standings_follow_each_other_without_a_gap(managers: Managers) -> None:
    values = {
        "hash": managers.house.ruleset.key,
        "kind": "ruleset",
        "revision": 5,
        "state": "retired",
        "reason": "Skipped.",
    }
    with pytest.raises(DatabaseError), transaction.atomic():
        append(
            stream="rulesets",
            action="test.written",
            subject="test",
            actor=SET_UP,
            facts=[Row(RuleStanding, values)],
        )


@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"]
)
def test_sql_is_refused_to_the_application_and_to_the_owner(
    floor_clone: FloorClone, statement: str
) -> None:
    for url in (floor_clone.database.app_url, floor_clone.database.owner_url):
        for table in (*FACTS, *LIFE):
            with pytest.raises(psycopg.Error), psycopg.connect(url) as opened:
                opened.execute(statement.format(table).encode())
