"""The engine's faults as problem details carry them, with the data that a client acts on."""

from collections.abc import Iterable

from tables.games import Fault


def fault_documents(faults: Iterable[Fault]) -> list[dict[str, object]]:
    """Return each fault as code, place, sentence and data."""
    return [fault_document(fault) for fault in faults]


def fault_document(fault: Fault) -> dict[str, object]:
    """Return one of them."""
    return {**fault.data, "code": fault.code, "where": fault.where, "detail": fault.detail}
