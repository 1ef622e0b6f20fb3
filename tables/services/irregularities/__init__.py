"""Irregularities: recorded under the lock of their table, with all they do, in one entry.

What also voids a round or a shoe is composed in `settlements.services.irregularities`, which is
the door that pages and the API use.
"""

from tables.services.irregularities.amend import amend_irregularity
from tables.services.irregularities.record import (
    Recorded,
    require_recording,
    write_irregularity,
)

__all__ = ["Recorded", "amend_irregularity", "require_recording", "write_irregularity"]
