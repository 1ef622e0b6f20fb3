"""Set up the demo house, or bring one of an earlier version up to date; print how to sign on."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from tables.demo_house import (
    NotADemoError,
    build_demo_house,
    enrolment_codes,
    read_demo_house,
)


class Command(BaseCommand):
    """`manage.py demo`: for looking around; never for a house that is in use."""

    help = "Set up the demo house, or bring it up to date, and print how to sign on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="Set up only; print no sign-ins.")

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        # Whole or not at all: half a house would never be finished.
        try:
            with transaction.atomic():
                for done in build_demo_house(now=timezone.now()):
                    self.stdout.write(f"demo house: {done}")
        except NotADemoError as error:
            raise CommandError(str(error)) from error
        if options["quiet"]:
            return
        house = read_demo_house()
        self.stdout.write("")
        self.stdout.write(f"{'role':14}{'badge':8}{'PIN':10}{'password':20}name")
        for person in house.sign_ins:
            pin = person.pin if person.role != "administrator" else "-"
            self.stdout.write(
                f"{person.role:14}{person.badge:8}{pin:10}{person.password:20}{person.name}"
            )
        self.stdout.write("")
        self.stdout.write("Tablets: open /enrol/ in a browser and enter the table's code.")
        for table, code in enrolment_codes(now=timezone.now()).items():
            self.stdout.write(f"  {table}  {code}")
