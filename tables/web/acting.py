"""From a page's request to who acts, and from a refusal to the form that shows it."""

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from casino.kernel.errors import DomainError
from casino.people.person import origin_of, person_of
from tables.acting import Acting
from tables.web.fault_words import fault_line


def acting(request: HttpRequest) -> Acting:
    """Return who acts in this request. Raises SessionMissingError, SessionEndedError."""
    return Acting(person=person_of(request), origin=origin_of(request), now=timezone.now())


def refuse(form: forms.Form, error: DomainError) -> None:
    """Say on a form what the service refused, each fault on a line of its own."""
    form.add_error(None, error.describe(gettext))
    for fault in error.faults:
        form.add_error(None, fault_line(fault))
