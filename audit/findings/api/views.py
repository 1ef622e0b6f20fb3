"""The API of findings: read them, answer, return, accept, close."""

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.findings import selectors, services
from audit.findings.api import serializers
from audit.findings.errors import FindingFilterError
from audit.findings.kinds import Severity
from audit.findings.models import Finding
from audit.findings.permissions import READS_FINDINGS
from audit.log.receipts import receipt_document
from casino.api.reading import read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.views import ApiView
from casino.kernel.clock import format_instant
from casino.kernel.text import clean_text
from casino.people.permissions import require_role
from casino.people.person import origin_of, person_of

# "Any" here are documents on their way out, as mixed as their fields.
Document = dict[str, Any]

_UNCLOSED = "unclosed"
_STATES = (*Finding.State.values, _UNCLOSED)
_FILTERS = [
    OpenApiParameter("state", OpenApiTypes.STR, enum=_STATES),
    OpenApiParameter("severity", OpenApiTypes.STR, enum=Severity.values),
    OpenApiParameter("table", OpenApiTypes.STR),
    OpenApiParameter("kind", OpenApiTypes.STR),
]


class FindingListView(ApiView):
    """Findings, newest first."""

    @extend_schema(
        operation_id="finding_list",
        parameters=[*_FILTERS, *PAGE_PARAMETERS],
        responses=serializers.FindingPage,
    )
    def get(self, request: Request) -> Response:
        """List findings, narrowed by state, severity, table and kind."""
        require_role(person_of(request), *READS_FINDINGS)
        page = read_page(request)
        found = selectors.findings_page(_narrow(request), after=page.after, limit=page.limit)
        following = found[-1].number if len(found) == page.limit else None
        document = {"items": [_line(finding) for finding in found], "next": following}
        return Response(serializers.FindingPage(document).data)


class FindingView(ApiView):
    """One finding."""

    @extend_schema(operation_id="finding_get", responses=serializers.FindingOutput)
    def get(self, request: Request, number: str) -> Response:
        """Get a finding with its detail and its notes."""
        require_role(person_of(request), *READS_FINDINGS)
        read = selectors.finding_by_number(number)
        document = {
            **_line(read.finding),
            "detail": read.finding.detail,
            "notes": [_note(note) for note in read.notes],
        }
        return Response(serializers.FindingOutput(document).data)


class StepView(ApiView):
    """A step in the life of a finding; the kinds below name the service."""

    step: ClassVar[Callable[..., services.Stepped]]

    def _take(self, request: Request, number: str) -> Response:
        sent = read_body(serializers.NoteInput, request)
        stepped = type(self).step(
            number,
            n=sent["n"],
            text=sent["text"],
            person=person_of(request),
            request_id=origin_of(request).request_id,
        )
        document = {"finding": _line(stepped.finding), "receipt": receipt_document(stepped.receipt)}
        return Response(serializers.FindingStepOutput(document).data)


class AnswerView(StepView):
    """The answer of who is audited."""

    step = staticmethod(services.answer_finding)

    @extend_schema(
        operation_id="finding_answer",
        request=serializers.NoteInput,
        responses=serializers.FindingStepOutput,
    )
    def post(self, request: Request, number: str) -> Response:
        """Answer a finding: supervisors and managers."""
        return self._take(request, number)


class ReturnView(StepView):
    """An answer that does not satisfy."""

    step = staticmethod(services.return_finding)

    @extend_schema(
        operation_id="finding_return",
        request=serializers.NoteInput,
        responses=serializers.FindingStepOutput,
    )
    def post(self, request: Request, number: str) -> Response:
        """Send an answer back: auditors."""
        return self._take(request, number)


class AcceptView(StepView):
    """An answer that satisfies."""

    step = staticmethod(services.accept_finding)

    @extend_schema(
        operation_id="finding_accept",
        request=serializers.NoteInput,
        responses=serializers.FindingStepOutput,
    )
    def post(self, request: Request, number: str) -> Response:
        """Accept an answer: auditors, and never who answered."""
        return self._take(request, number)


class CloseView(StepView):
    """The end of a finding."""

    step = staticmethod(services.close_finding)

    @extend_schema(
        operation_id="finding_close",
        request=serializers.NoteInput,
        responses=serializers.FindingStepOutput,
    )
    def post(self, request: Request, number: str) -> Response:
        """Close an accepted finding: auditors, and never who answered."""
        return self._take(request, number)


def _narrow(request: Request) -> selectors.FindingFilter:
    """Read the filter of a list. Raises FindingFilterError."""
    sent = {
        name: clean_text(request.query_params.get(name, ""), max_length=64)
        for name in ("state", "severity", "table", "kind")
    }
    for name, known in (("state", _STATES), ("severity", tuple(Severity.values))):
        if sent[name] and sent[name] not in known:
            raise FindingFilterError(name=name, expected=", ".join(known))
    unclosed = sent["state"] == _UNCLOSED
    return selectors.FindingFilter(
        state="" if unclosed else sent["state"],
        unclosed=unclosed,
        severity=sent["severity"],
        table_code=sent["table"],
        kind=sent["kind"],
    )


def _line(finding: Finding) -> Document:
    return {
        "number": finding.number,
        "kind": finding.kind,
        "sentence": selectors.sentence(finding),
        "severity": finding.severity,
        "state": finding.state,
        "subject_kind": finding.subject_kind,
        "subject_key": finding.subject_key,
        "table": finding.table_code,
        "raised_by": finding.raised_by,
        "raised_at": format_instant(finding.raised_at),
        "due_at": None if finding.due_at is None else format_instant(finding.due_at),
        "owner": finding.owner or None,
        "next_note": finding.notes_count + 1,
    }


def _note(note: selectors.NoteRead) -> Document:
    return {
        "n": note.n,
        "at": format_instant(note.at),
        "author_number": note.author_number,
        "author_name": note.author_name,
        "author_role": note.author_role,
        "text": note.text,
        "state_after": note.state_after,
    }
