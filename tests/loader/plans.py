"""The plan of one table, from a house that was built through the services."""

from datetime import timedelta

from audit.log.rows import Ref
from tables.models import Limits, Procedures, Ruleset, Shoe, Table, TableSession, TableTerms
from tables.selectors.house import gaming_day_at, house_settings
from tests.factories.house import House
from tests.loader.rounds import Terms
from tests.loader.tables import TablePlan


def table_plan(
    house: House, table: str, *, rounds_by_day: tuple[int, ...], seed: str, five_seats: bool
) -> TablePlan:
    """Return what a table deals from the house's gaming day on, after what it dealt before."""
    row = Table.objects.get(code=table)
    terms = TableTerms.objects.filter(table=row).order_by("-revision")[0]
    ruleset = Ruleset.objects.get(pk=terms.ruleset_id)
    procedures = Procedures.objects.get(pk=terms.procedures_id)
    limits = Limits.objects.get(pk=terms.limits_id)
    dealer = house.acting("dealer", table=table)
    assert dealer.person.device is not None
    first = TableSession.objects.filter(table=row).order_by("-number").first()
    shoe = Shoe.objects.filter(table=row).order_by("-number").first()
    return TablePlan(
        terms=Terms(
            table=Ref(row.pk, table),
            dealer_staff=dealer.person.staff,
            dealer=dealer.actor,
            ruleset=Ref(ruleset.pk, ruleset.hash),
            limits=Ref(limits.pk, limits.hash),
        ),
        supervisor_staff=house.staff["supervisor"],
        supervisor=house.acting("supervisor").actor,
        device=dealer.person.device,
        procedures=Ref(procedures.pk, procedures.hash),
        denominations=tuple(house_settings(at=house.now).denominations),
        first_session=first.number + 1 if first else 1,
        first_shoe=shoe.number + 1 if shoe else 1,
        first_day=gaming_day_at(house.now),
        begin=house.now - timedelta(hours=2),
        rounds_by_day=rounds_by_day,
        five_seats=five_seats,
        seed=seed,
    )
