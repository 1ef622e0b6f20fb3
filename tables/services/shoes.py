"""Shoes: prepared in signed steps, burned from, marked by the cut card, ended with the stub.

No card is dealt from a shoe whose shuffle, check, cut and burn are not signed (event 16).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from audit.chain import canonical
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.selectors import signed_entry
from casino.people.services.signatures import (
    Signer,
    SignerInput,
    signature_rows,
    verify_signers,
)
from tables.acting import Acting
from tables.errors import (
    BurnRefusedError,
    RoundInPlayError,
    SessionNotInStateError,
    ShoeExhaustedError,
    ShoeInUseError,
    ShoeNotInStateError,
    ShoeSignersError,
    ShoeStepOrderError,
    StepBurnsNothingError,
)
from tables.games.burns import burn_cards_expected
from tables.games.cards import is_face
from tables.models import BurnedCard, Round, Shoe, ShoeStep, TableSession
from tables.selectors.floor import Floor, UsedShoe, read_table
from tables.selectors.shoes import burn_as_stated, burn_events, signed_steps
from tables.services.terms import require_standing
from tables.shoe_errors import BurnBeyondError, BurnConflictError

_STEPS = (
    ShoeStep.Step.SHUFFLE,
    ShoeStep.Step.CHECK,
    ShoeStep.Step.CUT,
    ShoeStep.Step.BURN,
)
_BURNED_AT_ONCE_MAX = 11  # the first card and the ten that its value may ask for
_PREPARES = (Role.DEALER, Role.SUPERVISOR, Role.MANAGER)


@dataclass(frozen=True, slots=True)
class ShoeChange:
    """What a service did with a shoe: the receipt, and the table as it stands now."""

    receipt: Receipt
    floor: Floor
    done_before: bool = False

    @property
    def shoe(self) -> UsedShoe:
        """The shoe."""
        return self.floor.require_shoe()


@service
def prepare_shoe(*, table: str, by: Acting) -> ShoeChange:
    """Begin a shoe: it is numbered, gapless per table, and pinned to the terms in force.

    Raises NotAtThisTableError, SessionNotInStateError, ShoeInUseError, TermsMissingError,
    RulesRetiredError.
    """
    require_role(by.person, *_PREPARES)
    by.require_dealer_at_table(table)
    stream = f"table/{table}"
    lock_stream(stream)
    floor = read_table(table)
    session, terms = floor.session, floor.require_terms()
    if session is None or session.state != TableSession.State.OPEN:
        raise SessionNotInStateError(
            table=table,
            state=session.state if session else TableSession.State.CLOSED,
            expected=TableSession.State.OPEN,
        )
    if floor.shoe is not None:
        raise ShoeInUseError(shoe=floor.shoe.ref.key, state=floor.shoe.state)
    require_standing(table=table, ruleset=terms.ruleset, procedures=terms.procedures, by=by)
    number = floor.shoes + 1
    values = {
        "key": f"{table}/{number}",
        "table": floor.table,
        "session": session.ref,
        "number": number,
        "state": Shoe.State.PREPARING.value,
        "ruleset": terms.ruleset,
        "procedures": terms.procedures,
        "cards_loaded": terms.cards,
    }
    receipt = append(
        stream=stream,
        action="shoe.started",
        subject=f"{table}/{number}",
        actor=by.actor,
        new_heads=[Row(Shoe, values)],
    )
    return ShoeChange(receipt=receipt, floor=read_table(table))


def sign_shoe_step(
    *,
    table: str,
    shoe: int,
    step: str,
    signers: Sequence[SignerInput],
    by: Acting,
    burned: Sequence[str] = (),
) -> ShoeChange:
    """Sign one step of the preparation; the burn states its cards and makes the shoe ready.

    The check is signed by two people, one of them a supervisor or manager (control 4.6). The
    signatures are verified before any lock is taken. The same step signed again by the same people
    changes nothing. Raises NotAtThisTableError,
    ShoeStepOrderError, ShoeSignersError, BurnRefusedError, StepBurnsNothingError and what
    `verify_signers` raises.
    """
    require_role(by.person, *_PREPARES)
    by.require_dealer_at_table(table)
    if burned and step != ShoeStep.Step.BURN:
        raise StepBurnsNothingError(step=step, refused=list(burned))
    verified = verify_signers(signers, origin=by.origin, now=by.now)
    _require_signers(step, verified)
    return _write_step(
        table=table, shoe=shoe, step=step, signers=verified, by=by, burned=tuple(burned)
    )


@service
def _write_step(
    *,
    table: str,
    shoe: int,
    step: str,
    signers: Sequence[Signer],
    by: Acting,
    burned: Sequence[str],
) -> ShoeChange:
    stream = f"table/{table}"
    lock_stream(stream)
    floor = read_table(table, shoe=shoe)
    used = floor.require_shoe(shoe)
    done = signed_steps(used.ref)
    content = {"shoe": used.ref.key, "step": step, "burned": list(burned)}
    digest = sha256(canonical(content)).digest()
    if step in done and (again := _signed_before(used.ref, step, digest=digest, signers=signers)):
        return ShoeChange(receipt=again, floor=floor, done_before=True)
    expected = next((s for s in _STEPS if s.value not in done), None)
    if used.state != Shoe.State.PREPARING or expected is None:
        raise ShoeNotInStateError(
            shoe=used.ref.key, state=used.state, expected=Shoe.State.PREPARING
        )
    if step != expected:
        raise ShoeStepOrderError(step=step, expected=expected.value)
    signatures = signature_rows(
        signers,
        content_hash=digest,
        purpose=f"shoe.{step}",
        subject=used.ref.key,
        device=by.person.device,
    )
    row = Row(
        ShoeStep,
        {
            "shoe": used.ref,
            "step": step,
            "revision": 1,
            "staff": signers[0].staff,
            "done_at": by.now,
        },
    )
    cards: list[Row] = []
    changes: list[Change] = []
    if step == ShoeStep.Step.BURN:
        require_burn(used, burned)
        cards = burned_rows(used.ref, burned, event=1, reason="after the cut")
        ready = {
            "state": Shoe.State.READY.value,
            "cards_burned": used.cards_burned + len(cards),
            "prepared_at": by.now,
        }
        changes = [Change(Shoe, used.ref, ready)]
    receipt = append(
        stream=stream,
        action=f"shoe.{_PAST[step]}",
        subject=used.ref.key,
        actor=by.actor,
        facts=[row, *cards, *signatures],
        changes=changes,
    )
    return ShoeChange(receipt=receipt, floor=read_table(table, shoe=shoe))


def _signed_before(
    shoe: Ref, step: str, *, digest: bytes, signers: Sequence[Signer]
) -> Receipt | None:
    """Return the receipt of the same step signed by the same people, for a call sent again."""
    entry = signed_entry(
        purpose=f"shoe.{step}",
        subject=shoe.key,
        content_hash=digest,
        staff=[signer.staff.id for signer in signers],
    )
    return None if entry is None else receipt_of(entry)


_PAST = {"shuffle": "shuffled", "check": "checked", "cut": "cut", "burn": "burned"}


@service
def burn_cards(
    *, table: str, shoe: int, event: int, faces: Sequence[str], reason: str, by: Acting
) -> ShoeChange:
    """Record cards burned between rounds, seen or not ("?"); they count in the shoe
    (control 4.13).

    `event` is the number of the burn in the shoe: the same burn again under its number changes
    nothing, whatever became of the shoe since. Raises BurnConflictError, BurnBeyondError,
    ShoeNotInStateError, RoundInPlayError, BurnRefusedError, ShoeExhaustedError.
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    lock_stream(f"table/{table}")
    floor = read_table(table, shoe=shoe)
    used = floor.require_shoe(shoe)
    done = _burned_before(used, event=event, faces=faces, reason=reason)
    if done is not None:
        return ShoeChange(receipt=done, floor=floor, done_before=True)
    _require_in_use(used)
    if floor.round_in_play is not None:
        raise RoundInPlayError(round=floor.round_in_play.key, stage=floor.round_in_play.stage)
    _require_faces(used, faces)
    left = used.cards_loaded - used.cards_out
    if len(faces) > left:
        raise ShoeExhaustedError(cards_left=left, cards_needed=len(faces))
    rows = burned_rows(used.ref, faces, event=event, reason=reason)
    burned = used.cards_burned + len(rows)
    receipt = append(
        stream=f"table/{table}",
        action="cards.burned",
        subject=used.ref.key,
        actor=by.actor,
        facts=rows,
        changes=[Change(Shoe, used.ref, {"cards_burned": burned})],
        data={"reason": reason},
    )
    return ShoeChange(receipt=receipt, floor=read_table(table, shoe=shoe))


def _burned_before(
    used: UsedShoe, *, event: int, faces: Sequence[str], reason: str
) -> Receipt | None:
    """Return the receipt of the burn if it is on record as it is stated now; None if it is next."""
    next_event = burn_events(used.ref) + 1
    if not 1 <= event <= next_event:
        raise BurnBeyondError(shoe=used.ref.key, event=event, next=next_event)
    stored = burn_as_stated(used.ref, event)
    if stored is None:
        return None
    if (stored.faces, stored.reason) != (tuple(faces), reason):
        raise BurnConflictError(
            shoe=used.ref.key,
            event=event,
            next=next_event,
            stands={"faces": list(stored.faces), "reason": stored.reason},
            sent={"faces": list(faces), "reason": reason},
        )
    return receipt_of(stored.entry_id)


@service
def mark_cut_card(*, table: str, shoe: int, by: Acting) -> ShoeChange:
    """Record that the cut card is out (event 17); once marked it is not marked again.

    In the middle of a round the round is finished. Before the first card of a round, that round
    is not the last one that may start: it is called off.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR)
    by.require_at_table(table)
    floor, used = _in_use(table, shoe)
    receipt = append(
        stream=f"table/{table}",
        action="shoe.cut_card_out",
        subject=used.ref.key,
        actor=by.actor,
        changes=[Change(Shoe, used.ref, cut_card_change(floor, used))],
    )
    return ShoeChange(receipt=receipt, floor=read_table(table, shoe=shoe))


def cut_card_change(floor: Floor, used: UsedShoe) -> dict[str, object]:
    """Return what changes of a shoe when its cut card is out. Raises ShoeNotInStateError."""
    if used.cut_card_round is not None:
        raise ShoeNotInStateError(shoe=used.ref.key, state="cut card out", expected=used.state)
    playing = floor.round_in_play
    not_started = playing is not None and playing.stage == Round.Stage.BETTING
    return {"cut_card_round": used.rounds - 1 if not_started else used.rounds}


def _in_use(table: str, shoe: int) -> tuple[Floor, UsedShoe]:
    lock_stream(f"table/{table}")
    floor = read_table(table, shoe=shoe)
    used = floor.require_shoe(shoe)
    _require_in_use(used)
    return floor, used


def _require_in_use(used: UsedShoe) -> None:
    if used.state != Shoe.State.READY:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)


def _require_signers(step: str, signers: Sequence[Signer]) -> None:
    roles = {signer.role for signer in signers}
    if not signers or not roles <= set(_PREPARES):
        raise ShoeSignersError(step=step, expected="a dealer, supervisor or manager")
    supervised = roles & {Role.SUPERVISOR, Role.MANAGER}
    if step == ShoeStep.Step.CHECK and (len(signers) < 2 or not supervised):
        raise ShoeSignersError(step=step, expected="two people, one a supervisor or manager")


def _require_faces(used: UsedShoe, faces: Sequence[str]) -> None:
    ranks_only = used.procedures.values["card_detail"] == "rank"
    wrong = [
        face
        for face in faces
        if not is_face(face) or (face != "?" and (len(face) == 1) != ranks_only)
    ]
    if wrong or not 1 <= len(faces) <= _BURNED_AT_ONCE_MAX:
        raise BurnRefusedError(expected=f"1 to {_BURNED_AT_ONCE_MAX}", refused=wrong)


def require_burn(used: UsedShoe, burned: Sequence[str]) -> None:
    """Refuse a first burn of another number than the table's burn policy asks for (A32).

    Raises BurnRefusedError.
    """
    if burned:
        _require_faces(used, burned)
    expected = burn_cards_expected(str(used.procedures.values["burn"]), burned)
    if len(burned) != expected:
        raise BurnRefusedError(expected=expected)


def burned_rows(shoe: Ref, faces: Sequence[str], *, event: int, reason: str) -> list[Row]:
    """Return the cards of one burn event as rows."""
    return [
        Row(
            BurnedCard,
            {
                "shoe": shoe,
                "event": event,
                "n": n,
                "revision": 1,
                "face": face,
                "reason": reason,
            },
        )
        for n, face in enumerate(faces, start=1)
    ]
