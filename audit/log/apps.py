"""The Django app of the log."""

from django.apps import AppConfig


class LogConfig(AppConfig):
    """Entries, streams and checkpoints; declares no facts or heads of its own."""

    name = "audit.log"
    label = "log"
