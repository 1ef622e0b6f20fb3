"""Tables of Lucky 9 that are open and have their cards ready."""

from collections.abc import Callable, Mapping

import pytest
from pytest_django import Settings

from casino.people import hashing
from tables.games import PRESETS
from tests.factories.house import build_house, open_floor
from tests.tables.games.playing import GameTable


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()


@pytest.fixture
def new_table(db: None) -> Callable[..., GameTable]:
    """Open a table of nine seats under a preset, and whatever is changed of it."""

    def make(
        preset: str,
        *,
        options: Mapping[str, object] | None = None,
        procedures: Mapping[str, object] | None = None,
        limits: Mapping[str, object] | None = None,
    ) -> GameTable:
        known = PRESETS[preset]
        house = build_house(
            game=known.game,
            options={**known.options, **(options or {})},
            procedures={**known.procedures, **(procedures or {})},
            limits=limits,
            seats=9,
        )
        burned = () if (procedures or {}).get("burn") == "none" else ("?",)
        open_floor(house, burned=burned)
        return GameTable(house)

    return make
