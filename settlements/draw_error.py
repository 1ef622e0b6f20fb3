"""What corrected cards say of the draws of a round, as a value (event 30; C5, C6).

It must not decide anything: `settlements.selectors.draw_errors` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from audit.log.rows import Row


@dataclass(frozen=True, slots=True)
class DrawError:
    """What becomes of third cards that were dealt, or not dealt, by wrongly read ones.

    `unneeded` are draws that count for nothing, by the hand at which they lie; `void` the seats of
    which a card is missing, `alive` those that were void so and no longer are; `silent` the hands
    that count as having said nothing. Hand 0 is the bank; `of_bank` says that its draw was wrong.
    `rows` are the facts that say so, `number` the irregularity that they name, 0 for none.
    """

    unneeded: Mapping[int, int]
    void: tuple[int, ...]
    alive: tuple[int, ...]
    silent: tuple[int, ...]
    of_bank: bool
    rows: tuple[Row, ...]
    number: int = 0

    @property
    def document(self) -> dict[str, object]:
        """What of it is signed and logged, as JSON."""
        return {
            "unneeded": [{"draw": d, "hand": hand} for d, hand in sorted(self.unneeded.items())],
            "void": list(self.void),
            "alive": list(self.alive),
            "silent": list(self.silent),
        }
