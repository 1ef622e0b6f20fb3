"""Declare the rounds of void shoes facts, and make their revisions linear."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlements", "0007_shoe_void_rounds")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE settlements_shoevoidround"
            " ADD CONSTRAINT shoe_void_round_revision_from_1 CHECK (revision >= 1),"
            " ADD COLUMN previous smallint GENERATED ALWAYS AS"
            " (CASE WHEN revision > 1 THEN revision - 1 END) STORED,"
            " ADD CONSTRAINT shoe_void_round_revision_linear"
            " FOREIGN KEY (shoe_id, round_id, previous)"
            " REFERENCES settlements_shoevoidround (shoe_id, round_id, revision)",
            "ALTER TABLE settlements_shoevoidround DROP COLUMN previous,"
            " DROP CONSTRAINT shoe_void_round_revision_from_1",
        ),
        migrations.RunSQL(
            "select public.log_guard_fact('settlements_shoevoidround')",
            "select public.log_unguard('settlements_shoevoidround')",
        ),
    ]
