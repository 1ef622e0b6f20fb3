"""The demo house: staff of every role, a tablet for each table, and two pits of tables.

The main pit has four five-seat tables of Poker Lucky 9; the second one a table of each other game.

Built through the services, with secrets of its own that are drawn at random and kept in one file of
mode 0600 beside the embedded servers. The data of an earlier version is brought up to date: whoever
and whatever is missing is added, nothing that stands is changed. It must never run against a house
that somebody else set up; the file tells.
"""

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from audit.log.rows import Actor
from casino.config import config
from casino.people.errors import DeviceUnknownError
from casino.people.models import Device, Role, SecretKind
from casino.people.person import Origin, Person
from casino.people.selectors import (
    device_by_number,
    is_founded,
    names_by_number,
    staff_by_number,
    staff_ref,
)
from casino.people.services import (
    claim_device,
    create_staff,
    enrol_device,
    found_house,
    grant_role,
    issue_code,
    issue_device_code,
    set_own_secret,
)
from tables.games import PRESETS
from tables.selectors.house import gaming_day_at, pit_codes, table_codes
from tables.services.house import (
    create_pit,
    create_table,
    set_house,
    set_preset_terms,
)

SIMULATED = "T4"  # the table at which `simulate` deals; its tablet's token is kept in the file
_SET_UP = Actor(key="system:set-up", name="Set-up", role="system")
_ORIGIN = Origin(address="127.0.0.1")
_DENOMINATIONS = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_000, 500)
_LIMITS = {
    "min": {"main": 10_000, "tie": 5_000, "pair": 5_000, "jacks": 5_000},
    "max": {"main": 1_000_000, "tie": 50_000, "pair": 100_000, "jacks": 100_000},
    "step": {"main": 2_000, "tie": 1_000, "pair": 500, "jacks": 500},
    "aggregate": {"jacks": 5_000_000},
}
_LUCKY_LIMITS = {"min": {"main": 10_000}, "max": {"main": 200_000}, "step": {"main": 2_000}}


@dataclass(frozen=True, slots=True)
class _Place:
    """What a table of the demo is: its pit, its game by preset, its limits and seats."""

    pit: str
    preset: str
    limits: Mapping[str, object]
    seats: int = 5


_PITS = {"P1": "Main pit", "P2": "Lucky 9 pit"}
# The house banks at eight seats; of nine people at the last table one banks.
_HOUSE = {
    **{f"T{number}": _Place("P1", "pagcor-poker-lucky-9", _LIMITS) for number in range(1, 5)},
    "T5": _Place("P2", "lucky-9", _LUCKY_LIMITS, seats=8),
    "T6": _Place("P2", "home", _LUCKY_LIMITS, seats=9),
}
_PEOPLE = (
    ("1001", "Ana Reyes", (Role.DEALER,)),
    ("1002", "Ben Cruz", (Role.DEALER,)),
    ("1003", "Carla Santos", (Role.DEALER,)),
    ("2001", "Dino Garcia", (Role.SUPERVISOR,)),
    ("2002", "Elena Ramos", (Role.SUPERVISOR,)),
    ("3001", "Felix Torres", (Role.MANAGER,)),
    ("3002", "Grace Lim", (Role.MANAGER,)),
    ("3003", "Noel Aquino", (Role.MANAGER,)),
    ("4001", "Hector Diaz", (Role.CASHIER,)),
    ("4002", "Ines Flores", (Role.COUNTER,)),
    ("5001", "Jun Navarro", (Role.SURVEILLANCE,)),
    ("6001", "Karen Uy", (Role.AUDITOR,)),
    ("7001", "Luis Ocampo", (Role.REGULATOR,)),
)
_ADMINISTRATOR = ("9001", "Mara Velasco")


@dataclass(frozen=True, slots=True)
class SignIn:
    """How one person of the demo signs on."""

    badge: str
    name: str
    role: str
    pin: str
    password: str


@dataclass(frozen=True, slots=True)
class DemoHouse:
    """The demo's sign-ins, and the token of the tablet that `simulate` deals at."""

    sign_ins: tuple[SignIn, ...]
    tablet_token: str

    def person(self, role: str) -> SignIn:
        """Return the first person who signs on in a role."""
        return next(sign_in for sign_in in self.sign_ins if sign_in.role == role)


def demo_file() -> Path:
    """Return where the demo's secrets lie; needs DATA_FOLDER."""
    folder = config().data_folder
    if folder is None:
        raise ValueError("the demo needs DATA_FOLDER")
    return folder / "demo-sign-ins.json"


def read_demo_house() -> DemoHouse:
    """Return the demo's sign-ins as they were drawn when it was built."""
    document = json.loads(demo_file().read_text(encoding="utf-8"))
    sign_ins = tuple(SignIn(**sign_in) for sign_in in document["sign_ins"])
    return DemoHouse(sign_ins=sign_ins, tablet_token=document["tablet_token"])


class NotADemoError(RuntimeError):
    """The database holds a house that is no demo, or one whose sign-ins are lost."""


def build_demo_house(*, now: datetime) -> Iterator[str]:
    """Build the demo house, or add what one of an earlier version lacks; yield what was done, a
    line at a time.

    Raises NotADemoError.
    """
    house = _founded(now=now) if not is_founded() else _standing()
    admin = _administrator()
    known = names_by_number(number for number, _name, _roles in _PEOPLE)
    newcomers = [person for person in _PEOPLE if person[0] not in known]
    if newcomers:
        yield "people"
        sign_ins = [_person(*person, admin=admin, now=now) for person in newcomers]
        house = replace(house, sign_ins=(*house.sign_ins, *sign_ins))
    missing_pits = _PITS.keys() - pit_codes()
    missing_tables = _HOUSE.keys() - table_codes()
    if missing_pits or missing_tables:
        yield "pits, tables and rules"
    for code in sorted(missing_pits):
        create_pit(code=code, name=_PITS[code], by=_SET_UP)
    for code in sorted(missing_tables):
        _table(code, _HOUSE[code], now=now)
    without_tablet = [code for code in _HOUSE if not _has_tablet(code)]
    if without_tablet:
        yield "tablets"
    for code in without_tablet:
        enrolled = _enrol(code, admin=admin, now=now)
        if code == SIMULATED:
            house = replace(house, tablet_token=_claim(enrolled, now=now))
    if house != read_demo_house():
        _write(house)


def enrolment_codes(*, now: datetime) -> dict[str, str]:
    """Return a fresh one-time code by table, with which a browser becomes that table's tablet.

    The simulated table is left out: its tablet is the simulation's. So is a table whose tablet was
    revoked: its number is not given again.
    """
    admin = _administrator()
    return {
        table: issue_device_code(f"D-{table}", by=admin, origin=_ORIGIN, now=now)
        for table in _HOUSE
        if table != SIMULATED and device_by_number(f"D-{table}").active
    }


def _administrator() -> Person:
    staff = staff_by_number(_ADMINISTRATOR[0])
    return Person(staff=staff_ref(staff), name=staff.name, role=Role.ADMINISTRATOR)


def _standing() -> DemoHouse:
    """Return the demo house as it was built before."""
    if not demo_file().exists():
        raise NotADemoError(
            f"This database holds a house already, and {demo_file()} is missing: it is no demo, or"
            " its sign-ins are lost. For a demo begin anew with an empty DATA_FOLDER."
        )
    return read_demo_house()


def _founded(*, now: datetime) -> DemoHouse:
    """Found the house with its administrator alone."""
    number, name = _ADMINISTRATOR
    code = found_house(number=number, badge=number, name=name, now=now)
    first = _sign_in(number, name, Role.ADMINISTRATOR)
    set_own_secret(badge=number, code=code, secret=first.password, origin=_ORIGIN, now=now)
    set_house(
        name=config().house_name,
        currency_code=config().currency,
        currency_exponent=config().currency_exponent,
        zone="Asia/Manila",
        cut_over_hour=6,
        denominations=_DENOMINATIONS,
        effective_at=now - timedelta(days=1),
        by=_SET_UP,
    )
    house = DemoHouse(sign_ins=(first,), tablet_token="")
    _write(house)
    return house


def _person(
    number: str, name: str, roles: tuple[Role, ...], *, admin: Person, now: datetime
) -> SignIn:
    """Create one person with roles, PIN and password."""
    create_staff(number=number, badge=number, name=name, by=admin, origin=_ORIGIN)
    for role in roles:
        grant_role(number, role=role, by=admin, origin=_ORIGIN)
    sign_in = _sign_in(number, name, roles[0])
    for purpose, secret in (
        (SecretKind.PIN, sign_in.pin),
        (SecretKind.PASSWORD, sign_in.password),
    ):
        code = issue_code(number, purpose=purpose, by=admin, origin=_ORIGIN, now=now)
        set_own_secret(badge=number, code=code, secret=secret, origin=_ORIGIN, now=now)
    return sign_in


def _sign_in(number: str, name: str, role: str) -> SignIn:
    # Six different digits of which no two neighbours follow each other: never a trivial PIN.
    digits = [secrets.randbelow(10)]
    while len(digits) < 6:
        digit = secrets.randbelow(10)
        if digit not in digits and abs(digit - digits[-1]) > 1:
            digits.append(digit)
    return SignIn(
        badge=number,
        name=name,
        role=str(role),
        pin="".join(map(str, digits)),
        password=secrets.token_urlsafe(12),
    )


def _table(code: str, place: _Place, *, now: datetime) -> None:
    """Create a table that deals under a preset."""
    create_table(code=code, name=f"Table {code[1:]}", pit=place.pit, seats=place.seats, by=_SET_UP)
    set_preset_terms(
        table=code,
        preset=PRESETS[place.preset],
        limits=place.limits,
        day=gaming_day_at(now),
        by=_SET_UP,
    )


def _has_tablet(table: str) -> bool:
    """Tell whether a table's tablet was enrolled, also when it was revoked since."""
    try:
        device_by_number(f"D-{table}")
    except DeviceUnknownError:
        return False
    return True


def _claim(code: str, *, now: datetime) -> str:
    """Become the tablet that this code was given for; return its token."""
    return claim_device(code, origin=_ORIGIN, now=now).token


def _enrol(table: str, *, admin: Person, now: datetime) -> str:
    """Enrol a table's tablet; return the code with which a browser becomes it."""
    return enrol_device(
        number=f"D-{table}",
        name=f"Tablet {table[1:]}",
        kind=Device.Kind.TABLET,
        table_code=table,
        by=admin,
        origin=_ORIGIN,
        now=now,
    )


def _write(house: DemoHouse) -> None:
    path = demo_file()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(house), file, indent=1)
