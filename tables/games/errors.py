"""What the rules refuse as a whole; each carries every fault at once.

Invalid 422
├── RulesetError      options that name no ruleset
├── ProceduresError   procedures that are unknown or contradict each other
├── LimitsError       limits that are unknown or contradict each other
├── StageError        a void at a stage that no round has
└── UnsettledError    cards or decisions from which nothing can be settled yet
"""

from casino.kernel.errors import Invalid


class RulesetError(Invalid):
    """A ruleset is a known game with known options of known values (rules 1E)."""

    code = "ruleset.invalid"
    message = "Expected a known game and options with the values that the rules of play list."


class ProceduresError(Invalid):
    """Procedures are the known ones with known values that do not contradict each other."""

    code = "procedures.invalid"
    message = "Expected procedures with the values that the rules of play list."


class LimitsError(Invalid):
    """Limits are whole minor units, with a minimum that is not above the maximum."""

    code = "limits.invalid"
    message = "Expected limits in whole minor units, minimum not above maximum."


class StageError(Invalid):
    """A round is voided at a stage that a round of play has."""

    code = "void.stage"
    message = "Expected one of the stages {expected}, not {stage}."


class UnsettledError(Invalid):
    """Only a round whose hands are complete and lawful can be settled."""

    code = "round.unsettled"
    message = "Expected complete hands, dealt as the rules say."
