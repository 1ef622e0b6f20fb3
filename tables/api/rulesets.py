"""API v1 of rulesets: what is published, what a ruleset says, and what options would mean."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.fields import StrictTextField
from casino.api.reading import read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from tables.games.odds_document import odds_document
from tables.models import RuleKind
from tables.permissions import PREVIEWS_RULES, READS_RULES
from tables.selectors.house import gaming_day_at
from tables.selectors.odds import odds_of
from tables.selectors.rule_check import check_rules
from tables.selectors.rule_documents import fault_lines, rules_line, warning_document
from tables.selectors.rule_life import published_rules, read_rules, shoes_under


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
    """A game and options of it; what is left out takes its default and is named as a fault."""

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


class RulesetPage(serializers.Serializer[Any]):
    """Some rulesets, the newest first; `next` is the value of `after` for those that follow."""

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


class RulesetOutput(RulesLineOutput):
    """A published ruleset: all its options, its warnings, the shoes in use pinned to it."""

    options = serializers.DictField()
    warnings = WarningOutput(many=True)
    shoes = serializers.ListField(child=serializers.CharField())


class RuleFaultOutput(serializers.Serializer[Any]):
    """One thing that is wrong with options."""

    code = serializers.CharField()
    where = serializers.CharField()
    detail = serializers.CharField()


class PreviewOutput(serializers.Serializer[Any]):
    """What options would mean: every fault at once, or hash, warnings and odds."""

    ruleset = serializers.CharField(allow_null=True)
    options = serializers.DictField(allow_null=True)
    faults = RuleFaultOutput(many=True)
    warnings = WarningOutput(many=True)
    odds = serializers.DictField(allow_null=True)


class RulesetsView(ApiView):
    """The published rulesets of the house."""

    @extend_schema(operation_id="rulesets", parameters=PAGE_PARAMETERS, responses=RulesetPage)
    def get(self, request: Request) -> Response:
        """List published rulesets, the newest first, with their state and their tables."""
        require_reader(request, *READS_RULES)
        page = read_page(request)
        found = published_rules(
            day=today(), kind=RuleKind.RULESET, after=page.after, limit=page.limit
        )
        following = found[-1].hash if len(found) == page.limit else None
        return Response({"items": [rules_line(each) for each in found], "next": following})


class RulesetView(ApiView):
    """One published ruleset."""

    @extend_schema(operation_id="ruleset", responses=RulesetOutput)
    def get(self, request: Request, hash: str) -> Response:  # noqa: A002  the address names it so
        """Get a ruleset by its hash: options, warnings, where it is in force."""
        require_reader(request, *READS_RULES)
        rules = read_rules(hash, day=today(), kind=RuleKind.RULESET)
        check = check_rules(rules.kind, rules.game, rules.options, day=today())
        return Response(
            {
                **rules_line(rules),
                "options": rules.options,
                "warnings": [warning_document(each) for each in check.warnings],
                "shoes": shoes_under(rules),
            }
        )


class PreviewView(ApiView):
    """Options that nobody has published."""

    @extend_schema(operation_id="preview_ruleset", request=PreviewInput, responses=PreviewOutput)
    def post(self, request: Request) -> Response:
        """Check options of a game: faults, or hash, warnings and odds. Nothing is stored."""
        require_role(person_of(request), *PREVIEWS_RULES)
        sent = read_body(PreviewInput, request)
        check = check_rules(RuleKind.RULESET, sent["game"], sent["options"], day=today())
        content = check.content
        return Response(
            {
                "ruleset": None if content is None else content.hash,
                "options": None if content is None else content.options,
                "faults": fault_lines(list(check.faults)),
                "warnings": [warning_document(each) for each in check.warnings],
                "odds": None if content is None else odds_document(odds_of(content.ruleset)),
            }
        )


def today() -> date:
    """Return the gaming day."""
    return gaming_day_at(timezone.now())
