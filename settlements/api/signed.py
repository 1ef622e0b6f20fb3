"""How API v1 tells an act that was signed: its entry, its bill, and who signed which hash."""

from casino.kernel.clock import format_instant
from settlements.selectors.signed import SignedAct


def signed_act(done: SignedAct) -> dict[str, object]:
    """Return the document of a signed act."""
    return {
        "at": format_instant(done.at),
        "stream": done.stream,
        "seq": done.seq,
        "hash": done.entry_hash,
        "actor": done.actor,
        "bill": dict(done.document),
        "bill_hash": done.document_hash,
        "signed": [
            {
                "number": signed.number,
                "name": signed.name,
                "role": signed.role,
                "camera_reference": signed.camera_reference,
            }
            for signed in done.signed
        ],
    }
