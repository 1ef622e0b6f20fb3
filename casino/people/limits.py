"""How long a sign-on lasts, by role: until it has been idle, and at most (control 6.6).

The house may set other figures by SIGN_ON_IDLE_MINUTES and SIGN_ON_LONGEST_MINUTES, each a mapping
from role to minutes (docs/configuration.md); roles that they leave out keep the figures here.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings

from casino.people.models import Role

IDLE_MINUTES: Mapping[str, int] = {
    # A dealer stands at a table where nobody plays, and the tablet is bound to that table.
    Role.DEALER: 30,
    Role.SUPERVISOR: 15,
    Role.MANAGER: 15,
    Role.CASHIER: 5,
    Role.COUNTER: 5,
    Role.SURVEILLANCE: 15,
    Role.AUDITOR: 15,
    Role.REGULATOR: 15,
    Role.ADMINISTRATOR: 10,
}
LONGEST_MINUTES: Mapping[str, int] = {
    role: 8 * 60 if role == Role.ADMINISTRATOR else 12 * 60 for role in Role.values
}


def has_run_out(*, role: str, started_at: datetime, seen_at: datetime, now: datetime) -> bool:
    """Whether a sign-on in this role has been idle too long or lasted too long."""
    idle = settings.SIGN_ON_IDLE_MINUTES.get(role, IDLE_MINUTES[role])
    longest = settings.SIGN_ON_LONGEST_MINUTES.get(role, LONGEST_MINUTES[role])
    idle_limit, longest_limit = timedelta(minutes=idle), timedelta(minutes=longest)
    return now - seen_at > idle_limit or now - started_at > longest_limit
