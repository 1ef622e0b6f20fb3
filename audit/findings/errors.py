"""What can be refused about a finding.

DomainError
├── Missing    finding.unknown
├── Invalid    finding.text_missing
├── Forbidden  finding.own_answer
└── Conflict   finding.state, finding.note_differs, finding.note_number
"""

from django.utils.translation import gettext_noop as _

from casino.kernel.errors import Conflict, Forbidden, Invalid, Missing


class FindingUnknownError(Missing):
    """Findings are named by their number, F-1 and so on, and stay for ever."""

    code = "finding.unknown"
    message = _("There is no finding {number}.")


class FindingTextMissingError(Invalid):
    """Every step in the life of a finding says why: there is no silent tick (control 8.5)."""

    code = "finding.text_missing"
    message = _("Expected a text that says why.")


class FindingOwnAnswerError(Forbidden):
    """Who answered a finding cannot accept or close it, in whatever role (control 8.5)."""

    code = "finding.own_answer"
    message = _("You answered {number} yourself. Another auditor must decide on it.")


class FindingStateError(Conflict):
    """Steps go in order: open, answered, accepted, closed. None is skipped or repeated."""

    code = "finding.state"
    message = _("{number} is {state}. Expected: {expected}.")


class FindingNoteDiffersError(Conflict):
    """A note's number names one note for ever; other content at it is a conflict."""

    code = "finding.note_differs"
    message = _("Note {n} of {number} already says something else. Read the finding again.")


class FindingNoteNumberError(Conflict):
    """Notes are numbered without gaps, and the next one is the only one that can be written."""

    code = "finding.note_number"
    message = _("The next note of {number} is {expected}, not {n}.")


class FindingFilterError(Invalid):
    """A list is narrowed by known words only, so that a mistyped filter never hides a finding."""

    code = "finding.filter"
    message = _("Expected {name} to be one of: {expected}.")
