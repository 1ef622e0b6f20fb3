"""Follow-up work: what waits, what was given up and why, and putting it back."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from audit.desk.permissions import READS_DAYS, RUNS_DAYS
from casino.outbox.models import OutboxItem
from casino.outbox.selectors import backlog, parked_items, waiting_items
from casino.outbox.services import unpark_item
from casino.people.person import person_of
from casino.people.web.guards import signed_on

_LINES = 100
WORK = {
    "round.check": _("Check of a settlement"),
    "day.check": _("Check of a day"),
    "day.close": _("Closing of a day's run"),
    "log.check": _("Nightly check of the log"),
    "ruleset.slow_odds": _("Odds of a ruleset"),
}


@require_GET
@signed_on(*READS_DAYS)
def work(request: HttpRequest) -> HttpResponse:
    """List what waits by topic, the oldest rows, and what was parked with its last error."""
    context = {
        "backlog": [(WORK.get(each.topic, each.topic), each.waiting) for each in backlog()],
        "waiting": _named(waiting_items()[:_LINES]),
        "parked": _named(parked_items()[:_LINES]),
        "may_unpark": person_of(request).role in RUNS_DAYS,
    }
    return render(request, "desk/work.html", context)


@require_POST
@signed_on(*RUNS_DAYS)
def unpark(request: HttpRequest) -> HttpResponse:
    """Put one parked row back. Raises ItemMissingError."""
    unpark_item(request.POST.get("topic", ""), key=request.POST.get("key", ""))
    return HttpResponseRedirect(reverse("desk:work"))


def _named(items: Iterable[OutboxItem]) -> list[tuple[object, OutboxItem]]:
    return [(WORK.get(item.topic, item.topic), item) for item in items]
