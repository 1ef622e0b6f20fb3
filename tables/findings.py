"""The kinds of finding that the floor raises."""

from django.utils.translation import gettext_lazy as _

from audit.findings.kinds import FindingKind, Severity, register_kind


def register_findings() -> None:
    """Make the floor's kinds known; called once when the app is made ready."""
    register_kind(
        FindingKind(
            code="shoe.one_card_too_many",
            name=_("One card too many"),
            sentence=_("{face} was confirmed as seen: copy {copies} of {copies_max} in the shoe."),
            severity=Severity.WARNING,
        )
    )
    register_kind(
        FindingKind(
            code="shoe.count_open",
            name=_("Count of a shoe does not close"),
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
            name=_("More copies than the decks hold"),
            sentence=_("Shoe {subject_key} showed more copies than the decks hold: {over}."),
            severity=Severity.WARNING,
        )
    )
    register_kind(
        FindingKind(
            code="sheet.copies_differ",
            name=_("Held copy and paper differ"),
            sentence=_(
                "The copy of round {subject_key} that a tablet held and the one on paper differ: "
                "{cells}."
            ),
            severity=Severity.WARNING,
        )
    )
    register_kind(
        FindingKind(
            code="sheet.outside_limits",
            name=_("Wagers outside the limits on paper"),
            sentence=_(
                "Round {subject_key} came in from paper with {count} wagers that the table does "
                "not take."
            ),
            severity=Severity.WARNING,
        )
    )
    register_kind(
        FindingKind(
            code="sheet.house_policy",
            name=_("Bank against the house's draw on paper"),
            sentence=_(
                "In round {subject_key}, which came in from paper, the House's decision was"
                " {decided} where its written rule says {expected}."
            ),
            severity=Severity.WARNING,
        )
    )
    for kind in _OF_IRREGULARITIES:
        register_kind(kind)


_OF_IRREGULARITIES = (
    FindingKind(
        code="card.to_inspect",
        name=_("Card to be inspected"),
        sentence=_("A dropped card of round {subject_key} is to be inspected ({irregularity})."),
        severity=Severity.NOTICE,
    ),
    FindingKind(
        code="card.not_taken",
        name=_("Card that no round took"),
        sentence=_(
            "Draw {draw} of round {subject_key} was to be the first card of the next round, but"
            " {called_off} was called off by its sheet after {dealt} had been dealt without it."
        ),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="shoe.uncounted",
        name=_("Shoe left its table uncounted"),
        sentence=_("Shoe {subject_key} was set aside or void, and its stub is not counted."),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="shoe.unverified",
        name=_("Cards of a void shoe not verified"),
        sentence=_("Shoe {subject_key} is void, and its cards are not verified by rank and suit."),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="shoe.record_error",
        name=_("Record of a shoe is wrong"),
        sentence=_(
            "Shoe {subject_key} is whole, but its record is not: {over_in_record} ({irregularity})."
        ),
        severity=Severity.WARNING,
    ),
    FindingKind(
        code="shoe.composition_error",
        name=_("Shoe is not whole"),
        sentence=_(
            "Shoe {subject_key} is not whole: missing {missing}, too many {extra} ({irregularity})."
        ),
        severity=Severity.ALARM,
    ),
)
