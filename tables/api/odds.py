"""API v1 of odds: of a ruleset's full shoe, and of what is left in a shoe.

What is left in a shoe in play is shown to surveillance and the auditor alone (control 4.22).
"""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.fields import StrictIntegerField
from casino.api.reading import read_body
from casino.api.serializers import StrictSerializer
from casino.api.views import ApiView
from casino.kernel.text import clean_text
from casino.people.permissions import require_reader, require_role
from casino.people.person import person_of
from tables.api.rulesets import today
from tables.api.serializers import EmptyInput, WagersField
from tables.games import Ruleset
from tables.games.odds import round_odds
from tables.games.odds_document import odds_document
from tables.games.odds_policy_text import policy_from_text
from tables.games.odds_results import RoundOdds
from tables.games.odds_rounds import ROUNDS_MAX, rounds_document
from tables.models import RuleKind
from tables.permissions import PREVIEWS_RULES, READS_ROUNDS, READS_RULES, SEES_LIVE_ODDS
from tables.selectors.odds import house_result, odds_of, slow_odds_of
from tables.selectors.rule_life import read_rules
from tables.selectors.shoe_odds import is_in_play, read_shoe, shoe_odds
from tables.services.slow_odds import ask_slow_odds

_SEATS_MAX = 8
_SIDES = ("seat_draws", "bank_draws", "bank_draws_after_stand")
_POLICY = [
    OpenApiParameter(name, OpenApiTypes.STR, description='Totals: "0-5", "0-3,6", "none".')
    for name in _SIDES
]


class RoundOddsOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """Exact odds of one seat; every figure is `{"fraction": ..., "decimal": ...}`, both text."""

    game = serializers.CharField()
    ruleset = serializers.CharField()
    cards = serializers.IntegerField()
    remaining = serializers.DictField(child=serializers.IntegerField())
    policy = serializers.DictField(child=serializers.CharField())
    wagers = serializers.ListField(child=serializers.DictField())
    covariance = serializers.ListField(child=serializers.DictField())
    joint = serializers.ListField(child=serializers.DictField())


class RulesetOddsOutput(RoundOddsOutput):
    """Odds of the full shoe; `slow` holds what takes seconds, `missing` names what is not there."""

    slow = serializers.DictField()
    missing = serializers.ListField(child=serializers.CharField())


class SlowOddsOutput(serializers.Serializer[Any]):
    """Whether anything is still being worked out, and what."""

    state = serializers.CharField(help_text="ready or waiting")
    missing = serializers.ListField(child=serializers.CharField())


class ResultInput(StrictSerializer):
    """The stakes of one seat in minor units, the same on so many seats, over so many rounds."""

    stakes = WagersField(allow_empty=False)
    seats = StrictIntegerField(min_value=1, max_value=_SEATS_MAX, required=False, default=1)
    rounds = StrictIntegerField(min_value=1, max_value=ROUNDS_MAX)


class CurveOutput(serializers.Serializer[Any]):
    """A point of the distribution: deviations from the mean, the amount, the chance of less."""

    deviations = serializers.IntegerField()
    bank_minor = serializers.CharField()
    below = serializers.CharField()


class ResultOutput(serializers.Serializer[Any]):
    """What stakes bring the bank: mean and variance of a round are exact, the shape is normal.

    `seats` is 1 while the covariance of two seats is missing, whatever was asked for.
    """

    rounds = serializers.IntegerField()
    seats = serializers.IntegerField()
    expected = serializers.DictField()
    variance = serializers.DictField()
    of_seat = serializers.DictField()
    mean_minor = serializers.CharField()
    deviation_minor = serializers.CharField()
    behind = serializers.CharField()
    curve = CurveOutput(many=True)


class ShoeOddsOutput(serializers.Serializer[Any]):
    """Odds of what is left in a shoe, beside those of the full shoe."""

    shoe = serializers.CharField()
    state = serializers.CharField()
    in_play = serializers.BooleanField()
    seen = serializers.IntegerField()
    unknown = serializers.IntegerField()
    over = serializers.DictField(child=serializers.IntegerField())
    odds = RoundOddsOutput()
    full = RoundOddsOutput()


class RulesetOddsView(ApiView):
    """Odds of a published ruleset."""

    @extend_schema(operation_id="ruleset_odds", parameters=_POLICY, responses=RulesetOddsOutput)
    def get(self, request: Request, hash: str) -> Response:  # noqa: A002  the address names it so
        """Get the exact odds of the full shoe; where draws are elected, under a stated policy."""
        require_reader(request, *READS_RULES)
        ruleset = _ruleset(hash)
        slow = slow_odds_of(ruleset)
        document = odds_document(_odds(request, ruleset))
        return Response({**document, "slow": dict(slow.documents), "missing": slow.missing})


class SlowOddsView(ApiView):
    """Odds that take seconds."""

    @extend_schema(
        operation_id="ask_slow_odds",
        request=EmptyInput,
        responses={200: SlowOddsOutput, 202: SlowOddsOutput},
    )
    def post(self, request: Request, hash: str) -> Response:  # noqa: A002  the address names it so
        """Ask for the covariance of two seats and for best draws; a second asking is none."""
        require_role(person_of(request), *PREVIEWS_RULES)
        read_body(EmptyInput, request)
        rules = read_rules(hash, day=today(), kind=RuleKind.RULESET)
        waiting = ask_slow_odds(rules)
        missing = slow_odds_of(rules.content.ruleset).missing
        return Response(
            {"state": "waiting" if waiting else "ready", "missing": missing},
            status=status.HTTP_202_ACCEPTED if waiting else status.HTTP_200_OK,
        )


class ResultView(ApiView):
    """The house's result over many rounds."""

    @extend_schema(operation_id="house_result", request=ResultInput, responses={200: ResultOutput})
    def post(self, request: Request, hash: str) -> Response:  # noqa: A002  the address names it so
        """Work out how the house's result of given stakes is distributed. Nothing is stored."""
        require_role(person_of(request), *READS_RULES)
        sent = read_body(ResultInput, request)
        ruleset = _ruleset(hash)
        result = house_result(ruleset, between=slow_odds_of(ruleset).between_seats, **sent)
        return Response(rounds_document(result))


class ShoeOddsView(ApiView):
    """Odds of what is left in a shoe."""

    @extend_schema(operation_id="shoe_odds", responses=ShoeOddsOutput)
    def get(self, request: Request, table: str, shoe: int) -> Response:
        """Get the odds of the next round: in play for surveillance and the auditor alone."""
        require_reader(request, *READS_ROUNDS)
        used = read_shoe(table, shoe=shoe)
        if is_in_play(used):
            require_role(person_of(request), *SEES_LIVE_ODDS)
        found = shoe_odds(used)
        return Response(
            {
                "shoe": found.key,
                "state": found.state,
                "in_play": found.in_play,
                "seen": found.seen,
                "unknown": found.unknown,
                "over": found.over,
                "odds": odds_document(found.odds),
                "full": odds_document(found.full),
            }
        )


def _ruleset(hash_: str) -> Ruleset:
    return read_rules(hash_, day=today(), kind=RuleKind.RULESET).content.ruleset


def _odds(request: Request, ruleset: Ruleset) -> RoundOdds:
    sent = {name: request.query_params.get(name) for name in _SIDES}
    seat, bank, after_stand = (
        None if sent[name] is None else clean_text(str(sent[name]), max_length=40)
        for name in _SIDES
    )
    policy = policy_from_text(seat=seat, bank=bank, bank_after_stand=after_stand)
    return odds_of(ruleset) if policy is None else round_odds(ruleset, policy=policy)
