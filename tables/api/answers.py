"""The one shape of a write's answer at a table."""

from rest_framework import status
from rest_framework.response import Response

from audit.log.receipts import receipt_document
from audit.log.rows import Receipt
from tables.selectors.paid import HandedAmounts
from tables.selectors.round_read import RoundRead
from tables.selectors.table_view import Document, round_view, table_view


def round_answer(
    receipt: Receipt,
    read: RoundRead,
    *,
    done_before: bool = False,
    handed: HandedAmounts | None = None,
) -> Response:
    """Answer a write in a round: receipt, what comes next, the table around it.

    After a settlement `handed` is what it was told to be otherwise than owed.
    """
    view = round_view(read, receipt=receipt, handed=handed)
    return _answer(receipt, view, done_before=done_before)


def table_answer(receipt: Receipt, table: str, *, done_before: bool = False) -> Response:
    """Answer a write at a table outside of a round."""
    view = {**table_view(table), "last_receipt": receipt_document(receipt)}
    return _answer(receipt, view, done_before=done_before)


def _answer(receipt: Receipt, view: Document, *, done_before: bool = False) -> Response:
    round_ = view["round"]
    body = {
        "receipt": receipt_document(receipt),
        "done_before": done_before,
        "next": round_["next"] if isinstance(round_, dict) else None,
        "view": view,
    }
    return Response(body, status=status_of(done_before=done_before))


def status_of(*, done_before: bool) -> int:
    """Return the status of a write that may have been done before."""
    return status.HTTP_200_OK if done_before else status.HTTP_201_CREATED
