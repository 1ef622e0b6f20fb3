import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import DomainError
from casino.kernel.money import MINOR_MAX, Currency, format_minor, format_short, parse_minor

PESO = Currency("PHP", 2)
YEN = Currency("JPY", 0)


@pytest.mark.parametrize(
    ("minor", "text"),
    [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123450, "1,234.50"), (-100000000, "-1,000,000.00")],
)
def test_format(minor: int, text: str) -> None:
    assert format_minor(minor, currency=PESO) == text


@pytest.mark.parametrize(
    ("minor", "text"),
    [(0, "0"), (-50_000, "-500"), (123_450, "1,234.50"), (123_400, "1,234"), (5, "0.05")],
)
def test_people_read_decimals_only_where_there_are_some(minor: int, text: str) -> None:
    assert format_short(minor, currency=PESO) == text
    assert format_short(1000, currency=YEN) == "1,000"


def test_format_without_decimals_or_grouping() -> None:
    assert format_minor(1234567, currency=YEN) == "1,234,567"
    assert format_minor(1234567, currency=YEN, grouping=False) == "1234567"


@pytest.mark.parametrize(
    "text", ["", ".", "1.234", "1,23", "1e4", "١", "+1", "1.", "NaN", "9" * 40]
)
def test_refused_text(text: str) -> None:
    with pytest.raises(DomainError) as caught:
        parse_minor(text, currency=PESO)
    assert caught.value.code == "money.format"


def test_a_decimal_is_refused_where_the_currency_has_none() -> None:
    with pytest.raises(DomainError, match=r"money\.format"):
        parse_minor("1.0", currency=YEN)


def test_range() -> None:
    assert parse_minor("90,071,992,547,409.91", currency=PESO) == MINOR_MAX
    with pytest.raises(DomainError, match=r"money\.range"):
        parse_minor("90071992547409.92", currency=PESO)


@given(
    st.integers(-MINOR_MAX, MINOR_MAX),
    st.integers(0, 4).map(lambda exponent: Currency("XAF", exponent)),
    st.booleans(),
)
def test_round_trip(minor: int, currency: Currency, grouping: bool) -> None:
    text = format_minor(minor, currency=currency, grouping=grouping)
    assert parse_minor(text, currency=currency) == minor


@pytest.mark.parametrize(("code", "exponent"), [("php", 2), ("PHPX", 2), ("PHP", -1), ("PHP", 5)])
def test_not_a_currency(code: str, exponent: int) -> None:
    with pytest.raises(ValueError, match="not a currency"):
        Currency(code, exponent)
