"""A dispute as tests make and type it: the round, the forms, the signatures."""

from collections.abc import Mapping

from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, open_dispute, ruling_hash
from tests.factories.house import House
from tests.settlements.correcting import hire, put_in_charge, sign
from tests.tables.irregularities.ruling import DEAL, begin, finish

ROUND = "/tables/T1/shoes/1/rounds/1/"
OPEN = f"{ROUND}dispute/"
PAGE = "/disputes/T1/1/"
TYPED = {"seen": "He says nine.", "what": "3/main", "disputed_minor": "50", "number": "1"}
FILE = {
    "patron": "J. Cruz",
    "contact": "0917 555 0100",
    "narrative": "He says that his hand was nine.",
    "staff_involved": "1001, 1003",
    "witnesses": "Seat 4.",
    "house_action": "The cards were looked at.",
    "camera_reference": "CAM 4 22:03",
    "patron_informed": "Told by 1003 at 22:10, has the form.",
    "revision": "1",
}
RULING = {"outcome": "patron", "ruling": "The camera shows nine."}


def hold(house: House, *, number: int = 1, seat: int = 3, amount: int = 5000) -> None:
    """Open a dispute by the service."""
    open_dispute(
        name=RoundName("T1", 1, 1),
        disputed=Disputed(number, "He says nine.", seat, "main", amount),
        by=house.acting("supervisor"),
    )


def signatures(*names: str) -> dict[str, str]:
    boxes: dict[str, str] = {}
    for n, each in enumerate([sign(name) for name in names], start=1):
        boxes |= {f"signer{n}-badge": each.badge, f"signer{n}-secret": each.secret}
    return boxes


def signing(
    *names: str, ruling: Mapping[str, str] = RULING, read: Mapping[str, str] | None = None
) -> dict[str, str]:
    """A ruling with its signatures under the hash of what was read."""
    content = {
        "act": "dispute.release",
        "dispute": "T1/D1",
        **(read or ruling),
        "disputed_minor": 5000,
    }
    shown = ruling_hash(content).hex()
    return {**ruling, "act": "sign", "content_hash": shown, **signatures(*names)}


def ready_to_rule(house: House) -> House:
    """Let enough people in to sign, put a manager in charge, settle the first round."""
    hire(house)
    put_in_charge(house, "manager")
    settle_first_round(house)
    return house


def settle_first_round(house: House) -> None:
    """Deal and settle T1's first round as owed."""
    finish(house, begin(house, cards=DEAL[:6]), DEAL[6:], start=7)
