"""Disputes: the holds of a table, and one with its file in every revision."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from audit.log.rows import Ref
from tables.models import DisputeFile, DisputeHold

LINES_MAX = 200


@dataclass(frozen=True, slots=True)
class DisputeStory:
    """A dispute with its file, the oldest revision first."""

    hold: DisputeHold
    files: tuple[DisputeFile, ...]

    @property
    def file(self) -> DisputeFile | None:
        """The file as it stands."""
        return self.files[-1] if self.files else None


def find_dispute(table: str, number: int) -> DisputeHold | None:
    """Return a dispute's hold, or None."""
    return _holds().filter(table__code=table, number=number).first()


def dispute_story(table: str, number: int) -> DisputeStory | None:
    """Return a dispute with its file, or None; two queries."""
    hold = find_dispute(table, number)
    if hold is None:
        return None
    files = DisputeFile.objects.select_related("entry").filter(dispute_id=hold.pk)
    return DisputeStory(hold, tuple(files.order_by("revision")))


def disputes_of_table(table: str, *, limit: int = LINES_MAX) -> list[DisputeHold]:
    """Return a table's disputes: the open ones first, then the newest."""
    found = _holds().filter(table__code=table).order_by("state", "-number")
    return list(found[: min(limit, LINES_MAX)])


def disputes_of_round(round_key: str) -> list[DisputeHold]:
    """Return a round's disputes, the oldest first."""
    return list(_holds().filter(round__key=round_key).order_by("number"))


def holds_at_table(session: Ref) -> list[DisputeHold]:
    """Return the open holds of a session whose chips still lie at the table."""
    return list(
        DisputeHold.objects.filter(
            round__session__key=session.key,
            state=DisputeHold.State.OPEN,
            moved_at__isnull=True,
        ).order_by("number")
    )


def disputed_at_table_minor(sessions: Sequence[int]) -> dict[int, int]:
    """Add up anew, by session, what its head keeps as disputed; minor units.

    Of rounds that are over, because until then nothing of them is in the tray's result.
    """
    found = (
        DisputeHold.objects.filter(
            round__session_id__in=sessions,
            round__ended_at__isnull=False,
            state=DisputeHold.State.OPEN,
            in_result=True,
            moved_at__isnull=True,
        )
        .values_list("round__session_id")
        .annotate(total=Sum("disputed_minor"))
    )
    return {session: int(total) for session, total in found}


def _holds() -> QuerySet[DisputeHold]:
    return DisputeHold.objects.select_related("table", "round__shoe", "round__dealer")
