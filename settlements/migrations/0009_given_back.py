"""Keep with a settlement which of its wagers were given back because its shoe was void."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("log", "0006_day_mark_guards"),
        ("settlements", "0008_shoe_void_round_guards"),
        ("tables", "0007_moved_late"),
    ]

    operations = [
        migrations.AddField(
            model_name="settlement",
            name="given_back",
            field=models.CharField(
                choices=[
                    ("", "nothing given back"),
                    ("losers", "losers refunded"),
                    ("all", "all given back"),
                ],
                default="",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(("given_back__in", ["", "losers", "all"])),
                name="settlement_given_back_known",
            ),
        ),
    ]
