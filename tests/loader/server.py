"""A database with history in it, made once, from which tests take clones of their own."""

from collections.abc import Iterator
from contextlib import contextmanager

from audit.log.days import turn_days
from casino.embedded.database import Addresses
from tables.selectors.house import gaming_day_at
from tables.services.house import publish_ruleset
from tests.factories.house import SET_UP, build_house
from tests.loader.history import History, load
from tests.support.database import DatabaseServer, default_database
from tests.support.floors import PreparedFloor


@contextmanager
def loaded_server(server: DatabaseServer, *histories: History) -> Iterator[PreparedFloor]:
    """Build a house, load histories into it; nothing is open, and a second ruleset is published.

    The first gaming day is the house's own; every stream is marked at its turn.
    """
    with server.clone() as clone:
        with default_database(clone.app_url):
            tables = {table: None for history in histories for table in history.tables}
            house = build_house(tables=tuple(tables))
            publish_ruleset(
                game="poker-lucky-9", name="Other rules", options={"decks": 7}, by=SET_UP
            )
            turn_days(gaming_day_at(house.now))
            for history in histories:
                load(history, house=house, database=clone)
        addresses = Addresses(admin=clone.admin_url, owner=clone.owner_url, app=clone.app_url)
        yield PreparedFloor(house, DatabaseServer(addresses, clone.name))
