"""What is wrong with wagers and amounts, in words for people: money as pages write it.

The engine counts in minor units and says so to clients; whoever reads a page does not.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.templatetags.money import money_text
from casino.web.templatetags.states import seat_name, wager_name

_WORDS: Mapping[str, Promise] = {
    "stake": gettext_lazy("expected an amount above 0"),
    "wager.stake": gettext_lazy("expected an amount above 0"),
    "wager.above_max": gettext_lazy("expected at most %(max)s"),
    "wager.below_min": gettext_lazy("expected at least %(min)s"),
    "wager.off_step": gettext_lazy("expected a multiple of %(step)s"),
    "wager.over_aggregate": gettext_lazy(
        "expected that all wagers of this kind together can win at most %(aggregate_minor)s, not"
        " %(worst_case_minor)s"
    ),
    "wager.over_cover": gettext_lazy(
        "expected that the bank covers all wagers: it has %(cover_minor)s, they can win"
        " %(worst_case_minor)s"
    ),
    "wager.over_table": gettext_lazy(
        "expected that all wagers with what they can win come to at most %(most_minor)s"
    ),
    "correction.handed": gettext_lazy("expected an amount from 0 to %(most_minor)s"),
    "sheet.handed": gettext_lazy("expected an amount from 0 to %(most_minor)s"),
}


def fault_text(fault: Mapping[str, object]) -> str:
    """Say what was expected; a fault that is not about money says it in its own words."""
    words = _WORDS.get(str(fault.get("code")))
    amounts = {name: money_text(value) for name, value in fault.items() if type(value) is int}
    try:
        return str(words) % amounts if words else str(fault["detail"])
    except KeyError:  # the code is said of other things than this amount too
        return str(fault["detail"])


def fault_line(fault: Mapping[str, object]) -> str:
    """Say what was expected of which wager, where the fault names one."""
    seat, wager, text = fault.get("seat"), fault.get("wager"), fault_text(fault)
    if not isinstance(wager, str):
        return text
    if not isinstance(seat, int):
        return _("%(wager)s: %(text)s") % {"wager": wager_name(wager), "text": text}
    named = {"seat": seat_name(seat), "wager": wager_name(wager), "text": text}
    return _("%(seat)s, %(wager)s: %(text)s") % named
