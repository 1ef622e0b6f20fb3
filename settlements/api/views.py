"""API v1 of money: settle a part, void a round."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from casino.people.permissions import require_role
from casino.people.person import person_of
from settlements.api import serializers
from settlements.api.corrections import READS_CORRECTIONS
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause, VoidSeen, void_bill, void_round
from tables.acting import acting
from tables.api.answers import round_answer, table_answer
from tables.api.serializers import StepOutput
from tables.api.views import signers_of
from tables.selectors.round_read import RoundName


class SettlementsView(ApiView):
    """Settlements of a round."""

    @extend_schema(
        operation_id="settle_round",
        request=serializers.SettlementInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Settle the sweep, or the rest at showdown; say what was handed over otherwise."""
        sent = read_body(serializers.SettlementInput, request)
        handed = {(line["seat"], line["wager"]): line["handed_minor"] for line in sent["handed"]}
        settled = settle_round(
            name=RoundName(table, shoe, number),
            part=sent["part"],
            revision=sent["revision"],
            handed=handed,
            by=acting(request),
        )
        return round_answer(
            settled.receipt,
            settled.round,
            done_before=settled.done_before,
            handed=settled.handed,
        )


class VoidBillView(ApiView):
    """What a void hands back."""

    @extend_schema(
        operation_id="void_bill",
        request=serializers.VoidBillInput,
        responses={200: serializers.VoidBillOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Say what a void would hand back as the round stands now; nothing is written."""
        require_role(person_of(request), *READS_CORRECTIONS)
        sent = read_body(serializers.VoidBillInput, request)
        bill = void_bill(RoundName(table, shoe, number), first_two=_touched(sent))
        lines = [
            {
                "seat": line.seat,
                "wager": line.wager,
                "stake_minor": line.stake_minor,
                "outcome": line.outcome,
                "returned_minor": line.returned_minor,
            }
            for line in bill.lines
        ]
        seen = bill.seen
        return Response(
            {"stage": seen.stage, "returned_minor": seen.returned_minor, "lines": lines}
        )


class VoidView(ApiView):
    """A void round."""

    @extend_schema(
        operation_id="void_round",
        request=serializers.VoidInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Void a dealt round: stakes back, cards stay dealt, two people sign what they saw."""
        sent = read_body(serializers.VoidInput, request)
        voided = void_round(
            name=RoundName(table, shoe, number),
            cause=VoidCause(
                event=sent["event"],
                first_two=_touched(sent),
                note=sent["note"],
                cards_out=sent.get("cards_out"),
            ),
            seen=VoidSeen(stage=sent["stage"], returned_minor=sent["returned_minor"]),
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return table_answer(voided.receipt, table, done_before=voided.done_before)


def _touched(sent: dict[str, Any]) -> bool | tuple[int, ...]:  # Any: validated data
    """Return whose first two cards the fault touches, as the services take it."""
    return bool(sent["first_two_all"]) or tuple(sent["first_two_seats"])
