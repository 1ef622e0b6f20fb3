"""Acts as two people signed them and the log has them, and how such an act is known again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.log.selectors import EntryView
from casino.people.models import Signature
from casino.people.selectors import Signed, signatures_under
from tables.selectors.round_read import RoundName


@dataclass(frozen=True, slots=True)
class SignedAct:
    """One act as it was signed and logged: its entry, its document, and who signed which hash."""

    at: datetime
    stream: str
    seq: int
    entry_hash: str
    actor: str
    document: Mapping[str, Any]  # Any: the document as it was signed
    document_hash: str
    signed: tuple[Signed, ...]


def signed_acts(entries: Iterable[EntryView], *, action: str, purpose: str) -> list[SignedAct]:
    """Return the acts among entries that were done by this action, in their order, in one query.

    Their document is the data of the entry, and those who signed did so for this purpose.
    """
    done = [entry for entry in entries if entry.action == action]
    signed = signatures_under((entry.id for entry in done), purpose=purpose)
    return [_act(entry, signed.get(entry.id, ())) for entry in done]


def _act(entry: EntryView, signed: tuple[Signed, ...]) -> SignedAct:
    document = entry.body["data"]
    assert isinstance(document, dict)
    return SignedAct(
        at=entry.at,
        stream=entry.stream,
        seq=entry.seq,
        entry_hash=entry.hash,
        actor=entry.actor_name,
        document=document,
        document_hash=signed[0].content_hash if signed else "",
        signed=signed,
    )


def entry_signed(name: RoundName, *, purpose: str, content_hash: bytes) -> int | None:
    """Return the id of the entry of a round that was signed over this content, if there is one.

    Whoever signed it: the content names the revisions that it makes, so it is made once.
    """
    found = Signature.objects.filter(
        entry__subject=name.key, purpose=purpose, subject=name.key, content_hash=content_hash
    )
    return found.values_list("entry_id", flat=True).first()
