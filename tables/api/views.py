"""API v1 of the floor: tables, sessions, counts, shoes, rounds, wagers and cards."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from casino.people.api.once import once
from casino.people.permissions import require_reader
from casino.people.services import SignerInput
from tables.acting import acting
from tables.api import serializers
from tables.api.answers import round_answer, table_answer
from tables.permissions import READS_ROUNDS, READS_TABLES
from tables.selectors.board import table_lines
from tables.selectors.floor import read_table
from tables.selectors.round_read import RoundName
from tables.selectors.shoes import burns_of
from tables.selectors.table_view import table_view
from tables.services.cards import KeyedCard, deal_cards
from tables.services.decisions import decide
from tables.services.packs import shuffle_pack
from tables.services.rounds import call_off_round, open_betting, place_wagers
from tables.services.sessions import (
    close_table,
    key_count,
    open_table,
    start_closing,
    start_session,
)
from tables.services.shoe_end import end_shoe
from tables.services.shoes import burn_cards, mark_cut_card, prepare_shoe, sign_shoe_step

_SESSION_ACTS = {"open": open_table, "start-closing": start_closing, "close": close_table}


def signers_of(sent: list[Mapping[str, Any]]) -> list[SignerInput]:  # Any: validated data
    """Return validated signatures as the service takes them."""
    return [
        SignerInput(
            badge=signer["badge"],
            secret=signer["secret"],
            role=signer["role"],
            camera_reference=signer.get("camera_reference"),
        )
        for signer in sent
    ]


class TablesView(ApiView):
    """The tables of the house."""

    @extend_schema(operation_id="tables", responses=serializers.TablesOutput)
    def get(self, request: Request) -> Response:
        """List the tables with what is open at each."""
        require_reader(request, *READS_TABLES)
        return Response(serializers.TablesOutput({"tables": table_lines()}).data)


class TableView(ApiView):
    """A table as the dealer's glass shows it."""

    @extend_schema(operation_id="table_view", responses=serializers.ViewOutput)
    def get(self, request: Request, table: str) -> Response:
        """Get the table: session, shoe, round, what comes next and what is owed."""
        require_reader(request, *READS_ROUNDS)
        return Response(table_view(table))


class SessionsView(ApiView):
    """Sessions of a table."""

    @extend_schema(
        operation_id="start_session",
        request=serializers.EmptyInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str) -> Response:
        """Begin to open a table; both people count next."""
        read_body(serializers.EmptyInput, request)
        return table_answer(start_session(table=table, by=acting(request)).receipt, table)


class CountsView(ApiView):
    """Blind counts of a session."""

    @extend_schema(
        operation_id="key_count",
        request=serializers.CountInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def post(self, request: Request, table: str, session: int) -> Response:
        """Key one's own count; the other side's is not shown."""
        sent = read_body(serializers.CountInput, request)
        done = key_count(table=table, session=session, by=acting(request), **sent)
        return table_answer(done.receipt, table, done_before=done.done_before)


class SessionActView(ApiView):
    """Open, start closing, close a session."""

    act: str = ""

    @extend_schema(request=serializers.EmptyInput, responses={201: serializers.StepOutput})
    @once
    def post(self, request: Request, table: str, session: int) -> Response:
        """Move the session on; the latest counts of both people must agree."""
        read_body(serializers.EmptyInput, request)
        done = _SESSION_ACTS[self.act](table=table, session=session, by=acting(request))
        return table_answer(done.receipt, table)


class ShoesView(ApiView):
    """Shoes of a table."""

    @extend_schema(
        operation_id="prepare_shoe",
        request=serializers.EmptyInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str) -> Response:
        """Begin to prepare a shoe; it gets its number."""
        read_body(serializers.EmptyInput, request)
        return table_answer(prepare_shoe(table=table, by=acting(request)).receipt, table)


class ShoeStepsView(ApiView):
    """Signed steps of a shoe's preparation."""

    @extend_schema(
        operation_id="sign_shoe_step",
        request=serializers.ShoeStepInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Sign shuffle, check, cut or burn, in this order."""
        sent = read_body(serializers.ShoeStepInput, request)
        done = sign_shoe_step(
            table=table,
            shoe=shoe,
            step=sent["step"],
            signers=signers_of(sent["signers"]),
            burned=sent["burned"],
            by=acting(request),
        )
        return table_answer(done.receipt, table, done_before=done.done_before)


class BurnsView(ApiView):
    """Cards burned between rounds."""

    @extend_schema(operation_id="burns", responses=serializers.BurnsOutput)
    def get(self, request: Request, table: str, shoe: int) -> Response:
        """List the burns of a shoe as they were stated, and the number of the next one."""
        require_reader(request, *READS_ROUNDS)
        burns = burns_of(read_table(table, shoe=shoe).require_shoe(shoe).ref)
        lines = [
            {"event": burn.event, "faces": list(burn.faces), "reason": burn.reason}
            for burn in burns
        ]
        return Response({"next": burns[-1].event + 1 if burns else 1, "burns": lines})

    @extend_schema(
        operation_id="burn_cards",
        request=serializers.BurnInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Record burned cards under the number of their burn; they count in the shoe."""
        sent = read_body(serializers.BurnInput, request)
        done = burn_cards(table=table, shoe=shoe, by=acting(request), **sent)
        return table_answer(done.receipt, table, done_before=done.done_before)


class CutCardView(ApiView):
    """The cut card."""

    @extend_schema(
        operation_id="mark_cut_card",
        request=serializers.EmptyInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Mark that the cut card is out."""
        read_body(serializers.EmptyInput, request)
        return table_answer(
            mark_cut_card(table=table, shoe=shoe, by=acting(request)).receipt, table
        )


class ShuffleView(ApiView):
    """The pack of each round."""

    @extend_schema(
        operation_id="shuffle_pack",
        request=serializers.ShuffleInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Shuffle and cut the pack for the next round; its cards go back, it gets a new number."""
        sent = read_body(serializers.ShuffleInput, request)
        done = shuffle_pack(table=table, shoe=shoe, by=acting(request), **sent)
        return table_answer(done.receipt, table)


class ShoeEndView(ApiView):
    """The end of a shoe."""

    @extend_schema(
        operation_id="end_shoe",
        request=serializers.StubInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """End the shoe with its stub counted; the two statements are made."""
        sent = read_body(serializers.StubInput, request)
        done = end_shoe(table=table, shoe=shoe, by=acting(request), **sent)
        return table_answer(done.receipt, table)


class RoundsView(ApiView):
    """Rounds of a shoe."""

    @extend_schema(
        operation_id="open_betting",
        request=serializers.RoundInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str, shoe: int) -> Response:
        """Open betting: the next round gets its number; where players bank, the bank its seat."""
        sent = read_body(serializers.RoundInput, request)
        step = open_betting(table=table, shoe=shoe, by=acting(request), **sent)
        return round_answer(step.receipt, step.round)


class WagersView(ApiView):
    """A seat's wagers."""

    @extend_schema(
        operation_id="place_wagers",
        request=serializers.WagersInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def put(self, request: Request, table: str, shoe: int, number: int, seat: int) -> Response:
        """State a seat's whole set of wagers."""
        sent = read_body(serializers.WagersInput, request)
        step = place_wagers(
            name=RoundName(table, shoe, number), seat=seat, by=acting(request), **sent
        )
        return round_answer(step.receipt, step.round, done_before=step.done_before)


class CardsView(ApiView):
    """Cards of a round."""

    @extend_schema(
        operation_id="deal_cards",
        request=serializers.CardsInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Key one or several cards; all are stored or none."""
        sent = read_body(serializers.CardsInput, request)
        step = deal_cards(
            name=RoundName(table, shoe, number),
            cards=[KeyedCard(**card) for card in sent["cards"]],
            by=acting(request),
        )
        return round_answer(step.receipt, step.round, done_before=step.done_before)


class DecisionsView(ApiView):
    """Decisions of a round's hands."""

    @extend_schema(
        operation_id="decide",
        request=serializers.DecisionInput,
        responses={200: serializers.StepOutput, 201: serializers.StepOutput},
    )
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Record that the hand that is asked draws, stands, or does not decide."""
        sent = read_body(serializers.DecisionInput, request)
        step = decide(name=RoundName(table, shoe, number), by=acting(request), **sent)
        return round_answer(step.receipt, step.round, done_before=step.done_before)


class CallOffView(ApiView):
    """A round without cards."""

    @extend_schema(
        operation_id="call_off_round",
        request=serializers.EmptyInput,
        responses={201: serializers.StepOutput},
    )
    @once
    def post(self, request: Request, table: str, shoe: int, number: int) -> Response:
        """Call off a round of which no card was dealt; it keeps its number."""
        read_body(serializers.EmptyInput, request)
        step = call_off_round(name=RoundName(table, shoe, number), by=acting(request))
        return round_answer(step.receipt, step.round)
