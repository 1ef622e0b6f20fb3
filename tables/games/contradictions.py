"""Options that say something about what the same rules have switched off, or the game forbids.

Such rules can be dealt under, because the option decides nothing; but whoever drafts them believes
something else, so that they must not be published.
"""

from tables.games.lucky_9_options import LuckyRules
from tables.games.poker_options import PokerRules
from tables.games.procedures import Procedures
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
    faults: list[Fault] = []
    if GAMES[game].bank == "house" and procedures.deal_direction != "clockwise":
        detail = "expected clockwise: this game is dealt from the dealer's left to the right (A27)"
        faults.append(Fault("contradiction", "procedures.deal_direction", detail))
    return faults


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
    return faults
