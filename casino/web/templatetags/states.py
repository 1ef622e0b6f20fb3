"""States as chips: colour, shape and word together, the same for a state wherever it stands.

A state is named by its group and its value (`{% state "round" round.stage %}`). One that is not in
the list is shown in its own words, without a tone: a page must not fail over a word.
"""

from typing import NamedTuple

from django import template
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.web.shapes import shape_svg

register = template.Library()


class Look(NamedTuple):
    """How a state is shown."""

    tone: str
    shape: str
    word: Promise | str


OUTCOMES = {
    "win": Look("win", "win", _("win")),
    "lose": Look("lose", "lose", _("lose")),
    "push": Look("push", "push", _("push")),
    "void": Look("void", "void", _("void")),
    "rejected": Look("void", "rejected", _("rejected")),
}
STATES: dict[str, dict[str, Look]] = {
    "outcome": OUTCOMES,
    "round": {
        "awaited": Look("late", "late", _("awaited")),
        "betting": Look("live", "live", _("betting")),
        "first_lap": Look("live", "live", _("first lap")),
        "second_lap": Look("live", "live", _("second lap")),
        "sweep": Look("live", "live", _("sweep")),
        "third_lap": Look("live", "live", _("third lap")),
        "showdown": Look("live", "live", _("showdown")),
        "settled": Look("done", "done", _("settled")),
        "voided": Look("void", "void", _("voided")),
        "called_off": Look("void", "rejected", _("called off")),
    },
    "session": {
        "opening": Look("held", "waiting", _("opening")),
        "open": Look("live", "live", _("open")),
        "overrun": Look("late", "late", _("overrun")),
        "closing": Look("held", "waiting", _("closing")),
        "closed": Look("done", "done", _("closed")),
    },
    "shoe": {
        "preparing": Look("held", "waiting", _("preparing")),
        "ready": Look("live", "live", _("in use")),
        "stopped": Look("late", "late", _("stopped")),
        "ended": Look("done", "done", _("ended")),
        "voided": Look("void", "void", _("voided")),
    },
    "shoe_void": {
        "open": Look("late", "late", _("not decided")),
        "stand": Look("done", "done", _("stands")),
        "refund_losers": Look("held", "held", _("losers are refunded")),
        "reverse": Look("void", "void", _("reversed")),
    },
    "table": {
        "closed": Look("done", "done", _("closed")),
        "opening": Look("held", "waiting", _("opening")),
        "no_shoe": Look("held", "waiting", _("no shoe")),
        "ready": Look("done", "done", _("between rounds")),
        "in_play": Look("live", "live", _("in play")),
        "closing": Look("held", "waiting", _("closing")),
        "overrun": Look("late", "late", _("overrun")),
        "silent": Look("alarm", "alarm", _("silent")),
    },
    "check": {
        "agrees": Look("win", "verified", _("agrees")),
        "differs": Look("alarm", "alarm", _("differs")),
        "waiting": Look("held", "waiting", _("waiting")),
        "parked": Look("late", "late", _("parked")),
        "not_needed": Look("done", "done", _("not needed")),
    },
    "finding": {
        "open": Look("late", "late", _("open")),
        "answered": Look("live", "live", _("answered")),
        "accepted": Look("done", "done", _("accepted")),
        "closed": Look("done", "done", _("closed")),
    },
    "severity": {
        "notice": Look("done", "done", _("notice")),
        "warning": Look("late", "late", _("warning")),
        "alarm": Look("alarm", "alarm", _("alarm")),
    },
    "source": {
        "live": Look("live", "live", _("live")),
        "held": Look("held", "held", _("held on device")),
        "paper": Look("done", "card", _("paper")),
    },
    "sheet": {
        "awaited": Look("late", "late", _("not keyed")),
        "keyed_once": Look("held", "waiting", _("keyed once")),
        "to_settle": Look("alarm", "sign", _("to be settled")),
    },
    "statement": {
        "closes": Look("win", "verified", _("closes")),
        "open": Look("alarm", "alarm", _("does not close")),
        "holds": Look("win", "verified", _("holds")),
        "broken": Look("alarm", "alarm", _("does not hold")),
        "waiting": Look("held", "waiting", _("waiting")),
    },
    "dispute": {
        "open": Look("held", "held", _("open")),
        "house": Look("done", "done", _("ruled for the house")),
        "patron": Look("done", "done", _("ruled for the player")),
    },
    "day_run": {
        "running": Look("held", "waiting", _("running")),
        "done": Look("done", "done", _("done")),
    },
    "rules": {
        "draft": Look("done", "sign", _("draft")),
        "in_approval": Look("held", "waiting", _("in approval")),
        "published": Look("live", "live", _("published")),
        "scheduled": Look("held", "late", _("published for later")),
        "retired": Look("void", "void", _("retired")),
        "discarded": Look("void", "rejected", _("discarded")),
    },
    "count": {
        "missing": Look("done", "waiting", _("not counted")),
        "counted": Look("held", "held", _("counted")),
        "agreed": Look("win", "saved", _("agreed")),
        "differs": Look("alarm", "alarm", _("differs")),
    },
}
_BOXED = {"late", "alarm", "void"}
WAGERS = {
    "main": _("Main"),
    "tie": _("Tie"),
    "pair": _("Pair"),
    "jacks": _("Jacks"),
    "colon_bonus": _("Colon bonus"),
}
DECISIONS = {
    "hit": _("draws"),
    "stand": _("stands"),
    "no_decision": _("no decision"),
    "": _("taken back"),
}


def look_of(group: str, value: object) -> Look:
    """Return how a value of a group is shown; an unknown one keeps its own words."""
    key = str(value).lower()
    found = STATES.get(group, {}).get(key)
    return found or Look("done", "done", _plain(value))


@register.simple_tag
def state(group: str, value: object) -> SafeString:
    """Draw a state as a chip."""
    look = look_of(group, value)
    return format_html(
        '<span class="chip" data-tone="{}">{}{}</span>', look.tone, shape_svg(look.shape), look.word
    )


@register.simple_tag
def state_in_row(group: str, value: object) -> SafeString:
    """Draw a state within a row: in a box only where somebody has to do something about it."""
    look = look_of(group, value)
    if look.tone in _BOXED:
        return state(group, value)
    return _plain_mark(look)


@register.simple_tag
def outcome(value: object) -> SafeString:
    """Draw a wager's outcome within a row: shape and word, no box."""
    return _plain_mark(look_of("outcome", value))


@register.simple_tag
def state_word(group: str, value: object) -> str:
    """Return the word of a state, for a sentence."""
    return str(look_of(group, value).word)


@register.simple_tag
def shape(name: str) -> SafeString:
    """Draw a mark of the sprite."""
    return shape_svg(name)


@register.simple_tag
def tone(group: str, value: object) -> str:
    """Return the tone of a state, for a part of a page that takes its colour from it."""
    return look_of(group, value).tone


@register.filter
def wager_name(kind: str) -> str:
    """Return what a kind of wager is called on screens."""
    return str(WAGERS.get(kind, kind))


@register.filter
def decision_name(choice: str) -> str:
    """Return what a hand decided, in a word; an empty one was taken back (C4, C6)."""
    return str(DECISIONS.get(choice, choice))


@register.filter
def seat_name(number: int | None, bank_seat: int | None = None) -> str:
    """Return the name of a hand by its number: 0 is the House, or the seat that holds the bank.

    A card that was burned or set aside is at no hand.
    """
    if number is None:
        return str(_("No hand"))
    if number == 0 and bank_seat:
        return str(_("Bank, seat %(number)d") % {"number": bank_seat})
    if number == 0:
        return str(_("House"))
    return str(_("Seat %(number)d") % {"number": number})


@register.filter
def actor_words(key: str) -> str:
    """Return who an actor's key names: a job by its name, a person by the staff number."""
    if key.startswith("system:"):
        job = key.removeprefix("system:").replace("-", " ")
        return str(_("%(job)s, system") % {"job": job[:1].upper() + job[1:]})
    return str(_("Staff %(number)s") % {"number": key})


def _plain_mark(look: Look) -> SafeString:
    return format_html(
        '<span class="outcome" data-tone="{}">{}{}</span>',
        look.tone,
        shape_svg(look.shape),
        look.word,
    )


def _plain(value: object) -> str:
    label = getattr(value, "label", None)
    return str(label if label is not None else value).replace("_", " ")
