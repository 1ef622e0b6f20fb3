"""`manage.py set_house`: state the house's zone, cut-over hour and chips; name and currency are of
the environment.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.utils import timezone

from audit.log.rows import Actor
from casino.kernel.money import format_minor, parse_minor
from tables.management.administering import AdministratorCommand
from tables.selectors.house import latest_settings
from tables.services.house import set_house


class Command(AdministratorCommand):
    """States the settings of the house from now on, unless they stand already."""

    help = "State the house's settings from now on: name and currency as in the environment."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take `--zone`, `--cut-over-hour` and `--chips`."""
        super().add_arguments(parser)
        parser.add_argument("--zone", required=True, help="time zone: Asia/Manila")
        parser.add_argument(
            "--cut-over-hour", required=True, type=int, help="hour at which a gaming day begins"
        )
        parser.add_argument(
            "--chips", required=True, nargs="+", help="values of the chips: 5 20 100 500.00"
        )

    def act(self, by: Actor, options: dict[str, Any]) -> str:
        """State the settings."""
        currency = settings.HOUSE_CURRENCY
        chips = [parse_minor(text, currency=currency) for text in options["chips"]]
        wanted = {
            "name": settings.HOUSE_NAME,
            "currency_code": currency.code,
            "currency_exponent": currency.exponent,
            "zone": options["zone"],
            "cut_over_hour": options["cut_over_hour"],
            "denominations": sorted(chips, reverse=True),
        }
        latest = latest_settings()
        stands = latest is not None and all(
            getattr(latest, name) == value for name, value in wanted.items()
        )
        if not stands:
            set_house(**wanted, effective_at=timezone.now(), by=by)
        values = ", ".join(
            format_minor(chip, currency=currency) for chip in wanted["denominations"]
        )
        return (
            f"{wanted['name']}: days begin at {wanted['cut_over_hour']:02d}:00, {wanted['zone']};"
            f" chips of {values} {currency.code}{' (as before)' if stands else ''}."
        )
