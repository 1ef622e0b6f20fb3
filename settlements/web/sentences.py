"""What entries say on a timeline: a sentence, a tone and a shape by action.

An action that is not in the list is shown by its own name: entries are never hidden.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from audit.log.selectors import EntryView
from casino.web.templatetags.money import money_text


class Said(NamedTuple):
    """How one kind of entry is shown."""

    sentence: Promise | str
    tone: str = "done"
    shape: str = "done"


_SAID: Mapping[str, Said] = {
    "round.opened": Said(gettext_lazy("Betting opened"), "live", "live"),
    "wagers.placed": Said(gettext_lazy("Wagers placed"), "done", "saved"),
    "wagers.cleared": Said(gettext_lazy("Wagers cleared"), "void", "void"),
    "card.dealt": Said(gettext_lazy("Card keyed"), "done", "card"),
    "card.undone": Said(gettext_lazy("Card taken back"), "late", "void"),
    "round.swept": Said(gettext_lazy("Pair wagers settled"), "win", "saved"),
    "round.settled": Said(gettext_lazy("Settled"), "win", "saved"),
    "round.voided": Said(gettext_lazy("Voided"), "void", "void"),
    "round.called_off": Said(gettext_lazy("Called off"), "void", "rejected"),
    "round.corrected": Said(gettext_lazy("Corrected"), "late", "late"),
}


def timeline(entries: tuple[EntryView, ...]) -> list[dict[str, Any]]:  # Any: a template's context
    """Return entries as a page's timeline shows them, oldest first."""
    return [
        {
            "at": entry.at,
            "sentence": _sentence(entry),
            "actor": entry.actor_name,
            "role": entry.role,
            "seq": entry.seq,
            "hash": entry.hash,
            "tone": said_of(entry.action).tone,
            "shape": said_of(entry.action).shape,
        }
        for entry in entries
    ]


def said_of(action: str) -> Said:
    """Return how an action is shown."""
    return _SAID.get(action, Said(action))


def _sentence(entry: EntryView) -> str:
    said = str(said_of(entry.action).sentence)
    detail = _detail(entry)
    return f"{said}: {detail}" if detail else said


def _detail(entry: EntryView) -> str:
    facts = entry.body.get("facts")
    rows = [fact["row"] for fact in facts if "row" in fact] if isinstance(facts, list) else []
    if entry.action in ("card.dealt", "card.undone"):
        return ", ".join(_card(row) for row in rows if "draw" in row)
    if entry.action == "wagers.placed":
        return ", ".join(_wagers(row) for row in rows if "seat" in row)
    return ""


def _card(row: Mapping[str, Any]) -> str:
    face = row["face"] or _("taken back")
    words = _("draw %(draw)s %(face)s") % {"draw": row["draw"], "face": face}
    if row["revision"] > 1:
        words += " " + _("(revision %(n)s)") % {"n": row["revision"]}
    return words


def _wagers(row: Mapping[str, Any]) -> str:
    stakes = [
        f"{kind} {money_text(row[f'{kind}_minor'])}"
        for kind in ("main", "tie", "pair", "jacks")
        if row.get(f"{kind}_minor")
    ]
    return _("seat %(seat)s %(stakes)s") % {"seat": row["seat"], "stakes": ", ".join(stakes)}
