"""From a refusal to the form that shows it."""

from django import forms
from django.utils.translation import gettext

from casino.kernel.errors import DomainError
from tables.web.fault_words import fault_line


def refuse(form: forms.Form, error: DomainError) -> None:
    """Say on a form what the service refused, each fault on a line of its own."""
    form.add_error(None, error.describe(gettext))
    for fault in error.faults:
        form.add_error(None, fault_line(fault))
