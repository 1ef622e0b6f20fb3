"""Options that say something about what the same rules have switched off, or the game forbids.

Such rules can be dealt under, because the option decides nothing; but whoever drafts them believes
something else, so that they must not be published.
"""

from tables.games.lucky_9_options import COLON_ODDS, NINE_ODDS, LuckyRules
from tables.games.poker_options import PokerRules
from tables.games.procedures import COUNT_EVERY, HOUSE_DRAWS_TO, Procedures
from tables.games.registry import GAMES
from tables.games.values import Fault, Ruleset


def contradictions(ruleset: Ruleset) -> list[Fault]:
    """Return the options of a ruleset that another of its options makes void of effect."""
    rules = ruleset.rules
    if isinstance(rules, PokerRules):
        return _poker(rules)
    if isinstance(rules, LuckyRules):
        return _lucky(rules, ruleset.options)
    return []


def procedures_contradictions(game: str, procedures: Procedures) -> list[Fault]:
    """Return the procedures that this game, or another of them, makes void of effect."""
    known, values = GAMES[game], procedures.values
    found: dict[str, str] = {}
    if known.bank == "house" and procedures.deal_direction != "clockwise":
        found["deal_direction"] = "clockwise: from the dealer's left to the right (A27)"
    if procedures.house_draws_to != HOUSE_DRAWS_TO:
        if not known.asks:
            found["house_draw_policy"] = f"draw_0_to_{HOUSE_DRAWS_TO}: no bank decides in this game"
        elif procedures.players_bank:
            found["house_draw_policy"] = f"draw_0_to_{HOUSE_DRAWS_TO}: the house does not bank (C5)"
    if values["count_policy"] != "every_shoe":
        found["count_policy"] = "every_shoe: no shoe ends here without its count (event 28)"
    if values["count_every"] != COUNT_EVERY:
        found["count_every"] = f"{COUNT_EVERY}: every shoe is counted (event 28)"
    return [
        Fault("contradiction", f"procedures.{name}", f"expected {detail}")
        for name, detail in found.items()
    ]


def _poker(rules: PokerRules) -> list[Fault]:
    faults: list[Fault] = []
    if rules.tie_odds is None and "tie" in rules.caps_minor:
        detail = "expected no cap on a wager that the missing tie_odds closes (A13)"
        faults.append(Fault("contradiction", "options.max_payout_minor.tie", detail))
    unit = rules.rounding.unit_minor
    faults += [
        Fault(
            "contradiction",
            f"options.max_payout_minor.{kind}",
            f"expected a multiple of the rounding unit {unit}, which the cap of {cap} breaks",
        )
        for kind, cap in rules.caps_minor.items()
        if cap % unit
    ]
    return faults


def _lucky(rules: LuckyRules, options: dict[str, object]) -> list[Fault]:
    faults: list[Fault] = []
    if not rules.colon and rules.bonus_on_loss:
        detail = 'expected "none": there is no Colon whose extra could be paid (B10, B15)'
        faults.append(Fault("contradiction", "options.colon.on_loss", detail))
    if not rules.colon and rules.bank_colon_multiple:
        detail = 'expected "stake": there is no Colon that could collect more (B13, B15)'
        faults.append(Fault("contradiction", "options.banker_colon_collects", detail))
    if not rules.naturals and options["natural_priority"] != "outranks_drawn":
        detail = 'expected "outranks_drawn": no natural stands where every hand draws (B16)'
        faults.append(Fault("contradiction", "options.natural_priority", detail))
    if not rules.naturals and not rules.bank_natural_stops:
        detail = "expected true: no natural stands where every hand draws (B4, B16)"
        faults.append(Fault("contradiction", "options.banker_natural_stops_draws", detail))
    if not rules.colon:
        prices = {"odds": (rules.colon_odds, COLON_ODDS), "nine_odds": (rules.nine_odds, NINE_ODDS)}
        faults += [
            Fault(
                "contradiction",
                f"options.colon.{name}",
                f"expected {list(default)}: there is no Colon that it could price (B15)",
            )
            for name, (said, default) in prices.items()
            if said != default
        ]
    return faults
