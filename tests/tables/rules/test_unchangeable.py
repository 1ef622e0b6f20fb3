"""Published rules are not changed by any route: service, ORM, SQL, psql, API, page or command."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.serializers import serialize
from django.db import DatabaseError, connection, transaction

from audit.log.errors import AppendError
from audit.log.rows import Change, Ref, Row
from audit.log.services import append
from tables.models import Limits, Procedures, RuleApproval, RuleDraft, Ruleset, RuleStanding
from tables.services.house import publish_ruleset
from tests.db.psql import states
from tests.factories.house import SET_UP
from tests.support.api import ApiPerson
from tests.support.floors import FloorClone
from tests.support.pages import PagePerson
from tests.support.records import nothing_recorded
from tests.tables.rules.managers import Managers, options_of, published, redrafted_after
from tests.tables.rules.pages import begun, filled_in, says

FACTS = ("tables_ruleset", "tables_procedures", "tables_limits", "tables_tableterms")
FORGED = (
    "INSERT INTO tables_ruleset (entry_id, hash, game, name, options)"
    " SELECT entry_id, repeat('f', 64), game, name, options FROM tables_ruleset LIMIT 1"
)
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
        lambda: Limits.objects.all().delete(),
        lambda: _renamed()[0].delete(),
        lambda: Ruleset.objects.update_or_create(hash=_renamed()[0].hash, defaults={"name": "X"}),
        lambda: Ruleset.objects.bulk_create(
            _renamed(), update_conflicts=True, unique_fields=["hash"], update_fields=["name"]
        ),
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


def test_a_fixture_that_is_loaded_is_refused(managers: Managers, tmp_path: Path) -> None:
    kept = tmp_path / "rulesets.json"
    before = snapshot()
    kept.write_text(serialize("json", _renamed()))
    with pytest.raises(DatabaseError), transaction.atomic():
        call_command("loaddata", str(kept), verbosity=0)
    assert snapshot() == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST"])
def test_the_api_has_no_way_to_change_them(managers: Managers, method: str) -> None:
    manager = ApiPerson(managers.house, "manager")
    for hash_ in [row[0] for row in snapshot()]:
        with nothing_recorded():
            problem = manager.refused(method, f"rulesets/{hash_}", {"options": {}, "name": "X"})
        assert (problem["status"], problem["code"]) == (405, "request.method")


def test_a_published_draft_is_not_written_over_the_api_or_on_its_page(managers: Managers) -> None:
    published(managers, options_of(tie_odds=[300, 1]))
    draft = RuleDraft.objects.latest("serial")
    sent = {"version": draft.version, "name": "X", "options": options_of(tie_odds=[8, 1])}
    path = f"/rulesets/drafts/{draft.number}/"
    manager = ApiPerson(managers.house, "manager")
    with nothing_recorded():
        problem = manager.refused("PUT", path.strip("/"), sent)
    assert (problem["status"], problem["code"]) == (409, "rules.draft_state")
    browser = PagePerson(managers.house, "manager")
    other = begun(browser, preset="pagcor-poker-lucky-9")
    form = {**filled_in(browser, other, name="X"), "version": str(draft.version)}
    with nothing_recorded():
        says(browser.post(f"{path}edit/", form), "is published; expected draft", status=422)
        assert browser.post(f"{path}submit/", {"version": draft.version}).status_code == 409
        assert browser.post(f"/rulesets/{draft.content_hash}/", {"name": "X"}).status_code == 405


def test_psql_is_refused_to_the_application_and_to_the_owner(floor_clone: FloorClone) -> None:
    statements = [
        "UPDATE tables_ruleset SET options = options || '{\"decks\": 1}'",
        "DELETE FROM tables_ruleset",
        "TRUNCATE tables_ruleset CASCADE",
        FORGED,
        "UPDATE tables_rulestanding SET state = 'retired', reason = 'Secretly.'",
        "UPDATE tables_tableterms SET revision = revision",
    ]
    for url in (floor_clone.database.app_url, floor_clone.database.owner_url):
        assert all(states(url, statements)), states(url, statements)
    # Not even with the triggers asked to stand back.
    replica = "SET session_replication_role = replica"
    assert states(floor_clone.database.app_url, [replica]) == ["42501"]
    assert states(floor_clone.database.owner_url, [replica]) == ["42501"]


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
