"""The round document: one JSON object in, its settlement out (docs/round-document.md).

The document uses the table's words: `bet` for wager, `payout` for profit. This module must not
store anything, nor read anything but its argument.
"""

from tables.games.document_reading import Document, read_document
from tables.games.rulesets import fault_documents
from tables.games.values import Fault, Line
from tables.games.whys import explain


def settle_document(doc: object) -> dict[str, object]:
    """Return the answer to a round document; a JSON value as the strict reader returns it.

    A document that cannot be settled is answered with no lines and every fault at once; its net is
    null, because what is unknown is not zero. Never raises for anything a JSON reader can return.
    """
    if not isinstance(doc, dict):
        return refused_answer([Fault("not_an_object", "", "expected one JSON object in a line")])
    read = read_document(doc)
    if read.faults:
        return _answer(read, lines=[], net=None)
    assert read.game is not None
    assert read.ruleset is not None
    if read.cause is None:
        lines = read.game.lines(read.ruleset, read.play)
    else:
        lines = read.game.void_lines(read.ruleset, read.play, cause=read.cause)
    net = 0
    for line in lines:
        net += line.stake_minor - line.returned_minor + line.extra_owed_minor
    return _answer(read, lines=[_line_document(line) for line in lines], net=net)


def refused_answer(faults: list[Fault]) -> dict[str, object]:
    """Return the answer to a line of which not even the id is known."""
    return {
        "id": None,
        "ruleset": None,
        "lines": [],
        "house_net_minor": None,
        "faults": fault_documents(faults),
    }


def _answer(
    read: Document, *, lines: list[dict[str, object]], net: int | None
) -> dict[str, object]:
    bank = read.game.bank if read.game else "house"
    return {
        "id": read.id,
        "ruleset": read.ruleset.hash if read.ruleset else None,
        "lines": lines,
        f"{bank}_net_minor": net,
        "faults": fault_documents(read.faults) if read.faults else [],
    }


def _line_document(line: Line) -> dict[str, object]:
    document: dict[str, object] = {
        "seat": line.seat,
        "bet": line.wager,
        "stake_minor": line.stake_minor,
        "outcome": line.outcome,
        "odds": None if line.odds is None else list(line.odds),
        "payout_minor": line.profit_minor,
        "returned_minor": line.returned_minor,
        "clause": line.clause,
        "why": explain(line.why),
    }
    if line.extra_owed_minor:
        document["extra_owed_minor"] = line.extra_owed_minor
    return document
