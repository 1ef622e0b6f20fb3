"""The day finds the shoes whose cards are not accounted for; what was raised already stays one."""

from audit.findings.models import Finding
from tests.factories.house import House
from tests.settlements.correcting import hire, put_in_charge
from tests.settlements.day.test_runs import house, place, problems, reconcile
from tests.settlements.trays import close, gained
from tests.tables.irregularities.ruling import TOLD_ALL, rule

__all__ = ["house", "place"]
BOTH = ["shoe.uncounted", "shoe.unverified"]


def void(house: House) -> None:
    hire(house)
    put_in_charge(house)
    rule(house, 27, "void", "MH", told=TOLD_ALL)


def test_what_the_closing_raised_is_not_raised_again(house: House) -> None:
    void(house)
    close(house, gain=gained())
    raised = list(Finding.objects.order_by("number").values_list("number", "kind"))
    assert [kind for _number, kind in raised] == BOTH
    run = reconcile(house)
    assert problems(run) == [(kind, "T1/1") for kind in BOTH]
    assert list(Finding.objects.order_by("number").values_list("number", "kind")) == raised


def test_of_a_session_that_never_closed_the_day_raises_it(house: House) -> None:
    void(house)
    run = reconcile(house)
    assert ("shoe.uncounted", "T1/1") in problems(run)
    kinds = set(Finding.objects.values_list("kind", flat=True))
    assert kinds == {"day.session_overrun", *BOTH}
