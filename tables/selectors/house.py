"""The house's settings in force, and the gaming day that follows from them."""

from datetime import date, datetime
from functools import cache

from casino.kernel.clock import gaming_day
from casino.kernel.money import Currency
from tables.errors import HouseSettingsMissingError
from tables.models import HouseSettings


def house_settings(*, at: datetime) -> HouseSettings:
    """Return the settings in force at an instant. Raises HouseSettingsMissingError."""
    settings = (
        HouseSettings.objects.filter(effective_at__lte=at)
        .order_by("-effective_at", "-revision")
        .first()
    )
    if settings is None:
        raise HouseSettingsMissingError
    return settings


def gaming_day_at(moment: datetime) -> date:
    """Return the gaming day that begins at the house's cut-over hour, in its zone."""
    settings = house_settings(at=moment)
    return gaming_day(moment, cut_over_hour=settings.cut_over_hour, zone=settings.zone)


@cache
def house_currency() -> Currency:
    """Return the one currency of the house, with its exponent; it never changes (design 6).

    Raises HouseSettingsMissingError.
    """
    first = HouseSettings.objects.order_by("revision").first()
    if first is None:
        raise HouseSettingsMissingError
    return Currency(code=first.currency_code, exponent=first.currency_exponent)
