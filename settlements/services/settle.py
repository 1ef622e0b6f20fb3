"""Settle a part of a round: the sweep after the second lap, the rest at showdown (A19).

One call states what was handed over; what it does not name was handed over as owed. The payouts,
the round's stage, the session's sums and the outbox row are one statement with the entry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from casino.outbox.services import outbox_row
from settlements.errors import (
    HandedRefusedError,
    NotDueError,
    RoundOverError,
    SettlementConflictError,
)
from settlements.lines import WagerName, sums_of
from settlements.models import Part, Settlement
from settlements.selectors.checks import ROUND_CHECK
from settlements.selectors.held import held_when_settled
from settlements.selectors.payouts import handed_of, settlement_entry
from settlements.services.rows import (
    apart_change,
    held_changes,
    session_change,
    settlement_rows,
    shoe_change,
)
from tables.acting import Acting
from tables.games import Line, next_step, settle
from tables.games.values import TABLE_MONEY_MAX
from tables.games.values import Part as PartName
from tables.models import Round
from tables.selectors.held import lying_by_hold, not_handed
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.cards import stage_of
from tables.services.rounds import require_dealing, require_revision

# The engine spells parts as literals.
PART: dict[Part, PartName] = {Part.SWEEP: "sweep", Part.FINAL: "final"}
_DUE = {Part.SWEEP: Round.Stage.SWEEP, Part.FINAL: Round.Stage.SHOWDOWN}


@dataclass(frozen=True, slots=True)
class Settled:
    """What a settlement did: the receipt, the lines, and the round as it stands now.

    `handed` is what was handed over, where that is not what is owed.
    """

    receipt: Receipt
    round: RoundRead
    lines: tuple[Line, ...]
    handed: Mapping[WagerName, int]
    done_before: bool = False


@service
def settle_round(
    *, name: RoundName, part: str, revision: int, handed: Mapping[WagerName, int], by: Acting
) -> Settled:
    """Settle one part in revision 1; amounts in minor units, stake included.

    `handed` names only what was handed over otherwise than owed; a difference is recorded, never
    absorbed (design 6). Of a bet that lies apart whole under a dispute hold nothing is, unless it
    is stated: what it is owed goes to the hold (events 25, 33). The same again is accepted and
    changes nothing; other amounts at the same revision are a conflict; a later revision is a
    correction. Raises NotDueError, RoundOverError.
    """
    lock_stream(name.stream)
    read = read_round(name)
    require_dealing(by, read)
    settled_part = Part(part)
    if settled_part == Part.FINAL and read.stage == Round.Stage.VOIDED:
        # What stands is the void's; a late confirmation of something else was not done.
        raise RoundOverError(round=name.key, stage=read.stage)
    latest = read.sweep_revision if settled_part == Part.SWEEP else read.final_revision
    require_revision(f"the {part}", revision=revision, latest=latest)
    if latest:
        return _repeated(read, settled_part, revision=revision, latest=latest, handed=handed)
    if read.stage != _DUE[settled_part]:
        raise NotDueError(
            round=name.key, stage=read.stage, part=part, expected=_DUE[settled_part].value
        )
    lines = owed_lines(read, settled_part)
    _require_handed(lines, handed)
    return _write(read, settled_part, lines=lines, handed=handed, by=by)


def owed_lines(read: RoundRead, part: Part) -> tuple[Line, ...]:
    """Return what the engine says is owed for a part whose cards lie, without writing it.

    Raises UnsettledError, for example while a face is not known.
    """
    return settle(read.ruleset, read.state(), PART[part]).lines


def _repeated(
    read: RoundRead,
    part: Part,
    *,
    revision: int,
    latest: int,
    handed: Mapping[WagerName, int],
) -> Settled:
    """Answer a retry as the first time; refuse what would be a change (trust R3)."""
    if revision > latest:
        raise RoundOverError(round=read.ref.key, stage=read.stage)
    stored = handed_of(read.ref, part=part, revision=latest)
    unstated = {key: owed for key, (owed, given) in stored.items() if owed != given}
    held = held_when_settled(read, unstated)
    stated = {key: handed.get(key, 0 if key in held else owed) for key, (owed, _) in stored.items()}
    if set(handed) - set(stored) or any(stated[key] != stored[key][1] for key in stored):
        raise SettlementConflictError(round=read.ref.key, part=part.value, revision=revision)
    entry = settlement_entry(read.ref, part=part, revision=latest)
    return Settled(
        receipt=receipt_of(entry),
        round=read,
        lines=owed_lines(read, part),
        handed={key: given for key, (_, given) in stored.items()},
        done_before=True,
    )


def _require_handed(lines: Sequence[Line], handed: Mapping[WagerName, int]) -> None:
    known = {(line.seat, line.wager) for line in lines}
    wrong = [
        {"seat": seat, "wager": wager}
        for (seat, wager), amount in handed.items()
        if (seat, wager) not in known or not 0 <= amount <= TABLE_MONEY_MAX
    ]
    if wrong:
        expected = [{"seat": seat, "wager": wager} for seat, wager in sorted(known)]
        raise HandedRefusedError(expected=expected, refused=wrong)


def _write(
    read: RoundRead,
    part: Part,
    *,
    lines: Sequence[Line],
    handed: Mapping[WagerName, int],
    by: Acting,
) -> Settled:
    after = _after(read, part)
    handed = {**not_handed(read, [(line.seat, line.wager) for line in lines]), **handed}
    changed: dict[str, object] = {"stage": after.stage}
    if part == Part.SWEEP:
        changed["sweep_revision"] = 1
    else:
        changed |= {"final_revision": 1, "ended_at": by.now}
    sums = sums_of(lines, handed=handed, bank_seat=read.bank_seat)
    over = part == Part.FINAL
    # A part settles around the dispute holds; with it their amounts leave the tray (event 25).
    lying = lying_by_hold(read, lines, handed=handed, over=over)
    changes = [
        Change(Round, read.ref, changed),
        session_change(
            read, sums, rounds=1 if over else 0, disputed_minor=apart_change(read, lying)
        ),
        *held_changes(read, lying),
    ]
    if over:
        changes.append(shoe_change(read))
    receipt = append(
        stream=read.name.stream,
        action="round.swept" if part == Part.SWEEP else "round.settled",
        subject=read.ref.key,
        actor=by.actor,
        facts=settlement_rows(
            read, lines, part=part, revision=1, kind=Settlement.Kind.SETTLED, handed=handed
        ),
        changes=changes,
        work=[check_row(read, part=part, revision=1)],
    )
    ring()
    return Settled(receipt=receipt, round=after, lines=tuple(lines), handed=handed)


def check_row(read: RoundRead, *, part: Part, revision: int) -> Row:
    """Return the outbox row that asks the second engine to recompute this part."""
    return outbox_row(
        ROUND_CHECK,
        key=f"{read.ref.key}/{part.value}/{revision}",
        payload={"round": read.ref.key, "part": part.value, "revision": revision},
    )


def _after(read: RoundRead, part: Part) -> RoundRead:
    """Return the round as it stands once the part is settled."""
    if part == Part.FINAL:
        return replace(
            read,
            stage=Round.Stage.SETTLED.value,
            final_revision=1,
            cards_dealt=read.cards_dealt + read.cards_played,
            cards_out=read.cards_out + read.cards_played + read.cards_apart,
        )
    swept = replace(read, sweep_revision=1)
    return replace(swept, stage=stage_of(next_step(swept.ruleset, swept.state())).value)
