"""The events of a shoe-dealt table: how each may be ruled, by whom, and what that does. Pure.

What stands on record is in `tables.models`, what writes it in the services. Nothing here reads.
"""

from tables.irregularities.case import Case, Drawn, Told, WagerCase
from tables.irregularities.catalogue import EVENTS
from tables.irregularities.kinds import (
    CARDS_APART,
    HAND_DEAD,
    CardEffect,
    Event,
    Letter,
    Procedure,
    ShoeEffect,
    WagerEffect,
)

__all__ = [
    "CARDS_APART",
    "EVENTS",
    "HAND_DEAD",
    "CardEffect",
    "Case",
    "Drawn",
    "Event",
    "Letter",
    "Procedure",
    "ShoeEffect",
    "Told",
    "WagerCase",
    "WagerEffect",
]
