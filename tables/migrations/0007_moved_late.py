"""What corrections moved after the session of their round closed, kept beside its other sums."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0006_awaited_rounds")]

    operations = [
        migrations.AddField(
            model_name="tablesession",
            name="moved_late_minor",
            field=models.BigIntegerField(default=0),
        )
    ]
