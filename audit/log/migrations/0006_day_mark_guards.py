"""Declare the marks of days facts, with their guards."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("log", "0005_day_marks")]

    operations = [
        migrations.RunSQL(
            "select public.log_guard_fact('log_daymark')",
            "select public.log_unguard('log_daymark')",
        )
    ]
