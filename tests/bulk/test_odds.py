"""Stated odds of games B and C against the second engine: every deal of full packs, and simulation.

The odds count points and powers on the engine that pays; here cards are dealt in columns and
settled by the other engine. In full a simulation is ten million rounds under each ruleset.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from settlements.bulk import Compiled, compile_ruleset
from settlements.bulk.codes import Verdict
from settlements.bulk.lucky_tables import SIDE_BITS, LuckyTables
from tables.games import load_ruleset
from tables.games.odds import (
    best_bank_policy,
    best_policies,
    best_seat_policy,
    round_odds,
    seat_covariance,
)
from tables.games.odds_counting import Hand
from tables.games.odds_elective_draw import DrawPolicy, draw_policy
from tables.games.odds_results import WagerOdds
from tests.bulk.rulesets import FIXED, SOCIAL, options
from tests.bulk.shoes import (
    CARDS_OF_A_HAND,
    Lay,
    Shares,
    every_deal,
    lay_elective,
    lay_fixed,
    random_deals,
)
from tests.bulk.tally import (
    Tally,
    beyond,
    covariance_deviation,
    deviations,
    moment,
    stated,
    tally_columns,
)

ROUNDS, ROUNDS_LONG = 600_000, 10_000_000
CHUNK = 200_000
TWO_SEATS = 2
COLON = {"enabled": True, "odds": [2, 1], "nine_odds": [3, 1], "on_loss": "none"}
BONUS_PART = {**COLON, "on_loss": "bonus_part"}
Options = dict[str, object]


def shares_of(policy: DrawPolicy) -> Shares:
    """Write a policy down: a hand draws always or never."""
    sides = (policy.seat, policy.bank_after_draw, policy.bank_after_stand)
    return Shares(*(chances(dict.fromkeys(side, Fraction(1))) for side in sides))


def chances(drawn: Mapping[Hand, Fraction]) -> NDArray[np.float64]:
    """Spread what first hands do over the two faces, in either order."""
    table = np.zeros(16 * 16)
    for (low, high), share in drawn.items():
        table[[low + 1 << 4 | high + 1, high + 1 << 4 | low + 1]] = float(share)
    return table


def enumerated(compiled: Compiled, lay: Lay, *, decks: int) -> dict[object, Fraction]:
    """Settle every deal of a full shoe by the second engine: the probability of each ending."""
    found, generator = Tally(), np.random.default_rng(1)
    for faces, ways in every_deal(decks):
        found.counts += tally_columns(compiled, lay(faces, generator), ways=ways).counts
    return {ended: Fraction(deals, found.deals) for ended, deals in found.seat(0).items()}


FIXED_VALUES: list[Options] = [
    {},
    {"natural_priority": "nine_only"},
    {"natural_priority": "total_only"},
    {"natural_priority": "total_only", "banker_natural_stops_draws": False},
    {"natural_priority": "nine_only", "banker_natural_stops_draws": False},
    {"forced_draw": "to_7", "decks": 2},
    {"forced_draw": "all", "decks": 4},
    {"colon": {**COLON, "enabled": False}, "decks": 8},
    {"colon": {**BONUS_PART, "odds": [5, 2], "nine_odds": [4, 1]}},
    {"colon": BONUS_PART, "banker_colon_collects": "multiple", "commission": [5, 100]},
]


@pytest.mark.parametrize("changed", FIXED_VALUES, ids=str)
def test_every_deal_of_the_fixed_draw(changed: Options) -> None:
    rules = options(FIXED, **changed)
    found = enumerated(
        compile_ruleset(FIXED, rules), partial(lay_fixed, rules), decks=decks_of(rules)
    )
    assert found == stated(round_odds(load_ruleset(FIXED, rules)).wagers["main"])


POLICIES = [
    draw_policy(),
    draw_policy(seat=[0, 1, 2, 3, 4, 8], bank=range(4)),
    draw_policy(seat=range(5), bank=range(5), bank_after_stand=range(7)),
]


@pytest.mark.parametrize(
    ("policy", "changed"),
    [*product(POLICIES, [{}]), (POLICIES[1], {"decks": 8, "odds": [19, 20]})],
)
def test_every_deal_of_the_elective_draw(policy: DrawPolicy, changed: Options) -> None:
    rules = options(SOCIAL, **changed)
    lay = partial(lay_elective, shares_of(policy))
    found = enumerated(compile_ruleset(SOCIAL, rules), lay, decks=decks_of(rules))
    odds = round_odds(load_ruleset(SOCIAL, rules), policy=policy)
    assert found == stated(odds.wagers["main"])


def test_a_wrong_price_or_draw_is_found_by_every_deal() -> None:
    rules = options(FIXED)
    exact = stated(round_odds(load_ruleset(FIXED, rules)).wagers["main"])
    lay = partial(lay_fixed, rules)
    dear = compile_ruleset(FIXED, options(FIXED, colon={**COLON, "nine_odds": [4, 1]}))
    assert enumerated(dear, lay, decks=1) != exact
    assert enumerated(compile_ruleset(FIXED, rules), lay, decks=2) != exact


def decks_of(rules: Mapping[str, object]) -> int:
    """Read the number of decks."""
    decks = rules["decks"]
    assert isinstance(decks, int)
    return decks


class Deal(NamedTuple):
    """What is dealt again and again."""

    compiled: Compiled
    lay: Lay
    decks: int = 1
    seats: int = 1


def simulated_chunk(deal: Deal, chunk: int) -> Tally:
    """Deal and settle one seeded chunk of rounds; may run in a process of its own."""
    generator = np.random.default_rng([9, chunk])
    cards = CARDS_OF_A_HAND * (deal.seats + 1)
    faces = random_deals(generator, decks=deal.decks, deals=CHUNK, cards=cards)
    return tally_columns(deal.compiled, deal.lay(faces, generator))


def added(tallies: Iterable[Tally]) -> Tally:
    """Add the chunks up."""
    total = Tally()
    for each in tallies:
        total.counts += each.counts
    return total


def in_workers(workers: ProcessPoolExecutor, deal: Deal, *, rounds: int) -> Tally:
    """Deal and settle so many rounds, in as many processes as there are."""
    found = added(workers.map(partial(simulated_chunk, deal), range(rounds // CHUNK)))
    assert found.deals == rounds
    return found


def simulate(deal: Deal) -> Tally:
    """Deal and settle the rounds of a short simulation."""
    return added(simulated_chunk(deal, chunk) for chunk in range(ROUNDS // CHUNK))


def confirm(found: Tally, wager: WagerOdds, *, between: Fraction | None) -> list[str]:
    """Compare every seat with the stated odds of one, and two seats with their covariance."""
    seats = 1 if between is None else TWO_SEATS
    wrong = [
        f"seat {place + 1}, {each}"
        for place in range(seats)
        for each in deviations(found, wager, place=place)
    ]
    return wrong if between is None else wrong + covariance_deviation(found, between)


SIMULATED_FIXED: list[Options] = [
    {},
    {"natural_priority": "nine_only", "decks": 6},
    {
        "natural_priority": "total_only",
        "banker_natural_stops_draws": False,
        "commission": [5, 100],
        "decks": 8,
    },
    {
        "forced_draw": "to_7",
        "colon": BONUS_PART,
        "banker_colon_collects": "multiple",
        "decks": 2,
    },
]
SIMULATED_SOCIAL: list[tuple[str, Options]] = [
    ("default", {}),
    ("stated", {"odds": [19, 20], "decks": 6}),
    ("best_seat", {}),
    ("best_bank", {}),
]


def simulated_policy(name: str, rules: Mapping[str, object]) -> DrawPolicy:
    """Find the policy of a simulation: stated ones, and the best against them."""
    ruleset, bold = load_ruleset(SOCIAL, rules), draw_policy(seat=range(8), bank=range(3))
    match name:
        case "stated":
            return draw_policy(seat=[0, 1, 2, 3, 4, 8], bank=range(7))
        case "best_seat":
            return best_seat_policy(ruleset, policy=bold).policy
        case "best_bank":
            return best_bank_policy(ruleset, policy=bold, heeds_seat=True).policy
    return draw_policy()


def compare_fixed(workers: ProcessPoolExecutor, changed: Options, *, long: bool) -> None:
    """Simulate game B and compare; in full with two seats, and so their covariance."""
    rules = options(FIXED, **changed)
    ruleset, compiled = load_ruleset(FIXED, rules), compile_ruleset(FIXED, rules)
    deal = Deal(compiled, partial(lay_fixed, rules), decks_of(rules), TWO_SEATS if long else 1)
    found = in_workers(workers, deal, rounds=ROUNDS_LONG if long else ROUNDS)
    between = seat_covariance(ruleset)["main", "main"] if long else None
    assert confirm(found, round_odds(ruleset).wagers["main"], between=between) == []


def compare_social(
    workers: ProcessPoolExecutor, name: str, changed: Options, *, long: bool
) -> None:
    """Simulate game C under a policy and compare; a bank that heeds the seat has only one."""
    rules = options(SOCIAL, **changed)
    ruleset, policy = load_ruleset(SOCIAL, rules), simulated_policy(name, rules)
    two = long and not policy.bank_sees
    lay = partial(lay_elective, shares_of(policy))
    deal = Deal(compile_ruleset(SOCIAL, rules), lay, decks_of(rules), TWO_SEATS if two else 1)
    found = in_workers(workers, deal, rounds=ROUNDS_LONG if long else ROUNDS)
    between = seat_covariance(ruleset, policy=policy)["main", "main"] if two else None
    wager = round_odds(ruleset, policy=policy).wagers["main"]
    assert confirm(found, wager, between=between) == []


def compare_solution(workers: ProcessPoolExecutor, *, rounds: int) -> None:
    """Simulate the draws that neither side can better, mixed as stated: the value of the game."""
    rules = options(SOCIAL)
    solution = best_policies(load_ruleset(SOCIAL, rules), heeds_seat=True)
    lay = partial(
        lay_elective,
        Shares(
            chances(solution.seat),
            chances(solution.bank_after_draw),
            chances(solution.bank_after_stand),
        ),
    )
    found = in_workers(workers, Deal(compile_ruleset(SOCIAL, rules), lay), rounds=rounds)
    shares = {ended: Fraction(count, found.deals) for ended, count in found.seat(0).items()}
    mean = moment(shares, about=Fraction(0), power=1)
    error = sqrt(moment(shares, about=mean, power=2) / found.deals)
    assert list(beyond("value", mean, solution.seat_expects, error=error)) == []
    # The test could tell it from the value of a game in which the bank looks at nothing.
    assert rounds < ROUNDS_LONG or list(beyond("value", mean, Fraction(0), error=error)) != []


@pytest.mark.parametrize("changed", SIMULATED_FIXED, ids=str)
def test_a_simulation_of_the_fixed_draw(workers: ProcessPoolExecutor, changed: Options) -> None:
    compare_fixed(workers, changed, long=False)


@pytest.mark.parametrize(("name", "changed"), SIMULATED_SOCIAL, ids=str)
def test_a_simulation_of_the_elective_draw(
    workers: ProcessPoolExecutor, name: str, changed: Options
) -> None:
    compare_social(workers, name, changed, long=False)


def test_a_simulation_of_the_draws_that_neither_can_better(workers: ProcessPoolExecutor) -> None:
    compare_solution(workers, rounds=ROUNDS)


@pytest.mark.long
@pytest.mark.parametrize("changed", SIMULATED_FIXED, ids=str)
def test_ten_million_rounds_of_the_fixed_draw(
    workers: ProcessPoolExecutor, changed: Options
) -> None:
    compare_fixed(workers, changed, long=True)


@pytest.mark.long
@pytest.mark.parametrize(("name", "changed"), SIMULATED_SOCIAL, ids=str)
def test_ten_million_rounds_of_the_elective_draw(
    workers: ProcessPoolExecutor, name: str, changed: Options
) -> None:
    compare_social(workers, name, changed, long=True)


@pytest.mark.long
def test_ten_million_rounds_of_the_draws_that_neither_can_better(
    workers: ProcessPoolExecutor,
) -> None:
    compare_solution(workers, rounds=ROUNDS_LONG)


def wrong_tie(tables: Compiled) -> Compiled:
    """Let the bank take a tie of drawn or standing sixes."""
    assert isinstance(tables, LuckyTables)
    main, six = tables.main.copy(), 6 << 2
    main[six << SIDE_BITS | six] = Verdict.LOSE
    return replace(tables, main=main)


DEAR = compile_ruleset(FIXED, options(FIXED, colon={**COLON, "nine_odds": [4, 1]}))
RIGHT = compile_ruleset(FIXED, options(FIXED))
OTHER_DRAWS = options(FIXED, banker_natural_stops_draws=False, natural_priority="nine_only")


@pytest.mark.parametrize(
    ("compiled", "rules", "decks", "found_in"),
    [
        (RIGHT, options(FIXED), 1, set()),
        (DEAR, options(FIXED), 1, {"Ended", "variance"}),
        (wrong_tie(RIGHT), options(FIXED), 1, {"Ended", "mean", "push rate", "variance"}),
        (RIGHT, options(FIXED), 2, {"Ended", "variance"}),
        (compile_ruleset(FIXED, OTHER_DRAWS), OTHER_DRAWS, 1, {"Ended", "hit rate", "push rate"}),
    ],
    ids=["nothing", "price", "tie", "decks", "natural"],
)
def test_a_fault_planted_in_the_simulation_is_found(
    compiled: Compiled, rules: Options, decks: int, found_in: set[str]
) -> None:
    found = simulate(Deal(compiled, partial(lay_fixed, rules), decks))
    wrong = deviations(found, round_odds(load_ruleset(FIXED, {})).wagers["main"])
    named = {
        name
        for name in ("Ended", "hit rate", "push rate", "mean", "variance")
        if any(each.startswith(name) for each in wrong)
    }
    assert named >= found_in
    assert bool(wrong) == bool(found_in)


def test_a_draw_against_the_policy_is_found() -> None:
    """Drawing on 6 too, though the stated seat stands: 0 to 5 is best, but only just."""
    lay = partial(lay_elective, shares_of(draw_policy(seat=range(7))))
    found = simulate(Deal(compile_ruleset(SOCIAL, options(SOCIAL)), lay))
    assert deviations(found, round_odds(load_ruleset(SOCIAL, {})).wagers["main"]) != []


def test_two_seats_that_do_not_share_a_bank_hand_are_found() -> None:
    """Each seat by itself is dealt right; only together they are wrong."""
    rules = options(FIXED)
    ruleset = load_ruleset(FIXED, rules)
    found = simulate(Deal(RIGHT, partial(lay_fixed, rules), seats=TWO_SEATS))
    wager, between = round_odds(ruleset).wagers["main"], seat_covariance(ruleset)["main", "main"]
    assert confirm(found, wager, between=between) == []
    apart = Tally()
    for one, deals in found.seat(0).items():
        for other, others in found.seat(1).items():
            apart.counts[one, other] = deals * others
    assert len(covariance_deviation(apart, between)) == 1
