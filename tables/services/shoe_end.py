"""The end of a shoe: the stub is counted, and two statements are made (control 4.17).

*Counted*: dealt, burned and stub make up what was loaded. *Composed*: no identity stands above
its copies, and so many faces are unknown. A statement that does not hold is a finding. While rounds
from paper are awaited the count waits for them; it is stated anew as they come in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from audit.findings.services import raise_finding
from audit.log.rows import Actor, Change, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.errors import RoundInPlayError, ShoeNotInStateError, StubRefusedError
from tables.models import Shoe, ShoeStatement, StubCount
from tables.selectors.floor import UsedShoe, read_table
from tables.selectors.paper import awaited_in
from tables.selectors.shoes import (
    Composition,
    UnprovenShoe,
    composition_after,
    is_stated,
    shoe_composition,
)
from tables.services.shoes import ShoeChange


@service
def end_shoe(*, table: str, shoe: int, stub_cards: int, by: Acting) -> ShoeChange:
    """End a shoe with its stub counted; it takes no more rounds.

    A shoe that was only being prepared ends too, and one that was stopped; one that was voided is
    counted and stays void (event 27). Raises RoundInPlayError, StubRefusedError,
    ShoeNotInStateError.
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    return write_end(table=table, shoe=shoe, stub_cards=stub_cards, by=by)


@service
def write_end(*, table: str, shoe: int, stub_cards: int, by: Acting) -> ShoeChange:
    """End a shoe as above, where somebody has ruled it: whose right it is was asked before.

    Raises ShoeNotInStateError, RoundInPlayError, StubRefusedError, ShoeMissingError.
    """
    stream = f"table/{table}"
    lock_stream(stream)
    floor = read_table(table, shoe=shoe)
    used = floor.require_shoe(shoe)
    if used.state == Shoe.State.ENDED or (used.is_void and is_stated(used.ref)):
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)
    playing = floor.round_in_play
    if playing is not None and playing.shoe_key == used.ref.key:
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    most = used.cards_loaded + used.cards_reshuffled
    if not 0 <= stub_cards <= most:
        raise StubRefusedError(cards_max=most)
    composition = shoe_composition(used)
    statement = _statement(
        used, composition, revision=1, stub_cards=stub_cards, awaited=awaited_in(used.ref)
    )
    receipt = append(
        stream=stream,
        action="shoe.counted" if used.is_void else "shoe.ended",
        subject=used.ref.key,
        actor=by.actor,
        facts=[
            Row(
                StubCount,
                {
                    "shoe": used.ref,
                    "revision": 1,
                    "staff": by.person.staff,
                    "cards": stub_cards,
                },
            ),
            Row(ShoeStatement, statement),
        ],
        changes=[Change(Shoe, used.ref, _ended(used, by=by))],
    )
    _raise_findings(used, composition, statement=statement, by=by)
    return ShoeChange(receipt=receipt, floor=read_table(table, shoe=shoe))


def _ended(used: UsedShoe, *, by: Acting) -> dict[str, object]:
    state = Shoe.State.VOIDED if used.is_void else Shoe.State.ENDED
    return {"state": state.value, "ended_at": by.now}


@dataclass(frozen=True, slots=True)
class Restated:
    """The next statement of an ended shoe: its row, and what is raised once it is written."""

    row: Row
    used: UsedShoe
    composition: Composition
    values: dict[str, object]

    def raise_findings(self, by: Acting) -> None:
        """Raise what does not hold; call it after the append of the row."""
        _raise_findings(self.used, self.composition, statement=self.values, by=by)


def restate_shoe(
    *,
    table: str,
    shoe: int,
    replaced: Iterable[tuple[str, str]] = (),
    added: Sequence[str] = (),
    awaited_by: int = 0,
) -> Restated | None:
    """State an ended shoe anew: faces (before, after) replaced by a correction, or added from paper
    (event 28).

    `awaited_by` is by how much the number of awaited rounds moves with the caller's own write.
    Returns None for a shoe that was not stated yet. The caller holds the table's stream and writes
    the row with the cards it stands on.
    """
    used = read_table(table, shoe=shoe).require_shoe(shoe)
    stated = ShoeStatement.objects.filter(shoe_id=used.ref.id).order_by("-revision").first()
    if stated is None:
        return None
    composition = composition_after(used, shoe_composition(used), replaced=replaced, added=added)
    values = _statement(
        used,
        composition,
        revision=stated.revision + 1,
        stub_cards=stated.stub,
        awaited=awaited_in(used.ref) + awaited_by,
    )
    return Restated(Row(ShoeStatement, values), used, composition, values)


def _statement(
    used: UsedShoe, composition: Composition, *, revision: int, stub_cards: int, awaited: int
) -> dict[str, object]:
    accounted = composition.dealt + composition.burned + stub_cards
    return {
        "shoe": used.ref,
        "revision": revision,
        "dealt": composition.dealt,
        "burned": composition.burned,
        "stub": stub_cards,
        "awaited": awaited,
        "counted_closes": accounted == used.cards_loaded + used.cards_reshuffled,
        "unknown_faces": composition.unknown,
        "over": dict(composition.over),
        "composed_holds": not composition.over,
    }


def _raise_findings(
    used: UsedShoe, composition: Composition, *, statement: dict[str, object], by: Acting
) -> None:
    found: dict[str, dict[str, object]] = {}
    accounted = composition.dealt + composition.burned + int(str(statement["stub"]))
    if not statement["counted_closes"] and _is_final(statement, used, accounted=accounted):
        counted = {key: statement[key] for key in ("dealt", "burned", "stub")}
        found["shoe.count_open"] = {**counted, "loaded": used.cards_loaded}
    if composition.over:
        found["shoe.composition_over"] = {
            "over": dict(composition.over),
            "unknown_faces": composition.unknown,
        }
    for kind, detail in found.items():
        raise_finding(
            kind=kind,
            subject_kind="shoe",
            subject_key=used.ref.key,
            table_code=used.ref.key.split("/")[0],
            detail=detail,
            raised_by=by.actor,
            now=by.now,
        )


def raise_unproven(shoes: Iterable[UnprovenShoe], *, by: Actor, now: datetime) -> None:
    """Raise what the cards of shoes still wait for, each once (events 27, 28)."""
    for shoe in shoes:
        for kind in shoe.waits_for:
            raise_finding(
                kind=kind,
                subject_kind="shoe",
                subject_key=shoe.key,
                table_code=shoe.key.split("/")[0],
                detail={},
                raised_by=by,
                now=now,
            )


def _is_final(statement: dict[str, object], used: UsedShoe, *, accounted: int) -> bool:
    """Tell whether a count that does not close can no longer be closed by awaited rounds."""
    return not statement["awaited"] or accounted > used.cards_loaded + used.cards_reshuffled
