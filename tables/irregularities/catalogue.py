"""The list of events with their procedures, authorities and effects (rules 2.2 and 2.3).

Names are English and marked for translation; a page translates them. A code or number is never
renamed or used again, because records name it.
"""

from typing import Final

from tables.irregularities.deal_events import DEAL_EVENTS
from tables.irregularities.lucky_events import LUCKY_EVENTS
from tables.irregularities.other_events import OTHER_EVENTS

EVENTS: Final = {event.number: event for event in (*DEAL_EVENTS, *OTHER_EVENTS, *LUCKY_EVENTS)}
