"""The demo house: two pits, the games of every text, a tablet for each table, nobody's secrets."""

import socket
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from audit.log.models import Entry
from casino.people import hashing
from casino.people.models import Role
from casino.people.person import Origin
from casino.people.services import SignerInput, revoke_device, verify_signers
from tables import demo_house
from tables.models import Table
from tests.factories.house import NOW

BROWSER = Origin(address="127.0.0.1")
EVERYTHING = ["people", "pits, tables and rules", "tablets"]


@pytest.fixture
def _file(db: None, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()
    monkeypatch.setattr(demo_house, "demo_file", lambda: tmp_path / "sign-ins.json")


@pytest.fixture
def _built(_file: None) -> None:
    assert list(demo_house.build_demo_house(now=NOW)) == EVERYTHING


@pytest.fixture
def _earlier(_file: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house as a version built it that knew two tables and fewer people."""
    with monkeypatch.context() as earlier:
        some = {code: demo_house._HOUSE[code] for code in ("T1", "T2")}
        earlier.setattr(demo_house, "_HOUSE", some)
        earlier.setattr(demo_house, "_PITS", {"P1": "Main pit"})
        earlier.setattr(demo_house, "_PEOPLE", demo_house._PEOPLE[:4])
        assert list(demo_house.build_demo_house(now=NOW)) == EVERYTHING


@pytest.mark.usefixtures("_built")
def test_each_game_has_a_table() -> None:
    tables = Table.objects.order_by("code").values_list("code", "pit__code", "seats")
    assert list(tables) == [
        *((f"T{number}", "P1", 5) for number in range(1, 5)),
        ("T5", "P2", 8),
        ("T6", "P2", 9),
    ]
    games = Table.objects.order_by("code").values_list("terms__ruleset__game", flat=True)
    assert list(games) == ["poker-lucky-9"] * 4 + ["lucky-9", "lucky-9-social"]


@pytest.mark.usefixtures("_built")
def test_dealing_at_a_site_that_is_not_there_says_so() -> None:
    with socket.socket() as bound:  # and nobody listens
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(CommandError, match=f"^{url} did not answer as expected: "):
            call_command("simulate", url=url)


@pytest.mark.usefixtures("_built")
def test_every_tablet_but_the_simulated_one_gets_a_code() -> None:
    assert set(demo_house.enrolment_codes(now=NOW)) == {"T1", "T2", "T3", "T5", "T6"}
    assert demo_house.read_demo_house().tablet_token


@pytest.mark.usefixtures("_built")
def test_a_house_that_stands_is_left_alone() -> None:
    assert list(demo_house.build_demo_house(now=NOW)) == []


@pytest.mark.usefixtures("_earlier")
def test_a_house_of_an_earlier_version_is_brought_up_to_date() -> None:
    before = demo_house.read_demo_house()
    assert not before.tablet_token
    assert list(demo_house.build_demo_house(now=NOW)) == EVERYTHING
    after = demo_house.read_demo_house()
    assert after.sign_ins[: len(before.sign_ins)] == before.sign_ins, "nobody's secret changes"
    assert len(after.sign_ins) == 1 + len(demo_house._PEOPLE)
    assert set(Table.objects.values_list("code", flat=True)) == {f"T{n}" for n in range(1, 7)}
    assert set(demo_house.enrolment_codes(now=NOW)) == {"T1", "T2", "T3", "T5", "T6"}
    assert after.tablet_token
    newest = after.person("auditor")
    signs = SignerInput(badge=newest.badge, secret=newest.pin, role=Role.AUDITOR)
    signed = verify_signers([signs], origin=BROWSER, now=NOW)
    assert [each.name for each in signed] == [newest.name]
    assert list(demo_house.build_demo_house(now=NOW)) == []


@pytest.mark.usefixtures("_built")
def test_a_table_whose_tablet_was_never_enrolled_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a start of an earlier version ended between a table and its tablet."""
    place = demo_house._HOUSE["T2"]
    demo_house._table("T7", place, now=NOW)
    monkeypatch.setitem(demo_house._HOUSE, "T7", place)
    assert list(demo_house.build_demo_house(now=NOW)) == ["tablets"]
    assert "T7" in demo_house.enrolment_codes(now=NOW)


@pytest.mark.usefixtures("_built")
def test_a_tablet_that_was_revoked_gets_no_code_and_stops_nothing() -> None:
    admin = demo_house._administrator()
    revoke_device("D-T1", by=admin, origin=BROWSER)
    assert list(demo_house.build_demo_house(now=NOW)) == []
    assert set(demo_house.enrolment_codes(now=NOW)) == {"T2", "T3", "T5", "T6"}


@pytest.mark.usefixtures("_built")
def test_a_house_whose_sign_ins_are_lost_is_said_and_left_alone() -> None:
    demo_house.demo_file().unlink()
    entries = Entry.objects.count()
    with pytest.raises(CommandError, match="begin anew with an empty DATA_FOLDER"):
        call_command("demo")
    assert Entry.objects.count() == entries
