"""A sheet of paper as data: what stands on it, what is wrong with it, how two keyings differ.

Knows no request and writes nothing; the services do (docs/paper.md).
"""

from tables.sheets.comparing import Difference, cells_of, differences_between, place_words
from tables.sheets.document import (
    ENDS,
    VOID_EVENTS,
    Reading,
    Sheet,
    SheetSeat,
    SheetVoid,
    faces_in,
    read_sheet,
)
from tables.sheets.laying import (
    HOUSE_POLICY,
    Laid,
    handed_faults,
    lay_sheet,
    owed_lines,
    question_of,
)

__all__ = [
    "ENDS",
    "HOUSE_POLICY",
    "VOID_EVENTS",
    "Difference",
    "Laid",
    "Reading",
    "Sheet",
    "SheetSeat",
    "SheetVoid",
    "cells_of",
    "differences_between",
    "faces_in",
    "handed_faults",
    "lay_sheet",
    "owed_lines",
    "place_words",
    "question_of",
    "read_sheet",
]
