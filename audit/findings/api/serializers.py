"""What the API of findings takes and gives."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from audit.findings.kinds import Severity
from audit.findings.models import Finding
from audit.findings.services import TEXT_MAX
from casino.api.fields import StrictIntegerField, StrictTextField
from casino.api.serializers import StrictSerializer

# "Any" here is the type of validated data that DRF itself declares.


class NoteInput(StrictSerializer):
    """A note: its number, which is the next of the finding, and what it says."""

    n = StrictIntegerField(min_value=1, help_text=str(_("The finding's `next_note`.")))
    text = StrictTextField(max_length=TEXT_MAX)


class NoteOutput(serializers.Serializer[Any]):
    """What someone said, and the state of the finding afterwards."""

    n = serializers.IntegerField()
    at = serializers.CharField()
    author_number = serializers.CharField()
    author_name = serializers.CharField()
    author_role = serializers.CharField()
    text = serializers.CharField()
    state_after = serializers.CharField()


class FindingLineOutput(serializers.Serializer[Any]):
    """One finding in a list."""

    number = serializers.CharField()
    kind = serializers.CharField()
    sentence = serializers.CharField()
    severity = serializers.ChoiceField(choices=Severity.choices)
    state = serializers.ChoiceField(choices=Finding.State.choices)
    subject_kind = serializers.CharField()
    subject_key = serializers.CharField()
    table = serializers.CharField(help_text=str(_("Empty where it concerns no table.")))
    raised_by = serializers.CharField()
    raised_at = serializers.CharField()
    due_at = serializers.CharField(allow_null=True)
    owner = serializers.CharField(allow_null=True)
    next_note = serializers.IntegerField()


class FindingPage(serializers.Serializer[Any]):
    """Some findings; `next` is the value of `after` for those that follow."""

    items = FindingLineOutput(many=True)
    next = serializers.CharField(allow_null=True)


class FindingOutput(FindingLineOutput):
    """One finding with its detail and its whole life."""

    detail = serializers.DictField()
    notes = NoteOutput(many=True)


class NoteReceiptOutput(serializers.Serializer[Any]):
    """The entry that holds a note: where it lies in the log, and its hash."""

    stream = serializers.CharField()
    seq = serializers.IntegerField()
    hash = serializers.CharField()
    at = serializers.CharField()


class FindingStepOutput(serializers.Serializer[Any]):
    """The finding as it stands after a step, and the receipt of the note."""

    finding = FindingLineOutput()
    receipt = NoteReceiptOutput()
