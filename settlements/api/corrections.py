"""API v1 of corrections: the bill of one before anybody signs, and the signed correction."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.fields import (
    StrictBooleanField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer, each_once
from casino.api.views import ApiView
from casino.people.models import Role
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from settlements.api.signed import signed_act
from settlements.correction import (
    REASON_CHARACTERS_MAX,
    Bill,
    CorrectedCard,
    Correction,
)
from settlements.selectors.authority import Authority, authority_of
from settlements.selectors.bill import bill_of, faces_of
from settlements.selectors.corrections import corrections_of
from settlements.services.corrections import CORRECTS, correct_round
from tables.acting import acting
from tables.api.answers import round_answer
from tables.api.serializers import SignerInputSerializer, StepOutput, WagersField
from tables.api.views import signers_of
from tables.selectors.round_read import RoundName, SessionSums, read_round
from tables.services.house import SEATS_MAX

READS_CORRECTIONS = (*CORRECTS, Role.SURVEILLANCE, Role.AUDITOR, Role.REGULATOR)
_CARDS_MAX = 32
_LINES_MAX = 64
_SIGNERS_MAX = 4


class CorrectedCardInput(StrictSerializer):
    """A draw's true face, draw 0 of a card carried over; `as_seen` confirms one copy too many."""

    draw = StrictIntegerField(min_value=0, max_value=99)
    face = StrictTextField(max_length=8)
    as_seen = StrictBooleanField(required=False, default=False)


class CorrectedSeatInput(StrictSerializer):
    """A seat's whole set of wagers as they were; a kind left out was not placed."""

    seat = StrictIntegerField(min_value=1, max_value=SEATS_MAX)
    wagers = WagersField(allow_empty=True)


class CorrectedHandedInput(StrictSerializer):
    """What has gone back for one wager up to now, stake included, in minor units."""

    seat = StrictIntegerField(min_value=1, max_value=SEATS_MAX)
    wager = StrictTextField(max_length=12)
    handed_minor = StrictIntegerField(min_value=0)


class CorrectionInput(StrictSerializer):
    """What to correct, why, and whether the money of the bill was moved already.

    `dispute` is the number of the table's dispute whose ruling this carries out.
    """

    event = StrictIntegerField(min_value=1, max_value=33)
    reason = StrictTextField(max_length=REASON_CHARACTERS_MAX)
    moved = StrictBooleanField()
    cards = serializers.ListField(
        child=CorrectedCardInput(), required=False, default=list, max_length=_CARDS_MAX
    )
    wagers = serializers.ListField(
        child=CorrectedSeatInput(), required=False, default=list, max_length=SEATS_MAX
    )
    handed = serializers.ListField(
        child=CorrectedHandedInput(), required=False, default=list, max_length=_LINES_MAX
    )

    dispute = StrictIntegerField(required=False, allow_null=True, min_value=1)

    def validate_wagers(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return each_once(value, [item["seat"] for item in value])

    def validate_handed(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return each_once(value, [(item["seat"], item["wager"]) for item in value])


class SignedCorrectionInput(CorrectionInput):
    """A correction, the hash of the bill that was read, and the two signatures."""

    bill_hash = StrictTextField(max_length=64)
    signers = serializers.ListField(child=SignerInputSerializer(), max_length=_SIGNERS_MAX)


class AuthorityOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """Who must sign: two people, each in one of the roles of a list."""

    late = serializers.BooleanField()
    over_limit = serializers.BooleanField()
    window = serializers.CharField()
    limit_minor = serializers.IntegerField()
    in_charge = serializers.CharField(allow_null=True)
    roles = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    needs = serializers.CharField()


class BillOutput(serializers.Serializer[Any]):
    """The bill as it is signed, its hash, the session's sums as they would be, and who signs."""

    bill = serializers.DictField()
    bill_hash = serializers.CharField()
    session = serializers.DictField()
    authority = AuthorityOutput()


class CorrectionOutput(serializers.Serializer[Any]):
    """One correction as it was logged."""

    at = serializers.CharField()
    stream = serializers.CharField()
    seq = serializers.IntegerField()
    hash = serializers.CharField()
    actor = serializers.CharField()
    bill = serializers.DictField()
    bill_hash = serializers.CharField()
    signed = serializers.ListField(child=serializers.DictField())


class CorrectionsOutput(serializers.Serializer[Any]):
    """The corrections of a round, oldest first."""

    corrections = CorrectionOutput(many=True)


class BillView(ApiView):
    """The bill of a correction."""

    @extend_schema(
        operation_id="correction_bill", request=CorrectionInput, responses={200: BillOutput}
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Make the bill of a correction as the round stands now; nothing is written."""
        require_role(person_of(request), *READS_CORRECTIONS)
        correction = _correction(read_body(CorrectionInput, request))
        read = read_round(RoundName(table, shoe, number), faces=faces_of(correction))
        bill = bill_of(read, correction)
        authority = authority_of(read, bill, now=timezone.now())
        return Response(
            {
                "bill": bill.document,
                "bill_hash": bill.hash,
                "session": _session(bill, before=read.session_sums),
                "authority": _authority(authority),
            }
        )


class CorrectionsView(ApiView):
    """The corrections of a round."""

    @extend_schema(operation_id="corrections", responses={200: CorrectionsOutput})
    def get(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """List what was corrected in a round: each bill with the people who signed it."""
        require_reader(request, *READS_CORRECTIONS)
        read = read_round(RoundName(table, shoe, number))
        return Response(
            {"corrections": [signed_act(done) for done in corrections_of(read.ref.key)]}
        )

    @extend_schema(
        operation_id="correct_round",
        request=SignedCorrectionInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Correct a round as the bill says, signed by two people."""
        sent = read_body(SignedCorrectionInput, request)
        corrected = correct_round(
            name=RoundName(table, shoe, number),
            correction=_correction(sent),
            bill_hash=sent["bill_hash"],
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return round_answer(corrected.receipt, corrected.round, done_before=corrected.done_before)


def _correction(sent: dict[str, Any]) -> Correction:  # Any: validated data
    return Correction(
        event=sent["event"],
        reason=sent["reason"],
        moved=sent["moved"],
        cards=tuple(CorrectedCard(**card) for card in sent["cards"]),
        wagers={seat["seat"]: seat["wagers"] for seat in sent["wagers"]},
        handed={(line["seat"], line["wager"]): line["handed_minor"] for line in sent["handed"]},
        dispute=sent.get("dispute"),
    )


def _session(bill: Bill, *, before: SessionSums) -> dict[str, object]:
    """Return the session's sums as they stand and as they would; other rounds move them too."""
    pairs = {
        "handle_minor": (before.handle_minor, bill.sums.handle_minor),
        "bank_owed_minor": (before.bank_owed_minor, bill.sums.bank_owed_minor),
        "bank_handed_minor": (before.bank_handed_minor, bill.sums.bank_handed_minor),
    }
    return {
        "key": bill.session_key,
        "before": {name: stands for name, (stands, _by) in pairs.items()},
        "after": {name: stands + by for name, (stands, by) in pairs.items()},
    }


def _authority(authority: Authority) -> dict[str, object]:
    in_charge = authority.in_charge
    return {
        "late": authority.late,
        "over_limit": authority.over_limit,
        "window": authority.window,
        "limit_minor": authority.limit_minor,
        "in_charge": in_charge.staff.key if in_charge else None,
        "roles": [[role.value for role in roles] for roles in authority.roles],
        "needs": str(authority.needs),
    }
