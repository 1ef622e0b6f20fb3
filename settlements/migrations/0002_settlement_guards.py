"""Declare settlements, payouts and check results facts; a payout belongs to a settlement."""

from django.db import migrations

FACTS = ("settlements_settlement", "settlements_payout", "settlements_checkresult")


class Migration(migrations.Migration):
    dependencies = [("settlements", "0001_settlements"), ("log", "0003_guards")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE settlements_settlement"
            " ADD CONSTRAINT settlement_revision_from_1 CHECK (revision >= 1),"
            " ADD COLUMN previous smallint GENERATED ALWAYS AS"
            " (CASE WHEN revision > 1 THEN revision - 1 END) STORED,"
            " ADD CONSTRAINT settlement_revision_linear FOREIGN KEY (round_id, part, previous)"
            " REFERENCES settlements_settlement (round_id, part, revision)",
            "ALTER TABLE settlements_settlement DROP COLUMN previous,"
            " DROP CONSTRAINT settlement_revision_from_1",
        ),
        *(
            migrations.RunSQL(
                f"ALTER TABLE {table} ADD CONSTRAINT {table}_of_settlement"
                " FOREIGN KEY (round_id, part, revision)"
                " REFERENCES settlements_settlement (round_id, part, revision)",
                f"ALTER TABLE {table} DROP CONSTRAINT {table}_of_settlement",
            )
            for table in FACTS[1:]
        ),
        *(
            migrations.RunSQL(
                f"select public.log_guard_fact('{table}')", f"select public.log_unguard('{table}')"
            )
            for table in FACTS
        ),
    ]
