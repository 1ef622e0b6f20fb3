"""Reconcile a past gaming day anew, with progress; earlier runs stay as they are."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from audit.log.days import turn_days
from casino.kernel.errors import DomainError
from settlements.day.runs import RECONCILER, start_day_run, work_off
from settlements.models import DayCheck, DayRun
from tables.selectors.house import gaming_day_at


class Command(BaseCommand):
    """`manage.py reconcile --day 2026-03-01`: exit status 1 when anything is wrong."""

    help = "Reconcile a gaming day that is over: second engine, sums, gaps, chains, signed log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--day", type=date.fromisoformat, required=True, help="YYYY-MM-DD")
        parser.add_argument("--turn", action="store_true", help="Turn the day first if it is due.")

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        if options["turn"]:
            turn_days(gaming_day_at(timezone.now()))
        try:
            key = start_day_run(day=options["day"], now=timezone.now(), by=RECONCILER)
            run = work_off(key, progress=self._progress)
        except DomainError as error:
            raise CommandError(error.detail) from error
        self.stdout.write("")
        for check in DayCheck.objects.filter(run=run).order_by("chunk"):
            for problem in check.problems:
                self.stdout.write(f"{problem['where']}: {problem['detail']} ({problem['code']})")
        self.stdout.write(f"run {run.key}: {run.problems} problems, manifest {run.manifest_sha256}")
        if run.problems:
            raise CommandError(f"{run.problems} problems", returncode=1)

    def _progress(self, run: DayRun) -> None:
        self.stdout.write(f"\r{run.key}: {run.chunks_done} of {len(run.plan)}", ending="")
        self.stdout.flush()
