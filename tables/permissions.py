"""Who may read what of the floor; what each act needs stands in its service (design 10)."""

from casino.people.models import Role

# Rounds, wagers and cards: who deals, who watches, who checks.
READS_ROUNDS = (
    Role.DEALER,
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
# Which tables there are and what is open at each: the cage as well, which serves them.
READS_TABLES = (*READS_ROUNDS, Role.CASHIER)
