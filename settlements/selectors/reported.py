"""What was already reported about a round, so that a correction's bill can name what to reissue.

A part of the product that reports figures of rounds registers how to find out which of its reports
hold a round; it is asked whenever a bill is made.
"""

from collections.abc import Callable, Iterable

from settlements.correction import Reissue
from tables.selectors.round_read import RoundRead

Reports = Callable[[RoundRead], Iterable[Reissue]]

_reports: dict[str, Reports] = {}


def register_reports(name: str, *, reports: Reports) -> None:
    """Ask `reports` for each bill; the same name again takes the place of the earlier one."""
    _reports[name] = reports


def reported(read: RoundRead) -> tuple[Reissue, ...]:
    """Return every report that was made with this round in it, in the order of the names."""
    return tuple(item for name in sorted(_reports) for item in _reports[name](read))
