"""Eight tables in eight stages, and the people at them.

T1  betting, seat 1 has bet           T5  one card dealt; the shoe showed eight 7H before
T2  first lap, one card of seats 1, 3  T6  never opened
T3  showdown                          T7  pair wagers to be swept
T4  settled                           T8  betting, nobody has bet
"""

from tables.models import Procedures
from tables.services.house import publish_limits
from tests.factories.house import (
    SET_UP,
    House,
    bet,
    key,
    open_floor,
    open_round,
    play_round,
    set_terms,
)
from tests.support.api import ApiPerson
from tests.support.floors import ref_of

LIMITS = {
    "min": {"main": 1000, "pair": 100},
    "max": {"main": 1_000_000},
    "step": {"main": 500},
    "aggregate": {"jacks": 1_100_000},
}
MAIN = {"main": 10000}
_SEVENS = {
    **{seat: ["7H", "7H", f"{seat + 1}C"] for seat in (1, 2, 3)},
    4: ["7H", "7H", "KC"],
    0: ["2S", "3S", "4S"],
}


def put_in_stages(house: House) -> None:
    """Bring the tables to the stages named above, all under limits."""
    limits = publish_limits(game="poker-lucky-9", options=LIMITS, by=SET_UP)
    procedures = ref_of(Procedures.objects.get())
    for table in ("T1", "T2", "T3", "T4", "T5", "T7", "T8"):
        set_terms(
            table=table,
            ruleset=house.ruleset,
            procedures=procedures,
            limits=limits,
        )
        if table != "T1":
            open_floor(house, table)
    bet(house, open_round(house, table="T1"), {1: MAIN})
    second = open_round(house, table="T2")
    bet(house, second, {1: MAIN, 3: MAIN})
    key(house, second, {1: "2H"})
    third = open_round(house, table="T3")
    bet(house, third, {1: MAIN})
    key(house, third, dict(enumerate(["2H", "5S", "7C", "3D", "KD", "QC"], start=1)))
    hands = {1: ["2H", "7C", "KD"], 0: ["5S", "3D", "QC"]}
    play_round(house, {1: MAIN}, hands, table="T4")
    play_round(house, dict.fromkeys((1, 2, 3, 4), MAIN), _SEVENS, table="T5")
    fifth = open_round(house, table="T5")
    bet(house, fifth, {1: MAIN})
    key(house, fifth, {1: "AS"})
    seventh = open_round(house, table="T7")
    bet(house, seventh, {1: {**MAIN, "pair": 1000}})
    key(house, seventh, dict(enumerate(["2H", "5S", "2C", "3D"], start=1)))
    open_round(house, table="T8")


class Callers:
    """Signed-on people; one person has one session, so another tablet means to sign on anew."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._signed_on: dict[str, tuple[str | None, ApiPerson]] = {}

    def get(self, name: str, *, at: str | None) -> ApiPerson:
        """The person at the tablet of a table, or in a browser."""
        known = self._signed_on.get(name)
        if known is None or known[0] != at:
            known = (at, ApiPerson(self.house, name, table=at))
            self._signed_on[name] = known
        return known[1]

    def forget(self, name: str) -> None:
        """Sign this person on anew the next time."""
        self._signed_on.pop(name, None)
