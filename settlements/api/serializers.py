"""What may be sent when money moves."""

from typing import Any

from rest_framework import serializers

from casino.api.fields import (
    StrictBooleanField,
    StrictChoiceField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.serializers import StrictSerializer, each_once
from settlements.models import Part
from tables.api.serializers import SignerInputSerializer
from tables.services.house import SEATS_MAX

_LINES_MAX = 64
_SIGNERS_MAX = 4


class HandedInput(StrictSerializer):
    """What was handed over for one wager, stake included, in minor units."""

    seat = StrictIntegerField(min_value=1, max_value=SEATS_MAX)
    wager = StrictTextField(max_length=12)
    handed_minor = StrictIntegerField(min_value=0)


class SettlementInput(StrictSerializer):
    """Settle a part; lines that are not named were handed over as owed."""

    part = StrictChoiceField(choices=Part.choices)
    revision = StrictIntegerField(min_value=1)
    handed = serializers.ListField(
        child=HandedInput(), required=False, default=list, max_length=_LINES_MAX
    )

    def validate_handed(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse two amounts for one wager."""
        return each_once(value, [(line["seat"], line["wager"]) for line in value])


class VoidBillInput(StrictSerializer):
    """Whose first two cards the fault touches; nothing says that it touches none (A20)."""

    first_two_all = StrictBooleanField(required=False, default=False)
    first_two_seats = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=SEATS_MAX),
        required=False,
        default=list,
        max_length=9,
    )


class VoidInput(VoidBillInput):
    """Void a dealt round: the event, whom it touches, what was seen to go back, two signatures.

    `cards_out` is how many cards of the round are out, where more are than were keyed. It is needed
    in the third lap, whose cards lie face down (`void.cards_out`).
    """

    event = StrictIntegerField(min_value=1, max_value=33)
    stage = StrictTextField(max_length=20)
    returned_minor = StrictIntegerField(min_value=0)
    cards_out = StrictIntegerField(required=False, allow_null=True, min_value=0)
    note = StrictTextField(max_length=500)
    signers = serializers.ListField(
        child=SignerInputSerializer(), allow_empty=False, max_length=_SIGNERS_MAX
    )


class VoidLineOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """One wager as a void leaves it: its outcome, and what then lies with the player."""

    seat = serializers.IntegerField()
    wager = serializers.CharField()
    stake_minor = serializers.IntegerField()
    outcome = serializers.CharField()
    returned_minor = serializers.IntegerField()


class VoidBillOutput(serializers.Serializer[Any]):
    """What a void hands back as the round stands; stage and sum are sent with the signatures."""

    stage = serializers.CharField()
    returned_minor = serializers.IntegerField()
    lines = VoidLineOutput(many=True)
