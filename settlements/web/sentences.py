"""What entries say on a timeline: a sentence, a tone and a shape by action.

An action that is not in the list is shown by its own name: entries are never hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from audit.log.selectors import EntryView
from casino.web.templatetags.cards import rank_label
from casino.web.templatetags.money import money_text
from casino.web.templatetags.states import seat_name, wager_name
from settlements.web.bills import PARTS
from tables.irregularities import EVENTS
from tables.models import Decision
from tables.selectors.round_read import WAGER_KINDS


class Said(NamedTuple):
    """How one kind of entry is shown."""

    sentence: Promise | str
    tone: str = "done"
    shape: str = "done"


_SAID: Mapping[str, Said] = {
    "round.opened": Said(gettext_lazy("Betting opened"), "live", "live"),
    "round.awaited": Said(gettext_lazy("Number kept for a round on paper"), "late", "waiting"),
    "sheet.keyed": Said(gettext_lazy("Sheet keyed"), "done", "saved"),
    "sheet.held": Said(gettext_lazy("Copy of the tablet handed in"), "held", "held"),
    "sheet.accepted": Said(gettext_lazy("Put on record from paper"), "win", "saved"),
    "wagers.placed": Said(gettext_lazy("Wagers placed"), "done", "saved"),
    "wagers.cleared": Said(gettext_lazy("Wagers cleared"), "void", "void"),
    "card.dealt": Said(gettext_lazy("Card keyed"), "done", "card"),
    "card.undone": Said(gettext_lazy("Card taken back"), "late", "void"),
    "decision.made": Said(gettext_lazy("Decision"), "done", "saved"),
    "decision.taken_back": Said(gettext_lazy("Decision taken back"), "late", "void"),
    "round.swept": Said(gettext_lazy("Pair wagers settled"), "win", "saved"),
    "round.settled": Said(gettext_lazy("Settled"), "win", "saved"),
    "round.voided": Said(gettext_lazy("Voided"), "void", "void"),
    "round.called_off": Said(gettext_lazy("Called off"), "void", "rejected"),
    "round.corrected": Said(gettext_lazy("Corrected"), "late", "late"),
    "irregularity.recorded": Said(gettext_lazy("Irregularity"), "late", "alarm"),
    "irregularity.amended": Said(gettext_lazy("Irregularity, words amended"), "done", "sign"),
    "sweep.reversed": Said(gettext_lazy("Settled wagers taken back"), "late", "void"),
    "shoe.voided": Said(gettext_lazy("Shoe voided"), "void", "void"),
    "shoe.decided": Said(gettext_lazy("Decided of the rounds of a void shoe"), "done", "sign"),
    "shoe.ended": Said(gettext_lazy("Shoe ended"), "done", "done"),
    "dispute.opened": Said(gettext_lazy("Dispute hold opened"), "held", "held"),
    "dispute.filed": Said(gettext_lazy("File of the dispute kept"), "done", "saved"),
    "dispute.released": Said(gettext_lazy("Dispute ruled, hold released"), "win", "sign"),
    "round.checked": Said(gettext_lazy("Checked by the second engine"), "done", "verified"),
}
_KEPT = {
    "first": gettext_lazy("the first keying"),
    "second": gettext_lazy("the second keying"),
    "device": gettext_lazy("the copy of the tablet"),
    "agreed": gettext_lazy("read anew from the sheet"),
}
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# What was settled moved the bank by the sum of the settlements that came with the entry.
_MOVES_MONEY = {"round.swept", "round.settled", "round.voided"}
Row = Mapping[str, Any]  # Any: a fact as the log holds it, JSON


@dataclass(frozen=True, slots=True)
class Names:
    """How hands and draws are called: to which hand each draw went, which seat holds the bank."""

    hands: Mapping[int, int] = field(default_factory=dict)
    bank_seat: int | None = None

    def hand(self, number: int) -> str:
        """Return the name of a hand."""
        return seat_name(number, self.bank_seat)


def timeline(
    entries: tuple[EntryView, ...], *, names: Names | None = None
) -> list[dict[str, Any]]:  # Any: a template's context
    """Return entries as a page's timeline shows them, oldest first."""
    return [
        {
            "at": entry.at,
            "sentence": _sentence(entry, names or Names()),
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


def _sentence(entry: EntryView, names: Names) -> str:
    said = said_of(entry.action).sentence
    rows = _rows(entry)
    if entry.action == "card.dealt" and len(rows) > 1:
        said = _("%(n)s cards keyed") % {"n": len(rows)}
    if entry.action == "round.swept" and any(row.get("wager") == "main" for row in rows):
        said = _("Naturals settled")
    detail = _detail(entry, rows, names=names)
    return f"{said}: {detail}" if detail else str(said)


def _rows(entry: EntryView) -> list[Row]:
    facts = entry.body.get("facts")
    return [fact["row"] for fact in facts if "row" in fact] if isinstance(facts, list) else []


def _detail(entry: EntryView, rows: list[Row], *, names: Names) -> str:
    if entry.action in ("card.dealt", "card.undone"):
        return "; ".join(_card(row, names=names) for row in rows if "draw" in row)
    if entry.action == "wagers.placed":
        return "; ".join(_wagers(row) for row in rows if "seat" in row)
    if entry.action == "wagers.cleared":
        return ", ".join(seat_name(row["seat"]) for row in rows if "seat" in row)
    if entry.action == "decision.made":
        return ", ".join(_decision(row, names=names) for row in rows if "choice" in row)
    if entry.action == "decision.taken_back":
        return ", ".join(names.hand(row["hand"]) for row in rows if "choice" in row)
    if entry.action == "round.corrected":
        data = entry.body.get("data")
        return str(data.get("reason", "")) if isinstance(data, dict) else ""
    if entry.action == "sheet.accepted":
        return _kept(entry)
    if entry.action == "irregularity.recorded":
        return _irregularity(entry, rows)
    if entry.action.startswith("dispute."):
        data = entry.body.get("data")
        return str(data.get("dispute", "")) if isinstance(data, dict) else ""
    if entry.action == "round.checked":
        return "; ".join(_check(row) for row in rows if "agrees" in row)
    if entry.action in _MOVES_MONEY:
        return _bank(rows, names=names)
    return ""


def _kept(entry: EntryView) -> str:
    """Say which copy of a sheet was kept, and why; equal keyings say nothing more."""
    data = entry.body.get("data")
    if not isinstance(data, dict) or data.get("kept") not in _KEPT:
        return ""
    return f"{_KEPT[data['kept']]}. {data.get('note', '')}"


def _irregularity(entry: EntryView, rows: list[Row]) -> str:
    """Say which event it was, and by which number it is found."""
    data = entry.body.get("data")
    key = str(data.get("irregularity", "")) if isinstance(data, dict) else ""
    event = next((row["event"] for row in rows if "procedure" in row and "event" in row), None)
    known = EVENTS.get(event) if event is not None else None
    return f"{event}. {_(known.name)}, {key}" if known else key


def _bank(rows: list[Row], *, names: Names) -> str:
    """Say what the bank gained; of a bank at a seat only its payouts tell (B23)."""
    figure = "bank_handed_minor" if names.bank_seat is None else "bank_minor"
    moved = [row[figure] for row in rows if figure in row]
    if not moved:
        return ""
    total = sum(moved)
    return _("bank %(amount)s") % {"amount": f"{'+' if total > 0 else ''}{money_text(total)}"}


def _check(row: Row) -> str:
    words = _("%(part)s agrees") if row["agrees"] else _("%(part)s differs")
    said = words % {"part": PARTS.get(row["part"], row["part"])}
    return f"{said} {_revision(row)}".rstrip()


def _decision(row: Row, *, names: Names) -> str:
    choice = Decision.Choice(row["choice"]).label if row["choice"] else _("taken back")
    return f"{names.hand(row['hand'])}, {choice}"


def _card(row: Row, *, names: Names) -> str:
    draw, face = row["draw"], row["face"]
    place = _("draw %(draw)s") % {"draw": draw}
    if draw in names.hands:
        place = f"{place}, {names.hand(names.hands[draw])}"
    words = f"{place}, {_face(face)}" if face else place
    return f"{words} {_revision(row)}".rstrip()


def _face(face: str) -> str:
    if face == "?":
        return _("not known")
    return rank_label(face[0]) + _SUITS.get(face[1:], "")


def _revision(row: Row) -> str:
    return _("(revision %(n)s)") % {"n": row["revision"]} if row["revision"] > 1 else ""


def _wagers(row: Row) -> str:
    stakes = [
        f"{wager_name(kind).lower()} {money_text(row[f'{kind}_minor'])}"
        for kind in WAGER_KINDS
        if row.get(f"{kind}_minor")
    ]
    return f"{seat_name(row['seat'])}, {', '.join(stakes)}"
