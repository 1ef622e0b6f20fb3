"""API v1 of money: settle a part, void a round."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from settlements.api import serializers
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause, void_round
from tables.api.acting import acting
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
            settled.receipt, settled.round, done_before=settled.done_before, handed=handed
        )


class VoidView(ApiView):
    """A void round."""

    @extend_schema(
        operation_id="void_round",
        request=serializers.VoidInput,
        responses={201: StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Void a dealt round: stakes back, cards stay dealt, two people sign."""
        sent = read_body(serializers.VoidInput, request)
        cause = VoidCause(
            event=sent["event"],
            first_two=sent["first_two_all"] or tuple(sent["first_two_seats"]),
            note=sent["note"],
        )
        voided = void_round(
            name=RoundName(table, shoe, number),
            cause=cause,
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return table_answer(voided.receipt, table)
