"""The kinds of finding that the floor raises."""

from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import FindingKind, Severity, register_kind


def register_findings() -> None:
    """Make the floor's kinds known; called once when the app is made ready."""
    register_kind(
        FindingKind(
            code="shoe.one_card_too_many",
            sentence=_("{face} was confirmed as seen: copy {copies} of {copies_max} in the shoe."),
            severity=Severity.WARNING,
        )
    )
    register_kind(
        FindingKind(
            code="shoe.count_open",
            sentence=_(
                "Shoe {subject_key} does not close: {dealt} dealt, {burned} burned and {stub} in"
                " the stub are not {loaded}."
            ),
            severity=Severity.ALARM,
        )
    )
    register_kind(
        FindingKind(
            code="shoe.composition_over",
            sentence=_("Shoe {subject_key} showed more copies than the decks hold: {over}."),
            severity=Severity.WARNING,
        )
    )
