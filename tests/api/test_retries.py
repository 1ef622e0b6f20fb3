"""A call whose answer was lost is sent again, word for word, and answered as at first (R3)."""

from audit.log.models import Entry
from tables.models import DisputeHold
from tables.services.sessions import key_count, open_table, start_session
from tests.factories.house import OPENER, PINS, STAFF, House, bet, open_round, open_the_table
from tests.support.api import ApiPerson, Json


def again(person: ApiPerson, path: str, body: Json) -> None:
    """Send the same body twice more: the receipt is the first one, and nothing is written."""
    first = person.post(path, body)
    entries = Entry.objects.count()
    for _ in range(2):
        repeated = person.post(path, body, expect=200)
        assert repeated["receipt"] == first["receipt"]
        assert repeated["done_before"] is True
    assert Entry.objects.count() == entries


def test_a_dispute(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10000}})
    dealer = ApiPerson(floor, "dealer", table="T1")
    body = {"number": 1, "shoe": 1, "round": 1, "seen": "He says it was 200.", "seat": 1}
    again(dealer, "tables/T1/disputes", body)
    assert DisputeHold.objects.count() == 1
    other = {**body, "seen": "He says it was 300."}
    assert dealer.refused("POST", "tables/T1/disputes", other)["code"] == "dispute.number"


def test_a_count_also_after_the_table_opened(floor: House) -> None:
    supervisor = floor.acting("supervisor")
    start_session(table="T2", by=supervisor)
    dealer = ApiPerson(floor, "dealer", table="T2")
    path, body = "tables/T2/sessions/1/counts", {"kind": "opener", "revision": 1, "pieces": OPENER}
    again(dealer, path, body)
    key_count(table="T2", session=1, kind="opener", revision=1, pieces=OPENER, by=supervisor)
    open_table(table="T2", session=1, by=supervisor)
    assert dealer.post(path, body, expect=200)["done_before"] is True
    other = {**body, "pieces": {**OPENER, "100000": 1}}
    assert dealer.refused("POST", path, other)["code"] == "session.state"


def test_a_signed_step_of_a_shoe(floor: House) -> None:
    open_the_table(floor, "T2")
    dealer = ApiPerson(floor, "dealer", table="T2")
    dealer.post("tables/T2/shoes")
    signer = {"badge": STAFF["dealer"][1], "secret": PINS["dealer"], "role": "dealer"}
    again(dealer, "tables/T2/shoes/1/steps", {"step": "shuffle", "signers": [signer]})
