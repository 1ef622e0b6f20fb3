"""Make the house-wide stream in which findings live. An empty stream is no entry; it stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("findings", "0002_finding_guards")]

    operations = [
        migrations.RunSQL("select public.create_stream('audit');", migrations.RunSQL.noop),
    ]
