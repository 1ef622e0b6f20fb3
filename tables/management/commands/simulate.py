"""Deal whole shoes through the public API of a running site, with a progress line."""

import random
import sys
import time
from argparse import ArgumentParser
from http.client import HTTPException
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.demo_house import SIMULATED, read_demo_house
from tables.simulation import ApiClient, ApiProblemError, SimulatedTable, deal_shoe

_CUT_CARD_DEPTH = 52


class Command(BaseCommand):
    """`manage.py simulate`: real rounds at the demo's simulated table, over HTTP."""

    help = "Deal whole shoes through the public API of a running demo site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", default="http://127.0.0.1:8000")
        parser.add_argument("--shoes", type=int, default=1)
        parser.add_argument("--seed", type=int, default=None, help="The same seed, the same shoe.")
        parser.add_argument(
            "--first-only", action="store_true", help="Only when no shoe was dealt there yet."
        )

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own types
        try:
            table = self._table(options["url"], seed=options["seed"])
            if options["first_only"] and self._dealt_before(table):
                return
            for _ in range(options["shoes"]):
                self._deal(table)
        except (OSError, HTTPException, ApiProblemError) as error:
            raise CommandError(f"{options['url']} did not answer as expected: {error}") from error

    def _table(self, url: str, *, seed: int | None) -> SimulatedTable:
        house = read_demo_house()
        # The last of each role: the first ones are for whoever looks around.
        dealers = [person for person in house.sign_ins if person.role == "dealer"]
        supervisors = [person for person in house.sign_ins if person.role == "supervisor"]
        table = SimulatedTable(
            code=SIMULATED,
            dealer=ApiClient(url, device_token=house.tablet_token),
            supervisor=ApiClient(url),
            dealer_sign_in=dealers[-1],
            supervisor_sign_in=supervisors[-1],
            random=random.Random(seed),
        )
        dealer, supervisor = table.dealer_sign_in, table.supervisor_sign_in
        table.dealer.sign_on(badge=dealer.badge, secret=dealer.pin, role="dealer")
        table.supervisor.sign_on(
            badge=supervisor.badge, secret=supervisor.password, role="supervisor"
        )
        return table

    def _dealt_before(self, table: SimulatedTable) -> bool:
        return bool(table.view()["session"])

    def _deal(self, table: SimulatedTable) -> None:
        started, cards = time.monotonic(), 0
        for rounds, view in enumerate(deal_shoe(table, cut_card_depth=_CUT_CARD_DEPTH), start=1):
            cards = view["shoe"]["cards_out"]
            seconds = time.monotonic() - started
            line = f"{table.code}: round {rounds}, {cards} of 416 cards, {seconds:.0f} s"
            self.stdout.write(f"\r{line:60}", ending="")
            self.stdout.flush()
        self.stdout.write(f"\r{table.code}: {rounds} rounds, {cards} cards, shoe ended{'':20}")
        sys.stdout.flush()
