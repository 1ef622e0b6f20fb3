"""How a dispute reads on pages: what it is about, its state, the parts of its file."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.templatetags.states import seat_name, wager_name
from tables.models import DisputeHold
from tables.permissions import READS_DISPUTES
from tables.selectors.round_read import RoundName

# The parts of the file, as pages call them (controls 5.12 and 5.13).
FILE_WORDS: Mapping[str, Promise] = {
    "patron": gettext_lazy("who complains"),
    "contact": gettext_lazy("how to reach them"),
    "narrative": gettext_lazy("what they say happened"),
    "staff_involved": gettext_lazy("staff involved"),
    "witnesses": gettext_lazy("witnesses"),
    "house_action": gettext_lazy("what the house did"),
    "camera_reference": gettext_lazy("camera reference"),
    "patron_informed": gettext_lazy("player told of the right to complain"),
}


def subject_of(seat: int | None, wager: str, bank_seat: int | None = None) -> str:
    """Say what is held: a wager, a seat's wagers, or the round."""
    if seat is None:
        return _("The whole round")
    if not wager:
        return _("%(seat)s, all wagers") % {"seat": seat_name(seat, bank_seat)}
    return f"{seat_name(seat, bank_seat)}, {wager_name(wager)}"


def state_of(hold: DisputeHold) -> str:
    """Return the state as the chips name it: open, or for whom it was ruled."""
    return hold.outcome or hold.state


def missing_words(missing: Sequence[str]) -> list[str]:
    """Say what a file does not say yet."""
    return [str(FILE_WORDS[part]) for part in missing]


def reverse_dispute(hold: DisputeHold, name: str = "dispute") -> str:
    """Return the address of a dispute's page, or of one of its forms."""
    return reverse(f"settlements:{name}", args=[hold.table.code, hold.number])


def round_name_of(hold: DisputeHold) -> RoundName:
    """Return the round of a hold, by its table, shoe and number."""
    return RoundName(hold.table.code, hold.round.shoe.number, hold.round.number)


def held_line(hold: DisputeHold, *, role: str) -> dict[str, Any]:  # Any: a template's context
    """Return a hold as a panel of another page lists it; a link for who may read the file."""
    name = round_name_of(hold)
    return {
        "key": hold.key,
        "url": reverse_dispute(hold) if role in READS_DISPUTES else None,
        "state": state_of(hold),
        "is_open": hold.state == DisputeHold.State.OPEN,
        "what": subject_of(hold.seat, hold.wager),
        "round_key": hold.round.key,
        "round_url": reverse("settlements:round_page", args=[name.table, name.shoe, name.number]),
        "disputed_minor": hold.disputed_minor,
        "opened_at": hold.opened_at,
        "released_at": hold.released_at,
    }
