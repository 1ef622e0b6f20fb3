"""The API of people: sign on and off, own secrets, and the administrator's staff and devices."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.middleware.csrf import get_token
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.authentication import enforce_csrf
from casino.api.permissions import Anyone
from casino.api.reading import Page, read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.views import ApiView
from casino.people import selectors, services
from casino.people.api import serializers
from casino.people.entrance import enter, leave
from casino.people.models import Device, SecretKind
from casino.people.permissions import READS_DEVICES, READS_STAFF, require_role
from casino.people.person import Person, origin_of, person_of


def _person(request: Request, person: Person) -> dict[str, Any]:
    return {
        "number": person.staff.key,
        "name": person.name,
        "role": person.role,
        "device": None if person.device is None else person.device.key,
        "table": person.device_table,
        "csrf_token": get_token(request._request),
    }


def _next(page: Page, numbers: Sequence[str]) -> str | None:
    return numbers[-1] if len(numbers) == page.limit else None


def _device(device: Device) -> dict[str, Any]:
    return {
        "number": device.number,
        "name": device.name,
        "kind": device.kind,
        "table_code": device.table_code,
        "active": device.active,
        "enrolled": device.token_hash is not None,
    }


class SignOnView(ApiView):
    """Sign on with badge and secret; GET gives the token that the POST must carry."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(operation_id="sign_on_token", responses=serializers.TokenOutput)
    def get(self, request: Request) -> Response:
        """Get the token that a browser's writes must carry."""
        return Response({"csrf_token": get_token(request._request)})

    @extend_schema(
        operation_id="sign_on",
        request=serializers.SignOnInput,
        responses=serializers.PersonOutput,
    )
    def post(self, request: Request) -> Response:
        """Open the one session of a person in one role."""
        enforce_csrf(request._request)
        sent = read_body(serializers.SignOnInput, request)
        now = timezone.now()
        recognised = services.recognise(
            badge=sent["badge"], secret=sent["secret"], origin=origin_of(request), now=now
        )
        person = enter(request._request, recognised, role=sent.get("role"), now=now)
        return Response(serializers.PersonOutput(_person(request, person)).data)


class SignOffView(ApiView):
    """Sign off."""

    @extend_schema(operation_id="sign_off", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """End the own session."""
        leave(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MeView(ApiView):
    """Who is signed on."""

    @extend_schema(operation_id="me", responses=serializers.PersonOutput)
    def get(self, request: Request) -> Response:
        """Get who is signed on, in which role and where."""
        person = person_of(request)
        return Response(serializers.PersonOutput(_person(request, person)).data)


class OwnSecretView(ApiView):
    """Set the own PIN or password with a one-time code, without a session."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="set_own_secret",
        request=serializers.OwnSecretInput,
        responses=serializers.OwnSecretOutput,
    )
    def post(self, request: Request) -> Response:
        """Set the PIN or password for which the administrator issued the code."""
        enforce_csrf(request._request)
        sent = read_body(serializers.OwnSecretInput, request)
        purpose = services.set_own_secret(
            badge=sent["badge"],
            code=sent["code"],
            secret=sent["secret"],
            origin=origin_of(request),
            now=timezone.now(),
        )
        return Response(serializers.OwnSecretOutput({"purpose": purpose}).data)


class StaffListView(ApiView):
    """The access list."""

    @extend_schema(
        operation_id="staff_list",
        parameters=PAGE_PARAMETERS,
        responses=serializers.StaffPage,
    )
    def get(self, request: Request) -> Response:
        """List staff with roles, in the order of their numbers."""
        require_role(person_of(request), *READS_STAFF)
        page = read_page(request)
        lines = selectors.staff_lines(after=page.after, limit=page.limit)
        items = [asdict(line) for line in lines]
        following = _next(page, [line.number for line in lines])
        return Response(serializers.StaffPage({"items": items, "next": following}).data)

    @extend_schema(
        operation_id="staff_create",
        request=serializers.StaffInput,
        responses={201: serializers.StaffOutput},
    )
    def post(self, request: Request) -> Response:
        """Create a member of staff, without roles or secrets."""
        sent = read_body(serializers.StaffInput, request)
        services.create_staff(**sent, by=person_of(request), origin=origin_of(request))
        return _staff(sent["number"], status_code=status.HTTP_201_CREATED)


class StaffView(ApiView):
    """One member of staff."""

    @extend_schema(operation_id="staff_get", responses=serializers.StaffOutput)
    def get(self, request: Request, number: str) -> Response:
        """Get one line of the access list."""
        require_role(person_of(request), *READS_STAFF)
        return _staff(number)


class StaffBadgeView(ApiView):
    """The badge of a member of staff."""

    @extend_schema(
        operation_id="staff_replace_badge",
        request=serializers.BadgeInput,
        responses=serializers.StaffOutput,
    )
    def put(self, request: Request, number: str) -> Response:
        """Give a member of staff another badge."""
        sent = read_body(serializers.BadgeInput, request)
        services.replace_badge(
            number, badge=sent["badge"], by=person_of(request), origin=origin_of(request)
        )
        return _staff(number)


class StaffActiveView(ApiView):
    """Whether a member of staff may come in at all."""

    @extend_schema(operation_id="staff_reactivate", request=None, responses=serializers.StaffOutput)
    def put(self, request: Request, number: str) -> Response:
        """Let a member of staff in again, with no secrets."""
        services.reactivate_staff(number, by=person_of(request), origin=origin_of(request))
        return _staff(number)

    @extend_schema(operation_id="staff_deactivate", responses={200: serializers.StaffOutput})
    def delete(self, request: Request, number: str) -> Response:
        """Shut a member of staff out; the session ends at once."""
        services.deactivate_staff(number, by=person_of(request), origin=origin_of(request))
        return _staff(number)


class StaffRoleView(ApiView):
    """A role of a member of staff."""

    @extend_schema(operation_id="role_grant", request=None, responses=serializers.StaffOutput)
    def put(self, request: Request, number: str, role: str) -> Response:
        """Grant a role."""
        services.grant_role(number, role=role, by=person_of(request), origin=origin_of(request))
        return _staff(number)

    @extend_schema(operation_id="role_withdraw", responses={200: serializers.StaffOutput})
    def delete(self, request: Request, number: str, role: str) -> Response:
        """Withdraw a role; a session in it ends at once."""
        services.withdraw_role(number, role=role, by=person_of(request), origin=origin_of(request))
        return _staff(number)


class StaffCodeView(ApiView):
    """One-time codes for a member of staff."""

    @extend_schema(
        operation_id="code_issue",
        request=serializers.CodeInput,
        responses={201: serializers.CodeOutput},
    )
    def post(self, request: Request, number: str) -> Response:
        """Issue a code with which the person sets the own PIN or password."""
        sent = read_body(serializers.CodeInput, request)
        code = services.issue_code(
            number,
            purpose=SecretKind(sent["purpose"]),
            by=person_of(request),
            origin=origin_of(request),
            now=timezone.now(),
        )
        return Response(serializers.CodeOutput({"code": code}).data, status=status.HTTP_201_CREATED)


class StaffSignOnView(ApiView):
    """The session of a member of staff."""

    @extend_schema(operation_id="sign_on_end", responses={204: None})
    def delete(self, request: Request, number: str) -> Response:
        """End somebody's session."""
        services.end_sign_on(number, by=person_of(request), origin=origin_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeviceListView(ApiView):
    """Tablets and integrations."""

    @extend_schema(
        operation_id="device_list",
        parameters=PAGE_PARAMETERS,
        responses=serializers.DevicePage,
    )
    def get(self, request: Request) -> Response:
        """List devices in the order of their numbers."""
        require_role(person_of(request), *READS_DEVICES)
        page = read_page(request)
        found = selectors.devices(after=page.after, limit=page.limit)
        items = [_device(device) for device in found]
        following = _next(page, [device.number for device in found])
        return Response(serializers.DevicePage({"items": items, "next": following}).data)

    @extend_schema(
        operation_id="device_enrol",
        request=serializers.DeviceInput,
        responses={201: serializers.CodeOutput},
    )
    def post(self, request: Request) -> Response:
        """Enter a device and get the code with which it fetches its token."""
        sent = read_body(serializers.DeviceInput, request)
        code = services.enrol_device(
            number=sent["number"],
            name=sent["name"],
            kind=sent["kind"],
            table_code=sent.get("table"),
            by=person_of(request),
            origin=origin_of(request),
            now=timezone.now(),
        )
        return Response(serializers.CodeOutput({"code": code}).data, status=status.HTTP_201_CREATED)


class DeviceCodeView(ApiView):
    """One-time codes for a device."""

    @extend_schema(
        operation_id="device_code_issue", request=None, responses={201: serializers.CodeOutput}
    )
    def post(self, request: Request, number: str) -> Response:
        """Issue a new code for a device that lost its token."""
        code = services.issue_device_code(
            number, by=person_of(request), origin=origin_of(request), now=timezone.now()
        )
        return Response(serializers.CodeOutput({"code": code}).data, status=status.HTTP_201_CREATED)


class DeviceBindingView(ApiView):
    """The table of a tablet."""

    @extend_schema(
        operation_id="device_bind",
        request=serializers.BindingInput,
        responses=serializers.DeviceOutput,
    )
    def put(self, request: Request, number: str) -> Response:
        """Bind a tablet to a table, or to none."""
        sent = read_body(serializers.BindingInput, request)
        services.bind_device(
            number, table_code=sent["table"], by=person_of(request), origin=origin_of(request)
        )
        device = selectors.device_by_number(number)
        return Response(serializers.DeviceOutput(_device(device)).data)


class DeviceView(ApiView):
    """One device."""

    @extend_schema(operation_id="device_revoke", responses={200: serializers.DeviceOutput})
    def delete(self, request: Request, number: str) -> Response:
        """Revoke a device for good; who is signed on at it is signed off."""
        services.revoke_device(number, by=person_of(request), origin=origin_of(request))
        device = selectors.device_by_number(number)
        return Response(serializers.DeviceOutput(_device(device)).data)


class DeviceClaimView(ApiView):
    """Where a device fetches its token."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="device_claim",
        request=serializers.ClaimInput,
        responses={201: serializers.ClaimOutput},
    )
    def post(self, request: Request) -> Response:
        """Exchange a device's one-time code for its token."""
        sent = read_body(serializers.ClaimInput, request)
        claimed = services.claim_device(sent["code"], origin=origin_of(request), now=timezone.now())
        return Response(serializers.ClaimOutput(claimed).data, status=status.HTTP_201_CREATED)


def _staff(number: str, *, status_code: int = status.HTTP_200_OK) -> Response:
    line = selectors.staff_line(number)
    return Response(serializers.StaffOutput(asdict(line)).data, status=status_code)
