"""Days as the desk shows them: runs, figures, problems and files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import file_digest
from pathlib import Path
from typing import Any

from audit.chain.manifest import Manifest, parse_manifest
from audit.desk.errors import DayFileAlteredError, DayFileMissingError, DayMissingError
from audit.log.day_log import MANIFEST_FILE, day_folder
from audit.log.place import required_place
from settlements.day.findings import WAITS_FOR_SHEETS
from settlements.day.report import checks_of, day_report
from settlements.day.runs import parked_work
from settlements.models import DayCheck, DayRun


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run: how far it is, and what it found.

    Of its problems so many only wait for sheets; so many of its chunks were given up.
    """

    key: str
    day: date
    number: int
    state: str
    chunks: int
    chunks_done: int
    problems: int
    waiting: int
    given_up: int
    started_at: datetime
    started_by: str
    finished_at: datetime | None
    manifest_sha256: str

    @property
    def wrong(self) -> int:
        """How many problems nothing outstanding explains."""
        return self.problems - self.waiting


@dataclass(frozen=True, slots=True)
class DayFile:
    """A file of a run as its manifest states it."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class DayPage:
    """One day: its newest run with figures, problems, checks and files, and the earlier runs.

    `altered` names the files that are missing or not as they were signed.
    """

    run: RunLine
    earlier: tuple[RunLine, ...]
    totals: dict[str, Any]  # Any: the report is a JSON document
    sessions: tuple[tuple[str, dict[str, Any]], ...]
    problems: tuple[dict[str, str], ...]
    checks: tuple[DayCheck, ...]
    files: tuple[DayFile, ...]
    altered: tuple[str, ...]
    streams: int
    entries: int

    @property
    def wrong(self) -> list[dict[str, str]]:
        """What is wrong: problems that nothing outstanding explains."""
        return [each for each in self.problems if not is_waiting(each)]

    @property
    def waiting(self) -> list[dict[str, str]]:
        """Rounds and shoes that wait for sheets; the pit board chases them."""
        return [each for each in self.problems if is_waiting(each)]


def is_waiting(problem: Mapping[str, str]) -> bool:
    """Tell whether a problem is no more than sheets that have not come in."""
    return problem["code"] in WAITS_FOR_SHEETS


def read_day(text: str) -> date:
    """Return the day that an address names. Raises DayMissingError where it names none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DayMissingError(day=text[:20]) from None


def day_lines(*, start: int = 0, limit: int, after: date | None = None) -> list[RunLine]:
    """Return the newest run of each day, the newest day first; with `after`, of days before it."""
    runs = DayRun.objects.order_by("-day", "-number").distinct("day")
    if after is not None:
        runs = runs.filter(day__lt=after)
    return _lines(runs[start : start + limit])


def runs_of(day: date) -> Sequence[DayRun]:
    """Return the runs of a day, the newest first. Raises DayMissingError."""
    runs = list(DayRun.objects.filter(day=day).order_by("-number"))
    if not runs:
        raise DayMissingError(day=day.isoformat())
    return runs


def day_page(day: date, *, number: int | None = None) -> DayPage:
    """Return a day by its newest run, or by the numbered one. Raises DayMissingError."""
    runs = runs_of(day)
    run = next((run for run in runs if number in (None, run.number)), None)
    if run is None:
        raise DayMissingError(day=f"{day.isoformat()}/{number}")
    checks = tuple(checks_of(run))
    report = day_report(run, checks)
    lines = {line.number: line for line in _lines(runs)}
    manifest, altered = _signed(run)
    return DayPage(
        run=lines.pop(run.number),
        earlier=tuple(lines.values()),
        totals=report["totals"],
        sessions=tuple(report["sessions"].items()),
        problems=tuple(problem for check in checks for problem in check.problems),
        checks=checks,
        files=_files(manifest),
        altered=altered,
        streams=len(manifest.streams) if manifest else 0,
        entries=sum(part.last - part.first + 1 for part in manifest.streams) if manifest else 0,
    )


def day_file(day: date, *, number: int, name: str) -> Path:
    """Return where a file of a run lies, as it was signed.

    Raises DayMissingError, DayFileMissingError, DayFileAlteredError.
    """
    run = next((run for run in runs_of(day) if run.number == number), None)
    manifest, altered = _signed(run) if run else (None, ())
    known = {file.name for file in manifest.files} if manifest else set()
    path = day_folder(required_place(), day, number) / name
    key = f"{day.isoformat()}/{number}"
    if run is None or name not in {*known, MANIFEST_FILE} or not path.is_file():
        raise DayFileMissingError(run=key, name=name)
    if name in altered:
        raise DayFileAlteredError(run=key, name=name)
    return path


def _signed(run: DayRun) -> tuple[Manifest | None, tuple[str, ...]]:
    """Return what a run's manifest states, and the files that are missing or not as signed.

    The manifest is the one that the run's last entry names by its hash, or none is read.
    """
    if run.state != DayRun.State.DONE:
        return None, ()
    folder = day_folder(required_place(), run.day, run.number)
    if _digest(folder / MANIFEST_FILE).hex() != run.manifest_sha256:
        return None, (MANIFEST_FILE,)
    text = (folder / MANIFEST_FILE).read_text(encoding="utf-8").rpartition("\n\n")[0] + "\n"
    manifest = parse_manifest(text)
    altered = (file.name for file in manifest.files if _digest(folder / file.name) != file.sha256)
    return manifest, tuple(altered)


def _digest(path: Path) -> bytes:
    """Return the SHA-256 of a file, nothing of one that is not there."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file_digest(file, "sha256").digest()


def _files(manifest: Manifest | None) -> tuple[DayFile, ...]:
    if manifest is None:
        return ()
    return tuple(DayFile(file.name, file.size, file.sha256.hex()) for file in manifest.files)


def _lines(runs: Iterable[DayRun]) -> list[RunLine]:
    runs = list(runs)
    given_up = Counter(
        parked_work([run.key for run in runs]).values_list("payload__run", flat=True)
    )
    shoes = DayCheck.objects.filter(run__in=runs, check_name="shoe").exclude(problems=[])
    waiting: Counter[int] = Counter()
    for run_id, problems in shoes.values_list("run_id", "problems"):
        waiting[run_id] += sum(map(is_waiting, problems))
    return [
        RunLine(
            key=run.key,
            day=run.day,
            number=run.number,
            state=run.state,
            chunks=len(run.plan),
            chunks_done=run.chunks_done,
            problems=run.problems,
            waiting=waiting[run.pk],
            given_up=given_up[run.key],
            started_at=run.started_at,
            started_by=run.started_by,
            finished_at=run.finished_at,
            manifest_sha256=run.manifest_sha256,
        )
        for run in runs
    ]
