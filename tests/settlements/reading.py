"""Parts of rounds as the services would write them from the first engine's lines."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from settlements.comparison import PartRead, PayoutRead
from settlements.lines import payout_values, sums_of
from tables.games import Line, RoundState, Ruleset


def part_read(
    ruleset: Ruleset,
    state: RoundState,
    lines: Sequence[Line],
    *,
    part: str,
    direction: str = "clockwise",
    bank_seat: int | None = None,
) -> PartRead:
    """The part as it would be read again; everything was handed as owed."""
    sums = sums_of(lines, handed={}, bank_seat=bank_seat)
    return PartRead(
        round_key="T1/7/12",
        table_code="T1",
        part=part,
        revision=1,
        kind="settled",
        game=ruleset.game,
        options=ruleset.options,
        hashes=dict.fromkeys(("settlement", "round", "shoe", "options"), ruleset.hash),
        places={},
        live=state.live,
        wagers=state.wagers,
        cards=state.cards,
        void_stage="",
        void_seats=(),
        handle_minor=sums.handle_minor,
        bank_owed_minor=sums.bank_owed_minor,
        bank_handed_minor=sums.bank_handed_minor,
        payouts=tuple(_paid(line, bank_seat=bank_seat) for line in lines),
        direction=direction,
        bank_seat=bank_seat,
        decisions=state.decisions,
    )


def _paid(line: Line, *, bank_seat: int | None) -> PayoutRead:
    values: dict[str, Any] = payout_values(  # Any: a row's columns
        line, handed_minor=line.returned_minor, bank_seat=bank_seat
    )
    fields = PayoutRead.__dataclass_fields__
    return PayoutRead(
        **{name: value for name, value in values.items() if name in fields},
        odds=line.odds,
        breakage=Fraction(line.breakage),
    )
