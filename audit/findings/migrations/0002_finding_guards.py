"""Declare findings a head and their notes facts, with the guards of each."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("findings", "0001_findings"), ("log", "0003_guards")]

    operations = [
        migrations.RunSQL(
            "select public.log_guard_head('findings_finding');"
            "select public.log_guard_fact('findings_findingnote');",
            "select public.log_unguard('findings_findingnote');"
            "select public.log_unguard('findings_finding');",
        ),
    ]
