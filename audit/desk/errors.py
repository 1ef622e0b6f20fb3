"""What the desk refuses."""

from casino.kernel.errors import Conflict, Forbidden, Missing


class DayMissingError(Missing):
    """A day is named by its date and has at least one run."""

    code = "day.missing"
    message = "There is no reconciliation of {day}."


class DayFileMissingError(Missing):
    """A file of a run is one that its manifest names, or the manifest itself."""

    code = "day.file_missing"
    message = "Run {run} has no file {name}."


class DayFileAlteredError(Conflict):
    """A file is handed out only as it was signed; another one is evidence, where it lies."""

    code = "day.file_altered"
    message = "The file {name} of run {run} is not the one that was signed. Leave it where it is."


class NothingToAcceptError(Conflict):
    """Only a log that is behind its outside checkpoints is accepted as restored."""

    code = "restore.nothing"
    message = "The log holds everything that was signed outside. There is nothing to accept."


class RestoreSignerError(Forbidden):
    """A restored log is accepted by an auditor, in that role."""

    code = "restore.signer"
    message = "An auditor signs this, not a {role}."
