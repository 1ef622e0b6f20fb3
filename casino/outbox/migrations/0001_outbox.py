"""The queue of follow-up work, as working rows."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("log", "0003_guards")]

    operations = [
        migrations.CreateModel(
            name="OutboxItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.TextField()),
                ("key", models.TextField(help_text="Natural key of the work within its topic.")),
                (
                    "payload",
                    models.JSONField(
                        default=dict, help_text="Small; names rows, never copies them."
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "due_at",
                    models.DateTimeField(help_text="Not before; null means at once.", null=True),
                ),
                ("lease_until", models.DateTimeField(null=True)),
                ("lease_number", models.IntegerField(default=0)),
                (
                    "attempts",
                    models.SmallIntegerField(
                        default=0, help_text="Claims, so that a kill counts too."
                    ),
                ),
                ("last_error", models.TextField(default="")),
                (
                    "parked_at",
                    models.DateTimeField(help_text="Given up; waits for a person.", null=True),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("topic", "key"), name="outbox_one_row_per_work"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(attempts__gte=0, lease_number__gte=0),
                        name="outbox_counts_not_negative",
                    ),
                ],
            },
        ),
        migrations.RunSQL(
            "SELECT log_declare_working('outbox_outboxitem')",
            "SELECT log_unguard('outbox_outboxitem')",
        ),
    ]
