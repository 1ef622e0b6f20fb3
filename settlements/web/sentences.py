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
    "decision.made": Said(gettext_lazy("Decision"), "done", "saved"),
    "round.swept": Said(gettext_lazy("Pair wagers settled"), "win", "saved"),
    "round.settled": Said(gettext_lazy("Settled"), "win", "saved"),
    "round.voided": Said(gettext_lazy("Voided"), "void", "void"),
    "round.called_off": Said(gettext_lazy("Called off"), "void", "rejected"),
    "round.corrected": Said(gettext_lazy("Corrected"), "late", "late"),
    "round.checked": Said(gettext_lazy("Checked by the second engine"), "done", "verified"),
}
_PARTS = {"sweep": gettext_lazy("sweep"), "final": gettext_lazy("final")}
_CHOICES = {"draw": gettext_lazy("draws"), "stand": gettext_lazy("stands")}
# What was settled moved the bank by the sum of the settlements that came with the entry.
_MOVES_MONEY = {"round.swept", "round.settled", "round.voided"}
Row = Mapping[str, Any]  # Any: a fact as the log holds it, JSON


def timeline(entries: tuple[EntryView, ...]) -> list[dict[str, Any]]:  # Any: a template's context
    """Return entries as a page's timeline shows them, oldest first."""
    return [
        {
            "at": entry.at,
            "sentence": _sentence(entry),
            "actor": entry.actor_name,
            "role": entry.role,
            "seq": entry.seq,
            "stream": entry.stream,
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
    said = said_of(entry.action).sentence
    rows = _rows(entry)
    if entry.action == "card.dealt" and len(rows) > 1:
        said = _("%(n)s cards keyed") % {"n": len(rows)}
    detail = _detail(entry, rows)
    return f"{said}: {detail}" if detail else str(said)


def _rows(entry: EntryView) -> list[Row]:
    facts = entry.body.get("facts")
    return [fact["row"] for fact in facts if "row" in fact] if isinstance(facts, list) else []


def _detail(entry: EntryView, rows: list[Row]) -> str:
    if entry.action in ("card.dealt", "card.undone"):
        return ", ".join(_card(row) for row in rows if "draw" in row)
    if entry.action == "wagers.placed":
        return "; ".join(_wagers(row) for row in rows if "seat" in row)
    if entry.action == "wagers.cleared":
        return ", ".join(seat_name(row["seat"]) for row in rows if "seat" in row)
    if entry.action == "decision.made":
        return ", ".join(_decision(row) for row in rows if "choice" in row)
    if entry.action == "round.corrected":
        data = entry.body.get("data")
        return str(data.get("reason", "")) if isinstance(data, dict) else ""
    if entry.action == "round.checked":
        return "; ".join(_check(row) for row in rows if "agrees" in row)
    if entry.action in _MOVES_MONEY:
        return _bank(rows)
    return ""


def _bank(rows: list[Row]) -> str:
    moved = [row["bank_handed_minor"] for row in rows if "bank_handed_minor" in row]
    return _("bank %(amount)s") % {"amount": money_signed(sum(moved))} if moved else ""


def _check(row: Row) -> str:
    words = _("%(part)s agrees") if row["agrees"] else _("%(part)s differs")
    said = words % {"part": _PARTS.get(row["part"], row["part"])}
    return f"{said} {_revision(row)}".rstrip()


def _decision(row: Row) -> str:
    choice = _CHOICES.get(row["choice"], row["choice"]) or _("taken back")
    return f"{seat_name(row['hand'])} {choice}"


def _card(row: Row) -> str:
    face = row["face"]
    shown = face_text(face) if face else _("taken back")
    words = _("%(draw)s %(face)s") % {"draw": row["draw"], "face": shown}
    return f"{words} {_revision(row)}".rstrip()


def _revision(row: Row) -> str:
    return _("(revision %(n)s)") % {"n": row["revision"]} if row["revision"] > 1 else ""


def _wagers(row: Row) -> str:
    stakes = [
        f"{wager_name(kind).lower()} {money_text(row[f'{kind}_minor'])}"
        for kind in WAGER_KINDS
        if row.get(f"{kind}_minor")
    ]
    return f"{seat_name(row['seat'])}, {', '.join(stakes)}"
