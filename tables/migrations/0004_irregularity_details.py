"""What irregularities, dispute holds and stopped shoes keep beyond the first model of the floor."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_floor_streams")]

    operations = [
        migrations.AddField(
            model_name="irregularity", name="details", field=models.JSONField(default=dict)
        ),
        migrations.AddField(
            model_name="irregularity",
            name="signed_hash",
            field=models.CharField(default="", max_length=64),
        ),
        migrations.AddField(
            model_name="takenout", name="stands", field=models.JSONField(default=list)
        ),
        migrations.AddField(
            model_name="disputehold", name="in_result", field=models.BooleanField(default=True)
        ),
        migrations.AddField(
            model_name="disputehold",
            name="irregularity_number",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="disputehold", name="moved_at", field=models.DateTimeField(null=True)
        ),
        migrations.AddField(
            model_name="disputehold",
            name="outcome",
            field=models.CharField(
                choices=[("house", "for the house"), ("patron", "for the player")],
                default="",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="disputehold",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("outcome", ""), ("released_at__isnull", True), ("state", "open")
                )
                | models.Q(("outcome__in", ["house", "patron"]), ("state", "released")),
                name="dispute_released_has_outcome",
            ),
        ),
        migrations.AddField(
            model_name="shoe",
            name="cards_reshuffled",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="state",
            field=models.CharField(
                choices=[
                    ("preparing", "preparing"),
                    ("ready", "ready"),
                    ("stopped", "stopped"),
                    ("ended", "ended"),
                    ("voided", "voided"),
                ],
                max_length=10,
            ),
        ),
    ]
