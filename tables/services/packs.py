"""Packs of each round: after a round the cards go back, and the pack is shuffled and cut anew.

Every shuffle makes a shoe of its own, so that whatever holds for a shoe holds for it: copies,
places, gapless numbers. The pack that was prepared in signed steps, its check by two people
included, is the one whose cards all of them are; its last shoe is ended with the cards counted
(docs/decisions/0020). It must not say who shuffled: the dealer of the table did, as the entry says.
"""

from collections.abc import Sequence

from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.errors import (
    NotAPackError,
    PackTermsError,
    RoundInPlayError,
    SessionNotInStateError,
    ShoeNotInStateError,
)
from tables.models import Procedures, Shoe, ShoeStep, TableSession
from tables.selectors.floor import Floor, Terms, UsedShoe, read_table
from tables.selectors.rules import procedures_of
from tables.services.shoes import ShoeChange, burned_rows, require_burn
from tables.services.terms import require_standing


@service
def shuffle_pack(*, table: str, shoe: int, by: Acting, burned: Sequence[str] = ()) -> ShoeChange:
    """Shuffle and cut a pack for the next round: its cards go back, it gets its next number.

    `burned` are the cards that the table's burn policy asks for after the cut, "?" where not seen.
    The terms are the table's by now, as for every shoe; a pack that does not serve under them is
    ended and prepared anew. Raises NotAPackError, ShoeNotInStateError, RoundInPlayError,
    SessionNotInStateError, PackTermsError, BurnRefusedError, RulesRetiredError.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR)
    by.require_at_table(table)
    lock_stream(f"table/{table}")
    floor = read_table(table, shoe=shoe)
    used = _require_pack(floor, shoe)
    terms = _require_terms_of_pack(floor, used)
    require_burn(used, burned)
    require_standing(table=table, ruleset=terms.ruleset, procedures=terms.procedures, by=by)
    _return_cards(floor, used, by=by)
    receipt = _start_next(floor, used, burned=burned, by=by)
    return ShoeChange(receipt=receipt, floor=read_table(table))


def _require_pack(floor: Floor, shoe: int) -> UsedShoe:
    used, session, playing = floor.require_shoe(shoe), floor.session, floor.round_in_play
    if used.state != Shoe.State.READY:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)
    if not used.procedures.pack_each_round:
        raise NotAPackError(table=floor.table.key)
    if playing is not None:
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    if session is None or session.state != TableSession.State.OPEN:
        raise SessionNotInStateError(
            table=floor.table.key,
            state=session.state if session else TableSession.State.CLOSED,
            expected=TableSession.State.OPEN,
        )
    return used


def _require_terms_of_pack(floor: Floor, used: UsedShoe) -> Terms:
    """Return the table's terms, if the pack may be dealt on under them as it lies there.

    Cards and burn are what the dealer holds and is asked for before the next shoe begins.
    """
    terms = floor.require_terms()
    serves = (terms.game, terms.cards) == (used.game, used.cards_loaded)
    if serves and terms.procedures.key != used.procedures_ref.key:
        options = Procedures.objects.values_list("options", flat=True).get(pk=terms.procedures.id)
        wanted = procedures_of(terms.procedures.key, game=terms.game, options=options)
        burn, was = wanted.values["burn"], used.procedures.values["burn"]
        serves = wanted.pack_each_round and burn == was
    if not serves:
        raise PackTermsError(table=floor.table.key, shoe=used.number)
    return terms


def _return_cards(floor: Floor, used: UsedShoe, *, by: Acting) -> None:
    """End the shoe without a stub: its cards are one pack again, and nobody counted them."""
    append(
        stream=f"table/{floor.table.key}",
        action="pack.returned",
        subject=used.ref.key,
        actor=by.actor,
        changes=[Change(Shoe, used.ref, {"state": Shoe.State.ENDED.value, "ended_at": by.now})],
    )


def _start_next(floor: Floor, used: UsedShoe, *, burned: Sequence[str], by: Acting) -> Receipt:
    """Number the next shoe, then record who shuffled, cut and burned; it is ready with that."""
    assert floor.session is not None  # _require_pack
    terms = floor.require_terms()
    stream, number = f"table/{floor.table.key}", floor.shoes + 1
    values = {
        "key": f"{floor.table.key}/{number}",
        "table": floor.table,
        "session": floor.session.ref,
        "number": number,
        "state": Shoe.State.PREPARING.value,
        "ruleset": terms.ruleset,
        "procedures": terms.procedures,
        "cards_loaded": used.cards_loaded,
    }
    started = append(
        stream=stream,
        action="shoe.started",
        subject=str(values["key"]),
        actor=by.actor,
        new_heads=[Row(Shoe, values)],
    )
    ref = Ref(started.ids[0], str(values["key"]))
    steps = [ShoeStep.Step.SHUFFLE, ShoeStep.Step.CUT]
    ready = {"state": Shoe.State.READY.value, "prepared_at": by.now, "cards_burned": len(burned)}
    return append(
        stream=stream,
        action="pack.shuffled",
        subject=ref.key,
        actor=by.actor,
        facts=[
            *(_step(ref, step, by=by) for step in [*steps, *_burn(burned)]),
            *burned_rows(ref, burned, event=1, reason="after the cut"),
        ],
        changes=[Change(Shoe, ref, ready)],
        data={"cards_of": used.ref.key},
    )


def _burn(burned: Sequence[str]) -> list[ShoeStep.Step]:
    return [ShoeStep.Step.BURN] if burned else []


def _step(shoe: Ref, step: ShoeStep.Step, *, by: Acting) -> Row:
    values = {"shoe": shoe, "step": step.value, "revision": 1}
    return Row(ShoeStep, {**values, "staff": by.person.staff, "done_at": by.now})
