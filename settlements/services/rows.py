"""Settlements as rows: the engine's lines become facts, and their sums move the heads.

Used by every service that settles, voids or corrects. Nothing here writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple

from audit.log.rows import Change, Row
from settlements.lines import GivenBack, Sums, VoidNote, WagerName, payout_values, sums_of
from settlements.models import Part, Payout, Settlement
from tables.games import Line
from tables.models import DisputeHold, Shoe, TableSession
from tables.selectors.held import Lying
from tables.selectors.round_read import RoundRead


def settlement_rows(
    read: RoundRead,
    lines: Sequence[Line],
    *,
    part: Part,
    revision: int,
    kind: Settlement.Kind,
    handed: Mapping[WagerName, int],
    void: VoidNote | None = None,
    given_back: GivenBack = GivenBack.NONE,
    signed_hash: str = "",
) -> list[Row]:
    """Return the settlement and one payout a line; handed is owed unless stated otherwise.

    `signed_hash` is the hex of what two people signed, of a void or a correction.
    """
    sums = sums_of(lines, handed=handed, bank_seat=read.bank_seat)
    head = Row(
        Settlement,
        {
            "round": read.ref,
            "part": part.value,
            "revision": revision,
            "kind": kind.value,
            "ruleset": read.ruleset_ref,
            "handle_minor": sums.handle_minor,
            "bank_owed_minor": sums.bank_owed_minor,
            "bank_handed_minor": sums.bank_handed_minor,
            "void_stage": void.stage if void else "",
            "void_seats": list(void.seats) if void else [],
            "given_back": given_back.value,
            "signed_hash": signed_hash,
        },
    )
    return [
        head,
        *(
            payout_row(
                read,
                line,
                part=part,
                revision=revision,
                handed_minor=handed.get((line.seat, line.wager), line.returned_minor),
            )
            for line in lines
        ),
    ]


def payout_row(read: RoundRead, line: Line, *, part: Part, revision: int, handed_minor: int) -> Row:
    """Return one wager's payout."""
    values = payout_values(line, handed_minor=handed_minor, bank_seat=read.bank_seat)
    return Row(Payout, {"round": read.ref, "part": part.value, "revision": revision, **values})


def shoe_change(read: RoundRead) -> Change:
    """Return the shoe's counts once the round is over: cards played, cards burned or set aside."""
    counts = {"cards_dealt": read.cards_dealt + read.cards_played}
    if read.cards_apart:
        counts["cards_burned"] = read.cards_out - read.cards_dealt + read.cards_apart
    return Change(Shoe, read.shoe, counts)


def held_changes(read: RoundRead, lying: Mapping[str, Lying]) -> list[Change]:
    """Return the dispute holds under which another sum lies once a part is settled.

    One from before it was kept what came out of the tray says so from now on, though it is nothing.
    """
    stored = {hold.ref.key: (hold.disputed_minor, hold.apart_minor) for hold in read.holds}
    return [
        Change(DisputeHold, hold.ref, asdict(lying[hold.ref.key]))
        for hold in read.holds
        if hold.ref.key in lying and astuple(lying[hold.ref.key]) != stored[hold.ref.key]
    ]


def apart_change(read: RoundRead, lying: Mapping[str, Lying]) -> int:
    """Return by how much more lies apart from the session's tray then."""
    before = {hold.ref.key: hold.apart_minor or 0 for hold in read.holds}
    return sum(lies.apart_minor - before[key] for key, lies in lying.items())


def session_change(
    read: RoundRead,
    sums: Sums,
    *,
    rounds: int,
    disputed_minor: int = 0,
    moved_late_minor: int = 0,
) -> Change:
    """Return the session's sums once `sums` are added; `rounds` counts rounds settled whole.

    `disputed_minor` is by how much more lies apart under dispute holds from now on,
    `moved_late_minor` what of them did not come out of this session's tray, which had closed.
    """
    before = read.session_sums
    values = {
        "rounds_settled": before.rounds_settled + rounds,
        "handle_minor": before.handle_minor + sums.handle_minor,
        "bank_owed_minor": before.bank_owed_minor + sums.bank_owed_minor,
        "bank_handed_minor": before.bank_handed_minor + sums.bank_handed_minor,
        "disputed_minor": before.disputed_minor + disputed_minor,
    }
    if moved_late_minor:
        values["moved_late_minor"] = before.moved_late_minor + moved_late_minor
    return Change(TableSession, read.session, values)
