"""Sheets as people key them, and the steps that bring one in."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from audit.log.models import Entry
from audit.log.rows import Receipt
from settlements.services.paper import Agreement, KeyedSheet, agree_sheet, key_sheet
from tables.models import Round
from tables.selectors.round_read import RoundName
from tables.services.paper import Keyed, Keying, Reserved, record_held_copy, reserve_rounds
from tests.factories.house import House, signer

Json = dict[str, Any]  # Any: documents

# Three faces by hand, the House's under 0, of rounds in which nothing is alike.
HANDS: Mapping[int, Sequence[str]] = {
    1: ("AS", "7D", "9H"),
    2: ("KS", "KD", "2C"),
    0: ("5H", "3C", "TD"),
}
WAGERS: Mapping[int, Mapping[str, int]] = {
    1: {"main": 10_000, "pair": 1_000},
    2: {"main": 20_000, "pair": 2_000, "jacks": 1_000},
}
MISDEAL = {
    "stage": "second_lap",
    "affects_first_two_cards": False,
    "event": 26,
    "note": "A card fell out of the shoe.",
    "signed_by": ["1003", "1004"],
}


OTHER_THIRD = {2: ("KS", "KD", "2H")}  # as a second person may read it


def stage(name: RoundName) -> str:
    """Where a round stands."""
    return Round.objects.get(key=name.key).stage


def entries() -> int:
    """How many entries T1's stream has."""
    return Entry.objects.filter(stream="table/T1").count()


def sheet(
    wagers: Mapping[int, Mapping[str, int]] = WAGERS,
    hands: Mapping[int, Sequence[str]] = HANDS,
    **more: object,
) -> Json:
    """A sheet of a round that was played to its end."""
    return {
        "end": "settled",
        "dealer": "1001",
        "seats": [
            {"seat": seat, "bets": dict(bets), "cards": list(hands.get(seat, ()))}
            for seat, bets in wagers.items()
        ],
        "house": {"cards": list(hands[0])},
        **more,
    }


def other() -> Json:
    """The same sheet with one card read otherwise."""
    return sheet(hands={**HANDS, **OTHER_THIRD})


def misdeal(**changed: object) -> Json:
    """A sheet of a round that was voided in its second lap."""
    hands = {1: ("4S", "4D"), 2: ("6S",), 0: ("8H",)}
    return sheet(hands=hands, end="voided", void={**MISDEAL, **changed})


def reserve(
    house: House, rounds: int, *, after: int, who: str = "dealer", shoe: int = 1
) -> Reserved:
    """Reserve rounds of T1's shoe."""
    table = "T1" if who.startswith("dealer") else None
    return reserve_rounds(
        table="T1", shoe=shoe, rounds=rounds, after=after, by=house.acting(who, table=table)
    )


def dealt_at(house: House, minutes: float = -30) -> datetime:
    """The time on a sheet."""
    return house.now + timedelta(minutes=minutes)


def keying(
    house: House, document: Json, *, copy: str = "first", revision: int = 1, **more: Any
) -> Keying:
    """One copy of a sheet as it is sent."""
    return Keying(
        copy=copy,
        revision=revision,
        document=document,
        dealt_at=more.pop("dealt_at", dealt_at(house)),
        **more,
    )


def key_copy(
    house: House, name: RoundName, document: Json, *, who: str, copy: str, **more: Any
) -> KeyedSheet:
    """One person keys one copy; dealers do at the tablet."""
    table = name.table if who.startswith("dealer") else None
    return key_sheet(
        name=name,
        keying=keying(house, document, copy=copy, **more),
        by=house.acting(who, table=table),
    )


def key_twice(
    house: House, name: RoundName, first: Json, second: Json | None = None, **more: Any
) -> KeyedSheet:
    """The dealer and the supervisor key a sheet."""
    key_copy(house, name, first, who="dealer", copy="first", **more)
    return key_copy(house, name, second or first, who="supervisor", copy="second", **more)


def hold(house: House, name: RoundName, document: Json, *, revision: int = 1) -> Keyed:
    """The tablet hands in the copy that it held."""
    return record_held_copy(
        name=name,
        keying=keying(house, document, copy="device", revision=revision),
        by=house.acting("dealer", table=name.table),
    )


def agree(
    house: House,
    name: RoundName,
    *,
    keep: str = "",
    document: Json | None = None,
    who: str = "manager",
    signers: Sequence[str] = ("manager",),
    **more: Any,
) -> Receipt:
    """Somebody says what counts, and people sign it."""
    return agree_sheet(
        name=name,
        agreement=Agreement(
            keep=keep,
            note="read again",
            document=document,
            dealt_at=dealt_at(house) if document is not None else None,
            **more,
        ),
        signers=[signer(each) for each in signers],
        by=house.acting(who),
    )
