"""The Django app of the log."""

from django.apps import AppConfig


class LogConfig(AppConfig):
    """Entries, streams and checkpoints; its only facts are the marks of days."""

    name = "audit.log"
    label = "log"

    def ready(self) -> None:
        from audit.log.models import DayMark
        from audit.log.registry import register_fact

        register_fact(DayMark, kind="day_mark")
