"""The API of the manager in charge: who it is, and the signed assignment of the next one."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.fields import StrictTextField
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.people.hashing import PASSWORD_CHARACTERS_MAX
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.person import origin_of, person_of
from casino.people.selectors import InCharge, manager_in_charge
from casino.people.services import SignerInput, assign_manager_in_charge

READS_IN_CHARGE = (
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
)
_SIGNERS = 2


class ManagerSignatureInput(StrictSerializer):
    """A manager's signature: badge, and the secret entered again."""

    badge = StrictTextField(max_length=32)
    secret = StrictTextField(max_length=PASSWORD_CHARACTERS_MAX, write_only=True)


class InChargeInput(StrictSerializer):
    """Who takes charge, from when on (now, if left out), signed by two managers."""

    number = StrictTextField(max_length=16)
    from_at = serializers.DateTimeField(required=False, allow_null=True)
    signers = serializers.ListField(
        child=ManagerSignatureInput(), min_length=_SIGNERS, max_length=_SIGNERS
    )


class InChargeOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """The manager in charge; all fields are null before the first assignment."""

    number = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)
    from_at = serializers.DateTimeField(allow_null=True)


class InChargeView(ApiView):
    """The manager in charge of the shift."""

    @extend_schema(operation_id="in_charge_get", responses=InChargeOutput)
    def get(self, request: Request) -> Response:
        """Get who is the manager in charge now."""
        require_role(person_of(request), *READS_IN_CHARGE)
        return _answer(manager_in_charge(timezone.now()), status_code=status.HTTP_200_OK)

    @extend_schema(
        operation_id="in_charge_assign",
        request=InChargeInput,
        responses={200: InChargeOutput, 201: InChargeOutput},
    )
    def post(self, request: Request) -> Response:
        """Put a manager in charge; the answer says who is in charge now.

        The latest assignment signed again by the same two is answered with 200, and stands.
        """
        require_role(person_of(request), Role.MANAGER)
        sent = read_body(InChargeInput, request)
        now = timezone.now()
        step = assign_manager_in_charge(
            sent["number"],
            from_at=sent.get("from_at"),
            signers=[SignerInput(**signer, role=Role.MANAGER) for signer in sent["signers"]],
            by=person_of(request),
            origin=origin_of(request),
            now=now,
        )
        made = status.HTTP_200_OK if step.done_before else status.HTTP_201_CREATED
        return _answer(manager_in_charge(now), status_code=made)


def _answer(found: InCharge | None, *, status_code: int) -> Response:
    document = {
        "number": found.staff.key if found else None,
        "name": found.name if found else None,
        "revision": found.revision if found else None,
        "from_at": found.from_at if found else None,
    }
    return Response(InChargeOutput(document).data, status=status_code)
