"""API v1 of a table's terms: what its sign states, what other terms would mean, setting them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from audit.log.receipts import receipt_document
from casino.api.fields import StrictIntegerField, StrictTextField
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.people.api.once import once
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from tables.acting import acting
from tables.api.rulesets import ComparisonOutput, RuleFaultOutput, WarningOutput, today
from tables.api.serializers import ReceiptOutput
from tables.permissions import READS_TABLES
from tables.selectors.floor import read_table
from tables.selectors.rule_documents import sign_document, terms_check_document
from tables.selectors.table_sign import table_sign
from tables.selectors.terms_check import NewTerms, check_terms
from tables.services.terms import REASON_CHARACTERS_MAX, SETS_TERMS, assign_terms

REVISION_MAX = 32_767  # of a smallint


class TermsInput(StrictSerializer):
    """The hashes of a ruleset, procedures and limits."""

    ruleset = StrictTextField(max_length=64)
    procedures = StrictTextField(max_length=64)
    limits = StrictTextField(max_length=64)


class NewTermsInput(TermsInput):
    """New terms, and why; `revision` is that of the terms that were read, 0 where there were none.

    With another one nothing is set (409). Left out, the terms are set whatever stands.
    """

    reason = StrictTextField(max_length=REASON_CHARACTERS_MAX)
    revision = StrictIntegerField(min_value=0, max_value=REVISION_MAX, required=False)


class TermsOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """What a table deals under: ruleset and procedures from its next shoe, limits from its next
    round. `shoe` is the shoe in use where that is dealt to its end under another ruleset or other
    procedures.
    """

    table = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    revision = serializers.IntegerField()
    since = serializers.CharField()
    ruleset = serializers.DictField()
    procedures = serializers.DictField()
    limits = serializers.DictField()
    odds = serializers.DictField()
    shoe = serializers.DictField(allow_null=True)


class TermsChangeOutput(serializers.Serializer[Any]):
    """Rules that the table would get; null where it had none of that game."""

    kind = serializers.CharField()
    hash = serializers.CharField()
    comparison = ComparisonOutput(allow_null=True)


class TermsCheckOutput(serializers.Serializer[Any]):
    """What terms would mean at a table: every fault at once, or changes and warnings."""

    same = serializers.BooleanField()
    faults = RuleFaultOutput(many=True)
    changes = TermsChangeOutput(many=True)
    warnings = WarningOutput(many=True)


class TermsStepOutput(serializers.Serializer[Any]):
    """The receipt. What the table deals under by now is read anew: its odds take their time."""

    receipt = ReceiptOutput()


class TermsView(ApiView):
    """What a table deals under."""

    @extend_schema(operation_id="table_terms", responses=TermsOutput)
    def get(self, request: Request, table: str) -> Response:
        """Get a table's terms as its sign states them, with the odds."""
        require_reader(request, *READS_TABLES)
        return Response(sign_document(table_sign(table, day=today())))

    @extend_schema(
        operation_id="assign_terms", request=NewTermsInput, responses={201: TermsStepOutput}
    )
    @once
    def post(self, request: Request, table: str) -> Response:
        """Set a table's terms: from its next shoe, and for limits from its next round."""
        sent = read_body(NewTermsInput, request)
        receipt = assign_terms(
            table=table,
            terms=_terms(sent),
            reason=sent["reason"],
            by=acting(request),
            revision=sent.get("revision"),
        )
        # No odds here: under a key this is one transaction, which holds the stream of all rules.
        return Response({"receipt": receipt_document(receipt)}, status=status.HTTP_201_CREATED)


class TermsCheckView(ApiView):
    """The check of new terms."""

    @extend_schema(
        operation_id="check_terms", request=TermsInput, responses={200: TermsCheckOutput}
    )
    def post(self, request: Request, table: str) -> Response:
        """Check terms for a table; nothing is stored."""
        require_role(person_of(request), *SETS_TERMS)
        wanted = _terms(read_body(TermsInput, request))
        return Response(terms_check_document(check_terms(read_table(table), wanted, day=today())))


def _terms(sent: dict[str, Any]) -> NewTerms:  # Any: validated data
    return NewTerms(ruleset=sent["ruleset"], procedures=sent["procedures"], limits=sent["limits"])
