"""What can be refused in the life of rules: one class per reason that a caller can act on.

Missing    RuleDraftMissing, RulesMissing
Invalid    RulesFaulty, RuleKind, DraftFilter, RuleNameRefused, EffectiveDayRefused,
           RuleReasonMissing, TermsRefused
Forbidden  RulesSetUpOnly, ApproverDrafted, ApprovalSigners
Conflict   rules.* that depend on the state
"""

from casino.kernel.errors import Conflict, Forbidden, Invalid, Missing


class RuleDraftMissingError(Missing):
    """A draft is named by its number."""

    code = "rules.no_draft"
    message = "There is no draft {number}."


class RulesMissingError(Missing):
    """Published rules are named by their hash."""

    code = "rules.missing"
    message = "No published rules have the hash {hash}."


class RulesFaultyError(Invalid):
    """Only rules without a fault go on: nothing unknown, missing or contradictory."""

    code = "rules.faulty"
    message = "These rules have {count} faults. Mend them before anybody approves."


class RuleKindError(Invalid):
    """Rules are a ruleset, procedures or limits of a known game."""

    code = "rules.kind"
    message = "Expected a kind of {kinds} and a game of {games}."


class DraftFilterError(Invalid):
    """A list of drafts is narrowed by a state that drafts have."""

    code = "rules.draft_filter"
    message = "Expected a state of {states}."


class RuleNameRefusedError(Invalid):
    """Rules have a name by which people know them."""

    code = "rules.name"
    message = "Expected a name of 1 to {characters_max} characters."


class EffectiveDayRefusedError(Invalid):
    """Nothing takes effect in the past: what was dealt stays as it was."""

    code = "rules.effective_day"
    message = "Expected a gaming day from {today} on."


class RuleReasonMissingError(Invalid):
    """Control 7.7: who changes what is in force says why."""

    code = "rules.reason"
    message = "Say why, in 1 to {characters_max} characters."


class RulesSetUpOnlyError(Forbidden):
    """Rules are published without approvals only while a house is set up, never by a person."""

    code = "rules.set_up_only"
    message = "Rules are drafted, approved by two managers and then published."


class DraftStateError(Conflict):
    """The draft is in another state than this act needs."""

    code = "rules.draft_state"
    message = "Draft {number} is {state}; expected {expected}."


class DraftChangedError(Conflict):
    """Whoever acts on a draft acts on the version that was read."""

    code = "rules.draft_changed"
    message = "Draft {number} is at version {version} by now. Read it again."


class ApproverDraftedError(Forbidden):
    """Who wrote any of a draft does not approve it (control 5.1)."""

    code = "rules.approver_drafted"
    message = "{name} drafted {number}. Two other managers approve it."


class ApprovedAlreadyError(Conflict):
    """Two approvals are two different people."""

    code = "rules.approved_already"
    message = "{name} has approved {number}. Another manager is needed."


class ApprovalSignersError(Forbidden):
    """Managers approve, one or two at a time."""

    code = "rules.approval_signers"
    message = "Expected the signatures of 1 to {needed} managers."


class RulesPublishedError(Conflict):
    """The same content has the same hash: it is published once and stands until it is retired."""

    code = "rules.published"
    message = "Exactly these {kind} are published already, as {hash}."


class RulesNotPublishedError(Conflict):
    """Only what is published can be retired."""

    code = "rules.not_published"
    message = "{hash} is {state}; expected published."


class RulesInForceError(Conflict):
    """Limits apply from round to round: a table is given other limits first."""

    code = "rules.in_force"
    message = "These limits are in force at {tables}. Give those tables other limits first."


class RulesRetiredError(Conflict):
    """No shoe starts under retired rules."""

    code = "rules.retired"
    message = "Table {table} would deal under retired {kind}. A manager sets its terms first."


class TermsRefusedError(Invalid):
    """A table's terms are published rules that fit each other and the shoe in use."""

    code = "terms.refused"
    message = "Table {table} cannot deal under these terms: {count} faults."


class TermsChangedError(Conflict):
    """Whoever sets a table's terms sets them on those that were read: nobody's change is undone."""

    code = "terms.changed"
    message = "The terms of table {table} are at revision {revision} by now. Look at what changes."


class TermsSameError(Conflict):
    """Terms that change nothing are not set again."""

    code = "terms.same"
    message = "Table {table} deals under exactly these terms."
