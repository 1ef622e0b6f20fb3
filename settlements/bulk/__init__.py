"""The second engine: recomputes settlements from columns of rounds by table lookup, on NumPy.

It exists to disagree. It was written from the rules of play alone and shares no code with
`tables.games`, which it must never import, nor Django. What the two do not agree on is a finding.
"""

from settlements.bulk.codes import BulkError, Decision, Fault, Part, Stage, Verdict
from settlements.bulk.columns import Columns, KindResult, Result
from settlements.bulk.compiled import Compiled, compile_ruleset, settle_columns
from settlements.bulk.lines import Line, Recomputed
from settlements.bulk.lucky_deal import (
    dealing_order,
    decisions_that_count,
    early_hands,
    lay_lucky,
)
from settlements.bulk.poker_deal import lay_poker
from settlements.bulk.records import RoundRecord, build_columns, recompute, settle_one

__all__ = [
    "BulkError",
    "Columns",
    "Compiled",
    "Decision",
    "Fault",
    "KindResult",
    "Line",
    "Part",
    "Recomputed",
    "Result",
    "RoundRecord",
    "Stage",
    "Verdict",
    "build_columns",
    "compile_ruleset",
    "dealing_order",
    "decisions_that_count",
    "early_hands",
    "lay_lucky",
    "lay_poker",
    "recompute",
    "settle_columns",
    "settle_one",
]
