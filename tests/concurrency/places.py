"""A table of a race's own, in the state that the race needs."""

from dataclasses import dataclass, replace
from itertools import count

from audit.log.models import Entry
from tables.acting import Acting
from tables.models import Limits, Procedures, Shoe, TableSession
from tables.services.house import create_table
from tables.services.sessions import key_count, open_table, start_closing, start_session
from tables.services.shoes import prepare_shoe
from tests.factories.house import OPENER, SET_UP, House, ready_the_shoe, set_terms
from tests.support.floors import ref_of

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Place:
    """A table with terms, and who acts at it."""

    house: House
    code: str

    @property
    def dealer(self) -> Acting:
        """The dealer at the table's tablet."""
        return self.house.acting("dealer", table=self.code)

    @property
    def supervisor(self) -> Acting:
        """The supervisor in a browser."""
        return self.house.acting("supervisor")

    @property
    def session(self) -> TableSession:
        """The table's last session as it is stored now."""
        return TableSession.objects.filter(table__code=self.code).latest("number")

    @property
    def shoe(self) -> Shoe:
        """The table's last shoe as it is stored now."""
        return Shoe.objects.filter(table__code=self.code).latest("number")

    def entries(self, action: str) -> int:
        """How many entries of the table say that this was done."""
        return Entry.objects.filter(stream=f"table/{self.code}", action=action).count()

    def opening(self) -> "Place":
        """Begin to open, and count."""
        start_session(table=self.code, by=self.supervisor)
        return self.counted("opener")

    def opened(self) -> "Place":
        """Open the table."""
        self.opening()
        open_table(table=self.code, session=1, by=self.supervisor)
        return self

    def preparing(self) -> "Place":
        """Open the table and begin a shoe."""
        self.opened()
        prepare_shoe(table=self.code, by=self.dealer)
        return self

    def dealing(self) -> "Place":
        """Open the table and ready a shoe."""
        self.opened()
        ready_the_shoe(self.house, self.code)
        return self

    def closing(self) -> "Place":
        """Open the table, begin to close it, and count."""
        self.opened()
        start_closing(table=self.code, session=1, by=self.supervisor)
        return self.counted("closer")

    def counted(self, kind: str) -> "Place":
        """Both people count the same."""
        for by in (self.dealer, self.supervisor):
            key_count(table=self.code, session=1, kind=kind, revision=1, pieces=OPENER, by=by)
        return self


def new_place(house: House) -> Place:
    """Create a table under the terms of the house; the tablet of T1 serves it too."""
    code = f"R{next(_numbers)}"
    create_table(code=code, name=f"Table {code}", pit="P1", by=SET_UP)
    set_terms(
        table=code,
        ruleset=house.ruleset,
        procedures=ref_of(Procedures.objects.earliest("id")),
        limits=ref_of(Limits.objects.earliest("id")),
    )
    return Place(replace(house, devices={**house.devices, code: house.devices["T1"]}), code)
