"""Who acts, from where and when: the one argument that every service of the floor takes."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from audit.log.rows import Actor
from casino.people.models import Role
from casino.people.person import Origin, Person, origin_of, person_of
from tables.errors import NotAtThisTableError


@dataclass(frozen=True, slots=True)
class Acting:
    """A person in a role, where the request came from, and the application's clock.

    The actor is an argument of every write, never taken from a global: another person's name on
    an entry would be worse than none.
    """

    person: Person
    origin: Origin
    now: datetime

    @property
    def actor(self) -> Actor:
        """The person as the log names them."""
        return self.person.actor(self.origin.request_id)

    def require_at_table(self, table_code: str) -> None:
        """Refuse a write that was not keyed at a tablet bound to this table (design 9)."""
        if self.person.device is None or self.person.device_table != table_code:
            raise NotAtThisTableError(table=table_code)

    def require_dealer_at_table(self, table_code: str) -> None:
        """Let a dealer act at the tablet of this table only; others may do it in a browser too."""
        if self.person.role == Role.DEALER:
            self.require_at_table(table_code)


def acting(request: HttpRequest | Request) -> Acting:
    """Return who acts in this request. Raises SessionMissingError, SessionEndedError."""
    return Acting(person=person_of(request), origin=origin_of(request), now=timezone.now())
