"""What are the odds? Exact, for every wager of a ruleset, from any composition of the shoe.

The fourth question to a game (`docs/odds.md`). Every probability is a fraction from counting all
deals; nothing is simulated or rounded. A house edge is the expected loss for a stake of 1 at the
exact odds of the ruleset: rounding to coins and a cap on winnings depend on the stake, and
`odds_stakes` states their effect. Nothing is kept here but the reading of options: who asks often
keeps the answer by the ruleset's hash.
"""

from collections.abc import Mapping
from fractions import Fraction

from tables.games.lucky_9_options import lucky_rules
from tables.games.lucky_9_social import social_rules
from tables.games.odds_best_draw import BestDraws, best_bank_draws, best_seat_draws
from tables.games.odds_counting import Composition, composition_of, full_composition, odds_error
from tables.games.odds_draw_solution import DrawSolution, solve_draws
from tables.games.odds_draw_values import DrawValues, draw_values
from tables.games.odds_elective_draw import (
    DrawPolicy,
    ElectiveDraw,
    draw_policy,
)
from tables.games.odds_fixed_draw import FixedDraw
from tables.games.odds_paid import ELECTIVE, POKER, ruleset_profits
from tables.games.odds_poker import PokerReading, deal_table, house_hands
from tables.games.odds_results import (
    Ending,
    RoundOdds,
    covariances,
    in_units,
    joint_outcomes,
    wager_odds,
)
from tables.games.odds_seats import seat_products
from tables.games.odds_two_cards import Play, bank_hands, ending_counts
from tables.games.poker_options import poker_rules
from tables.games.registry import game_of
from tables.games.values import Ruleset


def round_odds(
    ruleset: Ruleset,
    remaining: Mapping[str, int] | None = None,
    *,
    policy: DrawPolicy | None = None,
) -> RoundOdds:
    """State the odds of every wager of one seat in the next round.

    `remaining` are the cards left, by rank or by identity; what it does not name is gone, None is
    the full shoe. Where draws are elected (game C) both sides keep to `policy`, by default drawing
    on 0 to 5. In game A the seat has a main wager, and so a hand. Raises OddsError.
    """
    composition = _composition(ruleset, remaining)
    chosen = _policy(ruleset, policy)
    profits = ruleset_profits(ruleset)
    joint = joint_outcomes(_counts(ruleset, composition=composition, policy=chosen))
    wagers = {
        wager: wager_odds(wager, place=place, joint=joint, profits=profits)
        for place, wager in enumerate(profits)
    }
    return RoundOdds(
        game=ruleset.game,
        ruleset=ruleset.hash,
        composition=composition,
        policy={} if chosen is None else chosen.describe(),
        wagers=wagers,
        joint=joint,
        covariance=covariances(joint, wagers=wagers, profits=profits),
    )


def seat_covariance(
    ruleset: Ruleset, *, policy: DrawPolicy | None = None
) -> dict[tuple[str, str], Fraction]:
    """State the covariance of a wager of one seat with a wager of another, for a stake of 1 each.

    For the full shoe, every ordered pair of open wagers; which two seats does not matter. Takes
    seconds: keep it by the ruleset's hash. In game C the bank's draw must not depend on what a seat
    did. Raises OddsError.
    """
    chosen = _policy(ruleset, policy)
    if chosen is not None and chosen.bank_sees:
        detail = "expected one policy of the bank, whatever a seat did: there are two seats"
        raise odds_error(("odds.bad_policy", "policy", detail))
    return covariance_of_seats(
        ruleset, composition=full_composition(_decks(ruleset)), policy=chosen
    )


def covariance_of_seats(
    ruleset: Ruleset, *, composition: Composition, policy: DrawPolicy | None
) -> dict[tuple[str, str], Fraction]:
    """State the covariance of two seats from a composition that holds cards for three hands."""
    staked, units = in_units(ruleset_profits(ruleset))
    if ruleset.game == POKER:
        bank = house_hands(PokerReading.of(poker_rules(ruleset)), units=units)
    else:
        bank = bank_hands(_play(ruleset, policy), units=units["main"])
    products = seat_products(composition, bank=bank)
    counts = _counts(ruleset, composition=composition, policy=policy)
    mean = {wager: Fraction(0) for wager in units}
    deals = sum(counts.values())
    for endings, count in counts.items():
        for wager, ending in zip(ruleset_profits(ruleset), endings):
            if wager in units:
                mean[wager] += Fraction(count * units[wager][ending], deals)
    return {
        (one, other): (product - mean[one] * mean[other]) / (staked[one] * staked[other])
        for (one, other), product in products.items()
    }


def best_seat_policy(
    ruleset: Ruleset,
    remaining: Mapping[str, int] | None = None,
    *,
    policy: DrawPolicy | None = None,
) -> BestDraws:
    """Find the draws of a seat in game C that are best against the bank's part of `policy`."""
    values = _draw_values(ruleset, remaining)
    return best_seat_draws(values, policy=policy or draw_policy())


def best_bank_policy(
    ruleset: Ruleset,
    remaining: Mapping[str, int] | None = None,
    *,
    policy: DrawPolicy | None = None,
    heeds_seat: bool = False,
) -> BestDraws:
    """Find the draws of the bank in game C that are best against the seats' part of `policy`.

    With `heeds_seat` the bank has one opponent and makes use of whether that one drew.
    """
    values = _draw_values(ruleset, remaining)
    return best_bank_draws(values, policy=policy or draw_policy(), heeds_seat=heeds_seat)


def best_policies(
    ruleset: Ruleset, remaining: Mapping[str, int] | None = None, *, heeds_seat: bool = False
) -> DrawSolution:
    """Find draws of a seat and the bank in game C that neither can better, mixed where need be."""
    return solve_draws(_draw_values(ruleset, remaining), heeds_seat=heeds_seat)


def _decks(ruleset: Ruleset) -> int:
    return game_of(ruleset).decks(ruleset)


def _composition(ruleset: Ruleset, remaining: Mapping[str, int] | None) -> Composition:
    return composition_of(remaining, decks=_decks(ruleset))


def _policy(ruleset: Ruleset, policy: DrawPolicy | None) -> DrawPolicy | None:
    """Give game C its default policy; refuse one where the rule decides who draws."""
    if ruleset.game == ELECTIVE:
        return policy or draw_policy()
    if policy is not None:
        detail = f"draws are not elected in {ruleset.game}"
        raise odds_error(("odds.not_elective", "policy", detail))
    return None


def _play(ruleset: Ruleset, policy: DrawPolicy | None) -> Play:
    return FixedDraw(lucky_rules(ruleset)) if policy is None else ElectiveDraw(policy)


def _counts(
    ruleset: Ruleset, *, composition: Composition, policy: DrawPolicy | None
) -> dict[tuple[Ending, ...], int]:
    if ruleset.game == POKER:
        return deal_table(PokerReading.of(poker_rules(ruleset))).count(composition)
    return ending_counts(_play(ruleset, policy), composition=composition)


def _draw_values(ruleset: Ruleset, remaining: Mapping[str, int] | None) -> DrawValues:
    if ruleset.game != ELECTIVE:
        detail = f"draws are not elected in {ruleset.game}"
        raise odds_error(("odds.not_elective", "game", detail))
    odds = social_rules(ruleset).odds
    return draw_values(_composition(ruleset, remaining), odds=odds)
