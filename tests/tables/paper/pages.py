"""What tests of the pages of rounds from paper share: addresses, a sheet as typed, people."""

from django.test import Client

from casino.people.middleware import TOKEN_HEADER
from tests.factories.house import PINS, STAFF, House
from tests.support.api import ApiPerson
from tests.tables.paper.sheets import HANDS, sheet

LIST = "/tables/T1/paper/"
SHEET = "/tables/T1/shoes/1/rounds/1/sheet/"
OTHER = sheet(hands={**HANDS, 2: ("KS", "KD", "2H")})
# What sheet() says, as it is typed: 21:35 in Manila.
TYPED = {
    "revision": "1",
    "time": "2135",
    "dealer": "1001",
    "end": "settled",
    "s1_main": "100",
    "s1_pair": "10",
    "s1_c1": "as",
    "s1_c2": "7D",
    "s1_c3": "9H",
    "s2_main": "200",
    "s2_pair": "20",
    "s2_jacks": "10.00",
    "s2_c1": "KS",
    "s2_c2": "KD",
    "s2_c3": "2C",
    "s0_c1": "5H",
    "s0_c2": "3C",
    "s0_c3": "10D",
}


def browser(house: House, name: str, *, table: str | None = None) -> Client:
    """A person's browser, signed on."""
    person = ApiPerson(house, name, table=table)
    headers = {TOKEN_HEADER: house.tokens[table]} if table else {}
    client = Client(headers=headers)
    client.cookies = person.client.cookies
    return client


def signature(number: int, name: str) -> dict[str, str]:
    """A signer's box as it is typed."""
    return {f"signer{number}-badge": STAFF[name][1], f"signer{number}-secret": PINS[name]}
