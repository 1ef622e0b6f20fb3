"""The one way by which rules become facts: their content under its hash, and that they stand.

Who may publish is the caller's business: two managers' approvals (`rule_life`), or the set-up of a
house (`house`). A hash that is known keeps its row; only its standing gets a revision.
"""

from datetime import date

from audit.log.rows import Ref, Row
from tables.models import Limits, Procedures, RuleKind, Ruleset, RuleStanding
from tables.selectors.rule_content import RuleContent

MODELS: dict[str, type[Ruleset | Procedures | Limits]] = {
    RuleKind.RULESET: Ruleset,
    RuleKind.PROCEDURES: Procedures,
    RuleKind.LIMITS: Limits,
}


def stored_rules(content: RuleContent) -> Ref | None:
    """Return the row that a hash names, if it was ever published."""
    model = MODELS[content.kind]
    pk = model.objects.filter(hash=content.hash).values_list("pk", flat=True).first()
    return None if pk is None else Ref(pk, content.hash)


def publication_rows(
    content: RuleContent, *, name: str, draft: Ref | None, effective_day: date | None
) -> list[Row]:
    """Return the facts of a publication: the content first, unless its hash is known already.

    The caller holds the lock of the stream `rulesets`.
    """
    last = (
        RuleStanding.objects.filter(hash=content.hash)
        .order_by("-revision")
        .values_list("revision", flat=True)
        .first()
    )
    standing = {
        "hash": content.hash,
        "kind": content.kind,
        "revision": (last or 0) + 1,
        "state": RuleStanding.State.PUBLISHED.value,
        "effective_day": effective_day,
        "draft": draft,
    }
    rows = [Row(RuleStanding, standing)]
    if stored_rules(content) is None:
        values: dict[str, object] = {
            "hash": content.hash,
            "game": content.game,
            "options": dict(content.options),
        }
        if content.kind == RuleKind.RULESET:
            values["name"] = name
        rows.insert(0, Row(MODELS[content.kind], values))
    return rows
