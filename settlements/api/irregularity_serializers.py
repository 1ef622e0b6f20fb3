"""What may be sent about irregularities and disputes, and the shape of the answers."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from casino.api.fields import (
    StrictBooleanField,
    StrictChoiceField,
    StrictInstantField,
    StrictIntegerField,
    StrictTextField,
)
from casino.api.serializers import StrictSerializer
from settlements.services.dispute_files import (
    NAME_MAX,
    NARRATIVE_MAX,
    STAFF_MAX,
    STAFF_NUMBER_MAX,
)
from settlements.shoe_decision import GIVES_BACK
from tables.api.serializers import PiecesField, SignerInputSerializer
from tables.models import DisputeHold
from tables.services.house import SEATS_MAX
from tables.services.irregularities.ground import TEXT_MAX

_DRAWS_MAX, _WAGERS_MAX, _BURNED_MAX = 64, 36, 32
_SIGNERS_MAX, _ROUNDS_MAX = 4, 2000
_FACES_MAX = 80  # the 52 of a deck, and whatever foreign cards were found


def _text(length: int = TEXT_MAX) -> StrictTextField:
    return StrictTextField(max_length=length, required=False, default="", allow_blank=True)


class _SignedInput(StrictSerializer):
    """What people sign by entering their secrets again."""

    signers = serializers.ListField(
        child=SignerInputSerializer(), allow_empty=False, max_length=_SIGNERS_MAX
    )


class _ToldInput(StrictSerializer):
    """What was seen, ruled, and told to whom."""

    seen = StrictTextField(max_length=TEXT_MAX)
    ruling = StrictTextField(max_length=TEXT_MAX)
    chips_moved = _text()
    patrons_told = _text()
    regulator_told = _text()


class DrawnInput(StrictSerializer):
    """A draw that lies elsewhere than planned: at a hand, or in none; its face where seen."""

    draw = StrictIntegerField(min_value=1, max_value=99)
    hand = StrictIntegerField(required=False, allow_null=True, min_value=0, max_value=SEATS_MAX)
    face = StrictTextField(required=False, allow_null=True, max_length=8)
    as_seen = StrictBooleanField(required=False, default=False)


class WagerCaseInput(StrictSerializer):
    """One wager: the stake as it lay, and what goes back; left out: as on record, by rule."""

    seat = StrictIntegerField(min_value=1, max_value=SEATS_MAX)
    wager = StrictTextField(max_length=12)
    stake_minor = StrictIntegerField(required=False, allow_null=True)
    returned_minor = StrictIntegerField(required=False, allow_null=True)


class CaseInput(_ToldInput):
    """One irregularity as it happened and was ruled, under the table's next number."""

    number = StrictIntegerField(min_value=1)
    event = StrictIntegerField(min_value=1, max_value=33)
    procedure = StrictTextField(max_length=40)
    happened_at = StrictInstantField()
    shoe = StrictIntegerField(required=False, allow_null=True, min_value=1)
    round = StrictIntegerField(required=False, allow_null=True, min_value=1)
    seats = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=SEATS_MAX),
        required=False,
        default=list,
        max_length=SEATS_MAX + 1,
    )
    draws = serializers.ListField(
        child=DrawnInput(), required=False, default=list, max_length=_DRAWS_MAX
    )
    wagers = serializers.ListField(
        child=WagerCaseInput(), required=False, default=list, max_length=_WAGERS_MAX
    )
    cards_out = StrictIntegerField(required=False, allow_null=True, min_value=0)
    first_two_all = StrictBooleanField(required=False, default=False)
    first_two_seats = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=SEATS_MAX),
        required=False,
        default=list,
        max_length=SEATS_MAX,
    )
    burned = serializers.ListField(
        child=StrictTextField(max_length=8), required=False, default=list, max_length=_BURNED_MAX
    )
    replaced = serializers.ListField(
        child=StrictTextField(max_length=8),
        required=False,
        allow_null=True,
        min_length=2,
        max_length=2,
    )
    counted = PiecesField(required=False, default=dict)
    since_shoe = StrictIntegerField(required=False, allow_null=True, min_value=1)

    def validate_counted(self, value: dict[str, int]) -> dict[str, int]:
        if len(value) > _FACES_MAX:
            text = _("Expected at most %(most)d faces.") % {"most": _FACES_MAX}
            raise serializers.ValidationError(text, code="too_many")
        return value


class SignedCaseInput(CaseInput, _SignedInput):
    """A case, the hash of what it would do as it was shown, and the signatures."""

    foreseen_hash = StrictTextField(max_length=64)


class AmendmentInput(_ToldInput):
    """The words as they shall stand, in the next revision."""

    revision = StrictIntegerField(min_value=1)


class RoundsDecisionInput(StrictSerializer):
    """What is decided of rounds of a void shoe; without rounds, of all of which nothing is yet.

    `moved` says that the money of the bill was moved; otherwise it is owed and not handed over.
    """

    decision = StrictChoiceField(choices=[str(each) for each in GIVES_BACK])
    note = StrictTextField(max_length=TEXT_MAX)
    regulator_told = StrictTextField(max_length=TEXT_MAX)
    moved = StrictBooleanField(required=False, default=False)
    rounds = serializers.ListField(
        child=StrictTextField(max_length=40), required=False, default=list, max_length=_ROUNDS_MAX
    )


class SignedRoundsDecisionInput(RoundsDecisionInput, _SignedInput):
    """A decision, the hash of the bill that was read, and the two signatures."""

    bill_hash = StrictTextField(max_length=64)


class DisputeInput(StrictSerializer):
    """What is disputed: a wager, a seat's wagers, or a whole round."""

    number = StrictIntegerField(min_value=1)
    shoe = StrictIntegerField(min_value=1)
    round = StrictIntegerField(min_value=1)
    seen = StrictTextField(max_length=TEXT_MAX)
    seat = StrictIntegerField(required=False, allow_null=True, min_value=1, max_value=SEATS_MAX)
    wager = StrictTextField(required=False, default="", allow_blank=True, max_length=12)
    disputed_minor = StrictIntegerField(required=False, allow_null=True, min_value=0)


class ReleaseInput(_SignedInput):
    """The ruling of a dispute; with the hash of what was read, nothing else is signed."""

    outcome = StrictChoiceField(choices=DisputeHold.Outcome.choices)
    ruling = StrictTextField(max_length=TEXT_MAX)
    content_hash = StrictTextField(required=False, max_length=64)


class FileInput(StrictSerializer):
    """The file of a dispute (control 5.13), in its next revision."""

    revision = StrictIntegerField(min_value=1)
    patron = StrictTextField(max_length=NAME_MAX)
    contact = StrictTextField(max_length=NAME_MAX)
    narrative = StrictTextField(max_length=NARRATIVE_MAX)
    staff_involved = serializers.ListField(
        child=StrictTextField(max_length=STAFF_NUMBER_MAX),
        required=False,
        default=list,
        max_length=STAFF_MAX,
    )
    witnesses = _text(NARRATIVE_MAX)
    house_action = _text(NARRATIVE_MAX)
    patron_informed = _text(NARRATIVE_MAX)
    camera_reference = _text(NAME_MAX)


class EventsOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """The list of events, each with its procedures."""

    events = serializers.ListField(child=serializers.DictField())


class ForeseenWagerOutput(serializers.Serializer[Any]):
    """What becomes of one wager: stays, partly, back, held, settled or undone.

    Of a settled one that is undone, `back_minor` or `collect_minor` is what moves yet: its stake
    less what was handed over.
    """

    seat = serializers.IntegerField()
    wager = serializers.CharField()
    what = serializers.CharField()
    stake_minor = serializers.IntegerField()
    back_minor = serializers.IntegerField()
    held_minor = serializers.IntegerField()
    collect_minor = serializers.IntegerField()


class ForeseenDrawOutput(serializers.Serializer[Any]):
    """What becomes of one draw: its use, and the hand where it has one."""

    draw = serializers.IntegerField()
    face = serializers.CharField()
    use = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)


class ForeseenShoeOutput(serializers.Serializer[Any]):
    """What becomes of the shoe; `listed` rounds are put in question by its void."""

    key = serializers.CharField()
    was = serializers.CharField()
    state = serializers.CharField()
    listed = serializers.IntegerField(allow_null=True)


class ForeseenOutput(serializers.Serializer[Any]):
    """What a case would do as the table stands, and who signs it; its hash is sent with the case.

    Of a count (event 28) `procedure` is the result that the cards say.
    """

    foreseen_hash = serializers.CharField()
    procedure = serializers.CharField()
    signers = serializers.ListField(child=serializers.CharField())
    back_minor = serializers.IntegerField()
    collect_minor = serializers.IntegerField()
    wagers = ForeseenWagerOutput(many=True)
    draws = ForeseenDrawOutput(many=True)
    shoe = ForeseenShoeOutput(allow_null=True)


class SignedOutput(serializers.Serializer[Any]):
    """Who signed, and in which role."""

    name = serializers.CharField()
    role = serializers.CharField()


class IrregularityLineOutput(serializers.Serializer[Any]):
    """One irregularity as the list has it."""

    key = serializers.CharField()
    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    event = serializers.IntegerField()
    procedure = serializers.CharField()
    shoe = serializers.CharField(allow_null=True)
    round = serializers.CharField(allow_null=True)
    stage = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    draws = serializers.ListField(child=serializers.IntegerField())
    seen = serializers.CharField()
    ruling = serializers.CharField()
    chips_moved = serializers.CharField()
    patrons_told = serializers.CharField()
    regulator_told = serializers.CharField()
    happened_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    signed = SignedOutput(many=True)
    signed_hash = serializers.CharField()


class IrregularitiesOutput(serializers.Serializer[Any]):
    """A table's irregularities, the newest first, and the next number."""

    next = serializers.IntegerField()
    irregularities = IrregularityLineOutput(many=True)


class DepartureOutput(serializers.Serializer[Any]):
    """A draw that did not go where the plan had it."""

    draw = serializers.IntegerField()
    use = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)
    nth = serializers.IntegerField(allow_null=True)


class TakenOutOutput(serializers.Serializer[Any]):
    """A wager that was taken out, or a whole hand (`wager` is empty).

    `returned_minor` null: the whole stake. Of a hand `stands` lists what was settled before and
    stands, `reverses` what was settled and is taken back.
    """

    seat = serializers.IntegerField()
    wager = serializers.CharField()
    returned_minor = serializers.IntegerField(allow_null=True)
    stands = serializers.ListField(child=serializers.CharField())
    reverses = serializers.ListField(child=serializers.CharField())


class IrregularityOutput(IrregularityLineOutput):
    """One irregularity with all that it did."""

    details = serializers.DictField()
    departures = DepartureOutput(many=True)
    taken_out = TakenOutOutput(many=True)
    disputes = serializers.ListField(child=serializers.CharField())


class VoidRoundsOutput(serializers.Serializer[Any]):
    """The rounds that a void shoe puts in question, with every wager, and the decisions on them.

    `to_players_minor` and `to_bank_minor` are what was decided and not handed over yet.
    """

    shoe = serializers.CharField()
    rounds = serializers.ListField(child=serializers.DictField())
    to_players_minor = serializers.IntegerField()
    to_bank_minor = serializers.IntegerField()
    decisions = serializers.ListField(child=serializers.DictField())


class DecisionBillOutput(serializers.Serializer[Any]):
    """What a decision costs as it is signed, its hash, the bill of each round, and who signs."""

    bill = serializers.DictField()
    bill_hash = serializers.CharField()
    rounds = serializers.ListField(child=serializers.DictField())
    signers = serializers.ListField(child=serializers.CharField())


class DisputeLineOutput(serializers.Serializer[Any]):
    """A dispute hold as the list has it; `wager` and `outcome` are empty where there is none."""

    key = serializers.CharField()
    number = serializers.IntegerField()
    round = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    wager = serializers.CharField()
    disputed_minor = serializers.IntegerField()
    in_result = serializers.BooleanField()
    state = serializers.CharField()
    outcome = serializers.CharField()
    ruling = serializers.CharField()
    opened_at = serializers.DateTimeField()
    moved_at = serializers.DateTimeField(allow_null=True)
    released_at = serializers.DateTimeField(allow_null=True)
    irregularity = serializers.IntegerField(allow_null=True)


class DisputesOutput(serializers.Serializer[Any]):
    """A table's disputes, the open ones first, and the next number."""

    next = serializers.IntegerField()
    disputes = DisputeLineOutput(many=True)


class DisputeFileOutput(serializers.Serializer[Any]):
    """One revision of a dispute's file; `evidence` is the round frozen as it stood."""

    revision = serializers.IntegerField()
    patron = serializers.CharField()
    contact = serializers.CharField()
    narrative = serializers.CharField()
    staff_involved = serializers.ListField(child=serializers.CharField())
    witnesses = serializers.CharField()
    house_action = serializers.CharField()
    patron_informed = serializers.CharField()
    camera_reference = serializers.CharField()
    evidence = serializers.DictField()
    kept_at = serializers.DateTimeField()


class DisputeOutput(DisputeLineOutput):
    """One dispute with its file in every revision."""

    files = DisputeFileOutput(many=True)
