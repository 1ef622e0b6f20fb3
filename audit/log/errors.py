"""What callers of the log can act on."""

from typing import ClassVar

from casino.kernel.errors import Conflict, InvariantError, Missing


class BusyError(Conflict):
    """A lock was not free in time, or the transaction lost every retry: nothing was written."""

    code: ClassVar[str] = "log.busy"
    message: ClassVar[str] = "Somebody else is writing here. Nothing was saved; send it again."


class StreamMissingError(Missing):
    """A stream is named as it was made: a table's is `table/` and the code of the table."""

    code: ClassVar[str] = "stream.missing"
    message: ClassVar[str] = "There is no {stream}. Expected one that exists."


class RegistryError(InvariantError):
    """A table is declared twice, or has a column that the log cannot write or read back."""


class AppendError(InvariantError):
    """A service handed the log what it must not: an unknown column, a head that is not there."""


class OutsideError(InvariantError):
    """What lies outside the database contradicts it: the log was cut, rewritten or restored."""


class KeyMissingError(InvariantError):
    """Checkpoints need a key file and a folder in the settings; the message says which."""


class DayNotOverError(Conflict):
    """A day's log is written when every stream has turned past the day."""

    code = "day.not_over"
    message = "The day {day} is not over in every stream. It is written after the turn."


class LogBehindError(Conflict):
    """The log holds less than what was signed outside: an older backup was restored (R18)."""

    code = "log.behind"
    message = (
        "The log is older than checkpoint {checkpoint}. Nothing is written until an auditor accepts"
        " the restored log."
    )
