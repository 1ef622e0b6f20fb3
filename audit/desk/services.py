"""The one thing that the desk writes: that an auditor accepted a restored log (trust R18)."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path

from audit.chain import canonical
from audit.desk.errors import NothingToAcceptError, RestoreSignerError
from audit.log.day_log import lay_days_aside
from audit.log.place import required_place
from audit.log.restored import Behind, accepting, find_behind, supersede_checkpoints
from audit.log.rows import Actor
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.person import Origin
from casino.people.services import Signer, SignerInput, signature_rows, verify_signers
from settlements.models import DayRun

STREAM = "audit"


def accept_restore(*, signer: SignerInput, reason: str, now: datetime) -> Sequence[Path]:
    """Record that an auditor accepts the log as restored, and let writes go on.

    The entry names what is lost by stream; the checkpoints that no longer hold and the files of
    days whose runs the log does not know are laid aside and their places returned. Raises
    NothingToAcceptError, RestoreSignerError and what `verify_signers` raises.
    """
    behind = find_behind()
    if behind is None:
        raise NothingToAcceptError
    with accepting():
        verified = verify_signers([signer], origin=Origin(address="console"), now=now)
        if verified[0].role != Role.AUDITOR:
            raise RestoreSignerError(role=verified[0].role)
        _record(behind, signer=verified[0], reason=reason)
    # The checkpoints last: while they lie there, what was cut short can be done again.
    return lay_days_aside(required_place(), keep=_days_closed()) + supersede_checkpoints()


def _days_closed() -> set[tuple[date, int]]:
    closed = DayRun.objects.filter(state=DayRun.State.DONE)
    return set(closed.values_list("day", "number"))


@service
def _record(behind: Behind, *, signer: Signer, reason: str) -> None:
    content = {
        "act": "log.restore_accepted",
        "checkpoint": behind.checkpoint,
        "lost": {stream: list(seqs) for stream, seqs in sorted(behind.lost.items())},
        "reason": reason,
    }
    lock_stream(STREAM)
    append(
        stream=STREAM,
        action="restore.accepted",
        subject=f"checkpoint/{behind.checkpoint}",
        actor=Actor(key=signer.staff.key, name=signer.name, role=signer.role),
        facts=signature_rows(
            [signer],
            content_hash=sha256(canonical(content)).digest(),
            purpose="restore.accepted",
            subject=f"checkpoint/{behind.checkpoint}",
            device=None,
        ),
        data=content,
    )
