"""The kinds of finding that the reconciliation of a day raises, beside those of the round check."""

from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import FindingKind, Severity, register_kind

# Not wrong, but not done: chased on the pit board until two people have keyed each sheet.
WAITS_FOR_SHEETS = ("day.round_awaited", "day.shoe_awaits")
_KINDS = (
    FindingKind(
        code="day.log_broken",
        name=_("Log does not hold"),
        sentence=_("The log does not hold at {where}: {detail}"),
        severity=Severity.ALARM,
    ),
    FindingKind(
        code="day.unreadable",
        name=_("Check could not read"),
        sentence=_("The check of {where} could not read what it needs: {detail}"),
        severity=Severity.ALARM,
    ),
    FindingKind(
        code="day.number_gap",
        name=_("Number missing"),
        sentence=_("A number is missing at {where}: {detail}"),
        severity=Severity.ALARM,
    ),
    FindingKind(
        code="day.round_awaited",
        name=_("Round awaited"),
        sentence=_("Round {where} is still awaited. {detail}"),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="day.shoe_awaits",
        name=_("Shoe waits for sheets"),
        sentence=_("Shoe {where} waits for sheets: {detail}"),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="day.round_open",
        name=_("Round left in play"),
        sentence=_("Round {where} was left in play: {detail}"),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="day.session_overrun",
        name=_("Session overrun"),
        sentence=_("Session {where} is still open after the turn of the day."),
        severity=Severity.NOTICE,
    ),
    FindingKind(
        code="day.session_sums",
        name=_("Sums of a session differ"),
        sentence=_("The sums of session {where} are not those of its settlements: {detail}"),
        severity=Severity.ALARM,
    ),
    FindingKind(
        code="day.tray_differs",
        name=_("Tray differs from the closer"),
        sentence=_("The closer of session {where} is not the tray as handed over: {detail}"),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="day.shoe_open",
        name=_("Shoe does not close, found by the day"),
        sentence=_("Shoe {where} does not close: {detail}"),
        severity=Severity.ALARM,
    ),
    FindingKind(
        code="day.shoe_composition",
        name=_("More copies than the decks hold, found by the day"),
        sentence=_("Shoe {where} showed more copies than its decks hold: {detail}"),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="day.engines_disagree",
        name=_("Engines disagree, found by the day"),
        sentence=_("The second engine does not agree with {where}: {detail}"),
        severity=Severity.ALARM,
    ),
)


def register_findings() -> None:
    """Make the kinds known; called once when the app is made ready."""
    for kind in _KINDS:
        register_kind(kind)
