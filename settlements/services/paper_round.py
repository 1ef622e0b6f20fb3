"""The one entry by which a sheet becomes a round: facts, settlements, sums and heads.

Called by the services of `paper` under the table's lock. Its entry lies in the log of today and
names the day that the round belongs to; no fact of another round is touched.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from audit.chain import canonical
from audit.findings.services import raise_finding
from audit.log.rows import Change, Receipt, Ref, Row
from audit.log.services import append
from casino.kernel.clock import format_instant
from casino.outbox.bell import ring
from casino.people.services.signatures import Signer, signature_rows
from settlements.lines import sums_of
from settlements.models import Part, ShoeVoidRound
from settlements.selectors.shoe_voids import voids_asking
from settlements.services.rows import session_change, settlement_rows
from settlements.services.settle import check_row
from settlements.sheet_parts import (
    SheetPart,
    parts_of,
    standing,
    sums_standing,
)
from tables.acting import Acting
from tables.models import Card, Decision, Round, SeatWagers, SheetKeying, Shoe
from tables.selectors.paper import SheetCopy
from tables.selectors.places import round_dealt_without
from tables.selectors.round_read import CARRIED, WAGER_KINDS, RoundRead
from tables.services.paper import dealer_of, raise_copies_differ
from tables.services.shoe_end import restate_shoe
from tables.sheets import HOUSE_POLICY, Laid

ACCEPTED = "sheet.accepted"
SIGNED_FOR = "sheet.agreed"  # the purpose of signatures
OUTSIDE_LIMITS = "sheet.outside_limits"
_STAGE_OF_END = {
    "settled": Round.Stage.SETTLED,
    "voided": Round.Stage.VOIDED,
    "called_off": Round.Stage.CALLED_OFF,
}


@dataclass(frozen=True, slots=True)
class Kept:
    """Which copy counts: paper (both keyings equal), a copy by name, or agreed; and who signed."""

    copy: str
    dealt_at: datetime
    note: str = ""
    signers: tuple[Signer, ...] = ()

    @property
    def source(self) -> Round.Source:
        """How the round came in."""
        return Round.Source.HELD if self.copy == "device" else Round.Source.PAPER


def accept_sheet(laid: Laid, *, keep: Kept, copies: Mapping[str, SheetCopy], by: Acting) -> Receipt:
    """Write the round, whole. The caller holds the table's stream and has read after it."""
    read, sheet = laid.round, laid.sheet
    parts = parts_of(laid)
    content = _content(laid, keep)
    digest = sha256(canonical(content)).digest()
    signed_hash = digest.hex() if keep.signers else ""
    restated = None
    if read.shoe_state != Shoe.State.READY:
        restated = restate_shoe(
            table=read.name.table,
            shoe=read.name.shoe,
            replaced=[(laid.opened, read.faces[CARRIED])] if laid.opened else (),
            added=tuple(card.face for card in read.cards.values()),
            awaited_by=-1,
        )
    facts = [
        *_sheet_rows(laid, keep),
        *(row for part in parts for row in _part_rows(read, part, signed_hash=signed_hash)),
        *(_question_rows(read, standing(parts)) if parts else []),
        *([_agreed_row(laid, keep)] if keep.signers else []),
        *([restated.row] if restated else []),
        *signature_rows(
            keep.signers,
            content_hash=digest,
            purpose=SIGNED_FOR,
            subject=read.ref.key,
            device=by.person.device,
        ),
    ]
    receipt = append(
        stream=read.name.stream,
        action=ACCEPTED,
        subject=read.ref.key,
        actor=by.actor,
        facts=facts,
        changes=_changes(laid, parts, keep=keep),
        work=[check_row(read, part=part.part, revision=part.revision) for part in parts],
        data={**content, "gaming_day": read.gaming_day.isoformat()},
    )
    if restated is not None:
        restated.raise_findings(by)
    _raise_findings(laid, by=by)
    _raise_not_taken(laid, by=by)
    paper = copies["first"].document if keep.copy == "device" else sheet.document()
    raise_copies_differ(read, copies, paper=paper, by=by)
    if parts:
        ring()
    return receipt


def _content(laid: Laid, keep: Kept) -> dict[str, object]:
    """Return what is signed: the sheet, which copy it is, and the money that follows from it."""
    bank_seat = laid.round.bank_seat
    parts = []
    for part in parts_of(laid):
        sums = sums_of(part.lines, handed=part.handed, bank_seat=bank_seat)
        parts.append(
            {
                "part": part.part.value,
                "revision": part.revision,
                "kind": part.kind.value,
                "bank_owed_minor": sums.bank_owed_minor,
                "bank_handed_minor": sums.bank_handed_minor,
            }
        )
    return {
        "act": SIGNED_FOR,
        "round": laid.round.ref.key,
        "kept": keep.copy,
        "note": keep.note,
        "dealt_at": format_instant(keep.dealt_at),
        "sheet": laid.sheet.document(),
        "settlements": parts,
    }


def _sheet_rows(laid: Laid, keep: Kept) -> list[Row]:
    """Return wagers, cards and decisions in their first revision; the sheet's time is a claim.

    A card carried over keeps the round and the draw in which it left the shoe (event 1).
    """
    read = laid.round
    cards = [(read.ref, draw, card) for draw, card in sorted(read.cards.items())]
    if laid.opened and read.carried:
        cards = [(read.carried.round, read.carried.draw, read.carried.keyed), *cards]
    rows = [
        Row(
            SeatWagers,
            {
                "round": read.ref,
                "seat": seat,
                "revision": 1,
                **{f"{kind}_minor": stakes.get(kind) for kind in WAGER_KINDS},
            },
        )
        for seat, stakes in sorted(read.wagers.items())
    ]
    rows += [
        Row(
            Card,
            {
                "round": round_,
                "shoe": read.shoe,
                "draw": draw,
                "revision": card.revision,
                "face": card.face,
                "as_seen": card.as_seen,
                "claimed_at": keep.dealt_at,
            },
        )
        for round_, draw, card in cards
    ]
    rows += [
        Row(
            Decision,
            {"round": read.ref, "hand": hand, "revision": 1, "choice": decided.choice},
        )
        for hand, decided in sorted(read.decisions.items())
    ]
    return rows


def _part_rows(read: RoundRead, part: SheetPart, *, signed_hash: str) -> list[Row]:
    return settlement_rows(
        read,
        part.lines,
        part=part.part,
        revision=part.revision,
        kind=part.kind,
        handed=part.handed,
        void=part.void,
        signed_hash=signed_hash,
    )


def _question_rows(read: RoundRead, stands: Mapping[Part, SheetPart]) -> list[Row]:
    """Return the round on the lists of voids that put it in question while it was awaited (event
    27); nothing is decided of it yet."""
    sweep, final = (
        stands[part].revision if part in stands else 0 for part in (Part.SWEEP, Part.FINAL)
    )
    return [
        Row(
            ShoeVoidRound,
            {
                "shoe": Ref(asking.shoe_id, asking.shoe.key),
                "round": read.ref,
                "revision": 1,
                "decision": ShoeVoidRound.Decision.OPEN.value,
                "sweep_revision": sweep,
                "final_revision": final,
                "irregularity_number": asking.number,
                "signed_hash": asking.signed_hash,
            },
        )
        for asking in voids_asking(read)
        if asking.shoe is not None and asking.shoe_id is not None
    ]


def _agreed_row(laid: Laid, keep: Kept) -> Row:
    return Row(
        SheetKeying,
        {
            "round": laid.round.ref,
            "copy": SheetKeying.Copy.AGREED.value,
            "revision": 1,
            "staff": keep.signers[0].staff,
            "document": laid.sheet.document(),
            "dealt_at": keep.dealt_at,
        },
    )


def _changes(laid: Laid, parts: tuple[SheetPart, ...], *, keep: Kept) -> list[Change]:
    """Return what moves: the round's head, the shoe's cards, the session's sums, also of closed
    ones."""
    read, sheet = laid.round, laid.sheet
    stands = standing(parts)
    changes = [
        Change(
            Round,
            read.ref,
            {
                "stage": _STAGE_OF_END[sheet.end].value,
                "source": keep.source.value,
                "dealer": dealer_of(sheet.dealer),
                "bank_seat": sheet.bank_seat,
                "live_seats": list(read.live),
                "sweep_revision": stands[Part.SWEEP].revision if Part.SWEEP in stands else 0,
                "final_revision": stands[Part.FINAL].revision if Part.FINAL in stands else 0,
                "opened_at": keep.dealt_at,
                "ended_at": keep.dealt_at,
            },
        )
    ]
    if read.cards:
        dealt = read.cards_dealt + len(read.cards)
        changes.append(Change(Shoe, read.shoe, {"cards_dealt": dealt}))
    if parts:
        sums = sums_standing(parts, bank_seat=sheet.bank_seat)
        changes.append(session_change(read, sums, rounds=1 if sheet.end == "settled" else 0))
    return changes


def _raise_findings(laid: Laid, *, by: Acting) -> None:
    """Open a finding for each copy beyond the decks, for wagers that no limit would take, and for a
    bank that decided against the rule of its house."""
    found: list[tuple[str, dict[str, object]]] = [
        ("shoe.one_card_too_many", dict(fault.data)) for fault in laid.confirmed
    ]
    against = [fault for fault in laid.warnings if fault.code == HOUSE_POLICY]
    found += [("sheet.house_policy", dict(fault.data)) for fault in against]
    if limits := [fault for fault in laid.warnings if fault not in against]:
        places = [{"code": fault.code, "where": fault.where} for fault in limits]
        found.append((OUTSIDE_LIMITS, {"count": len(places), "wagers": places}))
    for kind, detail in found:
        raise_finding(
            kind=kind,
            subject_kind="round",
            subject_key=laid.round.ref.key,
            table_code=laid.round.table.key,
            detail=detail,
            raised_by=by.actor,
            now=by.now,
        )


def _raise_not_taken(laid: Laid, *, by: Acting) -> None:
    """Open a finding where a card waited for this round, which was called off, and the next one was
    dealt without it while this one was awaited (event 1)."""
    carried = laid.round.carried
    if carried is None or laid.sheet.end != "called_off":
        return
    dealt = round_dealt_without(laid.round)
    if dealt is None:
        return
    raise_finding(
        kind="card.not_taken",
        subject_kind="round",
        subject_key=carried.round.key,
        table_code=laid.round.table.key,
        detail={"draw": carried.draw, "called_off": laid.round.ref.key, "dealt": dealt},
        raised_by=by.actor,
        now=by.now,
    )
