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
# Disputes with their files: the player's name and contact are not for the table's staff (control
# 5.17).
READS_DISPUTES = (
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
# Which tables there are and what is open at each: the cage as well, which serves them.
READS_TABLES = (*READS_ROUNDS, Role.CASHIER)
# What is published, and the signs of tables: no secret on the floor.
READS_RULES = READS_TABLES
# Drafts of rules and what options would mean: who drafts and approves, and who oversees.
READS_DRAFTS = (Role.MANAGER, Role.SURVEILLANCE, Role.AUDITOR, Role.REGULATOR)
PREVIEWS_RULES = (Role.SUPERVISOR, *READS_DRAFTS)
# What is left in a shoe that is still in play (control 4.22).
SEES_LIVE_ODDS = (Role.SURVEILLANCE, Role.AUDITOR)
