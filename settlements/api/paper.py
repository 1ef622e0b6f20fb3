"""API v1 of sheets: key one of the two copies, see them side by side, say what counts."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audit.log.receipts import receipt_document
from casino.api.fields import (
    StrictBooleanField,
    StrictChoiceField,
    StrictInstantField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.kernel.clock import format_instant
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.person import Person, person_of
from settlements.services.paper import AGREES, Agreement, agree_sheet, key_sheet
from tables.acting import acting
from tables.api.answers import status_of
from tables.api.paper import SheetInput, sheet_document
from tables.api.serializers import ReceiptOutput, SignerInputSerializer
from tables.api.views import signers_of
from tables.models import SheetKeying
from tables.selectors.paper import (
    PAPER,
    SheetCopy,
    are_both_keyed,
    copies_differ,
    sheet_copies,
)
from tables.selectors.round_read import RoundName, read_round
from tables.services.paper import KEYS_SHEETS, Keying

_SIGNERS_MAX = 4
_OVERSIGHT = (Role.SURVEILLANCE, Role.AUDITOR, Role.REGULATOR)
SEES_COPIES = (*AGREES, *_OVERSIGHT)
READS_SHEETS = (*KEYS_SHEETS, *_OVERSIGHT)
_KEPT = [SheetKeying.Copy.FIRST, SheetKeying.Copy.SECOND, SheetKeying.Copy.DEVICE]


class KeyingInput(StrictSerializer):
    """One person's keying of one copy of a sheet, and the time on the sheet."""

    copy = StrictChoiceField(choices=[str(copy) for copy in PAPER])
    revision = StrictIntegerField(min_value=1)
    sheet = SheetInput()
    dealt_at = StrictInstantField()
    as_seen = StrictBooleanField(required=False, default=False)


class AgreementInput(StrictSerializer):
    """What counts: a copy that is kept, or the sheet as it really reads; signed."""

    keep = StrictChoiceField(choices=[str(copy) for copy in _KEPT], required=False, default="")
    sheet = SheetInput(required=False)
    dealt_at = StrictInstantField(required=False, allow_null=True, default=None)
    as_seen = StrictBooleanField(required=False, default=False)
    note = StrictTextField(max_length=500)
    signers = serializers.ListField(child=SignerInputSerializer(), max_length=_SIGNERS_MAX)


class CopyOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """One copy of a sheet."""

    copy = serializers.CharField()
    revision = serializers.IntegerField()
    staff = serializers.CharField()
    keyed_at = serializers.CharField()
    dealt_at = serializers.CharField()
    sheet = serializers.DictField()


class DifferenceOutput(serializers.Serializer[Any]):
    """A cell in which copies differ: first, second, and the device's where one was held."""

    where = serializers.CharField()
    values = serializers.ListField(allow_empty=False)


class SheetOutput(serializers.Serializer[Any]):
    """The copies that the reader may see. Before both keyings are in, that is one's own."""

    round = serializers.CharField()
    stage = serializers.CharField()
    both_keyed = serializers.BooleanField()
    copies = CopyOutput(many=True)
    differences = DifferenceOutput(many=True)


class KeyedOutput(serializers.Serializer[Any]):
    """The receipt of a keying, and of the round's acceptance where the keyings agree."""

    receipt = ReceiptOutput()
    accepted = ReceiptOutput(allow_null=True)
    both_keyed = serializers.BooleanField()
    done_before = serializers.BooleanField()


class AgreedOutput(serializers.Serializer[Any]):
    """The receipt of the round's acceptance."""

    receipt = ReceiptOutput()


class SheetView(ApiView):
    """The sheet of a round that was dealt on paper."""

    @extend_schema(operation_id="sheet", responses=SheetOutput)
    def get(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Get one's own copy; supervisors see all of them once both people have keyed."""
        person = person_of(request)
        require_role(person, *READS_SHEETS)
        read = read_round(RoundName(table, shoe, number))
        copies = sheet_copies(read.ref)
        both = are_both_keyed(copies)
        seen = _visible(copies, person=person)
        differences = copies_differ(copies) if both and person.role in SEES_COPIES else ()
        body = {
            "round": read.ref.key,
            "stage": read.stage,
            "both_keyed": both,
            "copies": [_copy(copy) for copy in seen],
            "differences": [
                {"where": each.where, "values": list(each.values)} for each in differences
            ],
        }
        return Response(body)

    @extend_schema(
        operation_id="key_sheet",
        request=KeyingInput,
        responses={200: KeyedOutput, 201: KeyedOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Key the first or the second copy, blind; the second that equals the first makes the
        round."""
        sent = read_body(KeyingInput, request)
        keying = Keying(
            copy=sent["copy"],
            revision=sent["revision"],
            document=sheet_document(sent["sheet"]),
            dealt_at=sent["dealt_at"],
            as_seen=sent["as_seen"],
        )
        done = key_sheet(name=RoundName(table, shoe, number), keying=keying, by=acting(request))
        body = {
            "receipt": receipt_document(done.receipt),
            "accepted": receipt_document(done.accepted) if done.accepted else None,
            "both_keyed": are_both_keyed(done.copies),
            "done_before": done.done_before,
        }
        return Response(body, status=status_of(done_before=done.done_before))


class AgreementView(ApiView):
    """What counts of a round from paper."""

    @extend_schema(
        operation_id="agree_sheet", request=AgreementInput, responses={201: AgreedOutput}
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Keep a copy, or say what the sheet really says; then the round is on record."""
        sent = read_body(AgreementInput, request)
        agreement = Agreement(
            keep=sent["keep"],
            note=sent["note"],
            document=sheet_document(sent["sheet"]) if "sheet" in sent else None,
            dealt_at=sent["dealt_at"],
            as_seen=sent["as_seen"],
        )
        receipt = agree_sheet(
            name=RoundName(table, shoe, number),
            agreement=agreement,
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return Response({"receipt": receipt_document(receipt)}, status=status_of(done_before=False))


def _visible(copies: Mapping[str, SheetCopy], *, person: Person) -> list[SheetCopy]:
    """Return the copies that a person may see: their own, or all once both are in."""
    if are_both_keyed(copies) and person.role in SEES_COPIES:
        return list(copies.values())
    return [
        copy for copy in copies.values() if copy.staff.id == person.staff.id and copy.copy in PAPER
    ]


def _copy(copy: SheetCopy) -> dict[str, object]:
    return {
        "copy": copy.copy,
        "revision": copy.revision,
        "staff": copy.staff.key,
        "keyed_at": format_instant(copy.keyed_at),
        "dealt_at": format_instant(copy.dealt_at),
        "sheet": dict(copy.document),
    }
