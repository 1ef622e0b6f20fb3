"""Who may look at days, and who may have one reconciled anew."""

from casino.people.models import Role

READS_DAYS = (Role.MANAGER, Role.SURVEILLANCE, Role.AUDITOR, Role.REGULATOR)
RUNS_DAYS = (Role.MANAGER, Role.AUDITOR)
