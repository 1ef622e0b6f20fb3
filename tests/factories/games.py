"""Further tables in a house that stands: one for a preset, with a tablet of its own."""

from collections.abc import Mapping
from dataclasses import replace

from audit.log.rows import Ref
from casino.people.models import Device, Role
from casino.people.person import Origin, Person
from casino.people.services import claim_device, enrol_device
from tables.games import PRESETS
from tables.services.house import (
    create_table,
    publish_limits,
    publish_procedures,
    publish_ruleset,
)
from tests.factories.house import SET_UP, House, set_terms


def add_table(
    house: House,
    *,
    code: str,
    preset: str,
    seats: int = 9,
    procedures: Mapping[str, object] | None = None,
) -> House:
    """Add a table under a preset to pit P1; return the house that knows its tablet."""
    known = PRESETS[preset]
    create_table(code=code, name=known.name, pit="P1", seats=seats, by=SET_UP)
    set_terms(
        table=code,
        ruleset=publish_ruleset(game=known.game, name=known.name, options=known.options, by=SET_UP),
        procedures=publish_procedures(
            game=known.game, options={**known.procedures, **(procedures or {})}, by=SET_UP
        ),
        limits=publish_limits(game=known.game, options={}, by=SET_UP),
    )
    admin = Person(staff=house.staff["administrator"], name="admin", role=Role.ADMINISTRATOR)
    origin, number = Origin(address="127.0.0.1"), f"D-{code}"
    claim = enrol_device(
        number=number,
        name=f"Tablet {code}",
        kind=Device.Kind.TABLET,
        table_code=code,
        by=admin,
        origin=origin,
        now=house.now,
    )
    token = claim_device(claim, origin=origin, now=house.now).token
    device = Ref(Device.objects.get(number=number).pk, number)
    return replace(
        house,
        devices={**house.devices, code: device},
        tokens={**house.tokens, code: token},
    )
