"""What the pages of a round and of a table show of disputes, and the link that opens one."""

from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from settlements.web.disputes.words import held_line
from tables.permissions import READS_DISPUTES
from tables.selectors.disputes import disputes_of_round, disputes_of_table
from tables.selectors.round_read import RoundName
from tables.web.board import ACTS

_PANEL_LINES = 5


def round_disputes(name: RoundName, *, role: str) -> list[dict[str, Any]]:
    """Return the disputes of a round as its page lists them, in one query."""
    return [held_line(hold, role=role) for hold in disputes_of_round(name.key)]


def open_dispute_link(name: RoundName, *, role: str) -> list[tuple[str, str, bool]]:
    """Return the link that opens a dispute in a round, for who may."""
    if role not in ACTS:
        return []
    address = reverse("settlements:open_dispute", args=[name.table, name.shoe, name.number])
    return [(_("Open dispute"), address, False)]


def table_disputes(code: str, *, role: str) -> dict[str, Any]:
    """Return what the page of a table shows of disputes, in one query."""
    every = f"{reverse('settlements:disputes')}?{urlencode({'table': code})}"
    return {
        "lines": [
            held_line(each, role=role) for each in disputes_of_table(code, limit=_PANEL_LINES)
        ],
        "open_url": reverse("settlements:dispute_round", args=[code]) if role in ACTS else None,
        "all_url": every if role in READS_DISPUTES else None,
    }
