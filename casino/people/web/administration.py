"""The administrator's pages: staff and roles, codes, tablets. Reference data only, no money."""

from collections.abc import Callable

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from casino.api.handlers import refusal_page
from casino.kernel.errors import DomainError
from casino.people import selectors, services
from casino.people.models import Role, SecretKind
from casino.people.permissions import MANAGES_DEVICES, MANAGES_STAFF, may_hold
from casino.people.person import origin_of, person_of
from casino.people.web import forms as people_forms
from casino.people.web.door import refuse, status_of
from casino.people.web.guards import signed_on

PAGE_LINES = 50


@require_http_methods(["GET", "POST"])
@signed_on(*MANAGES_STAFF)
def staff(request: HttpRequest) -> HttpResponse:
    """List staff; create a member of staff."""
    form = people_forms.StaffForm(request.POST if request.method == "POST" else None)
    if request.method == "GET":
        return _staff_list(request, form)
    if not form.is_valid():
        return _staff_list(request, form, status=422)
    try:
        created = services.create_staff(
            **form.cleaned_data, by=person_of(request), origin=origin_of(request)
        )
    except DomainError as error:
        return _staff_list(request, refuse(form, error), status=status_of(error))
    return HttpResponseRedirect(reverse("people:staff_member", args=[created.key]))


@require_http_methods(["GET"])
@signed_on(*MANAGES_STAFF)
def staff_member(request: HttpRequest, number: str) -> HttpResponse:
    """Show one member of staff, and what may be done."""
    return _staff_page(request, number)


@require_POST
@signed_on(*MANAGES_STAFF)
def staff_role(request: HttpRequest, number: str, role: str) -> HttpResponse:
    """Grant a role, or withdraw it."""
    change = services.withdraw_role if "withdraw" in request.POST else services.grant_role
    return _done(
        request,
        lambda: change(number, role=role, by=person_of(request), origin=origin_of(request)),
        to=reverse("people:staff_member", args=[number]),
    )


@require_POST
@signed_on(*MANAGES_STAFF)
def staff_badge(request: HttpRequest, number: str) -> HttpResponse:
    """Give another badge."""
    form = people_forms.BadgeForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, number, badge_form=form, status=422)
    try:
        services.replace_badge(
            number,
            badge=form.cleaned_data["badge"],
            by=person_of(request),
            origin=origin_of(request),
        )
    except DomainError as error:
        refuse(form, error)
        return _staff_page(request, number, badge_form=form, status=status_of(error))
    return HttpResponseRedirect(reverse("people:staff_member", args=[number]))


@require_POST
@signed_on(*MANAGES_STAFF)
def staff_code(request: HttpRequest, number: str) -> HttpResponse:
    """Issue a code for a PIN or a password, and show it this once."""
    form = people_forms.PurposeForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, number, status=422)
    purpose = SecretKind(form.cleaned_data["purpose"])
    try:
        code = services.issue_code(
            number,
            purpose=purpose,
            by=person_of(request),
            origin=origin_of(request),
            now=timezone.now(),
        )
    except DomainError as error:
        return refusal_page(request, error)
    context = {"line": selectors.staff_line(number), "purpose": purpose.label, "code": code}
    return render(request, "people/admin/code.html", context)


@require_POST
@signed_on(*MANAGES_STAFF)
def staff_activity(request: HttpRequest, number: str, act: str) -> HttpResponse:
    """Shut a person out, let one in again, or end the session."""
    acts = {
        "deactivate": services.deactivate_staff,
        "reactivate": services.reactivate_staff,
        "end-sign-on": services.end_sign_on,
    }
    return _done(
        request,
        lambda: acts[act](number, by=person_of(request), origin=origin_of(request)),
        to=reverse("people:staff_member", args=[number]),
    )


@require_http_methods(["GET", "POST"])
@signed_on(*MANAGES_DEVICES)
def devices(request: HttpRequest) -> HttpResponse:
    """List devices; enrol one and show its code this once."""
    form = people_forms.DeviceForm(request.POST if request.method == "POST" else None)
    if request.method == "GET":
        return _device_list(request, form)
    if not form.is_valid():
        return _device_list(request, form, status=422)
    sent = form.cleaned_data
    try:
        code = services.enrol_device(
            number=sent["number"],
            name=sent["name"],
            kind=sent["kind"],
            table_code=sent["table"] or None,
            by=person_of(request),
            origin=origin_of(request),
            now=timezone.now(),
        )
    except DomainError as error:
        return _device_list(request, refuse(form, error), status=status_of(error))
    return _device_code_page(request, sent["number"], code=code)


@require_http_methods(["GET", "POST"])
@signed_on(*MANAGES_DEVICES)
def device(request: HttpRequest, number: str) -> HttpResponse:
    """Show one device; bind it to a table."""
    found = selectors.device_by_number(number)
    if request.method == "GET":
        form = people_forms.BindingForm(initial={"table": found.table_code or ""})
        return render(request, "people/admin/device.html", {"device": found, "form": form})
    form = people_forms.BindingForm(request.POST)
    context = {"device": found, "form": form}
    if not form.is_valid():
        return render(request, "people/admin/device.html", context, status=422)
    try:
        services.bind_device(
            number,
            table_code=form.cleaned_data["table"] or None,
            by=person_of(request),
            origin=origin_of(request),
        )
    except DomainError as error:
        refuse(form, error)
        return render(request, "people/admin/device.html", context, status=status_of(error))
    return HttpResponseRedirect(reverse("people:device", args=[number]))


@require_POST
@signed_on(*MANAGES_DEVICES)
def device_code(request: HttpRequest, number: str) -> HttpResponse:
    """Issue a new code for a device that lost its token."""
    try:
        code = services.issue_device_code(
            number, by=person_of(request), origin=origin_of(request), now=timezone.now()
        )
    except DomainError as error:
        return refusal_page(request, error)
    return _device_code_page(request, number, code=code)


@require_POST
@signed_on(*MANAGES_DEVICES)
def device_revocation(request: HttpRequest, number: str) -> HttpResponse:
    """Revoke a device for good."""
    return _done(
        request,
        lambda: services.revoke_device(number, by=person_of(request), origin=origin_of(request)),
        to=reverse("people:device", args=[number]),
    )


def _done(request: HttpRequest, act: Callable[[], None], *, to: str) -> HttpResponse:
    """Do what a button asked for and go back to its page, or say why it was refused."""
    try:
        act()
    except DomainError as error:
        return refusal_page(request, error)
    return HttpResponseRedirect(to)


def _staff_list(request: HttpRequest, form: forms.Form, *, status: int = 200) -> HttpResponse:
    after = request.GET.get("after", "").replace("\x00", "")[:16]
    lines = selectors.staff_lines(after=after, limit=PAGE_LINES + 1)
    context = {
        "lines": lines[:PAGE_LINES],
        "after": lines[PAGE_LINES - 1].number if len(lines) > PAGE_LINES else None,
        "earlier": after != "",
        "form": form,
    }
    return render(request, "people/admin/staff.html", context, status=status)


def _staff_page(
    request: HttpRequest,
    number: str,
    *,
    badge_form: forms.Form | None = None,
    status: int = 200,
) -> HttpResponse:
    line = selectors.staff_line(number)
    context = {
        "line": line,
        "is_self": person_of(request).staff.key == number,
        "roles": [
            (role, label, role in line.roles, line.active and may_hold(role, held=line.roles))
            for role, label in Role.choices
        ],
        "purposes": SecretKind.choices,
        "badge_form": badge_form or people_forms.BadgeForm(),
    }
    return render(request, "people/admin/staff_member.html", context, status=status)


def _device_list(request: HttpRequest, form: forms.Form, *, status: int = 200) -> HttpResponse:
    after = request.GET.get("after", "").replace("\x00", "")[:16]
    found = selectors.devices(after=after, limit=PAGE_LINES + 1)
    context = {
        "devices": found[:PAGE_LINES],
        "after": found[PAGE_LINES - 1].number if len(found) > PAGE_LINES else None,
        "earlier": after != "",
        "form": form,
    }
    return render(request, "people/admin/devices.html", context, status=status)


def _device_code_page(request: HttpRequest, number: str, *, code: str) -> HttpResponse:
    context = {
        "device": selectors.device_by_number(number),
        "code": code,
        "enrol_address": request.build_absolute_uri(reverse("people:enrol")),
    }
    return render(request, "people/admin/device_code.html", context)
