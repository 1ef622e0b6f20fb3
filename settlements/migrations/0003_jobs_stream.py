"""Make the stream in which jobs write. An empty stream is no entry; it stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlements", "0002_settlement_guards")]

    operations = [migrations.RunSQL("select public.create_stream('jobs');", migrations.RunSQL.noop)]
