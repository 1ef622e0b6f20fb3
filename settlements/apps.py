"""What moves money: settlements and their payouts, the tray, and the checks of both."""

from django.apps import AppConfig


class SettlementsConfig(AppConfig):
    """Registers settlements, payouts and check results with the log, and the check of rounds."""

    name = "settlements"
    label = "settlements"

    def ready(self) -> None:
        from audit.log.registry import register_fact
        from settlements import checks, models
        from settlements.selectors.paid import paid_lines
        from settlements.web.subjects import register_pages
        from tables.selectors.paid import register_paid

        register_fact(models.Settlement, kind="settlement")
        register_fact(models.Payout, kind="payout")
        register_fact(models.CheckResult, kind="check_result")
        checks.register_findings()
        register_pages()
        register_paid(paid_lines)
