"""Which settled wagers of a dead hand are taken back with it, so that the sweep keeps their line."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_dispute_apart")]

    operations = [
        migrations.AddField(
            model_name="takenout", name="reverses", field=models.JSONField(default=list)
        )
    ]
