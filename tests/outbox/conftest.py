import psycopg
import pytest

from tests.outbox.inserting import RESULT_TABLE
from tests.support.database import CloneDatabase


@pytest.fixture
def results_db(clone_db: CloneDatabase) -> CloneDatabase:
    """A database with a table for the results of `test.insert`."""
    with psycopg.connect(clone_db.owner_url) as owner:
        owner.execute(RESULT_TABLE)
    return clone_db
