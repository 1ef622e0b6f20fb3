"""A sweep that another act meets, and what was written of the pair wager in it."""

from collections.abc import Callable

from settlements.models import Payout
from settlements.services.settle import Settled, settle_round
from tables.selectors.round_read import RoundName
from tests.factories.house import House


def sweeping(house: House, name: RoundName) -> Callable[[], Settled]:
    """The dealer confirms the sweep."""
    by = house.acting("dealer", table=name.table)
    return lambda: settle_round(name=name, part="sweep", revision=1, handed={}, by=by)


def pair_payouts() -> list[tuple[str, str, int]]:
    """What was written of the pair wager."""
    kept = Payout.objects.filter(wager="pair").order_by("part")
    return list(kept.values_list("part", "outcome", "owed_minor"))
