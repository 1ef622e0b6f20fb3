"""Take back the settled wagers of a hand that died (A20, C3): the next revision of the sweep.

What is taken back is void in it, its stake returned, as in the void of a round. The rest of the
sweep stands as it was handed over.
"""

from collections.abc import Sequence

from audit.log.rows import Change, Receipt
from audit.log.services import append, lock_stream, service
from casino.outbox.bell import ring
from settlements.lines import sums_of
from settlements.models import Part, Settlement
from settlements.selectors.payouts import handed_of
from settlements.selectors.standing import standing_parts
from settlements.services.rows import session_change, settlement_rows
from settlements.services.settle import check_row
from tables.acting import Acting
from tables.games import settle
from tables.models import Round
from tables.selectors.round_read import RoundName, read_round


@service
def reverse_pairs(
    *, name: RoundName, seats: Sequence[int], signed_hash: str, irregularity: str, by: Acting
) -> Receipt:
    """Write the sweep anew, the settled wagers of these seats void: their hands are dead."""
    lock_stream(name.stream)
    read = read_round(name)
    standing = standing_parts(read)[Part.SWEEP]
    revision = standing.revision + 1
    lines = settle(read.ruleset, read.state(), "sweep").lines
    stored = handed_of(read.ref, part=Part.SWEEP, revision=standing.revision)
    handed = {key: given for key, (_, given) in stored.items() if key[0] not in seats}
    sums = sums_of(lines, handed=handed, bank_seat=read.bank_seat) - standing.sums
    receipt = append(
        stream=name.stream,
        action="sweep.reversed",
        subject=name.key,
        actor=by.actor,
        facts=settlement_rows(
            read,
            lines,
            part=Part.SWEEP,
            revision=revision,
            kind=Settlement.Kind.CORRECTED,
            handed=handed,
            signed_hash=signed_hash,
        ),
        changes=[
            Change(Round, read.ref, {"sweep_revision": revision}),
            session_change(read, sums, rounds=0),
        ],
        work=[check_row(read, part=Part.SWEEP, revision=revision)],
        data={"irregularity": irregularity, "seats": list(seats)},
    )
    ring()
    return receipt
