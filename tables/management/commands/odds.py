"""`manage.py odds`: the exact odds of a ruleset, as a table for people or as JSON.

Pure computation: it needs no database, broker or secret, and must store nothing. Exit status 0 when
the odds were printed, 1 when what was asked for does not exist (every fault on standard error).
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand

from casino.kernel.errors import DomainError
from casino.kernel.jsonio import loads
from tables.games.odds import (
    best_bank_policy,
    best_policies,
    best_seat_policy,
    round_odds,
    seat_covariance,
)
from tables.games.odds_best_draw import BestDraws
from tables.games.odds_counting import odds_error
from tables.games.odds_document import (
    bank_result_document,
    best_draws_document,
    covariance_document,
    odds_document,
    solution_document,
)
from tables.games.odds_draw_solution import DrawSolution
from tables.games.odds_elective_draw import DrawPolicy
from tables.games.odds_policy_text import policy_from_text
from tables.games.odds_results import RoundOdds
from tables.games.odds_rounds import (
    ROUNDS_MAX,
    HouseResult,
    result_over_rounds,
    rounds_document,
)
from tables.games.odds_stakes import BankResult, SeatCovariance, bank_result
from tables.games.odds_table import (
    bank_lines,
    best_lines,
    covariance_lines,
    odds_lines,
    rounds_lines,
    solution_lines,
)
from tables.games.registry import GAMES, game_of
from tables.games.rulesets import load_ruleset
from tables.games.values import Ruleset


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that was asked for; what was not is None or empty."""

    odds: RoundOdds
    bank: BankResult | None
    over_rounds: HouseResult | None
    between: Mapping[tuple[str, str], Fraction] | None
    best: Mapping[str, BestDraws]
    solved: Mapping[str, DrawSolution]

    def document(self) -> dict[str, object]:
        """Write the answer as one JSON value."""
        document = odds_document(self.odds)
        if self.bank is not None:
            document["bank_result"] = bank_result_document(self.bank)
        if self.over_rounds is not None:
            document["over_rounds"] = rounds_document(self.over_rounds)
        if self.between is not None:
            document["between_seats"] = covariance_document(self.between)
        if self.best:
            best = {name: best_draws_document(one) for name, one in self.best.items()}
            solved = {name: solution_document(one) for name, one in self.solved.items()}
            document["best_draws"] = best
            document["neither_can_better"] = solved
        return document

    def lines(self) -> Iterator[str]:
        """Write the answer as lines for people."""
        yield from odds_lines(self.odds)
        if self.bank is not None:
            yield ""
            yield from bank_lines(self.bank)
        if self.over_rounds is not None:
            yield ""
            yield from rounds_lines(self.over_rounds)
        if self.between is not None:
            yield ""
            yield from covariance_lines(self.between, title="covariance of two seats")
        for name, best in self.best.items():
            yield ""
            yield from best_lines(best, title=f"best draws of the {name}")
        for name, solution in self.solved.items():
            yield ""
            yield from solution_lines(solution, title=f"draws neither can better, {name}")


class Command(BaseCommand):
    """Print the exact odds of a ruleset."""

    help = "Print the exact odds of a ruleset: of the full shoe or of the cards that remain."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", required=True, choices=list(GAMES))
        parser.add_argument("--options", default="{}", help="JSON object; defaults are filled in")
        parser.add_argument(
            "--remaining", help='JSON object of cards left, {"A": 30} or {"AS": 8}; others are gone'
        )
        parser.add_argument("--format", choices=("table", "json"), default="table")
        parser.add_argument("--stakes", help='JSON object of a seat\'s stakes, {"main": 10000}')
        parser.add_argument("--rounds", help="the stakes' result over so many rounds as well")
        parser.add_argument(
            "--at-seats", default="1", help="seats with these stakes, with --rounds"
        )
        parser.add_argument("--seats", action="store_true", help="covariance of two seats as well")
        draws = parser.add_argument_group("elective draws", 'totals such as "0-5", "0-3,6", "none"')
        draws.add_argument("--seat-draws", help="totals on which a seat draws (0-5)")
        draws.add_argument("--bank-draws", help="totals on which the bank draws (0-5)")
        draws.add_argument("--bank-draws-after-stand", help="the same after a seat that stood")
        draws.add_argument("--best-draws", action="store_true", help="best policies as well")

    def handle(self, *args: Any, **options: Any) -> None:  # Any: the signature of Django's
        try:
            answer = _answer(options)
        except DomainError as error:
            self.stderr.write("\n".join(_fault_lines(error)))
            sys.exit(1)
        if options["format"] == "json":
            self.stdout.write(json.dumps(answer.document(), indent=2))
        else:
            self.stdout.write("\n".join(answer.lines()))


def _answer(options: Mapping[str, Any]) -> Answer:  # Any: argparse's values
    """Work out everything that was asked for. Raises DomainError."""
    ruleset = load_ruleset(options["game"], _json_object(options["options"], name="options"))
    remaining = options["remaining"]
    cards = None if remaining is None else _json_object(remaining, name="remaining")
    policy = _policy(options)
    if options["seats"] and cards is not None:
        detail = "the covariance of two seats is stated for the full shoe"
        raise odds_error(("odds.full_shoe_only", "remaining", detail))
    odds = round_odds(ruleset, cards, policy=policy)
    stakes = _json_object(options["stakes"], name="stakes") if options["stakes"] else None
    between = seat_covariance(ruleset, policy=policy) if options["seats"] else None
    best: dict[str, BestDraws] = {}
    solved: dict[str, DrawSolution] = {}
    if options["best_draws"]:
        best = {
            "seat": best_seat_policy(ruleset, cards, policy=policy),
            "bank": best_bank_policy(ruleset, cards, policy=policy),
            "bank against one seat": best_bank_policy(
                ruleset, cards, policy=policy, heeds_seat=True
            ),
        }
        solved = {
            "any number of seats": best_policies(ruleset, cards),
            "one seat": best_policies(ruleset, cards, heeds_seat=True),
        }
    return Answer(
        odds=odds,
        bank=None if stakes is None else bank_result(ruleset, odds, stakes=stakes),
        over_rounds=_over_rounds(ruleset, odds, stakes, options=options, between=between),
        between=between,
        best=best,
        solved=solved,
    )


def _over_rounds(
    ruleset: Ruleset,
    odds: RoundOdds,
    stakes: Mapping[str, Any] | None,  # Any: checked by who reads it
    *,
    options: Mapping[str, Any],  # Any: argparse's values
    between: SeatCovariance | None,
) -> HouseResult | None:
    """State what the stakes bring over many rounds, if that was asked for."""
    if options["rounds"] is None:
        return None
    if stakes is None:
        raise odds_error(("odds.no_stakes", "rounds", "expected --stakes beside --rounds"))
    if options["remaining"] is not None:
        detail = "the result over many rounds is stated for the full shoe"
        raise odds_error(("odds.full_shoe_only", "remaining", detail))
    rounds = _whole(options["rounds"], name="rounds", most=ROUNDS_MAX)
    seats = _whole(options["at_seats"], name="at-seats", most=game_of(ruleset).seats_max)
    if seats > 1 and between is None:
        between = seat_covariance(ruleset, policy=_policy(options))
    return result_over_rounds(
        ruleset, odds, stakes=stakes, seats=seats, rounds=rounds, between=between
    )


def _whole(text: str, *, name: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most):
        raise odds_error(("odds.bad_number", name, f"expected a whole number from 1 to {most}"))
    return int(text)


def _json_object(text: str, *, name: str) -> dict[str, Any]:  # Any: checked by who reads it
    value = loads(text.encode())
    if not isinstance(value, dict):
        raise odds_error(("odds.not_an_object", name, "expected one JSON object"))
    return value


def _policy(options: Mapping[str, Any]) -> DrawPolicy | None:  # Any: argparse's values
    """Make the policy that was asked for; None where none was."""
    return policy_from_text(
        seat=options["seat_draws"],
        bank=options["bank_draws"],
        bank_after_stand=options["bank_draws_after_stand"],
    )


def _fault_lines(error: DomainError) -> Iterator[str]:
    """Say what is wrong, a line for each fault."""
    if not error.faults:
        yield f"{error.code}: {error.detail}"
    for fault in error.faults:
        yield f"{fault['code']} at {fault['where']}: {fault['detail']}"
