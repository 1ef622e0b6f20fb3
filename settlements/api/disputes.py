"""API v1 of disputes: holds of a table, their release, and their files."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.reading import read_body
from casino.api.views import ApiView
from casino.kernel.clock import format_instant
from casino.people.models import Role
from casino.people.permissions import require_reader
from settlements.api import irregularity_serializers as serializers
from settlements.services.dispute_files import FileContent, keep_file
from tables.acting import acting
from tables.api.answers import table_answer
from tables.api.serializers import StepOutput
from tables.api.views import signers_of
from tables.irregularity_errors import DisputeMissingError
from tables.models import DisputeFile, DisputeHold
from tables.permissions import READS_DISPUTES
from tables.selectors.disputes import dispute_story, disputes_of_table
from tables.selectors.floor import read_table
from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute

_READS = (Role.DEALER, *READS_DISPUTES)
Json = dict[str, Any]  # documents of the API


class DisputesView(ApiView):
    """Disputes of a table."""

    @extend_schema(operation_id="disputes", responses=serializers.DisputesOutput)
    def get(self, request: Request, table: str) -> Response:
        """List the holds, the open ones first, and the next number."""
        require_reader(request, *_READS)
        read_table(table)
        holds = disputes_of_table(table)
        latest = max((hold.number for hold in holds), default=0)
        return Response({"next": latest + 1, "disputes": [_hold(each) for each in holds]})

    @extend_schema(
        operation_id="open_dispute",
        request=serializers.DisputeInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str) -> Response:
        """Open a hold; the round settles around it."""
        sent = read_body(serializers.DisputeInput, request)
        done = open_dispute(
            name=RoundName(table, sent["shoe"], sent["round"]),
            disputed=Disputed(
                number=sent["number"],
                seen=sent["seen"],
                seat=sent.get("seat"),
                wager=sent["wager"],
                disputed_minor=sent.get("disputed_minor"),
            ),
            by=acting(request),
        )
        return table_answer(done.receipt, table, done_before=done.done_before)


def _hold(hold: DisputeHold) -> Json:
    return {
        "key": hold.key,
        "number": hold.number,
        "round": hold.round.key,
        "seat": hold.seat,
        "wager": hold.wager,
        "disputed_minor": hold.disputed_minor,
        "in_result": hold.in_result,
        "state": hold.state,
        "outcome": hold.outcome,
        "ruling": hold.ruling,
        "opened_at": format_instant(hold.opened_at),
        "moved_at": format_instant(hold.moved_at) if hold.moved_at else None,
        "released_at": format_instant(hold.released_at) if hold.released_at else None,
        "irregularity": hold.irregularity_number,
    }


class DisputeView(ApiView):
    """One dispute."""

    @extend_schema(operation_id="dispute", responses=serializers.DisputeOutput)
    def get(self, request: Request, table: str, number: int) -> Response:
        """Get a hold with its file in every revision."""
        require_reader(request, *READS_DISPUTES)
        story = dispute_story(table, number)
        if story is None:
            raise DisputeMissingError(table=table, dispute=number)
        return Response({**_hold(story.hold), "files": [_file(each) for each in story.files]})


def _file(file: DisputeFile) -> Json:
    return {
        "revision": file.revision,
        "patron": file.patron,
        "contact": file.contact,
        "narrative": file.narrative,
        "staff_involved": file.staff_involved,
        "witnesses": file.witnesses,
        "house_action": file.house_action,
        "patron_informed": file.patron_informed,
        "camera_reference": file.camera_reference,
        "evidence": file.evidence,
        "kept_at": format_instant(file.entry.at),
    }


class ReleaseView(ApiView):
    """The ruling of a dispute."""

    @extend_schema(
        operation_id="release_dispute",
        request=serializers.ReleaseInput,
        responses={200: StepOutput, 201: StepOutput},
    )
    def post(self, request: Request, table: str, number: int) -> Response:
        """Release a hold with its ruling, signed by two; the same again changes nothing."""
        sent = read_body(serializers.ReleaseInput, request)
        done = release_dispute(
            table=table,
            number=number,
            ruling=Ruling(sent["outcome"], sent["ruling"], sent.get("content_hash")),
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return table_answer(done.receipt, table, done_before=done.done_before)


class FileView(ApiView):
    """The file of a dispute."""

    @extend_schema(
        operation_id="keep_dispute_file",
        request=serializers.FileInput,
        responses={201: StepOutput},
    )
    def post(self, request: Request, table: str, number: int) -> Response:
        """Keep the file in its next revision; the round is frozen into it."""
        sent = read_body(serializers.FileInput, request)
        receipt = keep_file(
            table=table,
            number=number,
            revision=sent.pop("revision"),
            content=FileContent(**sent),
            by=acting(request),
        )
        return table_answer(receipt, table)
