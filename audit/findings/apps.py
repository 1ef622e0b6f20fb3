"""Findings: discrepancies with a life, raised by any app above, by natural keys alone."""

from django.apps import AppConfig


class FindingsConfig(AppConfig):
    """Registers findings and their notes with the log, and what the nightly check raises."""

    name = "audit.findings"
    label = "findings"

    def ready(self) -> None:
        from audit.findings import log_check, models
        from audit.log.registry import register_fact, register_head

        register_head(models.Finding, kind="finding")
        register_fact(models.FindingNote, kind="finding_note")
        log_check.register_findings()
