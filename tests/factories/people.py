"""Builders of people by role, of tablets and of signed-on clients; everything through the services.

`People` needs a database in which nobody works yet. `FastArgon2` is for PASSWORD_HASHERS of tests:
the same algorithm at the least cost, because what is tested is not how slow it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.test import Client

from audit.log.models import Entry
from audit.log.rows import Ref
from casino.people import services
from casino.people.models import Device, Role, SecretKind, Staff
from casino.people.person import DeviceOnRequest, Origin, Person

NOW = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)
BROWSER = Origin(address="192.0.2.1", request_id="test")
# Setting up tries codes too; it must not slow down what a test does.
_SET_UP = Origin(address="192.0.2.200", request_id="set-up")


class FastArgon2(Argon2PasswordHasher):
    """Argon2id at the least cost that it allows."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1


@dataclass(frozen=True, slots=True)
class Member:
    """A member of staff as a test knows one: what is on the badge and in the head."""

    ref: Ref
    name: str
    badge: str
    roles: tuple[str, ...]
    pin: str
    password: str

    @property
    def number(self) -> str:
        """The staff number."""
        return self.ref.key

    def person(self, role: str | None = None) -> Person:
        """This member as signed on in a browser."""
        return Person(staff=self.ref, name=self.name, role=role or self.roles[0])


# Number, PIN and roles by name. The outsider holds no role.
_CAST: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "dealer": ("2001", "482915", (Role.DEALER,)),
    "other_dealer": ("2002", "519374", (Role.DEALER,)),
    "supervisor": ("2003", "730164", (Role.SUPERVISOR,)),
    "manager": ("2004", "264807", (Role.MANAGER,)),
    "cashier": ("2005", "905382", (Role.CASHIER,)),
    "counter": ("2006", "117405", (Role.COUNTER,)),
    "surveillance": ("2007", "640218", (Role.SURVEILLANCE,)),
    "auditor": ("2008", "385920", (Role.AUDITOR,)),
    "regulator": ("2009", "271640", (Role.REGULATOR,)),
    "both": ("2010", "836125", (Role.SUPERVISOR, Role.MANAGER)),
    "outsider": ("2011", "594026", ()),
}


@dataclass
class People:
    """A house with an administrator; others are created when a test asks for them by name."""

    now: datetime = NOW
    _members: dict[str, Member] = field(default_factory=dict)
    _tablets: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        number, badge, password = "1000", "B-1000", "administrators keep codes"
        code = services.found_house(number=number, badge=badge, name="administrator", now=self.now)
        self._set(badge, code=code, secret=password)
        self._members["administrator"] = Member(
            ref=Ref(Staff.objects.get(number=number).pk, number),
            name="administrator",
            badge=badge,
            roles=(Role.ADMINISTRATOR,),
            pin="",
            password=password,
        )

    def __getattr__(self, name: str) -> Member:
        if name not in _CAST and name not in self.__dict__.get("_members", {}):
            raise AttributeError(name)
        return self._members.get(name) or self._create(name)

    def create(self, *names: str) -> None:
        """Have these people exist, for a test that names them only in what it sends."""
        for name in names:
            getattr(self, name)

    @property
    def admin(self) -> Person:
        """The administrator as signed on in a browser."""
        return self._members["administrator"].person()

    def tablet(self, table: str | None = "T1", *, number: str = "D1") -> Origin:
        """Where a request from the tablet of a table comes from; enrols it the first time."""
        self.token(table, number=number)
        device = Device.objects.get(number=number)
        return Origin(
            address="192.0.2.50",
            device=DeviceOnRequest(Ref(device.pk, number), device.kind, device.table_code),
            request_id="test",
        )

    def token(
        self, table: str | None = "T1", *, number: str = "D1", kind: str = Device.Kind.TABLET
    ) -> str:
        """The token of a device; enrols it the first time."""
        if number not in self._tablets:
            code = services.enrol_device(
                number=number,
                name=f"Device {number}",
                kind=kind,
                table_code=table,
                by=self.admin,
                origin=_SET_UP,
                now=self.now,
            )
            claimed = services.claim_device(code, origin=_SET_UP, now=self.now)
            self._tablets[number] = claimed.token
        return self._tablets[number]

    def client(self, name: str, *, tablet: str | None = None, role: str | None = None) -> Client:
        """A client that is signed on over the API: a dealer at a tablet, others in a browser."""
        member: Member = getattr(self, name)
        token = tablet
        if token is None and member.roles == (Role.DEALER,):
            token = self.token()
        client = Client(headers={"X-Device-Token": token} if token else None)
        sent: dict[str, Any] = {"badge": member.badge, "secret": member.password}  # as JSON is
        if role is not None:
            sent["role"] = role
        answer = client.post("/api/v1/sign-on", sent, content_type="application/json")
        assert answer.status_code == 200, answer.content
        return client

    def _create(self, name: str) -> Member:
        number, pin, roles = _CAST[name]
        badge = f"B-{number}"
        password = f"{name} has a long sentence"
        ref = services.create_staff(
            number=number, badge=badge, name=name, by=self.admin, origin=_SET_UP
        )
        for role in roles:
            services.grant_role(number, role=role, by=self.admin, origin=_SET_UP)
        for purpose, secret in ((SecretKind.PIN, pin), (SecretKind.PASSWORD, password)):
            code = services.issue_code(
                number, purpose=purpose, by=self.admin, origin=_SET_UP, now=self.now
            )
            self._set(badge, code=code, secret=secret)
        member = Member(ref=ref, name=name, badge=badge, roles=roles, pin=pin, password=password)
        self._members[name] = member
        return member

    def _set(self, badge: str, *, code: str, secret: str) -> None:
        services.set_own_secret(badge=badge, code=code, secret=secret, origin=_SET_UP, now=self.now)


def last_entry() -> Entry:
    """The newest entry of the log."""
    return Entry.objects.latest("id")


def last_entry_id() -> int:
    """The newest entry's id, to see that nothing was written since."""
    return last_entry().pk
