"""What the floor keeps. Facts are inserted, heads change with an entry of their stream."""

from tables.models.house import HouseSettings, Pit, Table
from tables.models.irregularity import (
    Departure,
    DisputeFile,
    DisputeHold,
    Irregularity,
    TakenOut,
)
from tables.models.round import Card, Decision, Round, SeatWagers
from tables.models.rule_life import (
    RuleApproval,
    RuleDraft,
    RuleKind,
    RuleStanding,
    SlowOdds,
)
from tables.models.rules import Limits, Procedures, Ruleset, TableTerms
from tables.models.session import Count, TableSession
from tables.models.sheet import SheetKeying
from tables.models.shoe import BurnedCard, Shoe, ShoeStatement, ShoeStep, StubCount

__all__ = [
    "BurnedCard",
    "Card",
    "Count",
    "Decision",
    "Departure",
    "DisputeFile",
    "DisputeHold",
    "HouseSettings",
    "Irregularity",
    "Limits",
    "Pit",
    "Procedures",
    "Round",
    "RuleApproval",
    "RuleDraft",
    "RuleKind",
    "RuleStanding",
    "Ruleset",
    "SeatWagers",
    "SheetKeying",
    "Shoe",
    "ShoeStatement",
    "ShoeStep",
    "SlowOdds",
    "StubCount",
    "Table",
    "TableSession",
    "TableTerms",
    "TakenOut",
]
