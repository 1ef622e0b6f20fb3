"""Cases as tests state them, who signs them by letter, and what must hold when all is done."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from audit.findings.models import Finding
from audit.log.replay import replay_log
from casino.outbox.handlers import drain
from casino.people.services import SignerInput
from settlements.models import CheckResult, Payout
from settlements.services.irregularities import Ruled, record_irregularity
from tables.irregularities import EVENTS, Case, Drawn, Told, WagerCase
from tables.models import (
    Irregularity,
    Round,
    Shoe,
    ShoeStatement,
    TableSession,
)
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, bet, key, open_floor, open_round, settle_part
from tests.settlements.correcting import sign
from tests.tables.terms import T, under_terms

LOADED = 416
BURNED_FIRST = 1  # by the prepared shoe's burn policy
WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "jacks": 500}}
# Seat 1, seat 3, House, lap by lap; seat 1 has a pair in its first two, the House wins nothing.
DEAL = ("2H", "8S", "5S", "2D", "7C", "3D", "KD", "4C", "QC")
TOLD = Told(seen="The dealer saw it.", ruling="As the list says.")
TOLD_ALL = Told(seen="The dealer saw it.", ruling="Ruled.", regulator="A. Cruz, phone, 22:01.")
_PEOPLE = {"S": "supervisor", "M": "manager_2", "H": "manager", "D": "dealer", "V": "watcher"}


def signed(letters: str) -> list[SignerInput]:
    """What the people enter who stand for these letters."""
    return [
        sign(_PEOPLE[letter], camera="CAM 4 21:14:05" if letter == "V" else None)
        for letter in letters
    ]


def case(
    house: House,
    event: int,
    procedure: str,
    *,
    name: RoundName | None = None,
    told: Told = TOLD,
    **rest: Any,  # fields of the case, by name
) -> Case:
    """A case of the round, or of the table's first shoe, with the next number.

    A void in the third lap says that those cards are out that are keyed, unless it says otherwise.
    """
    fields: dict[str, Any] = {"shoe": name.shoe if name else 1, "round": name and name.number}
    table = name.table if name else rest.pop("table", "T1")
    known = EVENTS[event].procedures.get(procedure) if event in EVENTS else None
    if name and known is not None and known.voids_round:
        read = read_round(name)
        if read.stage == Round.Stage.THIRD_LAP:
            fields["cards_out"] = max(draw for draw in read.faces if draw)
    return Case(
        table=table,
        event=event,
        procedure=procedure,
        told=told,
        happened_at=house.now - timedelta(minutes=1),
        **{"number": next_number(table), **fields, **rest},
    )


def next_number(table: str = "T1") -> int:
    """The table's next irregularity."""
    last = Irregularity.objects.filter(table__code=table).order_by("-number").first()
    return last.number + 1 if last else 1


def rule(
    house: House,
    event: int,
    procedure: str,
    letters: str,
    *,
    by: str = "supervisor",
    **rest: Any,  # as `case`
) -> Ruled:
    """Record a case, signed by these letters."""
    made = case(house, event, procedure, **rest)
    return record_irregularity(case=made, signers=signed(letters), by=house.acting(by))


def begin(
    house: House,
    wagers: Mapping[int, Mapping[str, int]] = WAGERS,
    *,
    cards: Iterable[str] = (),
    table: str = "T1",
) -> RoundName:
    """Open a round, bet, and key cards in the order of draws."""
    name = open_round(house, table=table)
    bet(house, name, wagers)
    deal(house, name, cards)
    return name


def deal(house: House, name: RoundName, cards: Iterable[str], *, start: int = 1) -> None:
    """Key cards in the order of draws; "-" leaves a draw out."""
    faces = {n: face for n, face in enumerate(cards, start=start) if face != "-"}
    if faces:
        key(house, name, faces)


def finish(house: House, name: RoundName, cards: Iterable[str], *, start: int) -> RoundRead:
    """Settle a sweep that is due, key the rest, and settle."""
    if read_round(name).stage == "sweep":
        settle_part(house, name, "sweep")
    deal(house, name, cards, start=start)
    settle_part(house, name, "final")
    return read_round(name)


def paid(name: RoundName) -> dict[tuple[int, str], tuple[str, int]]:
    """Outcome and what went back, by wager, as it stands."""
    round_ = Round.objects.get(key=name.key)
    standing = {"sweep": round_.sweep_revision, "final": round_.final_revision}
    return {
        (row.seat, row.wager): (row.outcome, row.owed_minor)
        for row in Payout.objects.filter(round=round_)
        if row.revision == standing[row.part]
    }


def session(table: str = "T1") -> TableSession:
    """The first session of a table."""
    return TableSession.objects.get(key=f"{table}/S1")


def shoe(table: str = "T1") -> Shoe:
    """The first shoe of a table."""
    return Shoe.objects.get(key=f"{table}/1")


def house_with(house: House, **procedures: str) -> str:
    """Open another table, whose house has these procedures; its code."""
    under_terms(house, procedures=procedures)
    open_floor(house, T)
    return T


def close_shoe(house: House, *, out: int, table: str = "T1") -> ShoeStatement:
    """End the shoe with what is physically left of it: `out` cards left it after the burn."""
    stub = LOADED - BURNED_FIRST - out
    end_shoe(table=table, shoe=1, stub_cards=stub, by=house.acting("supervisor"))
    return ShoeStatement.objects.get(shoe__key=f"{table}/1")


def prove(
    house: House, *, out: int | None = None, findings: Iterable[str] = (), table: str = "T1"
) -> None:
    """Expect that the shoe closes, the second engine agrees, and the log replays to the same."""
    if out is not None:
        statement = close_shoe(house, out=out, table=table)
        assert statement.counted_closes
        stored = shoe(table)
        assert (stored.cards_dealt, stored.cards_burned) == (statement.dealt, statement.burned)
    while drain():
        pass
    wrong = [r.differences for r in CheckResult.objects.all() if not r.agrees]
    assert wrong == []
    assert replay_log().problems == []
    found = Finding.objects.values_list("kind", flat=True)
    assert sorted(found) == sorted(findings)


def drawn(*cards: tuple[int, int | None] | tuple[int, int | None, str]) -> tuple[Drawn, ...]:
    """Draws with the hand they lie at (None: none), and the face where it was seen."""
    return tuple(Drawn(c[0], c[1], c[2] if len(c) > 2 else None) for c in cards)


def wager(seat: int, kind: str, stake: int | None = None, back: int | None = None) -> WagerCase:
    """A wager of a case."""
    return WagerCase(seat, kind, stake, back)
