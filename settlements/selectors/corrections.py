"""The corrections of a round as they were signed and logged: bill, signatures, entry."""

from collections.abc import Iterable, Mapping
from typing import Any

from audit.log.selectors import EntryView, entries_of
from settlements.correction import Correction
from settlements.selectors.signed import SignedAct, entry_signed, signed_acts
from settlements.selectors.standing import standing_parts
from tables.selectors.round_read import RoundRead

CORRECTED = "round.corrected"
PURPOSE = "round.correct"


def corrected_by(read: RoundRead, correction: Correction, *, bill_hash: str) -> int | None:
    """Return the id of the entry that this correction was made by with this bill, if it was.

    With the hash of another correction's bill it is none that was made.
    """
    try:
        content = bytes.fromhex(bill_hash)
    except ValueError:
        return None
    entry = entry_signed(read.name, purpose=PURPOSE, content_hash=content)
    if entry is None:
        return None
    made = [each for each in corrections_of(read.ref.key) if each.document_hash == bill_hash]
    return entry if any(_says(each.document, correction, read) for each in made) else None


def _says(bill: Mapping[str, Any], correction: Correction, read: RoundRead) -> bool:
    """Tell whether a bill is that of a correction. What it leaves out changed nothing: of that the
    correction must say what stands."""
    dispute = f"{read.name.table}/D{correction.dispute}" if correction.dispute else None
    asked = (correction.event, correction.reason, correction.moved, dispute)
    if asked != (bill["event"], bill["reason"], bill["moved"], bill.get("dispute")):
        return False
    cards = {card["draw"]: card["after"] for card in bill["cards"]}
    seats = {seat["seat"]: seat["after"] for seat in bill["wagers"]}
    faces = {card.draw: card.face for card in correction.cards}
    if not (cards.keys() <= faces.keys() and seats.keys() <= correction.wagers.keys()):
        return False
    stand = {seat: keyed.wagers for seat, keyed in read.seats.items()}
    return (
        all(cards.get(draw, _face(read, draw)) == face for draw, face in faces.items())
        and all(
            seats.get(seat, stand.get(seat, {})) == dict(wagers)
            for seat, wagers in correction.wagers.items()
        )
        and _says_handed(bill, correction, read)
    )


def _says_handed(bill: Mapping[str, Any], correction: Correction, read: RoundRead) -> bool:
    if not correction.handed:
        return True
    so_far = {
        name: line.handed_minor
        for part in standing_parts(read).values()
        for name, line in part.lines.items()
    }
    for part in bill["parts"]:
        so_far |= {(line["seat"], line["wager"]): line["so_far_minor"] for line in part["lines"]}
    return all(so_far.get(name) == amount for name, amount in correction.handed.items())


def _face(read: RoundRead, draw: int) -> str | None:
    keyed = read.keyed(draw)
    return keyed.face if keyed else None


def corrections_of(round_key: str) -> list[SignedAct]:
    """Return the corrections of a round with their bills, oldest first, in two queries."""
    return corrections_in(entries_of(round_key))


def corrections_in(entries: Iterable[EntryView]) -> list[SignedAct]:
    """Return the corrections among the entries of a round, oldest first, in one query."""
    return signed_acts(entries, action=CORRECTED, purpose=PURPOSE)
