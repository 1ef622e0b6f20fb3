"""Find awaited rounds by an index, say in a shoe's statement how many are, and keep agreed sheets."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_rule_life")]

    operations = [
        migrations.AddField(
            model_name="shoestatement",
            name="awaited",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="sheetkeying",
            name="copy",
            field=models.CharField(
                choices=[
                    ("first", "first keying"),
                    ("second", "second keying"),
                    ("device", "held on device"),
                    ("agreed", "agreed"),
                ],
                max_length=6,
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("stage", "awaited")), fields=["table"], name="round_awaited"
            ),
        ),
    ]
