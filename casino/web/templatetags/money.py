"""Money on pages: minor units in, digits out; the currency stands once per column, not here.

Centavos are shown only where they are not zero. Unknown is never zero: None gives a dash.
"""

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.kernel.money import format_minor

register = template.Library()

MINUS = "\u2212"


def split_amount(amount: int) -> tuple[str, str]:
    """Return the whole part with separators, and the decimals with their point if not zero."""
    currency = settings.HOUSE_CURRENCY
    whole, _point, decimals = format_minor(abs(amount), currency=currency).partition(".")
    return whole, f".{decimals}" if decimals.strip("0") else ""


@register.filter
def money_text(amount: int | None) -> str:
    """Return an amount as plain text: 950050 -> 9,500.50; a loss carries a minus sign."""
    if amount is None:
        return _("not known")
    whole, decimals = split_amount(amount)
    return f"{MINUS if amount < 0 else ''}{whole}{decimals}"


@register.filter
def money(amount: int | None) -> SafeString:
    """Return an amount for reading; in a column all keep room for centavos if any has them."""
    return _amount(amount, sign=MINUS if amount is not None and amount < 0 else "")


@register.filter
def money_signed(amount: int | None) -> SafeString:
    """Return an amount with its sign, as a difference or a movement is written."""
    return _amount(amount, sign=_sign(amount))


@register.filter
def result(amount: int | None) -> SafeString:
    """Return what the bank gained or lost: sign and colour say which."""
    tone = "" if not amount else "gain" if amount > 0 else "loss"
    return _amount(amount, sign=_sign(amount), tone=tone)


@register.simple_tag
def currency_code() -> str:
    """Return the house's currency, for the head of a column."""
    return str(settings.HOUSE_CURRENCY.code)


def _sign(amount: int | None) -> str:
    if not amount:
        return ""
    return "+" if amount > 0 else MINUS


def _amount(amount: int | None, *, sign: str, tone: str = "") -> SafeString:
    if amount is None:
        return format_html(
            '<span class="unknown"><span aria-hidden="true">–</span>'
            '<span class="out-of-sight">{}</span></span>',
            _("not known"),
        )
    whole, decimals = split_amount(amount)
    cents = _cents(decimals)
    css_class = f"money {tone}".strip()
    return format_html('<span class="{}">{}{}{}</span>', css_class, sign, whole, cents)


def _cents(decimals: str) -> SafeString:
    if decimals:
        return format_html('<span class="cents">{}</span>', decimals)
    exponent = settings.HOUSE_CURRENCY.exponent
    if not exponent:
        return SafeString("")
    return format_html('<span class="cents-room" aria-hidden="true">.{}</span>', "0" * exponent)
