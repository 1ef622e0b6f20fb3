"""What the commands that check the log print, and how they end."""

import sys
import time

from django.core.management.base import BaseCommand, OutputWrapper

from audit.log.report import Progress, Report

LIMIT_ALL = 1000
_SECONDS_BETWEEN = 2.0


def progress_to(stream: OutputWrapper, what: str) -> Progress:
    """Print a line every two seconds."""
    last = time.monotonic()

    def tell(done: int, expected: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN:
            last = now
            stream.write(f"{done:,} of {expected:,} {what}")

    return tell


def finish(command: BaseCommand, report: Report, read: str) -> None:
    """Print the problems or that there are none; exit with 1 when there are."""
    for skipped in report.unchecked:
        command.stdout.write(f"Not checked: {skipped}")
    for problem in report.problems:
        command.stdout.write(f"WRONG {problem}")
    if report.sound:
        command.stdout.write(f"Sound: {read}.")
        return
    more = "" if report.complete else "; stopped there"
    command.stdout.write(f"Read {read}; {len(report.problems)} wrong{more}.")
    sys.exit(1)
