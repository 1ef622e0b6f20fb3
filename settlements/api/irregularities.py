"""API v1 of irregularities: the list of events, and those of a table."""

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from casino.kernel.clock import format_instant
from casino.people.permissions import require_reader
from settlements.api import irregularity_serializers as serializers
from settlements.services.irregularities import record_irregularity
from settlements.services.irregularity_preview import Foreseen, foresee_irregularity
from tables.acting import acting
from tables.api.answers import table_answer
from tables.api.serializers import StepOutput
from tables.api.views import signers_of
from tables.irregularities import EVENTS, Case, Drawn, Procedure, Told, WagerCase
from tables.irregularity_errors import IrregularityMissingError
from tables.permissions import READS_ROUNDS
from tables.selectors.floor import read_table
from tables.selectors.irregularities import (
    IrregularityLine,
    irregularities_of_table,
    irregularity_story,
)
from tables.services.irregularities import amend_irregularity, require_recording

Json = dict[str, Any]  # documents of the API


class EventsView(ApiView):
    """The list of events."""

    @extend_schema(operation_id="irregularity_events", responses=serializers.EventsOutput)
    def get(self, request: Request) -> Response:
        """List the events with their procedures: who signs, what they do."""
        require_reader(request, *READS_ROUNDS)
        events = [
            {
                "event": event.number,
                "name": gettext(event.name),
                "games": list(event.games),
                "procedures": [_procedure(way) for way in event.procedures.values()],
            }
            for event in EVENTS.values()
        ]
        return Response({"events": events})


def _procedure(way: Procedure) -> Json:
    return {
        "code": way.code,
        "name": gettext(way.name),
        "signers": [letter.value for letter in way.signers(in_round=True)],
        "signers_between_rounds": [letter.value for letter in way.signers(in_round=False)],
        "option": way.option[0] if way.option else None,
        "values": list(way.option[1]) if way.option else [],
        "regulator": way.regulator,
        "wagers": way.wagers.value,
        "card": way.card.value,
        "shoe": way.shoe.value,
        "in_round": way.in_round,
        "elsewhere": way.elsewhere,
    }


class IrregularitiesView(ApiView):
    """Irregularities of a table."""

    @extend_schema(operation_id="irregularities", responses=serializers.IrregularitiesOutput)
    def get(self, request: Request, table: str) -> Response:
        """List what is on record, the newest first, and the next number."""
        require_reader(request, *READS_ROUNDS)
        read_table(table)
        lines = irregularities_of_table(table)
        latest = max((line.row.number for line in lines), default=0)
        return Response({"next": latest + 1, "irregularities": [_line(each) for each in lines]})

    @extend_schema(
        operation_id="record_irregularity",
        request=serializers.SignedCaseInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str) -> Response:
        """Record a case as it was ruled and shown, signed by the people that the list names."""
        sent = read_body(serializers.SignedCaseInput, request)
        ruled = record_irregularity(
            case=_case(table, sent),
            signers=signers_of(sent["signers"]),
            by=acting(request),
            seen=sent["foreseen_hash"],
        )
        return table_answer(ruled.receipt, table, done_before=ruled.recorded.done_before)


class ForeseenView(ApiView):
    """What an irregularity would do."""

    @extend_schema(
        operation_id="foresee_irregularity",
        request=serializers.CaseInput,
        responses={200: serializers.ForeseenOutput},
    )
    def post(self, request: Request, table: str) -> Response:
        """Say what a case would do as the table stands now, and who signs; nothing is written."""
        case, by = _case(table, read_body(serializers.CaseInput, request)), acting(request)
        require_recording(case, by=by)
        return Response(_foreseen(foresee_irregularity(case=case, by=by)))


def _foreseen(foreseen: Foreseen) -> Json:
    shoe = foreseen.shoe
    return {
        "foreseen_hash": foreseen.hash,
        "procedure": foreseen.case.procedure,
        "signers": [letter.value for letter in foreseen.letters],
        "back_minor": sum(turn.back_minor for turn in foreseen.wagers),
        "collect_minor": sum(turn.collect_minor for turn in foreseen.wagers),
        "wagers": [
            {
                "seat": turn.seat,
                "wager": turn.wager,
                "what": turn.what,
                "stake_minor": turn.stake_minor,
                "back_minor": turn.back_minor,
                "held_minor": turn.held_minor,
                "collect_minor": turn.collect_minor,
            }
            for turn in foreseen.wagers
        ],
        "draws": [
            {"draw": turn.draw, "face": turn.face, "use": turn.use, "hand": turn.hand}
            for turn in foreseen.draws
        ],
        "shoe": {"key": shoe.key, "was": shoe.was, "state": shoe.state, "listed": shoe.listed}
        if shoe
        else None,
    }


def _case(table: str, sent: Json) -> Case:
    first_two = sent["first_two_all"] or tuple(sent["first_two_seats"])
    replaced = sent.get("replaced")
    return Case(
        table=table,
        number=sent["number"],
        event=sent["event"],
        procedure=sent["procedure"],
        told=_told(sent),
        happened_at=sent["happened_at"],
        shoe=sent.get("shoe"),
        round=sent.get("round"),
        seats=tuple(sent["seats"]),
        draws=tuple(Drawn(**draw) for draw in sent["draws"]),
        wagers=tuple(WagerCase(**wager) for wager in sent["wagers"]),
        cards_out=sent.get("cards_out"),
        first_two=first_two,
        burned=tuple(sent["burned"]),
        replaced=(replaced[0], replaced[1]) if replaced else None,
        counted=sent["counted"],
        since_shoe=sent.get("since_shoe"),
    )


def _told(sent: Json) -> Told:
    return Told(
        seen=sent["seen"],
        ruling=sent["ruling"],
        chips_moved=sent["chips_moved"],
        patrons=sent["patrons_told"],
        regulator=sent["regulator_told"],
    )


def _line(line: IrregularityLine) -> Json:
    row = line.row
    return {
        "key": line.key,
        "number": row.number,
        "revision": row.revision,
        "event": row.event,
        "procedure": row.procedure,
        "shoe": row.shoe.key if row.shoe else None,
        "round": row.round.key if row.round else None,
        "stage": row.stage,
        "seats": row.seats,
        "draws": row.draws,
        "seen": row.seen,
        "ruling": row.ruling,
        "chips_moved": row.chips_moved,
        "patrons_told": row.patrons_told,
        "regulator_told": row.regulator_told,
        "happened_at": format_instant(row.happened_at),
        "recorded_at": format_instant(line.at),
        "signed": [{"name": each.name, "role": each.role} for each in line.signed],
        "signed_hash": row.signed_hash,
    }


class IrregularityView(ApiView):
    """One irregularity."""

    @extend_schema(operation_id="irregularity", responses=serializers.IrregularityOutput)
    def get(self, request: Request, table: str, number: int) -> Response:
        """Get one with all that it did: draws, wagers, holds."""
        require_reader(request, *READS_ROUNDS)
        story = irregularity_story(table, number)
        if story is None:
            raise IrregularityMissingError(table=table, number=number)
        return Response(
            {
                **_line(story.line),
                "details": story.line.row.details,
                "departures": [
                    {"draw": d.draw, "use": d.use, "hand": d.hand, "nth": d.nth}
                    for d in story.departures
                ],
                "taken_out": [
                    {
                        "seat": out.seat,
                        "wager": out.wager,
                        "returned_minor": out.returned_minor,
                        "stands": out.stands,
                        "reverses": out.reverses,
                    }
                    for out in story.taken_out
                ],
                "disputes": [hold.key for hold in story.holds],
            }
        )


class AmendmentsView(ApiView):
    """Words of an irregularity, amended."""

    @extend_schema(
        operation_id="amend_irregularity",
        request=serializers.AmendmentInput,
        responses={201: StepOutput},
    )
    def post(self, request: Request, table: str, number: int) -> Response:
        """Amend what was seen, ruled and told; what it did stays."""
        sent = read_body(serializers.AmendmentInput, request)
        receipt = amend_irregularity(
            table=table,
            number=number,
            revision=sent["revision"],
            told=_told(sent),
            by=acting(request),
        )
        return table_answer(receipt, table)
