"""A house of its own, set up by the commands from an empty database to a table that is opened."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from audit.log.keys import load_signer, load_trusted
from audit.log.models import Entry
from audit.log.rows import Actor, Ref
from casino.people.errors import RoleNotAllowedError
from casino.people.models import Device, Role, Staff
from casino.people.person import Origin, Person
from casino.people.services import create_staff, enrol_device, grant_role, set_own_secret
from settlements.day.runs import turn_and_start
from tables.acting import Acting
from tables.games import PRESETS
from tables.management import administering
from tables.models import HouseSettings, Pit, Table, TableSession, TableTerms
from tables.services.house import (
    create_pit,
    create_table,
    publish_ruleset,
    set_first_terms,
    set_house,
)
from tables.services.rule_life import retire_rules
from tests.factories.house import SET_UP, STAFF, House, open_the_table

Act = Callable[..., str]
NUMBER, BADGE, _ROLE = STAFF["administrator"]
PASSWORD = "administrators keep codes"
CONSOLE = Origin(address="console")
CHIPS = ("10000", "5,000", "1000", "500", "100.00", "25", "5")
LIMITS = {"min": {"main": 10_000}, "max": {"main": 1_000_000}, "step": {"main": 500}}


@pytest.fixture
def act(db: None, monkeypatch: pytest.MonkeyPatch) -> Act:
    """Run a command as the administrator of a house that was just founded; what it said."""
    told = StringIO()
    call_command("found_house", number=NUMBER, badge=BADGE, name="Mara Velasco", stdout=told)
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}", told.getvalue())
    assert code is not None
    now = timezone.now()
    set_own_secret(badge=BADGE, code=code.group(), secret=PASSWORD, origin=CONSOLE, now=now)

    def run(command: str, *arguments: str, by: str = BADGE, password: str = PASSWORD) -> str:
        said = StringIO()
        with monkeypatch.context() as typed:
            typed.setattr(administering, "getpass", lambda _prompt: password)
            call_command(command, *arguments, "--by", by, stdout=said)
        return said.getvalue()

    return run


@pytest.fixture
def limits(tmp_path: Path) -> str:
    path = tmp_path / "limits.json"
    path.write_text(json.dumps(LIMITS))
    return str(path)


def settings_of_house(act: Act, *changes: str) -> str:
    """The house's settings; of what is stated twice the last counts."""
    zone = ("--zone", "Asia/Manila", "--cut-over-hour", "6")
    return act("set_house", *zone, "--chips", *CHIPS, *changes)


def table(act: Act, code: str = "T1") -> None:
    act("add_table", code, "--pit", "P1", "--name", f"Table {code}")


def terms(act: Act, limits: str, *, code: str = "T1", preset: str = "pagcor-poker-lucky-9") -> str:
    return act("give_terms", code, "--preset", preset, "--limits", limits)


def staffed() -> House:
    """Dealer and supervisor, and the tablet of the table, as an administrator enters them."""
    admin = Person(
        staff=Ref(Staff.objects.get(number=NUMBER).pk, NUMBER), name="", role=Role.ADMINISTRATOR
    )
    staff = {}
    for name in ("dealer", "supervisor"):
        number, badge, role = STAFF[name]
        staff[name] = create_staff(number=number, badge=badge, name=name, by=admin, origin=CONSOLE)
        grant_role(number, role=role, by=admin, origin=CONSOLE)
    now = timezone.now()
    enrol_device(
        number="D1",
        name="Tablet",
        kind=Device.Kind.TABLET,
        table_code="T1",
        by=admin,
        origin=CONSOLE,
        now=now,
    )
    tablet = Ref(Device.objects.get(number="D1").pk, "D1")
    return House(tables=("T1",), staff=staff, devices={"T1": tablet}, tokens={}, now=now)


def test_from_an_empty_database_to_an_open_table(
    act: Act, limits: str, settings: Settings, tmp_path: Path
) -> None:
    settings.LOG_NAME, settings.HOUSE_NAME = "casino.example/floor", "Casino Example"
    settings.CHECKPOINT_KEY_FILE = tmp_path / "key"
    settings.CHECKPOINT_FOLDER = tmp_path / "outside"
    said = StringIO()
    call_command("make_key", stdout=said)
    assert "casino.example/floor+" in said.getvalue()
    assert settings_of_house(act) == (
        "Casino Example: days begin at 06:00, Asia/Manila; chips of 10,000.00, 5,000.00, 1,000.00,"
        " 500.00, 100.00, 25.00, 5.00 PHP.\n"
    )
    assert act("add_pit", "P1", "--name", "Main pit").startswith("Pit P1 is created")
    table(act)
    assert terms(act, limits) == "Table T1 deals PAGCOR Poker Lucky 9.\n"
    set_up = Entry.objects.filter(subject__in=("house", "P1", "T1")).order_by("id")
    assert list(set_up.values_list("action", "actor")) == [
        ("house.set", NUMBER),
        ("pit.created", NUMBER),
        ("table.created", NUMBER),
        ("table.terms_set", "system:set-up"),
    ]
    assert f"set-up, Mara Velasco ({NUMBER})".encode() in bytes(set_up[3].body)
    house = staffed()
    number = open_the_table(house)
    assert TableSession.objects.get(number=number).state == TableSession.State.OPEN
    signer = load_signer(tmp_path / "key")
    assert list(load_trusted(tmp_path / "key")) == [signer.key]


def test_a_house_in_play_gets_no_rules_by_command(act: Act, limits: str) -> None:
    settings_of_house(act)
    act("add_pit", "P1", "--name", "Main pit")
    table(act)
    terms(act, limits)
    with pytest.raises(CommandError, match=r"terms\.stand"):
        terms(act, limits, preset="lucky-9")
    open_the_table(staffed())
    table(act, "T2")
    with pytest.raises(CommandError, match=r"house\.in_play"):
        terms(act, limits, code="T2")
    assert TableTerms.objects.count() == 1


def test_settings_that_stand_are_not_stated_again(act: Act) -> None:
    settings_of_house(act)
    assert settings_of_house(act).endswith(" (as before).\n")
    assert HouseSettings.objects.count() == 1
    settings_of_house(act, "--cut-over-hour", "8")
    assert list(HouseSettings.objects.values_list("revision", "cut_over_hour")) == [(1, 6), (2, 8)]


def test_who_does_not_administer_sets_nothing_up(act: Act, limits: str) -> None:
    settings_of_house(act)
    staffed()
    for by, password, code in (
        (BADGE, "a wrong secret", r"signature\.secret_wrong"),
        ("B9999", PASSWORD, r"signature\.secret_wrong"),
    ):
        with pytest.raises(CommandError, match=code):
            act("add_pit", "P1", "--name", "Main pit", by=by, password=password)
    assert not Pit.objects.exists()
    manager = Actor(key="1004", name="manager", role="manager")
    acts: tuple[tuple[Callable[..., object], dict[str, Any]], ...] = (
        (create_pit, {"code": "P1", "name": "x"}),
        (create_table, {"code": "T1", "name": "x", "pit": "P1"}),
        (
            set_first_terms,
            {"table": "T1", "preset": "lucky-9", "limits": {}, "now": timezone.now()},
        ),
        (
            set_house,
            {
                "name": "x",
                "currency_code": "PHP",
                "currency_exponent": 2,
                "zone": "UTC",
                "cut_over_hour": 0,
                "denominations": [1],
                "effective_at": timezone.now(),
            },
        ),
    )
    for service, values in acts:
        with pytest.raises(RoleNotAllowedError):
            service(**values, by=manager)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (("--zone", "Manila"), r"house\.zone"),
        (("--cut-over-hour", "24"), r"house\.cut_over"),
        (("--chips", "100", "100.00"), r"house\.chips"),
        (("--chips", "0"), r"house\.chips"),
        (("--chips", "0.005"), r"money\."),
    ],
)
def test_settings_that_cannot_be_are_refused(act: Act, changes: tuple[str, ...], code: str) -> None:
    with pytest.raises(CommandError, match=code):
        settings_of_house(act, *changes)
    assert not HouseSettings.objects.exists()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("add_pit", "P 2", "--name", "x"), r"name\.refused"),
        (("add_pit", "P1", "--name", "again"), r"name\.refused"),
        (("add_pit", "P2", "--name", " "), r"name\.empty"),
        (("add_table", "T1", "--pit", "P2", "--name", "x"), r"pit\.missing"),
        (("add_table", "T1", "--pit", "P1", "--name", "x", "--seats", "10"), r"table\.seats"),
    ],
)
def test_pits_and_tables_that_cannot_be_are_refused(
    act: Act, command: tuple[str, ...], code: str
) -> None:
    act("add_pit", "P1", "--name", "Main pit")
    with pytest.raises(CommandError, match=code):
        act(*command)
    assert (Pit.objects.count(), Table.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("code", "preset", "text", "said"),
    [
        ("T2", "lucky-9", "{}", r"table\.missing"),
        ("T1", "poker", "{}", r"preset\.unknown"),
        ("T1", "lucky-9", '{"min": {"main": 0, "pair": 1}}', r"(?s)limits\.min\.main.*min\.pair"),
        ("T1", "lucky-9", '{"min": {"main": 1.5}}', r"limits\.min\.main"),
        ("T1", "lucky-9", "[]", "expected an object"),
        ("T1", "lucky-9", "{", r"json\.syntax"),
        ("T1", "lucky-9", None, "cannot be read"),
    ],
)
def test_terms_that_cannot_be_are_refused(
    act: Act, tmp_path: Path, code: str, preset: str, text: str | None, said: str
) -> None:
    settings_of_house(act)
    act("add_pit", "P1", "--name", "Main pit")
    table(act)
    path = tmp_path / "limits.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CommandError, match=said):
        terms(act, str(path), code=code, preset=preset)
    assert not TableTerms.objects.exists()
    assert not Entry.objects.filter(stream="rulesets").exists()


def test_a_preset_whose_rules_were_retired_is_given_to_no_table(act: Act, limits: str) -> None:
    settings_of_house(act)
    act("add_pit", "P1", "--name", "Main pit")
    table(act)
    preset = PRESETS["lucky-9"]
    rules = publish_ruleset(game=preset.game, name=preset.name, options=preset.options, by=SET_UP)
    person = Person(staff=staffed().staff["supervisor"], name="", role=Role.MANAGER)
    by = Acting(person=person, origin=CONSOLE, now=timezone.now())
    retire_rules(hash_=rules.key, reason="Not wanted.", by=by)
    recorded = Entry.objects.count()
    with pytest.raises(CommandError, match=r"(?s)terms\.refused.*ruleset: expected ruleset"):
        terms(act, limits, preset="lucky-9")
    assert not TableTerms.objects.exists()
    assert Entry.objects.count() == recorded


def test_a_house_that_is_not_set_up_has_no_days(act: Act) -> None:
    assert turn_and_start(now=timezone.now()) == []
    settings_of_house(act)
    turn_and_start(now=timezone.now())
    assert Entry.objects.filter(action="day.turned").exists()


def test_a_key_that_stands_is_not_replaced(settings: Settings, tmp_path: Path) -> None:
    settings.LOG_NAME = "casino.example/floor"
    settings.CHECKPOINT_FOLDER = tmp_path
    settings.CHECKPOINT_KEY_FILE = None
    with pytest.raises(CommandError, match="set LOG_NAME, CHECKPOINT_KEY_FILE"):
        call_command("make_key")
    settings.CHECKPOINT_KEY_FILE = tmp_path / "none" / "key"
    with pytest.raises(CommandError, match="No such file"):
        call_command("make_key")
    settings.CHECKPOINT_KEY_FILE = key = tmp_path / "key"
    call_command("make_key", stdout=StringIO())
    before = key.read_text()
    with pytest.raises(CommandError, match="it stays"):
        call_command("make_key")
    assert key.read_text() == before
