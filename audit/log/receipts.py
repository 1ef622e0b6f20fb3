"""Receipts: of an entry that is stored already, and as the API tells them."""

from audit.log.models import Entry
from audit.log.rows import Receipt
from casino.kernel.clock import format_instant


def receipt_of(entry_id: int) -> Receipt:
    """Return the receipt that the first answer carried (trust R3); `ids` are not repeated.

    Precondition: the entry exists, because a fact names it.
    """
    stream, seq, hash_, at = Entry.objects.values_list("stream", "seq", "hash", "at").get(
        pk=entry_id
    )
    return Receipt(
        entry_id=entry_id, stream=stream, seq=seq, hash=bytes(hash_).hex(), at=at, ids=()
    )


def receipt_document(receipt: Receipt) -> dict[str, object]:
    """Return a receipt as every answer of the API tells it."""
    return {
        "stream": receipt.stream,
        "seq": receipt.seq,
        "hash": receipt.hash,
        "at": format_instant(receipt.at),
    }
