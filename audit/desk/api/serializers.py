"""The shape of the desk's answers."""

from typing import Any

from rest_framework import serializers


class RunOutput(serializers.Serializer[Any]):  # Any: documents, not instances
    """One reconciliation of a day.

    Of its `problems` so many, `waiting`, only wait for sheets; `given_up` counts the parts of a
    running one that failed five times and wait for a person.
    """

    key = serializers.CharField()
    day = serializers.DateField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    chunks = serializers.IntegerField()
    chunks_done = serializers.IntegerField()
    problems = serializers.IntegerField()
    waiting = serializers.IntegerField()
    given_up = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    started_by = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    manifest_sha256 = serializers.CharField()


class DaysOutput(serializers.Serializer[Any]):
    """The newest run of each day; `next` is the value of `after` for the days before these."""

    days = RunOutput(many=True)
    next = serializers.CharField(allow_null=True)


class DayFileOutput(serializers.Serializer[Any]):
    """A file as the manifest states it."""

    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class DayOutput(serializers.Serializer[Any]):
    """A day: run, totals in minor units, problems and files.

    `altered` names files that are missing, or not as they were signed.
    """

    run = RunOutput()
    totals = serializers.DictField()
    problems = serializers.ListField(child=serializers.DictField())
    files = DayFileOutput(many=True)
    altered = serializers.ListField(child=serializers.CharField())
