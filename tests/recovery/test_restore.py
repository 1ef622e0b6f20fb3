"""An older backup is noticed, writes are refused, an auditor accepts it (trust R18)."""

from datetime import timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections

from audit.desk.errors import NothingToAcceptError, RestoreSignerError
from audit.desk.management.commands import accept_restore as accept_restore_command
from audit.desk.services import accept_restore
from audit.log.checkpoints import take_checkpoint
from audit.log.day_log import MANIFEST_FILE, day_folder
from audit.log.days import turn_days
from audit.log.errors import LogBehindError, OutsideError
from audit.log.keys import generate_key
from audit.log.models import Entry, Stream
from audit.log.place import required_place
from audit.log.restored import find_behind
from audit.log.verify import verify_log
from casino.outbox.handlers import drain
from casino.people.services import SignerInput
from settlements.day.runs import turn_and_start
from settlements.models import DayRun
from tables.selectors.house import gaming_day_at
from tables.services.house import publish_ruleset
from tests.factories.house import (
    PASSWORDS,
    SET_UP,
    STAFF,
    House,
    bet,
    build_house,
    open_floor,
    open_round,
)
from tests.log.databases import ROLES
from tests.support.api import ApiPerson, Refused
from tests.support.database import CloneDatabase


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints outside the database."""
    key_file = tmp_path / "key"
    generate_key(key_file, name="test.invalid/log")
    monkeypatch.setattr(settings, "LOG_NAME", "test.invalid/log")
    monkeypatch.setattr(settings, "CHECKPOINT_KEY_FILE", key_file)
    monkeypatch.setattr(settings, "CHECKPOINT_FOLDER", tmp_path / "outside")


def auditor(secret: str = PASSWORDS["auditor"], role: str = "auditor") -> SignerInput:
    """An auditor's signature."""
    return SignerInput(badge=STAFF["auditor"][1], secret=secret, role=role)


def restore(clone: CloneDatabase, backup: str) -> None:
    """Put the older copy in the place of the database, as a restore does."""
    connections["default"].close()
    with psycopg.connect(clone.admin_url.replace(clone.name, "postgres"), autocommit=True) as admin:
        admin.execute(f'DROP DATABASE "{clone.name}" WITH (FORCE)')
        admin.execute(f'ALTER DATABASE "{backup}" RENAME TO "{clone.name}"')
    with psycopg.connect(clone.admin_url) as admin:
        admin.execute(ROLES.read_text().encode())  # as the runbook says after every restore


def back_up(clone: CloneDatabase) -> str:
    """Copy the database as it is now; return the copy's name."""
    backup = f"{clone.name}_backup"
    connections["default"].close()
    with psycopg.connect(clone.admin_url.replace(clone.name, "postgres"), autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{backup}" TEMPLATE "{clone.name}"')
    return backup


@pytest.fixture
def restored(clone_db: CloneDatabase) -> House:
    """A house whose database is older than its last checkpoint."""
    house = build_house()
    open_floor(house)
    take_checkpoint()
    backup = back_up(clone_db)
    name = open_round(house)
    bet(house, name, {1: {"main": 10000}})
    take_checkpoint()
    restore(clone_db, backup)
    return house


def test_a_restored_log_takes_no_write(restored: House) -> None:
    before = Entry.objects.count()
    with pytest.raises(LogBehindError):
        open_round(restored)
    assert Entry.objects.count() == before
    behind = find_behind()
    assert behind is not None
    assert behind.checkpoint == 2
    held, signed = behind.lost["table/T1"]
    assert signed == held + 2
    report = verify_log(place=required_place(), limit=20)
    assert report.problems


def test_an_auditor_accepts_it_and_work_goes_on(restored: House) -> None:
    with pytest.raises(RestoreSignerError):
        accept_restore(
            signer=SignerInput(
                badge=STAFF["manager"][1], secret=PASSWORDS["manager"], role="manager"
            ),
            reason="x",
            now=restored.now,
        )
    moved = accept_restore(signer=auditor(), reason="disk failed at 14:05", now=restored.now)
    assert [path.name for path in moved] == ["000000002.note"]
    assert moved[0].exists()
    accepted = Entry.objects.get(action="restore.accepted")
    assert b"disk failed" in bytes(accepted.body)
    open_round(restored)
    assert take_checkpoint() is not None
    assert verify_log(place=required_place(), limit=20).problems == []
    with pytest.raises(NothingToAcceptError):
        accept_restore(signer=auditor(), reason="x", now=restored.now)


def test_a_backup_from_just_before_a_checkpoint_is_accepted_too(
    clone_db: CloneDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every entry is here and the checkpoint over them is not: none could be signed any more."""
    house = build_house()
    open_floor(house)
    backup = back_up(clone_db)
    take_checkpoint()
    restore(clone_db, backup)
    with pytest.raises(OutsideError):
        take_checkpoint()
    with pytest.raises(LogBehindError):
        open_round(house)
    monkeypatch.setattr(f"{accept_restore_command.__name__}.getpass", lambda: PASSWORDS["auditor"])
    said = StringIO()
    call_command("accept_restore", badge=STAFF["auditor"][1], reason="disk failed", stdout=said)
    assert "no entry is lost; checkpoint 1 is not here" in said.getvalue()
    open_round(house)
    taken = take_checkpoint()
    assert taken is not None
    assert taken.number == 1
    assert verify_log(place=required_place(), limit=20).problems == []


def close_day(house: House) -> DayRun:
    """Turn the day and work its run off, as far as it can be."""
    turn_and_start(now=house.now + timedelta(days=1))
    while drain():
        pass
    return DayRun.objects.get()


@pytest.mark.parametrize("started", [False, True])
def test_a_day_that_was_closed_before_is_closed_again(
    clone_db: CloneDatabase, started: bool
) -> None:
    """Its run has the same number; the files of the lost one are laid aside, not overwritten."""
    house = build_house()
    turn_days(gaming_day_at(house.now))
    open_floor(house)
    take_checkpoint()
    if started:
        turn_and_start(now=house.now + timedelta(days=1))
    backup = back_up(clone_db)
    lost = close_day(house)
    folder = day_folder(required_place(), lost.day, lost.number)
    manifest = (folder / MANIFEST_FILE).read_bytes()
    take_checkpoint()
    restore(clone_db, backup)
    moved = accept_restore(signer=auditor(), reason="disk failed", now=house.now)
    assert [path.name for path in moved] == ["superseded-run-1-1", "000000002.note"]
    assert (moved[0] / MANIFEST_FILE).read_bytes() == manifest
    assert (moved[0].parent, moved[0].exists(), folder.exists()) == (folder.parent, True, False)
    again = close_day(house)
    assert (again.key, again.state) == (lost.key, DayRun.State.DONE)
    assert sha256((folder / MANIFEST_FILE).read_bytes()).hexdigest() == again.manifest_sha256


def test_a_day_whose_closing_was_kept_keeps_its_files(clone_db: CloneDatabase) -> None:
    house = build_house()
    turn_days(gaming_day_at(house.now))
    open_floor(house)
    kept = close_day(house)
    take_checkpoint()
    backup = back_up(clone_db)
    publish_ruleset(game="poker-lucky-9", name="Other", options={"decks": 7}, by=SET_UP)
    take_checkpoint()
    restore(clone_db, backup)
    moved = accept_restore(signer=auditor(), reason="disk failed", now=house.now)
    assert [path.name for path in moved] == ["000000002.note"]
    assert (day_folder(required_place(), kept.day, 1) / MANIFEST_FILE).exists()


def test_the_site_refuses_every_write_until_the_command_was_signed(
    restored: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Entry.objects.count()
    with pytest.raises(Refused, match=r"409 .*log\.behind"):
        ApiPerson(restored, "dealer", table="T1")
    secrets = iter(["a wrong secret", PASSWORDS["auditor"]])
    monkeypatch.setattr(f"{accept_restore_command.__name__}.getpass", lambda: next(secrets))
    signing = ("accept_restore", "--badge", STAFF["auditor"][1], "--reason", "disk failed")
    with pytest.raises(CommandError):
        call_command(*signing, stdout=StringIO())
    with pytest.raises(Refused, match=r"409 .*log\.behind"):
        ApiPerson(restored, "dealer", table="T1")
    assert not Entry.objects.filter(action="restore.accepted").exists()
    said = StringIO()
    call_command(*signing, stdout=said)
    held = Stream.objects.get(name="table/T1").seq
    assert f"table/T1: {held + 2} entries were signed, {held} are here" in said.getvalue()
    assert "000000002.note" in said.getvalue()
    ApiPerson(restored, "dealer", table="T1").post("tables/T1/shoes/1/rounds")
    assert Entry.objects.count() > before


def test_a_log_that_holds_what_was_signed_is_written_to(clone_db: CloneDatabase) -> None:
    house = build_house()
    open_floor(house)
    take_checkpoint()
    connections["default"].close()  # so that the write looks
    open_round(house)
    assert find_behind() is None
