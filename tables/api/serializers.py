"""What a tablet or a pit page may send, and the shape of every answer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from casino.api.fields import (
    StrictBooleanField,
    StrictChoiceField,
    StrictInstantField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.serializers import StrictSerializer
from casino.people.models import Role
from tables.models import Count, Decision, ShoeStep
from tables.services.house import SEATS_MAX

_CARDS_IN_A_CALL_MAX = 32
_KINDS_MAX = 8
_SIGNERS_MAX = 4
_BURNS_MAX = 999


class PiecesField(serializers.DictField):
    """A map of short names to integers, neither converted."""

    child = StrictIntegerField(min_value=0)

    def to_internal_value(self, data: Any) -> dict[str, int]:  # Any: DRF's own type
        value: dict[str, int] = super().to_internal_value(data)
        return value


class WagersField(serializers.DictField):
    """Amounts by kind; whether a kind exists and a stake is taken is the engine's to say."""

    child = StrictIntegerField()
    default_error_messages: ClassVar[dict[str, Any]] = {  # Any: DRF's own type
        "too_many": _("Expected at most {most} kinds of wagers."),
    }

    def to_internal_value(self, data: Any) -> dict[str, int]:  # Any: DRF's own type
        if isinstance(data, Mapping) and len(data) > _KINDS_MAX:
            self.fail("too_many", most=_KINDS_MAX)
        value: dict[str, int] = super().to_internal_value(data)
        return value


class RoundInput(StrictSerializer):
    """Where players bank, which seat drew the first bank, or was given it by a supervisor."""

    bank_seat = StrictIntegerField(
        required=False, allow_null=True, min_value=1, max_value=SEATS_MAX
    )


class WagersInput(StrictSerializer):
    """A seat's whole set of wagers in minor units; a kind left out is cleared."""

    revision = StrictIntegerField(min_value=1)
    wagers = WagersField(allow_empty=True)


class CardInput(StrictSerializer):
    """One card: its draw, its revision and its face; null takes the draw back.

    Draw 0 is a card carried over from the round before (event 1).
    """

    draw = StrictIntegerField(min_value=0, max_value=99)
    revision = StrictIntegerField(min_value=1, max_value=999)
    face = StrictTextField(max_length=8, allow_null=True)
    as_seen = StrictBooleanField(required=False, default=False)
    hand = StrictIntegerField(required=False, min_value=0, max_value=SEATS_MAX)
    claimed_at = StrictInstantField(required=False, allow_null=True)


class CardsInput(StrictSerializer):
    """Cards of one call: all are stored or none."""

    cards = serializers.ListField(
        child=CardInput(), allow_empty=False, max_length=_CARDS_IN_A_CALL_MAX
    )


class DecisionInput(StrictSerializer):
    """What a hand decided, null to take it back; hand 0 is the bank's."""

    hand = StrictIntegerField(min_value=0, max_value=SEATS_MAX)
    revision = StrictIntegerField(min_value=1)
    choice = StrictChoiceField(choices=Decision.Choice.choices, allow_null=True)


class SignerInputSerializer(StrictSerializer):
    """One signature: badge, the secret entered again, the role to sign in."""

    badge = StrictTextField(max_length=32)
    secret = StrictTextField(max_length=200)
    role = StrictChoiceField(choices=Role.choices)
    camera_reference = StrictTextField(max_length=64, required=False, allow_null=True)


class CountInput(StrictSerializer):
    """One person's count: pieces by denomination, the denomination in minor units as text."""

    kind = StrictChoiceField(choices=Count.Kind.choices)
    revision = StrictIntegerField(min_value=1)
    pieces = PiecesField(allow_empty=False)


class ShoeStepInput(StrictSerializer):
    """A signed step of the preparation; the burn names its cards ("?" where not seen)."""

    step = StrictChoiceField(choices=ShoeStep.Step.choices)
    signers = serializers.ListField(
        child=SignerInputSerializer(), allow_empty=False, max_length=_SIGNERS_MAX
    )
    burned = serializers.ListField(
        child=StrictTextField(max_length=8),
        required=False,
        default=list,
        max_length=_CARDS_IN_A_CALL_MAX,
    )


class BurnInput(StrictSerializer):
    """Cards burned between rounds; `event` is the number of the burn in the shoe."""

    event = StrictIntegerField(min_value=1, max_value=_BURNS_MAX)
    faces = serializers.ListField(
        child=StrictTextField(max_length=8), allow_empty=False, max_length=_CARDS_IN_A_CALL_MAX
    )
    reason = StrictTextField(max_length=200)


class ShuffleInput(StrictSerializer):
    """Cards burned after the cut, as the table's policy asks ("?" where not seen)."""

    burned = serializers.ListField(
        child=StrictTextField(max_length=8),
        required=False,
        default=list,
        max_length=_CARDS_IN_A_CALL_MAX,
    )


class StubInput(StrictSerializer):
    """The cards left in the shoe at its end, counted."""

    stub_cards = StrictIntegerField(min_value=0)


class EmptyInput(StrictSerializer):
    """Nothing: the address says it all."""


class BurnOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """One burn as it was stated."""

    event = serializers.IntegerField()
    faces = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()


class BurnsOutput(serializers.Serializer[Any]):
    """The burns of a shoe in their order, and the number of the next one."""

    next = serializers.IntegerField()
    burns = BurnOutput(many=True)


class ReceiptOutput(serializers.Serializer[Any]):
    """The stored entry: where it lies in the log, and its hash."""

    stream = serializers.CharField()
    seq = serializers.IntegerField()
    hash = serializers.CharField()
    at = serializers.CharField()


class NextOutput(serializers.Serializer[Any]):
    """What comes next at the table."""

    kind = serializers.ChoiceField(choices=["bet", "deal", "ask", "sweep", "settle", "done"])
    draw = serializers.IntegerField(allow_null=True)
    hand = serializers.IntegerField(allow_null=True)
    lap = serializers.IntegerField(allow_null=True)
    open_draws = serializers.ListField(child=serializers.IntegerField())
    choices = serializers.ListField(child=serializers.CharField())


class StepOutput(serializers.Serializer[Any]):
    """Every write's answer: the receipt, what comes next, and the table as it stands now."""

    receipt = ReceiptOutput()
    done_before = serializers.BooleanField()
    next = NextOutput(allow_null=True)
    view = serializers.DictField()


class ViewOutput(serializers.Serializer[Any]):
    """The table as the dealer's glass shows it."""

    table = serializers.DictField()
    session = serializers.DictField(allow_null=True)
    shoe = serializers.DictField(allow_null=True)
    bank = serializers.DictField()
    stages = serializers.ListField(child=serializers.CharField())
    ruleset = serializers.DictField(allow_null=True)
    limits = serializers.DictField()
    round = serializers.DictField(allow_null=True)
    last_receipt = ReceiptOutput(allow_null=True)
    dealer = serializers.DictField(allow_null=True)
    currency = serializers.DictField()
    previous_wagers = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        required=False,
        help_text=_("Stakes by seat and wager of the round before; not in the answer to a write."),
    )


class TableOutput(serializers.Serializer[Any]):
    """A table on the list: what is open at it."""

    code = serializers.CharField()
    name = serializers.CharField()
    pit = serializers.CharField()
    state = serializers.CharField()
    session = serializers.CharField(allow_null=True)
    shoe = serializers.CharField(allow_null=True)
    round = serializers.CharField(allow_null=True)
    stage = serializers.CharField(allow_null=True)


class TablesOutput(serializers.Serializer[Any]):
    """The tables of the house."""

    tables = TableOutput(many=True)
