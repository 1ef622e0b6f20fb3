"""The Django app of the log."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created


class LogConfig(AppConfig):
    """Entries, streams and checkpoints; its only facts are the marks of days."""

    name = "audit.log"
    label = "log"

    def ready(self) -> None:
        from audit.log.models import DayMark
        from audit.log.prepared import send_numbers_as_bigint
        from audit.log.registry import register_fact

        register_fact(DayMark, kind="day_mark")
        connection_created.connect(send_numbers_as_bigint)
