"""Declare stored answers working rows."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0004_stored_answers")]

    operations = [
        migrations.RunSQL(
            "select public.log_declare_working('people_storedanswer')",
            "select public.log_unguard('people_storedanswer')",
        )
    ]
