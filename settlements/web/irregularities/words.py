"""How pages speak of irregularities: groups of events, effects, authority, uses of draws.

Names of events and procedures are the catalogue's own; here is only what it says in codes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.templatetags.states import seat_name
from tables.games import next_step
from tables.irregularities import (
    EVENTS,
    CardEffect,
    Letter,
    Procedure,
    ShoeEffect,
    WagerEffect,
)
from tables.models import Departure
from tables.selectors.round_read import RoundRead
from tables.web.rule_words import words_for

GROUPS: Sequence[tuple[Promise, tuple[int, ...]]] = (
    (gettext_lazy("The deal goes wrong"), (26, 6, 7, 8, 9, 10)),
    (gettext_lazy("A card too many, or seen too early"), (1, 2, 3, 4, 5, 19)),
    (gettext_lazy("A card that is not as it should be"), (11, 12, 13, 14, 20)),
    (gettext_lazy("The shoe"), (16, 17, 18, 15, 27, 28)),
    (gettext_lazy("Hands, wagers and money"), (21, 22, 23, 24, 25, 30, 31)),
    (gettext_lazy("The house"), (29, 32, 33)),
)
LETTERS: Mapping[Letter, Promise] = {
    Letter.DEALER: gettext_lazy("dealer"),
    Letter.SUPERVISOR: gettext_lazy("supervisor"),
    Letter.MANAGER: gettext_lazy("manager"),
    Letter.IN_CHARGE: gettext_lazy("manager in charge"),
    Letter.SURVEILLANCE: gettext_lazy("surveillance, with a camera reference"),
}
WAGERS: Mapping[WagerEffect, Promise] = {
    WagerEffect.STAND: gettext_lazy("All wagers stand."),
    WagerEffect.RETURNED: gettext_lazy("The wagers that are named go back, whatever the result."),
    WagerEffect.CAPPED: gettext_lazy("A wager counts up to its limit; the excess goes back."),
    WagerEffect.HONOURED: gettext_lazy("A wager counts as it lay, above its limit too."),
    WagerEffect.SEAT_BACK: gettext_lazy("The hands are dead; their open wagers go back."),
    WagerEffect.SEAT_HELD: gettext_lazy("The hands are dead; their open wagers are held."),
    WagerEffect.HELD: gettext_lazy("The wagers play on under a dispute hold."),
    WagerEffect.ROUND_BACK: gettext_lazy("The round is void; every open stake goes back."),
    WagerEffect.ROUND_HELD: gettext_lazy("The round is void; what goes back is held."),
}
CARDS: Mapping[CardEffect, Promise] = {
    CardEffect.STAY: gettext_lazy("Cards stay where they belong."),
    CardEffect.BURNED: gettext_lazy("Cards that are named are burned."),
    CardEffect.SET_ASIDE: gettext_lazy("Cards that are named are set aside; the next ones follow."),
    CardEffect.NEXT_ROUND: gettext_lazy("The card is the first one of the next round."),
    CardEffect.GHOST: gettext_lazy("The ghost hand gets its cards in turn and is discarded."),
    CardEffect.AS_LAID: gettext_lazy("Cards stay where they lie, against the plan of the deal."),
    CardEffect.REBUILT: gettext_lazy("Cards are laid again in the order of the shoe."),
    CardEffect.MISSED: gettext_lazy("The hand that was passed over gets the next card."),
    CardEffect.REPLACED: gettext_lazy("One card is taken out, the same one is put in."),
    CardEffect.SWEEP_LATE: gettext_lazy("Third cards lie before the sweep; it is settled late."),
}
SHOES: Mapping[ShoeEffect, Promise] = {
    ShoeEffect.STAYS: gettext_lazy("The shoe stays in use."),
    ShoeEffect.CUT_OUT: gettext_lazy("The cut card is out; the shoe ends by the house's rule."),
    ShoeEffect.STOPPED: gettext_lazy("The shoe is stopped until it is counted or judged."),
    ShoeEffect.VOIDED: gettext_lazy("The shoe is void; its rounds are listed, none is reversed."),
    ShoeEffect.ENDS: gettext_lazy("The shoe ends."),
    ShoeEffect.RESHUFFLED: gettext_lazy("The discards go into the shoe; it ends with this round."),
    ShoeEffect.VERIFIED: gettext_lazy("The cards are counted and compared with the record."),
}
# What becomes of a wager: tone, shape and word of its mark.
TURNS: Mapping[str, tuple[str, str, Promise]] = {
    "stays": ("done", "done", gettext_lazy("plays on")),
    "partly": ("late", "push", gettext_lazy("goes back in part")),
    "back": ("void", "void", gettext_lazy("goes back")),
    "held": ("held", "held", gettext_lazy("held")),
    "settled": ("done", "saved", gettext_lazy("settled, stands")),
    "undone": ("late", "late", gettext_lazy("settled, taken back")),
}


def event_name(number: int) -> str:
    """Return what an event is called."""
    event = EVENTS.get(number)
    return _(event.name) if event else str(number)


def procedure_name(event: int, code: str) -> str:
    """Return how an event was ruled, in words."""
    known = EVENTS.get(event)
    way = known.procedures.get(code) if known else None
    return _(way.name) if way else code


def letters_text(letters: Iterable[Letter]) -> str:
    """Return who signs, as one phrase."""
    *most, last = [str(LETTERS[letter]) for letter in letters] or [""]
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last


def effects_of_way(way: Procedure, *, in_round: bool = True) -> list[Promise]:
    """Return what a procedure does to wagers, cards and shoe; what it leaves alone is left out.

    Where no round is in play there is no wager that anything could become of.
    """
    found = [WAGERS[way.wagers]] if in_round else []
    if way.card != CardEffect.STAY:
        found.append(CARDS[way.card])
    if way.shoe != ShoeEffect.STAYS:
        found.append(SHOES[way.shoe])
    return found


def option_text(way: Procedure, values: Mapping[str, Any]) -> str:
    """Return the house's procedure that a way follows from, as it is pinned to the shoe."""
    if way.option is None:
        return ""
    name = way.option[0]
    words = words_for("procedures", "", name, wager_names={})
    return f"{words.label}: {words.values.get(str(values[name]), values[name])}"


def use_words(use: str, hand: int | None, *, bank_seat: int | None = None) -> str:
    """Say where a draw went."""
    if use == Departure.Use.HAND and hand is not None:
        return _("lies at %(hand)s") % {"hand": seat_name(hand, bank_seat)}
    return str(Departure.Use(use).label)


def next_words(read: RoundRead | None) -> str:
    """Say which card comes next in a round, if one does."""
    if read is None:
        return ""
    step = next_step(read.ruleset, read.state())
    if step.kind != "deal" or step.draw is None:
        return ""
    hand = _("no hand") if step.hand is None else seat_name(step.hand, read.bank_seat)
    return _("draw %(draw)s, to %(hand)s") % {"draw": step.draw, "hand": hand}
