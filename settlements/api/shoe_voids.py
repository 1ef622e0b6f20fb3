"""API v1 of void shoes: the rounds in question, what a decision on them costs, and the decision."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from settlements.api import irregularity_serializers as serializers
from settlements.api.corrections import READS_CORRECTIONS
from settlements.api.irregularities import Json
from settlements.api.signed import signed_act
from settlements.selectors.shoe_decisions import (
    decision_bill,
    decisions_of,
    owed_yet,
    require_void,
)
from settlements.selectors.shoe_voids import ListedRound, listed_rounds
from settlements.services.shoe_voids import LETTERS, decide_rounds
from settlements.shoe_decision import ShoeDecision
from tables.acting import acting
from tables.api.answers import table_answer
from tables.api.serializers import StepOutput
from tables.api.views import signers_of
from tables.permissions import READS_ROUNDS
from tables.selectors.floor import read_table


class VoidRoundsView(ApiView):
    """Rounds of a void shoe."""

    @extend_schema(operation_id="shoe_void_rounds", responses=serializers.VoidRoundsOutput)
    def get(self, request: Request, table: str, shoe: int) -> Response:
        """List the rounds that the void puts in question, with every wager, and the decisions."""
        require_reader(request, *READS_ROUNDS)
        used = read_table(table, shoe=shoe).require_shoe(shoe)
        owed = owed_yet(used.ref)
        return Response(
            {
                "shoe": used.ref.key,
                "rounds": [_round(each) for each in listed_rounds(used.ref)],
                "to_players_minor": owed.to_players_minor,
                "to_bank_minor": owed.to_bank_minor,
                "decisions": [signed_act(each) for each in decisions_of(used.ref.key)],
            }
        )

    @extend_schema(
        operation_id="decide_void_rounds",
        request=serializers.SignedRoundsDecisionInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Decide of rounds as the bill says; what it changes is one correction for each round."""
        sent = read_body(serializers.SignedRoundsDecisionInput, request)
        decided = decide_rounds(
            table=table,
            shoe=shoe,
            decision=_decision(sent),
            bill_hash=sent["bill_hash"],
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return table_answer(decided.receipt, table, done_before=decided.done_before)


class DecisionBillView(ApiView):
    """The bill of a decision on rounds of a void shoe."""

    @extend_schema(
        operation_id="void_rounds_bill",
        request=serializers.RoundsDecisionInput,
        responses={200: serializers.DecisionBillOutput},
    )
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Say what a decision costs as the rounds stand now; nothing is written."""
        require_role(person_of(request), *READS_CORRECTIONS)
        decision = _decision(read_body(serializers.RoundsDecisionInput, request))
        bill = decision_bill(require_void(table, shoe).ref, decision)
        return Response(
            {
                "bill": bill.document,
                "bill_hash": bill.hash,
                "rounds": [each.document for each in bill.bills],
                "signers": [letter.value for letter in LETTERS],
            }
        )


def _decision(sent: Json) -> ShoeDecision:
    return ShoeDecision(
        decision=sent["decision"],
        note=sent["note"],
        told=sent["regulator_told"],
        rounds=tuple(sent["rounds"]),
        moved=sent["moved"],
    )


def _round(each: ListedRound) -> Json:
    return {
        "round": each.row.round.key,
        "decision": each.row.decision,
        "note": each.row.note,
        "stake_minor": each.stake_minor,
        "bank_minor": each.bank_minor,
        "lost_minor": each.lost_minor,
        "bets": [
            {
                "seat": wager.seat,
                "wager": wager.wager,
                "stake_minor": wager.stake_minor,
                "outcome": wager.outcome,
                "owed_minor": wager.owed_minor,
                "handed_minor": wager.handed_minor,
            }
            for wager in each.wagers
        ],
    }
