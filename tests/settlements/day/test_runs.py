"""A day's reconciliation: turned, worked off in chunks, closed with files that verify."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from threading import Event

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from audit.findings.models import Finding
from audit.log.checkpoints import take_checkpoint
from audit.log.days import turn_days
from audit.log.errors import DayNotOverError
from audit.log.keys import generate_key, public_path
from audit.log.replay import replay_log
from casino.outbox.handlers import drain
from casino.outbox.handlers import work as handle
from casino.outbox.leases import claim
from casino.outbox.models import OutboxItem
from settlements.day import checks
from settlements.day.runs import CHECK, RECONCILER, start_day_run, turn_and_start, work_off
from settlements.errors import DayParkedError, DayRunningError, DayUnknownError
from settlements.models import DayCheck, DayRun
from tables.selectors import rules
from tables.selectors.house import gaming_day_at
from tables.services.house import publish_ruleset
from tests.factories.house import SET_UP, House, build_house, open_floor, play_round
from tests.log.databases import REHASH, unguarded
from tests.support.api import ApiPerson
from tests.support.database import CloneDatabase

DAY = timedelta(days=1)
VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_day.py"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where checkpoints and days are written, with a key of its own."""
    key_file = tmp_path / "key"
    generate_key(key_file, name="test.invalid/log")
    monkeypatch.setattr(settings, "LOG_NAME", "test.invalid/log")
    monkeypatch.setattr(settings, "CHECKPOINT_KEY_FILE", key_file)
    monkeypatch.setattr(settings, "CHECKPOINT_FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def house(clone_db: CloneDatabase, place: Path) -> House:
    """Two rounds dealt on a day that is over in every stream."""
    house = build_house()
    publish_ruleset(game="poker-lucky-9", name="Other", options={"decks": 7}, by=SET_UP)
    turn_days(gaming_day_at(house.now))
    open_floor(house)
    for _ in range(2):
        play_round(
            house,
            {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "jacks": 500}},
            {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "3D", "QC"]},
        )
    work()
    return house


def work() -> None:
    """Do all that waits, as a worker does."""
    while drain():
        pass


def reconcile(house: House) -> DayRun:
    """Turn the day after the house's, and work its run off."""
    turn_and_start(now=house.now + DAY)
    work()
    return DayRun.objects.get()


def problems(run: DayRun) -> list[tuple[str, str]]:
    """Code and place of everything that a run found."""
    return [
        (problem["code"], problem["where"])
        for check in DayCheck.objects.filter(run=run).order_by("chunk")
        for problem in check.problems
    ]


def test_a_sound_day_has_only_what_is_still_open(house: House, place: Path) -> None:
    run = reconcile(house)
    assert run.state == DayRun.State.DONE
    assert problems(run) == [("day.session_overrun", "T1/S1")]
    assert replay_log().problems == []
    folder = place / "days" / run.day.isoformat() / "run-1"
    command = [sys.executable, "-I", str(VERIFIER), str(folder), str(public_path(place / "key"))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    report = json.loads((folder / "report.json").read_text())
    assert report["totals"]["rounds"] == 2
    assert report["totals"]["handle_minor"] == 2 * 31500
    assert report["totals"]["settlements_checked"] == 4


def test_a_day_is_reconciled_once_by_itself_and_again_by_hand(house: House) -> None:
    first = reconcile(house)
    assert turn_and_start(now=house.now + DAY) == []
    key = start_day_run(day=first.day, now=house.now, by=RECONCILER)
    with pytest.raises(DayRunningError):
        start_day_run(day=first.day, now=house.now, by=RECONCILER)
    work()
    second = DayRun.objects.get(key=key)
    assert (second.number, problems(second)) == (2, problems(first))
    assert DayCheck.objects.filter(run=first).count() == len(first.plan)


def test_the_command_works_a_day_off_beside_a_worker_that_holds_a_chunk(house: House) -> None:
    first = reconcile(house)
    started, others_done = Event(), Event()

    def hold_one() -> None:
        try:
            while not (held := claim([CHECK], limit=1)):
                pass
            started.set()
            assert others_done.wait(60), "the command gave up instead of waiting"
            handle(held[0])
        finally:
            connection.close()

    def waits_for_one() -> bool:
        run = DayRun.objects.get(number=2)
        return run.chunks_done == len(run.plan) - 1

    said = StringIO()
    with ThreadPoolExecutor(2) as pool:
        worker = pool.submit(hold_one)
        command = pool.submit(_in_thread, "reconcile", day=first.day, stdout=said)
        assert started.wait(60)
        while not waits_for_one():
            assert not command.done(), command.result()
        others_done.set()
        worker.result(20)
        refused = command.result(20)
    assert str(refused) == f"{first.problems} problems", "the same as the first run found"
    again = DayRun.objects.get(number=2)
    assert again.state == DayRun.State.DONE
    assert f"run {again.key}: {again.problems} problems, manifest {again.manifest_sha256}" in (
        said.getvalue()
    )


def test_the_command_says_when_work_of_the_run_was_given_up(house: House) -> None:
    first = reconcile(house)
    key = start_day_run(day=first.day, now=house.now, by=RECONCILER)
    chunk = OutboxItem.objects.filter(topic=CHECK).order_by("id").first()
    assert chunk is not None
    OutboxItem.objects.filter(pk=chunk.pk).update(parked_at=house.now)
    told: list[int] = []
    with pytest.raises(DayParkedError) as caught:
        work_off(key, progress=lambda run: told.append(run.chunks_done))
    assert caught.value.data == {"run": key}
    assert told[-1] == len(first.plan) - 1, "all other work was done"


def _in_thread(name: str, **options: object) -> object:
    """Call a command and answer with its refusal; this thread's connection is closed."""
    try:
        call_command(name, **options)
    except CommandError as error:
        return error
    finally:
        connection.close()
    return None


def test_a_day_that_is_not_over_is_not_reconciled(house: House) -> None:
    with pytest.raises(DayNotOverError):
        start_day_run(day=gaming_day_at(house.now), now=house.now, by=RECONCILER)


def test_a_day_that_never_was_is_not_reconciled(house: House) -> None:
    """A slip of the year must not be answered with a day without problems."""
    first = reconcile(house).day
    for day in (first - DAY, first.replace(year=1999)):
        with pytest.raises(DayUnknownError) as caught:
            start_day_run(day=day, now=house.now, by=RECONCILER)
        assert caught.value.data == {"day": day.isoformat(), "first": first.isoformat()}
    with pytest.raises(CommandError, match=f"its first is {first.isoformat()}"):
        call_command("reconcile", day=first - DAY)
    assert DayRun.objects.count() == 1


Break = Callable[[CloneDatabase], object]


def change(table: str, assignment: str, where: str) -> Break:
    """Change rows behind the log, as the superuser."""

    def act(clone: CloneDatabase) -> None:
        with unguarded(clone.admin_url, table) as admin:
            admin.execute(f"UPDATE {table} SET {assignment} WHERE {where}")

    return act


def removed(clone: CloneDatabase) -> None:
    """Remove an entry in the middle of a stream, with its facts."""
    with unguarded(clone.admin_url, "log_entry", "tables_card") as admin:
        admin.execute(
            "WITH gone AS (SELECT e.id FROM log_entry e JOIN tables_card c ON c.entry_id = e.id"
            " ORDER BY e.id LIMIT 1), cards AS (DELETE FROM tables_card WHERE entry_id IN"
            " (SELECT id FROM gone)) DELETE FROM log_entry WHERE id IN (SELECT id FROM gone)"
        )


def reordered(clone: CloneDatabase) -> None:
    """Let two neighbours change places."""
    with unguarded(clone.admin_url, "log_entry") as admin:
        for old, new in ((8, -8), (9, 8), (-8, 9)):
            admin.execute(
                "UPDATE log_entry SET seq = %s WHERE stream = 'table/T1' AND seq = %s", [new, old]
            )


def rehashed(clone: CloneDatabase) -> None:
    """Change what an entry says and give it the hash that it then deserves."""
    with unguarded(clone.admin_url, "log_entry") as admin:
        admin.execute(
            "UPDATE log_entry SET body = convert_to(replace(convert_from(body, 'UTF8'),"
            " '\"main_minor\":10000', '\"main_minor\":90000'), 'UTF8')"
            " WHERE action = 'wagers.placed'"
        )
        seqs = admin.execute("SELECT seq FROM log_entry WHERE action = 'wagers.placed'").fetchall()
        for (seq,) in seqs:
            admin.execute(REHASH.format(stream="table/T1", seq=seq))


FAULTS: dict[str, tuple[Break, set[str]]] = {
    "payout changed": (
        change(
            "settlements_payout",
            "profit_minor = profit_minor + 1",
            "id = (SELECT min(id) FROM settlements_payout WHERE outcome = 'win')",
        ),
        {"day.engines_disagree", "day.log_broken"},
    ),
    "card changed": (
        change(
            "tables_card", "face = '9S'", "id = (SELECT min(id) FROM tables_card WHERE draw = 3)"
        ),
        {"day.engines_disagree", "day.log_broken"},
    ),
    "number skipped": (
        change("tables_round", "number = 3, key = 'T1/1/3'", "number = 2"),
        {"day.number_gap", "day.log_broken", "day.engines_disagree"},
    ),
    "entry removed": (removed, {"day.log_broken", "day.engines_disagree"}),
    "entries reordered": (reordered, {"day.log_broken"}),
    "chain hashed anew": (rehashed, {"day.log_broken"}),
    "a name that cannot stand in the log": (
        change("people_staff", "name = U&'Pen\\0303a'", "id = 1"),
        {"day.log_broken"},
    ),
    "a key that cannot stand in the log": (
        change("tables_round", "key = U&'T1/1/e\\0301', stage = 'betting'", "number = 2"),
        {"day.log_broken", "day.engines_disagree", "day.round_open"},
    ),
    "settled under another ruleset": (
        change(
            "settlements_settlement",
            "ruleset_id = (SELECT max(id) FROM tables_ruleset)",
            "id = (SELECT min(id) FROM settlements_settlement)",
        ),
        {"day.engines_disagree", "day.log_broken"},
    ),
    "an entry's time made an infinite one": (
        change("log_entry", "at = 'infinity'", "stream = 'table/T1' AND seq = 5"),
        {"day.log_broken"},
    ),
    "no time made an infinite one": (
        change("tables_card", "claimed_at = 'infinity'", "id = (SELECT min(id) FROM tables_card)"),
        {"day.log_broken"},
    ),
    "session sums": (
        change("tables_tablesession", "handle_minor = handle_minor + 1", "true"),
        {"day.session_sums", "day.log_broken"},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_named(
    house: House, clone_db: CloneDatabase, fault: str
) -> None:
    act, expected = FAULTS[fault]
    act(clone_db)
    run = reconcile(house)
    assert run.state == DayRun.State.DONE, "nothing was given up"
    found = {code for code, _ in problems(run)} - {"day.session_overrun"}
    assert found
    assert found <= expected
    assert Finding.objects.filter(kind__in=found).count() >= len(found)


def test_what_cannot_be_read_is_a_problem_and_holds_no_day_up(
    house: House, clone_db: CloneDatabase
) -> None:
    before_christ = "(to_char({0}, 'YYYY-MM-DD HH24:MI:SS.USOF') || ' BC')::timestamptz"
    change("tables_tablesession", f"opened_at = {before_christ.format('opened_at')}", "true")(
        clone_db
    )
    change("settlements_settlement", "ruleset_id = 0", "part = 'final'")(clone_db)
    change("log_entry", "body = set_byte(body, 1, 255)", "stream = 'people' AND seq = 1")(clone_db)
    run = reconcile(house)
    assert run.state == DayRun.State.DONE
    found = problems(run)
    assert {("day.unreadable", "T1/S1"), ("day.unreadable", "T1/1")} <= set(found)
    assert ("day.log_broken", "session T1/S1") in found, "the digits are the same, the time is not"
    day = run.day.isoformat()
    auditor = ApiPerson(house, "auditor")
    totals = auditor.get(f"days/{day}")["totals"]
    assert (totals["handle_minor"], totals["settlements_checked"]) == (None, None)
    page = auditor.client.get(f"/audit/days/{day}/")
    assert (page.status_code, b"Check could not read" in page.content) == (200, True)


def test_options_that_nobody_can_read_are_a_problem_of_the_shoe(
    house: House, clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    change("tables_procedures", "options = options || '{\"changed\": true}'", "true")(clone_db)
    monkeypatch.setattr(rules, "_procedures", {})  # as in a process that has not read them yet
    run = reconcile(house)
    assert run.state == DayRun.State.DONE
    assert ("day.unreadable", "T1/1") in problems(run)


def test_checkpoints_that_could_not_be_checked_are_a_problem(house: House, place: Path) -> None:
    take_checkpoint()
    public_path(place / "key").unlink()
    assert ("day.log_broken", "checkpoints") in problems(reconcile(house))


def test_a_check_that_ended_early_says_so(
    house: House, clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "_PROBLEMS_MAX", 2)
    change("log_entry", "actor = 'S0'", "stream = 'table/T1'")(clone_db)
    found = [where for code, where in problems(reconcile(house)) if code == "day.log_broken"]
    assert found == ["entry table/T1 1", "entry table/T1 2", "log verify"]
