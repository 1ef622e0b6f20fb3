"""Declare what is fact and what is head, with the guards of each, and make revisions linear."""

from django.db import migrations

HEADS = (
    "tables_pit",
    "tables_table",
    "tables_tablesession",
    "tables_shoe",
    "tables_round",
    "tables_disputehold",
)
FACTS = (
    "tables_housesettings",
    "tables_ruleset",
    "tables_procedures",
    "tables_limits",
    "tables_tableterms",
    "tables_count",
    "tables_shoestep",
    "tables_burnedcard",
    "tables_stubcount",
    "tables_shoestatement",
    "tables_seatwagers",
    "tables_card",
    "tables_decision",
    "tables_irregularity",
    "tables_departure",
    "tables_takenout",
    "tables_disputefile",
    "tables_sheetkeying",
)
# Natural keys, but for the revision, of the facts that a later revision supersedes.
REVISED = {
    "tables_housesettings": "",
    "tables_tableterms": "table_id",
    "tables_count": "session_id, kind, side",
    "tables_shoestep": "shoe_id, step",
    "tables_burnedcard": "shoe_id, event, n",
    "tables_stubcount": "shoe_id",
    "tables_shoestatement": "shoe_id",
    "tables_seatwagers": "round_id, seat",
    "tables_card": "round_id, draw",
    "tables_decision": "round_id, hand",
    "tables_irregularity": "table_id, number",
    "tables_departure": "round_id, draw",
    "tables_takenout": "round_id, seat, wager",
    "tables_disputefile": "dispute_id",
    "tables_sheetkeying": "round_id, copy",
}


def linear(table: str, key: str) -> migrations.RunSQL:
    """Let a revision stand only on the one before it."""
    columns = f"{key}, " if key else ""
    return migrations.RunSQL(
        f"ALTER TABLE {table}"
        f" ADD CONSTRAINT {table}_revision_from_1 CHECK (revision >= 1),"
        f" ADD COLUMN previous smallint GENERATED ALWAYS AS"
        f" (CASE WHEN revision > 1 THEN revision - 1 END) STORED,"
        f" ADD CONSTRAINT {table}_revision_linear FOREIGN KEY ({columns}previous)"
        f" REFERENCES {table} ({columns}revision)",
        f"ALTER TABLE {table} DROP COLUMN previous, DROP CONSTRAINT {table}_revision_from_1",
    )


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_floor"), ("log", "0003_guards")]

    operations = [
        *(linear(table, key) for table, key in REVISED.items()),
        *(
            migrations.RunSQL(
                f"select public.log_guard_head('{table}')", f"select public.log_unguard('{table}')"
            )
            for table in HEADS
        ),
        *(
            migrations.RunSQL(
                f"select public.log_guard_fact('{table}')", f"select public.log_unguard('{table}')"
            )
            for table in FACTS
        ),
    ]
