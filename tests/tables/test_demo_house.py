"""The demo house: two pits, the games of every text, a tablet for each table, nobody's secrets."""

from pathlib import Path

import pytest
from pytest_django import Settings

from casino.people import hashing
from tables import demo_house
from tables.models import Table
from tests.factories.house import NOW


@pytest.fixture
def _built(db: None, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()
    monkeypatch.setattr(demo_house, "demo_file", lambda: tmp_path / "sign-ins.json")
    assert list(demo_house.build_demo_house(now=NOW))


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
def test_every_tablet_but_the_simulated_one_gets_a_code() -> None:
    assert set(demo_house.enrolment_codes(now=NOW)) == {"T1", "T2", "T3", "T5", "T6"}
    assert demo_house.read_demo_house().tablet_token


@pytest.mark.usefixtures("_built")
def test_a_house_that_stands_is_left_alone() -> None:
    assert list(demo_house.build_demo_house(now=NOW)) == []
