"""One piece of follow-up work that has not been done yet."""

from django.db import models
from django.utils import timezone

from casino.outbox.querysets import OutboxItemQuerySet


class OutboxItem(models.Model):
    """A working row: written with the change that asks for the work, deleted with the result.

    `created_at` is the application's clock and only shown. Everything that is compared (`due_at`,
    `lease_until`, `parked_at`) is the database's clock.
    """

    topic = models.TextField()
    key = models.TextField(help_text="Natural key of the work within its topic.")
    payload = models.JSONField(default=dict, help_text="Small; names rows, never copies them.")
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, help_text="Not before; null means at once.")
    lease_until = models.DateTimeField(null=True)
    lease_number = models.IntegerField(default=0)
    attempts = models.SmallIntegerField(default=0, help_text="Claims, so that a kill counts too.")
    last_error = models.TextField(default="")
    parked_at = models.DateTimeField(null=True, help_text="Given up; waits for a person.")

    objects = OutboxItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "key"], name="outbox_one_row_per_work"),
            models.CheckConstraint(
                condition=models.Q(attempts__gte=0, lease_number__gte=0),
                name="outbox_counts_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.key}"
