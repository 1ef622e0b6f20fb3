"""What a round that is over paid, for the table's own view: the revisions that stand, one read."""

from django.db.models import Q

from settlements.lines import HOUSE
from settlements.models import Part, Payout, Settlement
from settlements.selectors.payouts import handed_of
from tables.games import Why, explain
from tables.models import Round
from tables.selectors.held import held_of
from tables.selectors.paid import HandedAmounts
from tables.selectors.round_read import RoundRead


def paid_lines(read: RoundRead) -> dict[str, object]:
    """Return the payouts that stand at the end of a round, in the shape of the view's `owed`.

    Amounts in minor units. The final part; of a void that took a sweep back (A20) the sweep too,
    because what goes back lies in both.
    """
    standing = Q(part=Part.FINAL, revision=read.final_revision)
    if read.stage == Round.Stage.VOIDED and read.sweep_revision > 1 and _took_sweep_back(read):
        standing |= Q(part=Part.SWEEP, revision=read.sweep_revision)
    payouts = list(Payout.objects.filter(standing, round_id=read.ref.id).order_by("seat", "id"))
    held = held_of(
        [(payout.seat, payout.wager) for payout in payouts],
        [hold for hold in read.holds if hold.in_result],
    )
    return {
        "part": Part.FINAL.value,
        "revision": read.final_revision,
        "lines": [
            {**_line(payout), "held": True}
            if payout.handed_minor < payout.owed_minor and (payout.seat, payout.wager) in held
            else _line(payout)
            for payout in payouts
        ],
        "bank_minor": sum(_bank_minor(payout) for payout in payouts),
        "faults": [],
    }


def swept_handed(read: RoundRead) -> HandedAmounts:
    """Return what was handed over in the sweep as it stands."""
    stored = handed_of(read.ref, part=Part.SWEEP, revision=read.sweep_revision)
    return {name: given for name, (_, given) in stored.items()}


def _took_sweep_back(read: RoundRead) -> bool:
    """Tell whether the sweep was written anew by the void, and not before, as a hand died."""
    swept = Settlement.objects.filter(
        round_id=read.ref.id, part=Part.SWEEP, revision=read.sweep_revision
    )
    return swept.exclude(void_stage="").exists()


def _bank_minor(payout: Payout) -> int:
    """Return what the bank gained; commission is the house's, also where the house banks (B23)."""
    kept = payout.commission_minor if payout.bank == HOUSE else 0
    return payout.bank_minor + kept


def _line(payout: Payout) -> dict[str, object]:
    odds = payout.odds_numerator, payout.odds_denominator
    return {
        "seat": payout.seat,
        "wager": payout.wager,
        "stake_minor": payout.stake_minor,
        "outcome": payout.outcome,
        "odds": None if odds[0] is None else list(odds),
        "profit_minor": payout.profit_minor,
        "owed_minor": payout.owed_minor,
        "extra_owed_minor": payout.extra_owed_minor,
        "commission_minor": payout.commission_minor,
        "handed_minor": payout.handed_minor,
        "clause": payout.clause,
        "why": explain(Why(payout.why["code"], payout.why["params"])),
    }
