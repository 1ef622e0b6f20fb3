"""The Django app of the outbox."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Declares its one table as working rows."""

    name = "casino.outbox"
    label = "outbox"

    def ready(self) -> None:
        import casino.celery  # noqa: F401  makes it the app that `current_app` means
        from audit.log.registry import register_working
        from casino.outbox.models import OutboxItem

        register_working(OutboxItem)
