"""The rules of play: pure questions to a game under a ruleset. No Django, clock, chance or I/O.

What comes next (`next_step`, `live_seats`, `places`, `hands`), what is wrong (`wager_faults`,
`card_faults`), what is owed (`settle`, `void`, `settle_document`). The rules are cited by their
numbers in docs/rules.
"""

from tables.games.banking import next_bank_seat
from tables.games.contradictions import contradictions, procedures_contradictions
from tables.games.dealing import (
    card_faults,
    cards_needed,
    hands,
    live_seats,
    next_step,
    places,
    stakes_in_play,
)
from tables.games.deciding import decision_faults, house_decision
from tables.games.document import refused_answer, settle_document
from tables.games.errors import (
    LimitsError,
    ProceduresError,
    RulesetError,
    StageError,
    UnsettledError,
)
from tables.games.limits import Limits, load_limits
from tables.games.presets import PRESETS, Preset
from tables.games.procedures import Procedures, load_procedures
from tables.games.registry import GAMES
from tables.games.rulesets import load_ruleset
from tables.games.settling import as_voided, settle, void, with_taken_back
from tables.games.values import (
    BANK,
    Fault,
    Line,
    NewCard,
    Place,
    RoundState,
    Ruleset,
    Settlement,
    Step,
    TakenOut,
    Why,
)
from tables.games.wagering import owes_beyond_stake, wager_faults
from tables.games.whys import SENTENCES, explain

__all__ = [
    "BANK",
    "GAMES",
    "PRESETS",
    "SENTENCES",
    "Fault",
    "Limits",
    "LimitsError",
    "Line",
    "NewCard",
    "Place",
    "Preset",
    "Procedures",
    "ProceduresError",
    "RoundState",
    "Ruleset",
    "RulesetError",
    "Settlement",
    "StageError",
    "Step",
    "TakenOut",
    "UnsettledError",
    "Why",
    "as_voided",
    "card_faults",
    "cards_needed",
    "contradictions",
    "decision_faults",
    "explain",
    "hands",
    "house_decision",
    "live_seats",
    "load_limits",
    "load_procedures",
    "load_ruleset",
    "next_bank_seat",
    "next_step",
    "owes_beyond_stake",
    "places",
    "procedures_contradictions",
    "refused_answer",
    "settle",
    "settle_document",
    "stakes_in_play",
    "void",
    "wager_faults",
    "with_taken_back",
]
