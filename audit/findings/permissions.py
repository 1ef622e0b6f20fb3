"""Who may do what with findings (control 8.5: the auditee can answer, not close)."""

from casino.people.models import Role

READS_FINDINGS = (
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
ANSWERS_FINDINGS = (Role.SUPERVISOR, Role.MANAGER)
DECIDES_FINDINGS = (Role.AUDITOR,)
