"""The house's settings in force, and the gaming day that follows from them."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache

from django.conf import settings

from audit.log.report import Problem
from casino.kernel.clock import gaming_day, gaming_day_start
from casino.kernel.money import Currency
from tables.house_errors import HouseSettingsMissingError
from tables.models import HouseSettings, Pit, Table


def house_settings(*, at: datetime) -> HouseSettings:
    """Return the settings in force at an instant. Raises HouseSettingsMissingError."""
    found = (
        HouseSettings.objects.filter(effective_at__lte=at)
        .order_by("-effective_at", "-revision")
        .first()
    )
    if found is None:
        raise HouseSettingsMissingError
    return found


def gaming_day_at(moment: datetime) -> date:
    """Return the gaming day that begins at the house's cut-over hour, in its zone."""
    house = house_settings(at=moment)
    return gaming_day(moment, cut_over_hour=house.cut_over_hour, zone=house.zone)


def gaming_day_span(day: date, *, now: datetime) -> tuple[datetime, datetime]:
    """Return the first instant of a gaming day and that of the next, by the settings of today.

    What belongs to a day for ever has the day stored; this is for looking things up by time.
    """
    house = house_settings(at=now)
    begins, ends = (
        gaming_day_start(each, cut_over_hour=house.cut_over_hour, zone=house.zone)
        for each in (day, day + timedelta(days=1))
    )
    return begins, ends


@cache
def house_currency() -> Currency:
    """Return the one currency of the house, with its exponent; it never changes (design 6).

    Raises HouseSettingsMissingError.
    """
    first = HouseSettings.objects.order_by("revision").first()
    if first is None:
        raise HouseSettingsMissingError
    return Currency(code=first.currency_code, exponent=first.currency_exponent)


def latest_settings() -> HouseSettings | None:
    """Return what was stated last of the house, in force or not yet."""
    return HouseSettings.objects.order_by("-revision").first()


def other_house() -> Iterator[Problem]:
    """Yield where the environment names another house than the log does.

    Pages and typed amounts follow the environment, the tablet and the manifests the log: with two
    currencies one of them would be wrong. Nothing is yielded of a house that is not set up yet.
    """
    latest = latest_settings()
    if latest is None:
        return
    currency: Currency = settings.HOUSE_CURRENCY
    for name, stated, kept, what in (
        ("CURRENCY", currency.code, latest.currency_code, "set it so"),
        ("CURRENCY_EXPONENT", currency.exponent, latest.currency_exponent, "set it so"),
        ("HOUSE_NAME", settings.HOUSE_NAME, latest.name, "set it so, or run set_house"),
    ):
        if stated != kept:
            yield Problem(
                "house.other", name, f"is {stated}, expected {kept} as in the log: {what}"
            )


def pit_codes() -> set[str]:
    """Return the codes of the house's pits."""
    return set(Pit.objects.values_list("code", flat=True))


def table_codes() -> set[str]:
    """Return the codes of the house's tables."""
    return set(Table.objects.values_list("code", flat=True))


def first_pit() -> Pit | None:
    """Return the first pit by code, or None in a house without pits."""
    return Pit.objects.order_by("code").first()


def find_pit(code: str) -> Pit | None:
    """Return a pit, or None."""
    return Pit.objects.filter(code=code).first()


def find_table(code: str) -> Table | None:
    """Return a table with its pit, or None."""
    return Table.objects.select_related("pit").filter(code=code).first()
