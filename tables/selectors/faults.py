"""The engine's faults as the documents that problem details carry."""

from collections.abc import Iterable

from tables.games import Fault


def fault_documents(faults: Iterable[Fault]) -> list[dict[str, object]]:
    """Return each fault as code, place, sentence and data for the client."""
    return [
        {"code": fault.code, "where": fault.where, "detail": fault.detail, **dict(fault.data)}
        for fault in faults
    ]
