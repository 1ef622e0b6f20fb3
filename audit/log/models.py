"""The log's three tables. Triggers (migrations beside) set and guard what no client may state.

Models are for reading; nothing but `services.append` writes entries, nothing but the entry trigger
moves a stream.
"""

from typing import ClassVar

from django.db import models

from audit.log.fields import Xid8Field


class Stream(models.Model):
    """The head of one hash chain: number, hash and time of its last entry."""

    name = models.TextField(primary_key=True)
    seq = models.BigIntegerField()
    hash = models.BinaryField()
    last_at = models.DateTimeField()
    xid = Xid8Field()  # the transaction of the last entry, for the guards of heads

    class Meta:
        db_table = "log_stream"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(name__regex=r"^[a-z][a-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$"),
                name="log_stream_name_form",
            ),
            models.CheckConstraint(condition=models.Q(seq__gte=0), name="log_stream_seq_range"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.seq}"


class Entry(models.Model):
    """One line of the log. `body` is what was hashed; the columns after it are copies of it."""

    stream = models.TextField()
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    prev_hash = models.BinaryField()
    hash = models.BinaryField()
    body = models.BinaryField()
    action = models.TextField()
    subject = models.TextField()
    actor = models.TextField()
    role = models.TextField()
    device = models.TextField(null=True)  # noqa: DJ001  no device is not a device without name
    request_id = models.TextField()
    xid = Xid8Field()

    class Meta:
        db_table = "log_entry"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "seq"], name="log_entry_seq_per_stream"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["subject", "id"], name="log_entry_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}: {self.action}"


class Checkpoint(models.Model):
    """A signed statement of all stream heads, chained to the one before by number and hash."""

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    entries = models.BigIntegerField()  # sum of the heads' numbers
    previous_hash = models.BinaryField()
    hash = models.BinaryField()  # of the note's text
    note = models.BinaryField()  # text and signatures, as written outside

    class Meta:
        db_table = "log_checkpoint"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["number", "hash"], name="log_checkpoint_once"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, entries__gte=0), name="log_checkpoint_range"
            ),
        ]

    def __str__(self) -> str:
        return f"checkpoint {self.number}"


class DayMark(models.Model):
    """The turn of the gaming day in one stream: what follows belongs to `day` (design 7); a fact.

    The log of a day is, per stream, the range between two marks; so nothing can still come into
    a day whose next mark stands.
    """

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", db_index=False)
    marked = models.TextField()  # the stream
    day = models.DateField()

    class Meta:
        db_table = "log_daymark"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["marked", "day"], name="day_mark_once_per_stream")
        ]

    def __str__(self) -> str:
        return f"{self.day} in {self.marked}"
