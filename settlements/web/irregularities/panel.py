"""Irregularities as lists and panels show them; what other pages show of them."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from casino.people.models import Role
from settlements.web.irregularities import words
from tables.models import Irregularity
from tables.selectors.irregularities import IrregularityLine

RECORDS = (Role.SUPERVISOR, Role.MANAGER)
Context = dict[str, Any]  # Any: a template's context


def list_url(**asked: str | int) -> str:
    """Return the address of the list, narrowed to what is asked."""
    url = reverse("settlements:irregularities")
    return f"{url}?{urlencode(asked)}" if asked else url


def line_context(line: IrregularityLine) -> Context:
    """Return one irregularity as lists and panels show it."""
    row = line.row
    return {
        "key": line.key,
        "number": row.number,
        "url": reverse("settlements:irregularity", args=[row.table.code, row.number]),
        "event": row.event,
        "name": words.event_name(row.event),
        "procedure": words.procedure_name(row.event, row.procedure),
        "table_code": row.table.code,
        "stage": row.stage,
        **_subject(row),
        "seats": row.seats,
        "seen": row.seen,
        "happened_at": row.happened_at,
        "signed": line.signed,
    }


def panel_context(
    lines: Sequence[IrregularityLine], *, table: str, role: str, **named: int
) -> Context:
    """Return the panel of irregularities on the page of a table, a shoe, or a round; `named` are
    the shoe and round of the page."""
    url = ""
    if role in RECORDS:
        query = f"?{urlencode(named)}" if named else ""
        url = reverse("settlements:choose_irregularity", args=[table]) + query
    return {
        "irregularities": [line_context(line) for line in lines],
        "record_irregularity_url": url,
        "irregularities_url": list_url(table_code=table),
    }


def _subject(row: Irregularity) -> Context:
    """Return what an irregularity is about: its round, else its shoe, else its table."""
    code = row.table.code
    if row.round is not None and row.shoe is not None:
        number = int(row.round.key.rpartition("/")[2])
        args = [code, row.shoe.number, number]
        return {
            "subject": row.round.key,
            "subject_url": reverse("settlements:round_page", args=args),
        }
    if row.shoe is not None:
        url = reverse("settlements:shoe_page", args=[code, row.shoe.number])
        return {"subject": row.shoe.key, "subject_url": url}
    return {"subject": code, "subject_url": reverse("settlements:table_page", args=[code])}
