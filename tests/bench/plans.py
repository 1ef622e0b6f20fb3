"""What the statements of one card cost the database: their plans and the buffers they touch."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from django.db import connection, transaction

from tables.models import Shoe
from tables.selectors.round_read import RoundName
from tests.factories.house import House, bet, key, open_floor, open_round, settle_part
from tests.loader.dealing import CARDS

SEATS = 5
_STATEMENTS = {"lock": "lock_stream(", "read": "FROM tables_round r", "append": "log_entry"}
Execute = Callable[[str, Any, bool, Any], Any]  # Django's own


@dataclass(frozen=True, slots=True)
class Plan:
    """The nodes of a plan with what they read, and the buffers that were touched."""

    shape: tuple[str, ...]
    buffers: int


CardPlans = dict[str, Plan]


def ready_round(house: House, table: str = "T1") -> RoundName:
    """Open the table if need be, finish what is in play, and let five seats bet."""
    shoe = Shoe.objects.filter(table__code=table, state=Shoe.State.READY).first()
    number = shoe.number if shoe else open_floor(house, table)
    name = open_round(house, table=table, shoe=number)
    bet(house, name, {seat: {"main": 10000} for seat in range(1, SEATS + 1)})
    return name


def key_single_cards(house: House, name: RoundName) -> float:
    """Key a round card by card and settle it; return the median seconds of a card."""
    times = []
    for draw, face in enumerate(CARDS[: 3 * (SEATS + 1)], start=1):
        start = perf_counter()
        key(house, name, {draw: face})
        times.append(perf_counter() - start)
    settle_part(house, name, "final")
    return median(times)


def card_plans(house: House, name: RoundName) -> CardPlans:
    """Explain each statement of a card in the middle of a round, by executing it once more."""
    for draw, face in enumerate(CARDS[:4], start=1):
        key(house, name, {draw: face})
    # A second time round, what one connection reads once is in its caches.
    found: CardPlans = {}
    with _explaining({}):
        key(house, name, {5: CARDS[5]})
    with _explaining(found):
        key(house, name, {6: CARDS[6]})
    return found


@contextmanager
def _explaining(found: CardPlans) -> Iterator[None]:
    def explain(execute: Execute, sql: str, params: Any, many: bool, context: Any) -> Any:
        name = next((name for name, part in _STATEMENTS.items() if part in sql), None)
        if name is not None and name not in found and not sql.startswith("EXPLAIN"):
            found[name] = _explained(execute, sql, params, context)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        yield


def _explained(execute: Execute, sql: str, params: Any, context: Any) -> Plan:
    with transaction.atomic():
        point = transaction.savepoint()
        execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params, False, context)
        [answer] = context["cursor"].fetchone()
        transaction.savepoint_rollback(point)
    plan = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
    return Plan(tuple(_shape(plan)), plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def _shape(plan: dict[str, Any]) -> Iterator[str]:
    names = (plan.get(name, "") for name in ("Node Type", "Relation Name", "Index Name"))
    yield " ".join(filter(None, names))
    for child in plan.get("Plans", ()):
        yield from _shape(child)
