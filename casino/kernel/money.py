"""Money at the edge: integer minor units in, text out, and back.

One house has one currency. Engine, database and log hold integers only; this is the single place
that knows a decimal point. It must not round: text with too many decimals is refused.
"""

import re
from dataclasses import dataclass

from casino.kernel.errors import Invalid

# The largest integer that every JSON reader keeps exact (RFC 8785, RFC 7493).
MINOR_MAX = 2**53 - 1

_AMOUNT = re.compile(r"(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?", re.ASCII)


class MoneyFormatError(Invalid):
    """An amount is digits with optional grouping commas and at most the currency's decimals."""

    code = "money.format"
    message = "Expected an amount in {currency} with at most {exponent} decimals, not {value!r}."


class MoneyRangeError(Invalid):
    """An amount must stay within 2^53 - 1 minor units, which every JSON reader keeps exact."""

    code = "money.range"
    message = "Expected an amount within {limit} minor units."


@dataclass(frozen=True, slots=True)
class Currency:
    """An ISO 4217 code and the number of decimals of its minor unit (PHP 2, JPY 0)."""

    code: str
    exponent: int

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z]{3}", self.code) or not 0 <= self.exponent <= 4:
            raise ValueError(f"not a currency: {self.code!r} with {self.exponent} decimals")


def format_minor(amount: int, *, currency: Currency, grouping: bool = True) -> str:
    """Write minor units as a decimal amount without the currency's code: 123450 -> "1,234.50"."""
    whole, part = divmod(abs(amount), 10**currency.exponent)
    text = f"{whole:,}" if grouping else str(whole)
    if currency.exponent:
        text += f".{part:0{currency.exponent}d}"
    return f"-{text}" if amount < 0 else text


def format_short(amount: int, *, currency: Currency) -> str:
    """Write minor units as people read them: decimals only where they are not all zero."""
    text = format_minor(amount, currency=currency)
    return text.removesuffix(f".{0:0{currency.exponent}d}")


def parse_minor(text: str, *, currency: Currency) -> int:
    """Read a decimal amount into minor units; the inverse of `format_minor`.

    Raises MoneyFormatError for anything but plain digits, grouping commas and decimals within the
    exponent, MoneyRangeError beyond 2^53 - 1.
    """
    match = _AMOUNT.fullmatch(text.strip())
    decimals = (match.group(3) or "") if match else ""
    if match is None or len(text) > 32 or len(decimals) > currency.exponent:
        raise MoneyFormatError(currency=currency.code, exponent=currency.exponent, value=text[:40])
    digits = match.group(2).replace(",", "") + decimals.ljust(currency.exponent, "0")
    amount = int(digits)
    if amount > MINOR_MAX:
        raise MoneyRangeError(limit=MINOR_MAX)
    return -amount if match.group(1) else amount
