"""API v1 of rounds from paper: reserve numbers, list who waits, check a sheet, hand in a copy.

Keying and agreeing lead to money and lie in the settlements' API.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
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
from casino.people.permissions import require_reader, require_role
from tables.acting import acting
from tables.api.answers import status_of
from tables.api.serializers import ReceiptOutput, WagersField
from tables.faults import fault_documents
from tables.games.document_reading import DRAWS
from tables.models import Round
from tables.permissions import READS_ROUNDS
from tables.selectors.floor import read_table
from tables.selectors.paper import AwaitedRound, awaited_rounds
from tables.selectors.round_read import RoundName, read_round
from tables.selectors.table_view import line_document, table_view
from tables.services.house import SEATS_MAX
from tables.services.paper import (
    KEYS_SHEETS,
    Keying,
    record_held_copy,
    reserve_rounds,
    try_sheet,
)
from tables.sheets import ENDS, faces_in, owed_lines
from tables.sheets.errors import SheetNotAwaitedError

_CARDS_MAX = 8


class FacesField(serializers.ListField):
    """The cards of a hand in the order they were dealt; the engine says whether they are cards."""

    def __init__(self, **kwargs: Any) -> None:  # Any: DRF's own options
        super().__init__(child=StrictTextField(max_length=8), max_length=_CARDS_MAX, **kwargs)


class SheetSeatInput(StrictSerializer):
    """One seat as it stands on the sheet; `handed` only where it is not what was owed."""

    seat = StrictIntegerField(min_value=1, max_value=SEATS_MAX)
    bets = WagersField(allow_empty=True)
    cards = FacesField(required=False)
    draw = StrictChoiceField(choices=DRAWS, required=False)
    handed = WagersField(required=False)


class SheetHandInput(StrictSerializer):
    """The hand of the House, or of the banker."""

    cards = FacesField()
    draw = StrictChoiceField(choices=DRAWS, required=False)


@extend_schema_field(
    {"oneOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "integer"}}]}
)
class SheetTouchedField(serializers.JSONField):
    """Whose first two cards a fault touches: all (true), none (false), or a list of seats."""

    default_error_messages = {"touched": "Expected true, false or a list of seats."}

    def to_internal_value(self, data: Any) -> Any:  # Any: DRF's own types
        if type(data) is bool:
            return data
        seats = data if isinstance(data, list) and len(data) <= SEATS_MAX else [None]
        if any(type(seat) is not int for seat in seats):
            self.fail("touched")
        return seats


class SheetVoidInput(StrictSerializer):
    """A void as the sheet says it: where the round stood, the event, and who signed on paper."""

    stage = StrictTextField(max_length=16)
    affects_first_two_cards = SheetTouchedField(required=False)
    event = StrictIntegerField(min_value=1, max_value=33)
    note = StrictTextField(max_length=500)
    signed_by = serializers.ListField(child=StrictTextField(max_length=32), max_length=4)


class SheetInput(StrictSerializer):
    """A sheet: the round document's seats and hands, how the round ended, and who dealt it."""

    end = StrictChoiceField(choices=ENDS)
    dealer = StrictTextField(max_length=32)
    bank_seat = StrictIntegerField(required=False, min_value=1, max_value=SEATS_MAX)
    seats = serializers.ListField(child=SheetSeatInput(), max_length=SEATS_MAX)
    house = SheetHandInput(required=False)
    banker = SheetHandInput(required=False)
    void = SheetVoidInput(required=False)


class CheckInput(StrictSerializer):
    """A sheet as far as it is keyed, and the time on it."""

    sheet = SheetInput()
    dealt_at = StrictInstantField()
    as_seen = StrictBooleanField(required=False, default=False)


class HeldCopyInput(StrictSerializer):
    """The copy that a tablet held while it was away; the time is what its clock said."""

    revision = StrictIntegerField(min_value=1)
    sheet = SheetInput()
    claimed_at = StrictInstantField()


class ReserveInput(StrictSerializer):
    """How many rounds were dealt on paper, behind how many that the shoe has so far."""

    rounds = StrictIntegerField(min_value=1)
    after = StrictIntegerField(min_value=0)


class AwaitedOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """A round that waits for its sheet; who keyed it, not what they keyed."""

    key = serializers.CharField()
    shoe = serializers.IntegerField()
    number = serializers.IntegerField()
    gaming_day = serializers.CharField()
    since = serializers.CharField()
    keyings = serializers.IntegerField()
    keyed_by = serializers.ListField(child=serializers.CharField())
    held_on_device = serializers.BooleanField()


class AwaitedRoundsOutput(serializers.Serializer[Any]):
    """All rounds of a table that wait for their sheets, longest first."""

    rounds = AwaitedOutput(many=True)


class ReservedOutput(AwaitedRoundsOutput):
    """The receipt of a reservation, and everything that waits now."""

    receipt = ReceiptOutput()
    done_before = serializers.BooleanField()
    view = serializers.DictField(help_text="The table as the tablet shows it, behind those rounds.")


class CheckOutput(serializers.Serializer[Any]):
    """What is wrong with a sheet, what is asked, what is unusual, and what it owes."""

    faults = serializers.ListField(child=serializers.DictField())
    questions = serializers.ListField(child=serializers.DictField())
    warnings = serializers.ListField(child=serializers.DictField())
    lines = serializers.ListField(child=serializers.DictField())


class HeldCopyOutput(serializers.Serializer[Any]):
    """The receipt of a copy that was handed in, and what is wrong with it, if anything."""

    receipt = ReceiptOutput()
    done_before = serializers.BooleanField()


class AwaitedView(ApiView):
    """Rounds of a table that wait for their sheets."""

    @extend_schema(operation_id="awaited_rounds", responses=AwaitedRoundsOutput)
    def get(self, request: Request, table: str) -> Response:
        """List the rounds that were dealt on paper and have not come in."""
        require_reader(request, *READS_ROUNDS)
        read_table(table)
        return Response({"rounds": awaited_documents(awaited_rounds(table))})


class ReserveView(ApiView):
    """Numbers for rounds that were dealt on paper."""

    @extend_schema(
        operation_id="reserve_rounds",
        request=ReserveInput,
        responses={200: ReservedOutput, 201: ReservedOutput},
    )
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Reserve the next numbers of the shoe; live play goes on behind them."""
        sent = read_body(ReserveInput, request)
        done = reserve_rounds(table=table, shoe=shoe, by=acting(request), **sent)
        body = {
            "receipt": receipt_document(done.receipt),
            "done_before": done.done_before,
            "rounds": awaited_documents(awaited_rounds(table)),
            "view": table_view(table),
        }
        return Response(body, status=status_of(done_before=done.done_before))


class SheetCheckView(ApiView):
    """A sheet while it is being keyed."""

    @extend_schema(operation_id="check_sheet", request=CheckInput, responses=CheckOutput)
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Say what is wrong with a sheet and what it owes; nothing is stored."""
        by = acting(request)
        require_role(by.person, *KEYS_SHEETS)
        by.require_dealer_at_table(table)
        sent = read_body(CheckInput, request)
        name, document = RoundName(table, shoe, number), sheet_document(sent["sheet"])
        read = read_round(name, faces=faces_in(document))
        if read.stage != Round.Stage.AWAITED:
            raise SheetNotAwaitedError(round=name.key, stage=read.stage)
        keying = Keying("first", 1, document, sent["dealt_at"], sent["as_seen"])
        laid, faults = try_sheet(read, keying, now=timezone.now())
        lines = owed_lines(laid) if laid is not None and not faults else ()
        body = {
            "faults": fault_documents(faults),
            "questions": fault_documents(laid.questions if laid else ()),
            "warnings": fault_documents(laid.warnings if laid else ()),
            "lines": [line_document(line) for line in lines],
        }
        return Response(body)


class HeldCopyView(ApiView):
    """The copy of a round that a tablet held while it was away."""

    @extend_schema(
        operation_id="hand_in_held_copy",
        request=HeldCopyInput,
        responses={200: HeldCopyOutput, 201: HeldCopyOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Hand in a held copy; it is laid beside the sheet, and a supervisor keeps one."""
        sent = read_body(HeldCopyInput, request)
        keying = Keying(
            copy="device",
            revision=sent["revision"],
            document=sheet_document(sent["sheet"]),
            dealt_at=sent["claimed_at"],
        )
        done = record_held_copy(
            name=RoundName(table, shoe, number), keying=keying, by=acting(request)
        )
        body = {"receipt": receipt_document(done.receipt), "done_before": done.done_before}
        return Response(body, status=status_of(done_before=done.done_before))


def sheet_document(sent: Mapping[str, Any]) -> dict[str, Any]:  # Any: validated data
    """Return a validated sheet as plain JSON."""
    return {key: _plain(value) for key, value in sent.items()}


def _plain(value: Any) -> Any:  # Any: validated data
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def awaited_documents(rounds: Sequence[AwaitedRound]) -> list[dict[str, object]]:
    """Return rounds that wait as the API shows them."""
    return [
        {
            "key": each.name.key,
            "shoe": each.name.shoe,
            "number": each.name.number,
            "gaming_day": each.gaming_day.isoformat(),
            "since": format_instant(each.since),
            "keyings": each.keyings,
            "keyed_by": sorted(keyed.number for keyed in each.copies.values()),
            "held_on_device": each.is_held,
        }
        for each in rounds
    ]
