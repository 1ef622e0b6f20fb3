"""What of a dispute hold's sum came out of the tray, kept beside the sum."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_moved_late")]

    operations = [
        migrations.AddField(
            model_name="disputehold",
            name="apart_minor",
            field=models.BigIntegerField(default=None, null=True),
        ),
        migrations.AddConstraint(
            model_name="disputehold",
            constraint=models.CheckConstraint(
                condition=models.Q(apart_minor__isnull=True)
                | (
                    models.Q(apart_minor__gte=0)
                    & (models.Q(in_result=True) | models.Q(apart_minor=0))
                ),
                name="dispute_apart_of_result",
            ),
        ),
    ]
