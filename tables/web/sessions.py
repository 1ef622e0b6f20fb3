"""Opening and closing a table, each on two blind counts that agree."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from tables.acting import acting
from tables.models import Count, TableSession
from tables.selectors.counts import count_states, latest_counts
from tables.selectors.floor import Floor, OpenSession, read_table
from tables.selectors.house import house_settings
from tables.services.sessions import (
    close_table,
    key_count,
    open_table,
    start_closing,
    start_session,
)
from tables.web.forms import CountForm
from tables.web.refusing import refuse

_COUNTS = (Role.DEALER, Role.SUPERVISOR, Role.MANAGER)
_ACTS = (Role.SUPERVISOR, Role.MANAGER)
_AFTER_COUNT = {Count.Kind.OPENER: open_table, Count.Kind.CLOSER: close_table}


@require_POST
@signed_on(*_ACTS)
def start(request: HttpRequest, code: str) -> HttpResponse:
    """Begin to open a table, then ask for the supervisor's count."""
    start_session(table=code, by=acting(request))
    return HttpResponseRedirect(reverse("tables:count", args=[code, Count.Kind.OPENER.value]))


@require_POST
@signed_on(*_ACTS)
def begin_closing(request: HttpRequest, code: str) -> HttpResponse:
    """Begin to close a table, then ask for the supervisor's count."""
    session = _session(read_table(code))
    start_closing(table=code, session=session.number, by=acting(request))
    return HttpResponseRedirect(reverse("tables:count", args=[code, Count.Kind.CLOSER.value]))


@require_POST
@signed_on(*_ACTS)
def finish(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Open or close the table on the counts that agree."""
    if kind not in Count.Kind.values:
        raise Http404
    session = _session(read_table(code))
    _AFTER_COUNT[Count.Kind(kind)](table=code, session=session.number, by=acting(request))
    return HttpResponseRedirect(reverse("settlements:table_page", args=[code]))


@require_http_methods(["GET", "POST"])
@signed_on(*_COUNTS)
def count(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Key one's own count, blind to the other's."""
    if kind not in Count.Kind.values:
        raise Http404
    floor = read_table(code)
    session = _session(floor)
    by = acting(request)
    side = "dealer" if by.person.role == Role.DEALER else "supervisor"
    own = latest_counts(session.ref, kind=kind).get(side)
    initial = {"revision": own.revision + 1 if own else 1}
    form = CountForm(
        request.POST if request.method == "POST" else None,
        denominations=house_settings(at=by.now).denominations,
        initial=initial,
    )
    if request.method == "POST" and form.is_valid():
        try:
            key_count(
                table=code,
                session=session.number,
                kind=kind,
                revision=form.cleaned_data["revision"],
                pieces=form.pieces(),
                by=by,
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(request.path)
    status = 422 if form.errors else 200
    return render(
        request,
        "tables/count.html",
        _context(request, floor, session=session, kind=kind, form=form),
        status=status,
    )


def _context(
    request: HttpRequest, floor: Floor, *, session: OpenSession, kind: str, form: CountForm
) -> dict[str, Any]:  # Any: a template's context
    person = person_of(request)
    dealer = person.role == Role.DEALER
    url = (
        reverse("tables:glass")
        if dealer
        else reverse("settlements:table_page", args=[floor.table.key])
    )
    return {
        "face": "tablet" if dealer else "pit",
        "table": {"code": floor.table.key, "name": floor.name, "url": url},
        "kind": kind,
        "title": _("Count the opener") if kind == Count.Kind.OPENER else _("Count the closer"),
        "session": {"key": session.ref.key, "gaming_day": session.gaming_day},
        "side": "dealer" if dealer else "supervisor",
        "revision": form["revision"].value(),
        "rows": list(form.rows()),
        "form": form,
        "counts": count_states(session.ref, kind=kind),
        "finish_url": None
        if dealer or session.state in (TableSession.State.OPEN, TableSession.State.CLOSED)
        else reverse("tables:finish_count", args=[floor.table.key, kind]),
    }


def _session(floor: Floor) -> OpenSession:
    if floor.session is None:
        raise Http404
    return floor.session
