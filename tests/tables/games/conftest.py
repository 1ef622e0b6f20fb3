"""Tables of Lucky 9 that are open and have their cards ready."""

from collections.abc import Callable, Mapping

import pytest
from pytest_django import Settings

from audit.log.rows import Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people import hashing
from tables.games import PRESETS
from tables.models import TableTerms
from tables.services.house import publish_ruleset
from tests.factories.house import SET_UP, build_house, open_floor
from tests.tables.games.playing import GameTable


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
    hashing._nobody.cache_clear()


@service
def _give_as_before(ruleset: Ref) -> None:
    """Let the table deal under a ruleset that no table is given any more, as it was given before it
    was refused (B13): rounds that were dealt under it stay what they are."""
    lock_stream("table/T1")
    terms = TableTerms.objects.select_related("table", "procedures", "limits").get()
    append(
        stream="table/T1",
        action="table.terms_set",
        subject="T1",
        actor=SET_UP,
        facts=[
            Row(
                TableTerms,
                {
                    "table": Ref(terms.table.pk, terms.table.code),
                    "revision": terms.revision + 1,
                    "ruleset": ruleset,
                    "procedures": Ref(terms.procedures.pk, terms.procedures.hash),
                    "limits": Ref(terms.limits.pk, terms.limits.hash),
                },
            )
        ],
    )


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
        played = {**known.options, **(options or {})}
        refused_now = played.get("banker_colon_collects") == "multiple"
        house = build_house(
            game=known.game,
            options=dict(known.options) if refused_now else played,
            procedures={**known.procedures, **(procedures or {})},
            limits=limits,
            seats=9,
        )
        if refused_now:
            _give_as_before(publish_ruleset(game=known.game, name="Old", options=played, by=SET_UP))
        burned = () if (procedures or {}).get("burn") == "none" else ("?",)
        open_floor(house, burned=burned)
        return GameTable(house)

    return make
