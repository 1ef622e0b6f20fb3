"""API v1 of drafts of rules: begun, written, checked, put up, approved, returned, given up.

Whoever writes sends the version that was read; another one is a conflict. The pages call the same
services.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from audit.log.receipts import receipt_document
from casino.api.fields import StrictDateField, StrictIntegerField, StrictTextField
from casino.api.reading import read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.people.api.once import once
from casino.people.permissions import require_role
from casino.people.person import person_of
from tables.acting import acting
from tables.api.answers import status_of
from tables.api.rulesets import (
    AGAINST,
    ComparisonOutput,
    OptionsField,
    RuleFaultOutput,
    WarningOutput,
    against,
    today,
)
from tables.api.serializers import ReceiptOutput, SignerInputSerializer
from tables.api.views import signers_of
from tables.models import RuleDraft
from tables.permissions import READS_DRAFTS
from tables.rule_errors import DraftFilterError
from tables.selectors.rule_documents import draft_document, draft_line
from tables.selectors.rule_life import OPEN, drafts_page, read_draft
from tables.services.rule_approval import approval_document, approve_rules
from tables.services.rule_life import (
    NAME_CHARACTERS_MAX,
    REASON_CHARACTERS_MAX,
    DraftStep,
    discard_draft,
    draft_rules,
    redraft_rules,
    return_rules,
    submit_rules,
)

_SIGNERS_MAX = 4
_VERSION_MAX = 32_767  # of a smallint
_STATES = (OPEN, *RuleDraft.State.values)
_FILTER = OpenApiParameter("state", OpenApiTypes.STR, enum=_STATES)


class WrittenInput(StrictSerializer):
    """What somebody writes: name, all options, the gaming day from which it is to stand or null."""

    name = StrictTextField(max_length=NAME_CHARACTERS_MAX)
    options = OptionsField()
    effective_day = StrictDateField(required=False, allow_null=True, default=None)


class DraftInput(WrittenInput):
    """A new draft: its kind and its game as well."""

    kind = StrictTextField(max_length=10)
    game = StrictTextField(max_length=32)


class VersionInput(StrictSerializer):
    """The version that was read."""

    version = StrictIntegerField(min_value=1, max_value=_VERSION_MAX)


class RedraftInput(VersionInput, WrittenInput):
    """A draft written anew, whole."""


class StopInput(VersionInput):
    """Why a draft goes back or is given up."""

    reason = StrictTextField(max_length=REASON_CHARACTERS_MAX)


class ApprovalInput(VersionInput):
    """Signatures of one or two managers who wrote none of it."""

    signers = serializers.ListField(
        child=SignerInputSerializer(), allow_empty=False, max_length=_SIGNERS_MAX
    )


class ApprovalOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """A manager's approval of the version that stands."""

    number = serializers.CharField()
    name = serializers.CharField()
    at = serializers.CharField()


class DraftLineOutput(serializers.Serializer[Any]):
    """A draft on a list: `drafters` wrote any of it, and none of them approves."""

    number = serializers.CharField()
    kind = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    state = serializers.CharField(help_text="draft, in_approval, published or discarded")
    version = serializers.IntegerField()
    effective_day = serializers.CharField(allow_null=True)
    content_hash = serializers.CharField(allow_null=True)
    drafters = serializers.ListField(child=serializers.CharField())
    approvals = ApprovalOutput(many=True)
    approvals_missing = serializers.IntegerField()
    changed_at = serializers.CharField()


class DraftPage(serializers.Serializer[Any]):
    """Some drafts, the newest first; `next` is the value of `after` for those that follow."""

    items = DraftLineOutput(many=True)
    next = serializers.CharField(allow_null=True)


class DraftOutput(DraftLineOutput):
    """A draft whole: what it says, all faults, warnings, odds, differences, what is signed."""

    options = serializers.DictField()
    faults = RuleFaultOutput(many=True)
    warnings = WarningOutput(many=True)
    odds = serializers.DictField(allow_null=True)
    comparison = ComparisonOutput(allow_null=True)
    signs = serializers.DictField(
        allow_null=True, help_text="What an approval signs, while it waits for approval."
    )


class DraftStepOutput(serializers.Serializer[Any]):
    """The receipt, and the draft as it stands now. An approval that was given before is answered
    with its first receipt.
    """

    receipt = ReceiptOutput()
    done_before = serializers.BooleanField()
    draft = DraftLineOutput()


class DraftsView(ApiView):
    """Drafts of rules."""

    @extend_schema(
        operation_id="rule_drafts", parameters=[_FILTER, *PAGE_PARAMETERS], responses=DraftPage
    )
    def get(self, request: Request) -> Response:
        """List drafts, the newest first, all or those of a state; `open` waits for somebody."""
        require_role(person_of(request), *READS_DRAFTS)
        page = read_page(request)
        state = request.query_params.get("state", "")
        if state and state not in _STATES:
            raise DraftFilterError(states=", ".join(_STATES))
        found = drafts_page(state=state, after=page.after, limit=page.limit)
        following = found[-1].number if len(found) == page.limit else None
        return Response({"items": [draft_line(each) for each in found], "next": following})

    @extend_schema(operation_id="draft_rules", request=DraftInput, responses={201: DraftStepOutput})
    @once
    def post(self, request: Request) -> Response:
        """Begin a draft of a ruleset, procedures or limits; it may still be full of faults."""
        return _stepped(draft_rules(by=acting(request), **read_body(DraftInput, request)))


class DraftView(ApiView):
    """One draft."""

    @extend_schema(operation_id="rule_draft", parameters=[AGAINST], responses=DraftOutput)
    def get(self, request: Request, number: str) -> Response:
        """Get a draft with its check and what differs from what most tables deal under."""
        require_role(person_of(request), *READS_DRAFTS)
        draft = read_draft(number)
        waits = draft.state == RuleDraft.State.IN_APPROVAL
        document = draft_document(draft, against=against(request), day=today())
        return Response({**document, "signs": approval_document(draft) if waits else None})

    @extend_schema(
        operation_id="redraft_rules", request=RedraftInput, responses={201: DraftStepOutput}
    )
    @once
    def put(self, request: Request, number: str) -> Response:
        """Write a draft anew: its next version. Whoever writes cannot approve it any more."""
        sent = read_body(RedraftInput, request)
        return _stepped(redraft_rules(number=number, by=acting(request), **sent))


class SubmitView(ApiView):
    """A draft that is to be approved."""

    @extend_schema(
        operation_id="submit_rules", request=VersionInput, responses={201: DraftStepOutput}
    )
    @once
    def post(self, request: Request, number: str) -> Response:
        """Put a draft up for approval; it must be without a fault."""
        sent = read_body(VersionInput, request)
        return _stepped(submit_rules(number=number, by=acting(request), **sent))


class ApproveView(ApiView):
    """Approvals of a draft; their signatures are its natural key, so that no other is taken."""

    @extend_schema(
        operation_id="approve_rules",
        request=ApprovalInput,
        responses={200: DraftStepOutput, 201: DraftStepOutput},
    )
    def post(self, request: Request, number: str) -> Response:
        """Approve a version of a draft; the second manager's approval publishes the rules."""
        sent = read_body(ApprovalInput, request)
        step = approve_rules(
            number=number,
            version=sent["version"],
            signers=signers_of(sent["signers"]),
            by=acting(request),
        )
        return _stepped(step)


class StopView(ApiView):
    """A draft that goes back or is given up; the two below name the service."""

    stop: ClassVar[Callable[..., DraftStep]]

    def _stop(self, request: Request, number: str) -> Response:
        sent = read_body(StopInput, request)
        return _stepped(type(self).stop(number=number, by=acting(request), **sent))


class ReturnView(StopView):
    """A draft taken back from approval."""

    stop = staticmethod(return_rules)

    @extend_schema(operation_id="return_rules", request=StopInput, responses={201: DraftStepOutput})
    @once
    def post(self, request: Request, number: str) -> Response:
        """Take a draft back from approval; approvals given so far count no more."""
        return self._stop(request, number)


class DiscardView(StopView):
    """A draft given up."""

    stop = staticmethod(discard_draft)

    @extend_schema(
        operation_id="discard_draft", request=StopInput, responses={201: DraftStepOutput}
    )
    @once
    def post(self, request: Request, number: str) -> Response:
        """Give a draft up; it keeps its number."""
        return self._stop(request, number)


def _stepped(step: DraftStep) -> Response:
    body = {
        "receipt": receipt_document(step.receipt),
        "done_before": step.done_before,
        "draft": draft_line(step.draft),
    }
    return Response(body, status=status_of(done_before=step.done_before))
