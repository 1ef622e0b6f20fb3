"""The dealer's page: one table on one tablet. The page is a shell; its modules use the API."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from casino.people.errors import DeviceNotEnrolledError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from tables.errors import TableMissingError
from tables.selectors.house import find_table


@require_GET
@signed_on(Role.DEALER, Role.SUPERVISOR)
def glass(request: HttpRequest) -> HttpResponse:
    """Show the table that this tablet is bound to. Raises DeviceNotEnrolledError."""
    person = person_of(request)
    if person.device is None or person.device_table is None:
        raise DeviceNotEnrolledError
    table = find_table(person.device_table)
    if table is None:
        raise TableMissingError(table=person.device_table)
    context = {
        "table": table,
        "person": {"name": person.name, "role": person.role},
        "sign_on_url": reverse("people:sign_on"),
    }
    return render(request, "tables/table_page.html", context)
