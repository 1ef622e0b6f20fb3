"""What a day's reconciliation examines: a list of chunks that is the same for every worker."""

from datetime import date

from tables.models import Round, Table, TableSession

Chunk = tuple[str, str]  # the check and its subject


def day_plan(day: date) -> list[Chunk]:
    """Return the chunks of a gaming day: a chunk a shoe, a session, a table, and the log itself.

    The log is verified and replayed whole, because a fault before the day breaks the day too.
    """
    shoes = (
        Round.objects.filter(gaming_day=day)
        .order_by("shoe__table__code", "shoe__number")
        .values_list("shoe__key", flat=True)
        .distinct()
    )
    sessions = (
        TableSession.objects.filter(gaming_day=day)
        .order_by("table__code", "number")
        .values_list("key", flat=True)
    )
    tables = Table.objects.order_by("code").values_list("code", flat=True)
    return [
        ("log", "verify"),
        ("log", "replay"),
        *(("table", code) for code in tables),
        *(("session", key) for key in sessions),
        *(("shoe", key) for key in dict.fromkeys(shoes)),
    ]
