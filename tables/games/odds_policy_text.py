"""Elective draws as people write them: totals such as `0-5`, `0-3,6`, `none`."""

from collections.abc import Sequence

from tables.games.odds_counting import odds_error
from tables.games.odds_elective_draw import DRAW_TO, DrawPolicy, draw_policy

NONE = "none"


def policy_from_text(
    *, seat: str | None, bank: str | None, bank_after_stand: str | None
) -> DrawPolicy | None:
    """Make the policy that was asked for, the default where a side says nothing; None for none.

    Raises OddsError for what are no totals.
    """
    if seat is None and bank is None and bank_after_stand is None:
        return None
    return draw_policy(
        seat=DRAW_TO if seat is None else totals_from_text(seat),
        bank=DRAW_TO if bank is None else totals_from_text(bank),
        bank_after_stand=None if bank_after_stand is None else totals_from_text(bank_after_stand),
    )


def totals_from_text(text: str) -> Sequence[int]:
    """Read totals written as `0-5`, `0-3,6` or `none`. Raises OddsError."""
    totals: list[int] = []
    for part in text.split(",") if text != NONE else ():
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not (_is_total(first) and _is_total(last) and first <= last):
            detail = f"expected totals such as 0-5 or 0-3,6, got {text[:40]!r}"
            raise odds_error(("odds.bad_policy", "policy", detail))
        totals += range(int(first), int(last) + 1)
    return totals


def _is_total(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text.isdigit()
