"""A void shoe whose rounds are decided of: what a test decides, signs and expects.

Everything through the services.
"""

from audit.log.rows import Ref
from settlements.selectors.shoe_decisions import decision_bill
from settlements.services.shoe_voids import RoundsDecided, decide_rounds
from settlements.shoe_decision import DecisionBill, ShoeDecision
from tables.models import Shoe
from tests.factories.house import House
from tests.tables.irregularities.ruling import signed


def decision(what: str, *rounds: str, moved: bool = False) -> ShoeDecision:
    """What is decided of these rounds, or of all that are open."""
    return ShoeDecision(what, "A king was missing.", "A. Cruz, 23:10", rounds, moved)


def bill_for(made: ShoeDecision, *, shoe: int = 1) -> DecisionBill:
    """What it costs as the rounds stand now."""
    stored = Shoe.objects.get(key=f"T1/{shoe}")
    return decision_bill(Ref(stored.pk, stored.key), made)


def decide(
    house: House,
    made: ShoeDecision,
    letters: str = "MH",
    *,
    shoe: int = 1,
    by: str = "manager",
    bill: DecisionBill | None = None,
) -> RoundsDecided:
    """Sign a decision; by default on its bill as it is now."""
    return decide_rounds(
        table="T1",
        shoe=shoe,
        decision=made,
        bill_hash=(bill or bill_for(made, shoe=shoe)).hash,
        signers=signed(letters),
        by=house.acting(by),
    )
