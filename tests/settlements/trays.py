"""The tray beside dispute holds: holds opened and ruled, what it gained, a count of it."""

from settlements.day.checks import examine
from tables.models import DisputeHold
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute
from tables.services.sessions import close_table, key_count, start_closing
from tests.factories.house import OPENER, House
from tests.tables.irregularities.ruling import session, signed

OPENER_MINOR = sum(int(each) * pieces for each, pieces in OPENER.items())


def gained() -> int:
    """What the tray gained since it was opened, as the board derives it."""
    line = next(line for line in table_lines() if line.code == "T1")
    assert line.tray_handed_minor is not None
    return line.tray_handed_minor - OPENER_MINOR


def dispute(
    house: House, name: RoundName, *, seat: int | None, kind: str, amount: int | None = None
) -> None:
    number = DisputeHold.objects.count() + 1
    open_dispute(
        name=name,
        disputed=Disputed(number, "He says nine.", seat, kind, amount),
        by=house.acting("supervisor"),
    )


def release(house: House, *, outcome: str = "house", number: int = 1) -> None:
    release_dispute(
        table="T1",
        number=number,
        ruling=Ruling(outcome, "The camera shows eight."),
        signers=signed("SH"),
        by=house.acting("supervisor"),
    )


def close(house: House, *, gain: int) -> None:
    """Close the table on a count of what really lies in its tray."""
    start_closing(table="T1", session=1, by=house.acting("supervisor"))
    left, pieces = OPENER_MINOR + gain, {}
    for each in (1_000_000, 100_000, 10_000, 500):
        pieces[str(each)], left = divmod(left, each)
    assert not left, "it can be laid out in chips"
    for by in (house.acting("dealer", table="T1"), house.acting("supervisor")):
        key_count(table="T1", session=1, kind="closer", revision=1, pieces=pieces, by=by)
    close_table(table="T1", session=1, by=house.acting("supervisor"))


def problems() -> list[str]:
    """What the day finds in the session's sums and its tray."""
    found = examine("session", "T1/S1", day=session().gaming_day).problems
    return [f"{each.code}: {each.detail}" for each in found if each.code != "day.session_overrun"]
