"""Rounds from paper: their numbers are reserved, and each sheet is keyed by two people (event 29).

A reserved round is awaited; live play goes on behind it and nothing is renumbered. What was keyed
becomes a round on record in the money's layer; nothing here settles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from audit.findings.services import raise_finding
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.errors import StaffUnknownError
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.selectors import staff_by_number, staff_ref
from tables.acting import Acting
from tables.errors import (
    OneCardTooManyError,
    PackNotShuffledError,
    RoundInPlayError,
    ShoeNotInStateError,
)
from tables.faults import fault_documents
from tables.games import Fault
from tables.models import Round, SheetKeying, Shoe, TableSession
from tables.selectors.floor import Floor, UsedShoe, read_table
from tables.selectors.paper import AWAITED, SheetCopy, reserved_by, sheet_copies
from tables.selectors.places import earlier_places
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.rounds import require_revision
from tables.services.shoe_end import restate_shoe
from tables.sheets import (
    Laid,
    cells_of,
    differences_between,
    faces_in,
    handed_faults,
    lay_sheet,
    place_words,
    question_of,
    read_sheet,
)
from tables.sheets.errors import (
    AwaitedCountError,
    AwaitedNumbersError,
    SheetComparedError,
    SheetConflictError,
    SheetNotAwaitedError,
    SheetOtherPersonError,
    SheetRefusedError,
    SheetSamePersonError,
)

KEYS_SHEETS = (Role.DEALER, Role.SUPERVISOR, Role.MANAGER)
RESERVES_LATE = (Role.SUPERVISOR, Role.MANAGER)
COPIES_DIFFER = "sheet.copies_differ"
# As many rounds as a shoe of 416 cards holds for one seat, and some to spare.
AWAITED_MAX = 80
# How long before its session opened a round can have been dealt: the tablet was away already.
_BEFORE_SESSION = timedelta(hours=24)
_OTHER = {SheetKeying.Copy.FIRST: SheetKeying.Copy.SECOND}
_OTHER |= {second: first for first, second in _OTHER.items()}


@dataclass(frozen=True, slots=True)
class Reserved:
    """The rounds that wait for their sheets now, and the receipt of the last one."""

    receipt: Receipt
    rounds: tuple[RoundName, ...]
    done_before: bool = False


@service
def reserve_rounds(*, table: str, shoe: int, rounds: int, after: int, by: Acting) -> Reserved:
    """Reserve the next numbers of a shoe for rounds that were dealt on paper.

    `after` is how many rounds the shoe has so far, so that the same again reserves nothing twice. A
    dealer does it at the returning tablet of the table; of a shoe that is over only a supervisor or
    manager. Raises AwaitedCountError, AwaitedNumbersError, RoundInPlayError, ShoeNotInStateError,
    PackNotShuffledError.
    """
    require_role(by.person, *KEYS_SHEETS)
    by.require_dealer_at_table(table)
    if not 1 <= rounds <= AWAITED_MAX:
        raise AwaitedCountError(most=AWAITED_MAX)
    lock_stream(f"table/{table}")
    floor = read_table(table, shoe=shoe)
    used = floor.require_shoe(shoe)
    names = tuple(RoundName(table, shoe, after + n) for n in range(1, rounds + 1))
    if used.rounds != after:
        entry = reserved_by(names, after=after)
        if entry is None:
            raise AwaitedNumbersError(shoe=used.ref.key, rounds=used.rounds, after=after)
        return Reserved(receipt_of(entry), names, done_before=True)
    _require_reservable(floor, used, rounds=rounds, by=by)
    session = TableSession.objects.get(pk=used.session_id)
    awaited = {
        "table": floor.table,
        "session": Ref(session.pk, session.key),
        "shoe": used.ref,
        "stage": Round.Stage.AWAITED.value,
        "source": Round.Source.PAPER.value,
        "gaming_day": session.gaming_day,
        "dealer": _dealer_so_far(session, by=by),
        "ruleset": used.ruleset,
        "limits": floor.require_terms().limits,
        "opened_at": by.now,
    }
    for name in names:
        receipt = append(
            stream=name.stream,
            action=AWAITED,
            subject=name.key,
            actor=by.actor,
            new_heads=[Row(Round, {"key": name.key, "number": name.number, **awaited})],
            changes=[Change(Shoe, used.ref, {"rounds": name.number})],
            data={
                "after": after,
                "rounds": rounds,
                "gaming_day": session.gaming_day.isoformat(),
            },
        )
    return Reserved(_restated(names, receipt, by=by), names)


def _require_reservable(floor: Floor, used: UsedShoe, *, rounds: int, by: Acting) -> None:
    """Refuse a shoe that takes no further rounds, and while a round is in play.

    An interrupted round lies before those on paper: it is finished first, so that numbers go in the
    order of the deal.
    """
    if used.state == Shoe.State.PREPARING:
        raise ShoeNotInStateError(shoe=used.ref.key, state=used.state, expected=Shoe.State.READY)
    if used.state != Shoe.State.READY:
        require_role(by.person, *RESERVES_LATE)
    playing = floor.round_in_play
    if playing is not None and used.state == Shoe.State.READY:
        raise RoundInPlayError(round=playing.key, stage=playing.stage)
    if used.procedures.pack_each_round and used.rounds + rounds > 1:
        raise PackNotShuffledError(shoe=used.ref.key)


def _dealer_so_far(session: TableSession, *, by: Acting) -> Ref:
    """Return who is taken to have dealt until the sheet says it: the dealer who came back, else
    the one of the session's latest round."""
    if by.person.role == Role.DEALER:
        return by.person.staff
    latest = Round.objects.filter(session=session).select_related("dealer").order_by("-pk").first()
    return staff_ref(latest.dealer) if latest is not None else by.person.staff


def _restated(names: tuple[RoundName, ...], receipt: Receipt, *, by: Acting) -> Receipt:
    """State a shoe anew that had been stated without these rounds; return the last receipt."""
    name = names[0]
    restated = restate_shoe(table=name.table, shoe=name.shoe)
    if restated is None:
        return receipt
    return append(
        stream=name.stream,
        action="shoe.restated",
        subject=restated.used.ref.key,
        actor=by.actor,
        facts=[restated.row],
        data={"awaited": [each.key for each in names]},
    )


@dataclass(frozen=True, slots=True)
class Keying:
    """One copy of a sheet as it was sent: who keys it says which copy, and in which revision.

    `dealt_at` is the time on the sheet, or what a device's clock claims. With `as_seen` a card
    beyond the copies of the decks is confirmed: the sheet does say so (event 13).
    """

    copy: str
    revision: int
    document: Mapping[str, object]
    dealt_at: datetime
    as_seen: bool = False


@dataclass(frozen=True, slots=True)
class Keyed:
    """What keying a sheet did: the receipt, all copies as they stand, and the sheet laid out."""

    receipt: Receipt
    round: RoundRead
    copies: Mapping[str, SheetCopy] = field(repr=False)
    laid: Laid | None = field(repr=False)
    done_before: bool = False


@service
def record_keying(*, name: RoundName, keying: Keying, by: Acting) -> Keyed:
    """Record one person's keying of an awaited round's sheet, blind to the other's.

    Two different people key the first and the second copy, in either order; each may revise their
    own until both are in. Raises SheetNotAwaitedError, SheetSamePersonError, SheetOtherPersonError,
    SheetComparedError, SheetConflictError, Revision*Error, SheetRefusedError with every fault, and
    OneCardTooManyError (a question).
    """
    require_role(by.person, *KEYS_SHEETS)
    by.require_dealer_at_table(name.table)
    copy = SheetKeying.Copy(keying.copy)
    lock_stream(name.stream)
    read = read_round(name, faces=faces_in(keying.document))
    copies = sheet_copies(read.ref)
    mine, other = copies.get(copy), copies.get(_OTHER[copy])
    _require_own(read, copy, mine=mine, other=other, by=by)
    latest = mine.revision if mine else 0
    require_revision(f"the {copy} keying", revision=keying.revision, latest=latest)
    if mine is not None and keying.revision == latest:
        if stored_as(keying, read) != (dict(mine.document), mine.dealt_at):
            raise SheetConflictError(round=name.key, copy=copy.value, revision=latest)
        return Keyed(receipt_of(mine.entry_id), read, copies, None, done_before=True)
    if read.stage != Round.Stage.AWAITED:
        raise SheetNotAwaitedError(round=name.key, stage=read.stage)
    if mine is not None and other is not None:
        raise SheetComparedError(round=name.key)
    laid = laid_sheet(read, keying, now=by.now)
    receipt = _write(read, keying, laid.sheet.document(), by=by)
    return Keyed(receipt, read, sheet_copies(read.ref), laid)


def _require_own(
    read: RoundRead,
    copy: SheetKeying.Copy,
    *,
    mine: SheetCopy | None,
    other: SheetCopy | None,
    by: Acting,
) -> None:
    """Refuse a person at two copies, and a second person at one."""
    if other is not None and other.staff.id == by.person.staff.id:
        raise SheetSamePersonError
    if mine is not None and mine.staff.id != by.person.staff.id:
        raise SheetOtherPersonError(round=read.ref.key, copy=copy.value)


def stored_as(keying: Keying, read: RoundRead) -> tuple[Mapping[str, object], datetime]:
    """Return what a keying would be stored as; a document that cannot be read stays as it is."""
    sheet = read_sheet(keying.document, ruleset=read.ruleset).sheet
    return (sheet.document() if sheet else dict(keying.document)), keying.dealt_at


def _write(
    read: RoundRead, keying: Keying, document: Mapping[str, object], *, by: Acting
) -> Receipt:
    return append(
        stream=read.name.stream,
        action="sheet.held" if keying.copy == SheetKeying.Copy.DEVICE else "sheet.keyed",
        subject=read.ref.key,
        actor=by.actor,
        facts=[
            Row(
                SheetKeying,
                {
                    "round": read.ref,
                    "copy": keying.copy,
                    "revision": keying.revision,
                    "staff": by.person.staff,
                    "document": dict(document),
                    "dealt_at": keying.dealt_at,
                },
            )
        ],
        data={"gaming_day": read.gaming_day.isoformat()},
    )


@service
def record_held_copy(*, name: RoundName, keying: Keying, by: Acting) -> Keyed:
    """Record the copy of a round that a tablet had held while it was away; its time is a claim.

    It is evidence, so that it is kept whatever is wrong with it, also when the round came in from
    paper meanwhile: then a difference is a finding. Only a round that was reserved has one. Raises
    SheetNotAwaitedError, SheetConflictError, Revision*Error.
    """
    require_role(by.person, Role.DEALER, Role.SUPERVISOR)
    by.require_at_table(name.table)
    lock_stream(name.stream)
    read = read_round(name, faces=faces_in(keying.document))
    copies = sheet_copies(read.ref)
    mine = copies.get(SheetKeying.Copy.DEVICE)
    latest = mine.revision if mine else 0
    require_revision("the held copy", revision=keying.revision, latest=latest)
    document, _dealt_at = stored_as(keying, read)
    if mine is not None and keying.revision == latest:
        if (document, keying.dealt_at) != (dict(mine.document), mine.dealt_at):
            raise SheetConflictError(
                round=name.key, copy=SheetKeying.Copy.DEVICE.value, revision=latest
            )
        return Keyed(receipt_of(mine.entry_id), read, copies, None, done_before=True)
    if Round.objects.filter(pk=read.ref.id, source=Round.Source.LIVE).exists():
        raise SheetNotAwaitedError(round=name.key, stage=read.stage)
    receipt = _write(read, keying, document, by=by)
    copies = sheet_copies(read.ref)
    if read.stage != Round.Stage.AWAITED:
        stands = copies.get(SheetKeying.Copy.AGREED) or copies[SheetKeying.Copy.FIRST]
        raise_copies_differ(read, copies, paper=stands.document, by=by)
    return Keyed(receipt, read, copies, None)


def raise_copies_differ(
    read: RoundRead,
    copies: Mapping[str, SheetCopy],
    *,
    paper: Mapping[str, object],
    by: Acting,
) -> None:
    """Open a finding where the copy that a tablet held and the one on paper do not agree."""
    device = copies.get(SheetKeying.Copy.DEVICE)
    if device is None:
        return
    differ = differences_between([cells_of(paper), cells_of(device.document)])
    if differ:
        raise_finding(
            kind=COPIES_DIFFER,
            subject_kind="round",
            subject_key=read.ref.key,
            table_code=read.table.key,
            detail={"cells": "; ".join(place_words(each.where) for each in differ)},
            raised_by=by.actor,
            now=by.now,
        )


def laid_sheet(read: RoundRead, keying: Keying, *, now: datetime) -> Laid:
    """Return a sheet laid out in its round, or raise everything that is wrong with it.

    Raises SheetRefusedError, and OneCardTooManyError when nothing else is in question (event 13).
    """
    laid, faults = try_sheet(read, keying, now=now)
    if faults or laid is None:
        raise SheetRefusedError(count=len(faults), faults=fault_documents(faults))
    question = question_of(laid)
    if question is not None:
        places = earlier_places(read.shoe, face=str(question["face"]))
        raise OneCardTooManyError(
            **dict(question), places=places, faults=fault_documents(laid.questions)
        )
    return laid


def try_sheet(
    read: RoundRead, keying: Keying, *, now: datetime
) -> tuple[Laid | None, tuple[Fault, ...]]:
    """Return a sheet laid out as far as it can be read, and everything that is wrong with it."""
    reading = read_sheet(keying.document, ruleset=read.ruleset)
    faults = [*reading.faults, *_time_faults(read, keying.dealt_at, now=now)]
    if reading.sheet is None:
        return None, tuple(faults)
    laid = lay_sheet(reading.sheet, read, as_seen=keying.as_seen)
    faults += laid.faults
    void = reading.sheet.void
    numbers = {"dealer": reading.sheet.dealer}
    numbers |= {f"void.signed_by[{n}]": who for n, who in enumerate(void.signed_by if void else ())}
    for where, number in numbers.items():
        try:
            staff_by_number(number)
        except StaffUnknownError:
            faults.append(Fault("sheet.staff", where, "expected the number of somebody on staff"))
    if void is not None and reading.sheet.dealer in void.signed_by:
        detail = "expected two people who were not the dealer"
        faults.append(Fault("sheet.signed_by", "void.signed_by", detail))
    return laid, tuple(faults or handed_faults(laid))


def dealer_of(number: str) -> Ref:
    """Return the dealer that a sheet names. Raises StaffUnknownError."""
    return staff_ref(staff_by_number(number))


def _time_faults(read: RoundRead, dealt_at: datetime, *, now: datetime) -> list[Fault]:
    """Refuse a time that has not come yet, or one before the table can have dealt this round."""
    session = TableSession.objects.only("opened_at").get(pk=read.session.id)
    opened = session.opened_at or now
    if opened - _BEFORE_SESSION <= dealt_at <= now:
        return []
    detail = "expected a time before now, and not a day before the table opened"
    return [Fault("sheet.time", "dealt_at", detail)]
