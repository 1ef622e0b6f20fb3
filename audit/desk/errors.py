"""What the desk refuses."""

from casino.kernel.errors import Missing


class DayMissingError(Missing):
    """A day is named by its date and has at least one run."""

    code = "day.missing"
    message = "There is no reconciliation of {day}."


class DayFileMissingError(Missing):
    """A file of a run is one that its manifest names, or the manifest itself."""

    code = "day.file_missing"
    message = "Run {run} has no file {name}."
