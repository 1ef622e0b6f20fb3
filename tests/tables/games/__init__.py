"""Lucky 9 at a table: every preset through the services, the bank, decisions, packs."""
