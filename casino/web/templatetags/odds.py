"""Odds as people say them: 10 to 1, 0.95 to 1."""

from collections.abc import Sequence
from fractions import Fraction

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def odds(pair: Sequence[int] | None) -> str:
    """Return a price: [10, 1] -> 10 to 1, [95, 100] -> 0.95 to 1, [2, 3] -> 2 to 3.

    The numbers are winnings on top of the stake (A22). No price gives an empty text.
    """
    if pair is None:
        return ""
    numerator, denominator = pair
    decimals = _decimals(Fraction(numerator, denominator))
    if decimals is None:
        return _("%(a)s to %(b)s") % {"a": numerator, "b": denominator}
    return _("%(a)s to 1") % {"a": decimals}


def _decimals(value: Fraction) -> str | None:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return None
    return format(value.numerator / value.denominator, ".10f").rstrip("0").rstrip(".")
