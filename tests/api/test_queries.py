"""How many statements a tap costs, as literal numbers: after one round of a shoe, after twenty,
and in the next shoe, with the first one behind it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker

from tables.services.shoe_end import end_shoe
from tables.web import zone
from tests.factories.house import House, bet, open_round, play_round, ready_the_shoe
from tests.support.api import ApiPerson
from tests.support.floors import PreparedFloor, cloned_floor

MAIN = {"main": 10000}
ROUNDS = 20
ONE_ROUND, MANY_ROUNDS, A_SHOE = "one round", "twenty rounds", "one round and a whole shoe"
# Every rank once, so that turning the suits keeps all faces within their eight copies.
_RANKS = {1: "27K", 2: "38Q", 3: "49J", 0: "56T"}
_ORDER = (1, 2, 3, 0)


def hands_of(number: int) -> dict[int, list[str]]:
    """Three cards for each hand of a round, in another suit than in the round before."""
    suit = "SHDC"[number % 4]
    return {hand: [rank + suit for rank in ranks] for hand, ranks in _RANKS.items()}


@dataclass
class Measured:
    """The statements of each act, by what lay behind it."""

    acts: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def take(self, act: str, behind: str, call: Callable[[], object]) -> None:
        """Do something and keep what it said to the database."""
        with CaptureQueriesContext(connection) as captured:
            call()
        found = [str(query["sql"]) for query in captured.captured_queries]
        self.acts.setdefault(act, {})[behind] = found

    def counts(self, act: str) -> dict[str, int]:
        """How many statements an act took, by what lay behind it."""
        return {behind: len(found) for behind, found in self.acts[act].items()}


def measure(
    measured: Measured, house: House, dealer: ApiPerson, *, behind: str, shoe: int = 1
) -> None:
    """Deal one round of three seats over the API and measure each kind of request once."""
    board = ApiPerson(house, "manager")
    name = open_round(house, shoe=shoe)
    path = f"tables/T1/shoes/{name.shoe}/rounds/{name.number}"
    bet(house, name, {1: MAIN, 2: MAIN})
    body = {"revision": 1, "wagers": {"main": 10000, "pair": 500}}
    measured.take("wagers", behind, lambda: dealer.put(f"{path}/seats/3/wagers", body))
    hands = hands_of(name.number)
    faces = [hands[hand][lap] for lap in range(3) for hand in _ORDER]

    def cards(*draws: int) -> None:
        keyed = [{"draw": n, "revision": 1, "face": faces[n - 1]} for n in draws]
        dealer.post(f"{path}/cards", {"cards": keyed})

    measured.take("first card", behind, lambda: cards(1))
    measured.take("card", behind, lambda: cards(2))
    measured.take("cards of a lap", behind, lambda: cards(*range(3, 9)))
    sweep, final = ({"part": part, "revision": 1} for part in ("sweep", "final"))
    measured.take("sweep", behind, lambda: dealer.post(f"{path}/settlements", sweep))
    cards(*range(9, 13))
    measured.take("table view", behind, lambda: dealer.get("tables/T1/round"))
    measured.take("settle", behind, lambda: dealer.post(f"{path}/settlements", final))
    measured.take("tables", behind, lambda: board.get("tables"))
    measured.take("board", behind, lambda: board.client.get("/pit/P1/", headers=board.headers))


@pytest.fixture(scope="module")
def measured(
    prepared_floor: PreparedFloor, django_db_blocker: DjangoDbBlocker
) -> Iterator[Measured]:
    """Each kind of request, after one round, after twenty, and in the shoe after that."""
    taken = Measured()
    with (
        django_db_blocker.unblock(),
        cloned_floor(prepared_floor) as clone,
        pytest.MonkeyPatch.context() as patch,
    ):
        # Else a page asks for the zone again whenever a minute is over.
        patch.setattr(zone, "_LOOK_AGAIN_S", 10**9)
        house = clone.house
        dealer = ApiPerson(house, "dealer", table="T1")
        # What a process asks once and keeps: the currency, the zone.
        dealer.get("tables/T1/round")
        manager = ApiPerson(house, "manager")
        manager.client.get("/pit/P1/", headers=manager.headers)
        number = 0
        for rounds, behind in ((1, ONE_ROUND), (ROUNDS, MANY_ROUNDS)):
            while number < rounds:
                number += 1
                play_round(house, {1: MAIN, 2: MAIN, 3: MAIN}, hands_of(number))
            measure(taken, house, dealer, behind=behind)
            number += 1
        by = house.acting("supervisor")
        end_shoe(table="T1", shoe=1, stub_cards=416 - 1 - 12 * number, by=by)
        ready_the_shoe(house)
        play_round(house, {1: MAIN, 2: MAIN, 3: MAIN}, hands_of(1), shoe=2)
        measure(taken, house, dealer, behind=A_SHOE, shoe=2)
        yield taken


# One for who stands behind the request; a write is BEGIN, lock, read, write, COMMIT.
STATEMENTS = {
    "wagers": 6,
    "first card": 6,
    "card": 6,
    "cards of a lap": 6,
    "sweep": 6,
    "settle": 6,
    "table view": 4,
    "tables": 2,
    "board": 4,
}


@pytest.mark.parametrize("act", STATEMENTS)
def test_a_request_takes_so_many_statements_whatever_the_history(
    measured: Measured, act: str
) -> None:
    expected = STATEMENTS[act]
    counts = {ONE_ROUND: expected, MANY_ROUNDS: expected, A_SHOE: expected}
    assert measured.counts(act) == counts, measured.acts[act][ONE_ROUND]


@pytest.mark.parametrize(
    "act", ["wagers", "first card", "card", "cards of a lap", "sweep", "settle"]
)
def test_a_write_is_one_lock_one_read_and_one_write(measured: Measured, act: str) -> None:
    for found in measured.acts[act].values():
        inside = found[found.index("BEGIN") + 1 : found.index("COMMIT")]
        assert len(inside) == 3, inside
        lock, read, write = inside
        assert lock.startswith("SELECT public.lock_stream(")
        assert read.lstrip().startswith("SELECT")
        assert write.startswith("WITH")
        assert "INSERT INTO" in write


def test_nothing_is_written_outside_of_the_transaction(measured: Measured) -> None:
    for act in ("card", "settle"):
        found = measured.acts[act][A_SHOE]
        outside = found[: found.index("BEGIN")] + found[found.index("COMMIT") + 1 :]
        assert not [sql for sql in outside if "INSERT" in sql or "UPDATE" in sql]
