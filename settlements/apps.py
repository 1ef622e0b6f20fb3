"""What moves money: settlements and their payouts, the tray, and the checks of both."""

from django.apps import AppConfig


class SettlementsConfig(AppConfig):
    """Registers settlements, payouts and check results with the log, and the check of rounds."""

    name = "settlements"
    label = "settlements"

    def ready(self) -> None:
        from audit.log.registry import register_fact, register_head
        from settlements import checks, models
        from settlements.day import findings as day_findings
        from settlements.day import runs as _runs  # noqa: F401  its handlers register themselves
        from settlements.selectors.paid import paid_lines, swept_handed
        from settlements.web.subjects import register_pages
        from tables.selectors.paid import register_paid

        register_fact(models.Settlement, kind="settlement")
        register_fact(models.Payout, kind="payout")
        register_fact(models.CheckResult, kind="check_result")
        register_fact(models.ShoeVoidRound, kind="shoe_void_round")
        register_head(models.DayRun, kind="day_run")
        register_fact(models.DayCheck, kind="day_check")
        checks.register_findings()
        day_findings.register_findings()
        register_pages()
        register_paid(paid_lines, swept=swept_handed)
