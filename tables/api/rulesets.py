"""API v1 of published rules: what stands, what it says, its retirement, what options would mean.

Rules are rulesets, procedures and limits (rules 1E); a list and a preview are of rulesets unless
another kind is asked for.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from audit.log.receipts import receipt_document
from casino.api.fields import StrictDateField, StrictTextField
from casino.api.reading import read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.kernel.text import clean_text
from casino.people.api.once import once
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from tables.acting import acting
from tables.api.serializers import ReceiptOutput
from tables.games import GAMES
from tables.models import RuleKind
from tables.permissions import PREVIEWS_RULES, READS_RULES
from tables.rule_errors import RuleKindError
from tables.selectors.house import gaming_day_at
from tables.selectors.rule_check import basis_of, check_rules, compare_rules
from tables.selectors.rule_documents import (
    check_document,
    comparison_document,
    preset_documents,
    rules_line,
    warning_document,
)
from tables.selectors.rule_life import published_rules, read_rules, shoes_under
from tables.services.rule_life import REASON_CHARACTERS_MAX, retire_rules

_KIND = OpenApiParameter(
    "kind", OpenApiTypes.STR, enum=RuleKind.values, default=RuleKind.RULESET.value
)
AGAINST = OpenApiParameter(
    "against", OpenApiTypes.STR, description="Hash of the rules to lay these beside."
)


@extend_schema_field(OpenApiTypes.OBJECT)
class OptionsField(serializers.Field[Any, Any, Any, Any]):  # Any: an object that the engine reads
    """An object of options; what is wrong with them is the engine's to say, everything at once."""

    default_error_messages = {"not_an_object": "Expected an object of options."}

    def to_internal_value(self, data: Any) -> Mapping[str, Any]:
        if not isinstance(data, Mapping):
            self.fail("not_an_object")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class PreviewInput(StrictSerializer):
    """A game and options of it; an option that is not said is a fault."""

    kind = StrictTextField(max_length=10, required=False, default=RuleKind.RULESET.value)
    game = StrictTextField(max_length=32)
    options = OptionsField()


class RulesLineOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """Published rules on a list: their state on the gaming day, the tables that deal under them."""

    hash = serializers.CharField()
    kind = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    state = serializers.CharField(help_text="published, scheduled or retired")
    effective_day = serializers.CharField(allow_null=True)
    changes_to = serializers.CharField(allow_null=True)
    changes_day = serializers.CharField(allow_null=True)
    published_at = serializers.CharField()
    draft = serializers.CharField(allow_null=True)
    tables = serializers.ListField(child=serializers.CharField())


class RulesPage(serializers.Serializer[Any]):
    """Some published rules, the newest first; `next` is the `after` of those that follow."""

    items = RulesLineOutput(many=True)
    next = serializers.CharField(allow_null=True)


class WarningOutput(serializers.Serializer[Any]):
    """A warning: code, place, clause of the rules of play, sentence, exact figures."""

    code = serializers.CharField()
    where = serializers.CharField()
    clause = serializers.CharField()
    sentence = serializers.CharField()
    figures = serializers.DictField()
    under = serializers.CharField(allow_null=True)
    tables = serializers.ListField(child=serializers.CharField())


class RulesOutput(RulesLineOutput):
    """Published rules: all their options, their warnings, the shoes in use pinned to them."""

    options = serializers.DictField()
    warnings = WarningOutput(many=True)
    shoes = serializers.ListField(child=serializers.CharField())


class RuleFaultOutput(serializers.Serializer[Any]):
    """One thing that is wrong with options."""

    code = serializers.CharField()
    where = serializers.CharField()
    detail = serializers.CharField()


class RuleChangeOutput(serializers.Serializer[Any]):
    """A value that differs, by its path; null also where it is not there."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class EdgeChangeOutput(serializers.Serializer[Any]):
    """A wager's house edge before and after; null where the wager is closed or not known."""

    wager = serializers.CharField()
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)


class ComparisonOutput(serializers.Serializer[Any]):
    """What differs from the rules that these are laid beside, which stand under a hash."""

    against = serializers.CharField()
    changes = RuleChangeOutput(many=True)
    edges = EdgeChangeOutput(many=True)


class PreviewOutput(serializers.Serializer[Any]):
    """What options would mean: every fault at once, or hash, warnings, differences and odds."""

    kind = serializers.CharField()
    game = serializers.CharField()
    hash = serializers.CharField(allow_null=True)
    options = serializers.DictField(allow_null=True)
    faults = RuleFaultOutput(many=True)
    warnings = WarningOutput(many=True)
    comparison = ComparisonOutput(allow_null=True)
    odds = serializers.DictField(allow_null=True)


class PresetOutput(serializers.Serializer[Any]):
    """A named game: every option and procedure of it, as a draft begins with them."""

    code = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    options = serializers.DictField()
    procedures = serializers.DictField()


class PresetsOutput(serializers.Serializer[Any]):
    """The games that houses know by a name."""

    presets = PresetOutput(many=True)


class RetirementInput(StrictSerializer):
    """Why rules are retired, and from which gaming day on; null is today."""

    reason = StrictTextField(max_length=REASON_CHARACTERS_MAX)
    effective_day = StrictDateField(required=False, allow_null=True, default=None)


class RulesStepOutput(serializers.Serializer[Any]):
    """The receipt, and the rules as they stand now."""

    receipt = ReceiptOutput()
    rules = RulesLineOutput()


class RulesView(ApiView):
    """The published rules of the house."""

    @extend_schema(
        operation_id="rulesets", parameters=[_KIND, *PAGE_PARAMETERS], responses=RulesPage
    )
    def get(self, request: Request) -> Response:
        """List published rules of a kind, the newest first, with their state and their tables."""
        require_reader(request, *READS_RULES)
        page = read_page(request)
        kind = request.query_params.get("kind", RuleKind.RULESET.value)
        if kind not in RuleKind.values:
            raise RuleKindError(kinds=", ".join(RuleKind.values), games=", ".join(GAMES))
        found = published_rules(day=today(), kind=kind, after=page.after, limit=page.limit)
        following = found[-1].hash if len(found) == page.limit else None
        return Response({"items": [rules_line(each) for each in found], "next": following})


class RulesOfHashView(ApiView):
    """Published rules."""

    @extend_schema(operation_id="ruleset", responses=RulesOutput)
    def get(self, request: Request, hash: str) -> Response:  # noqa: A002  the address names it so
        """Get rules by their hash: options, warnings, where they are in force."""
        require_reader(request, *READS_RULES)
        rules = read_rules(hash, day=today())
        check = check_rules(rules.kind, rules.game, rules.options, day=today())
        return Response(
            {
                **rules_line(rules),
                "options": rules.options,
                "warnings": [warning_document(each) for each in check.warnings],
                "shoes": shoes_under(rules),
            }
        )


class RetireView(ApiView):
    """The retirement of rules."""

    @extend_schema(
        operation_id="retire_rules", request=RetirementInput, responses={201: RulesStepOutput}
    )
    @once
    def post(self, request: Request, hash: str) -> Response:  # noqa: A002  as above
        """Retire rules from a gaming day on: no shoe starts under them then."""
        sent = read_body(RetirementInput, request)
        receipt = retire_rules(hash_=hash, by=acting(request), **sent)
        body = {
            "receipt": receipt_document(receipt),
            "rules": rules_line(read_rules(hash, day=today())),
        }
        return Response(body, status=status.HTTP_201_CREATED)


class PresetsView(ApiView):
    """What a draft may begin with."""

    @extend_schema(operation_id="ruleset_presets", responses=PresetsOutput)
    def get(self, request: Request) -> Response:
        """List the games that houses know by a name, with every option at its value."""
        require_reader(request, *READS_RULES)
        return Response({"presets": preset_documents()})


class PreviewView(ApiView):
    """Options that nobody has published."""

    @extend_schema(
        operation_id="preview_ruleset",
        parameters=[AGAINST],
        request=PreviewInput,
        responses=PreviewOutput,
    )
    def post(self, request: Request) -> Response:
        """Check options of a game: faults, or hash, warnings and odds. Nothing is stored."""
        require_role(person_of(request), *PREVIEWS_RULES)
        sent = read_body(PreviewInput, request)
        kind, game = sent["kind"], sent["game"]
        check = check_rules(kind, game, sent["options"], day=today())
        content = check.content
        base = basis_of(kind, game, against=against(request), day=today())
        compared = None
        if content is not None and base is not None:
            compared = compare_rules(kind, game, content.options, against=base)
        return Response(
            {
                "kind": kind,
                "game": game,
                "hash": None if content is None else content.hash,
                "options": None if content is None else content.options,
                **check_document(check),
                "comparison": None if compared is None else comparison_document(compared),
            }
        )


def against(request: Request) -> str:
    """Return the hash that `?against=` names, empty for what most tables deal under."""
    return clean_text(request.query_params.get("against", ""), max_length=64)


def today() -> date:
    """Return the gaming day."""
    return gaming_day_at(timezone.now())
