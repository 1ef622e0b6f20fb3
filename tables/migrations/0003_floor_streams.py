"""Make the house-wide streams of reference data and rules. An empty stream is no entry."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_floor_guards")]

    operations = [
        migrations.RunSQL(
            "select public.create_stream('house'); select public.create_stream('rulesets');",
            migrations.RunSQL.noop,
        )
    ]
