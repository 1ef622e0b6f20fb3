"""A day is looked at while its tables are played at: every chunk is read as of one instant."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from settlements.day.checks import examine
from tables.models import Round
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, open_round, ready_the_shoe
from tests.settlements.day.test_runs import house, place

__all__ = ["house", "place"]


def test_a_shoe_that_is_opened_between_two_reads_is_left_to_the_next_check(house: House) -> None:
    opened: list[None] = []

    def after_the_first_read(
        execute: Callable[..., object], sql: str, params: object, many: bool, context: object
    ) -> object:
        result = execute(sql, params, many, context)
        if 'FROM "tables_shoe"' in sql and not opened:
            opened.append(others.submit(_open_another_shoe, house).result())
        return result

    with ThreadPoolExecutor(1) as others, connection.execute_wrapper(after_the_first_read):
        found = examine("table", "T1", day=house.now.date())
    assert (len(opened), Round.objects.count()) == (1, 3)
    assert (found.count, found.problems) == (2, ())


def _open_another_shoe(house: House) -> None:
    try:
        end_shoe(table="T1", shoe=1, stub_cards=416 - 1 - 18, by=house.acting("supervisor"))
        ready_the_shoe(house)
        open_round(house, shoe=2)
    finally:
        connection.close()
