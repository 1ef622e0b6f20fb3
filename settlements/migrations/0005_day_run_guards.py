"""Declare runs of a day heads and their checks facts, with the guards of each."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlements", "0004_day_runs")]

    operations = [
        migrations.RunSQL(
            "select public.log_guard_head('settlements_dayrun');"
            "select public.log_guard_fact('settlements_daycheck');",
            "select public.log_unguard('settlements_daycheck');"
            "select public.log_unguard('settlements_dayrun');",
        )
    ]
