"""A bill, and corrections that are done, as pages show them: was and is side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from settlements.correction import Bill, LineBill, LineSide, Reissue
from settlements.selectors.signed import SignedAct
from settlements.web.correction_form import EVENT_WORDS
from tables.games import explain
from tables.selectors.round_read import SessionSums, wager_place
from tables.web.fault_words import fault_line

PARTS: Mapping[str, Promise] = {
    "sweep": gettext_lazy("sweep"),
    "final": gettext_lazy("final"),
}
# What is made anew, by kind; a kind that is not listed is named by itself.
_REISSUES: Mapping[str, Promise] = {
    "check": gettext_lazy("The second engine checks %(subject)s"),
    "shoe_statement": gettext_lazy("The statement of shoe %(subject)s is made anew"),
    "session": gettext_lazy("Session %(subject)s was closed on the figures as they were"),
    "day": gettext_lazy("Day %(subject)s was reported with the figures as they were"),
}


def bill_context(bill: Bill, *, before: SessionSums) -> dict[str, Any]:  # Any: a template's context
    """Return a bill as the page of a correction shows it; `before` are the session's sums."""
    sums = bill.sums
    return {
        "hash": bill.hash,
        "cards": bill.cards,
        "seats": [
            {"seat": seat.seat, "before": seat.before, "after": seat.after} for seat in bill.seats
        ],
        "live": bill.live if bill.live[0] != bill.live[1] else None,
        "draw_error": bill.draw_error.document if bill.draw_error else None,
        "lines": line_rows(bill),
        "parts": [
            {"name": PARTS[part.part.value], "revision": part.revision} for part in bill.parts
        ],
        "to_players_minor": bill.to_players_minor,
        "to_bank_minor": bill.to_bank_minor,
        "to_move_minor": bill.to_move_minor,
        "moved": bill.correction.moved,
        "bank_owed_minor": sums.bank_owed_minor,
        "bank_handed_minor": sums.bank_handed_minor,
        "session": {
            "key": bill.session_key,
            "before": before.bank_handed_minor,
            "after": before.bank_handed_minor + sums.bank_handed_minor,
        },
        "late": bill.late,
        "reissue": [reissue_words(item) for item in bill.reissue],
        "warnings": [fault_line(warning) for warning in bill.warnings],
    }


def line_rows(bill: Bill) -> list[dict[str, Any]]:
    """Return the wagers that a bill touches, seat by seat, each as it was and as it is."""
    lines = [
        (line, part.part.value) for part in bill.parts for line in part.lines if line.is_changed
    ]
    lines.sort(key=lambda each: (each[0].seat, wager_place(each[0].wager)))
    reasons = {
        (line.seat, line.wager): explain(line.why) for part in bill.parts for line in part.owed
    }
    return [
        _line(line, part=part, reason=reasons.get((line.seat, line.wager), ""))
        for line, part in lines
    ]


def reissue_words(item: Reissue) -> str:
    """Say what is made anew."""
    words = _REISSUES.get(item.kind)
    if words is None:
        return f"{item.kind} {item.subject}"
    return str(words) % {"subject": item.subject}


def corrections_context(done: Sequence[SignedAct]) -> list[dict[str, Any]]:
    """Return the corrections of a round as its page lists them, oldest first."""
    return [
        {
            "at": each.at,
            "seq": each.seq,
            "event": EVENT_WORDS.get(each.document["event"], each.document["event"]),
            "reason": each.document["reason"],
            "dispute": each.document.get("dispute"),
            "ruling": each.document.get("ruling"),
            "cards": each.document["cards"],
            "wagers": [_as_listed(seat) for seat in each.document["wagers"]],
            "draw_error": each.document.get("draw_error"),
            "parts": [
                {"name": PARTS[part["part"]], "revision": part["revision"]}
                for part in each.document["parts"]
            ],
            "to_players_minor": each.document["to_players_minor"],
            "to_bank_minor": each.document["to_bank_minor"],
            "moved": each.document["moved"],
            "signed": each.signed,
            "hash": each.document_hash,
        }
        for each in done
    ]


def _as_listed(seat: Mapping[str, Any]) -> dict[str, Any]:  # Any: of a bill as it was logged
    """Return a seat's wagers in the order in which kinds are listed; the log sorts them by name."""
    sides = ("before", "after")
    return dict(seat) | {
        side: dict(sorted(seat[side].items(), key=lambda each: wager_place(each[0])))
        for side in sides
    }


def _line(line: LineBill, *, part: str, reason: str) -> dict[str, Any]:
    return {
        "seat": line.seat,
        "wager": line.wager,
        "is_sweep": part == "sweep",
        "stake": _pair(line, "stake_minor"),
        "outcome": _pair(line, "outcome"),
        "owed": _pair(line, "owed_minor"),
        "handed": _pair(line, "handed_minor"),
        "so_far_minor": line.so_far_minor,
        "to_move_minor": line.to_move_minor,
        "reason": reason or _("This wager was not there."),
    }


def _pair(line: LineBill, name: str) -> dict[str, object]:
    before, after = _value(line.before, name), _value(line.after, name)
    return {"before": before, "after": after, "differs": before != after}


def _value(side: LineSide | None, name: str) -> object:
    return None if side is None else side.columns[name]
