"""The bill of a decision on rounds of a void shoe, and the decisions that were made (event 27).

Reads only. The bill of each round is made as that of any correction, by the ruling instead of by
another card or stake.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from audit.log.rows import Ref
from audit.log.selectors import entries_of
from casino.people.selectors import signed_entry
from settlements.correction import Bill, ShoeRuling
from settlements.errors import ShoeDecisionError, ShoeNotVoidError
from settlements.lines import VOID_SHOE_CLAUSE
from settlements.models import Payout, ShoeVoidRound
from settlements.selectors.bill import ruled_bill
from settlements.selectors.shoe_voids import standing_rows
from settlements.selectors.signed import SignedAct, signed_acts
from settlements.shoe_decision import (
    DECIDED,
    GIVES_BACK,
    PURPOSE,
    DecisionBill,
    RoundDecided,
    ShoeDecision,
)
from tables.irregularity_errors import IrregularityTextError, RegulatorToldError
from tables.selectors.floor import UsedShoe, read_table
from tables.selectors.round_read import RoundName, read_round
from tables.services.irregularities.ground import TEXT_MAX

_OPEN = ShoeVoidRound.Decision.OPEN


@dataclass(frozen=True, slots=True)
class OwedYet:
    """What decisions give back that was not handed over yet, either way, in minor units, and the
    rounds of which that is so."""

    to_players_minor: int
    to_bank_minor: int
    rounds: frozenset[str] = frozenset()


def require_void(table: str, shoe: int) -> UsedShoe:
    """Return a shoe that is void. Raises ShoeNotVoidError, ShoeMissingError, TableMissingError."""
    used = read_table(table, shoe=shoe).require_shoe(shoe)
    if not used.is_void:
        raise ShoeNotVoidError(shoe=used.ref.key, state=used.state)
    return used


def require_decision(decision: ShoeDecision) -> None:
    """Refuse a decision that is none of the list, without a reason, or of which nobody was told.

    Raises ShoeDecisionError, IrregularityTextError, RegulatorToldError.
    """
    if decision.decision not in GIVES_BACK:
        raise ShoeDecisionError(expected=[str(each) for each in GIVES_BACK], rounds=[])
    if not decision.note.strip() or max(len(decision.note), len(decision.told)) > TEXT_MAX:
        raise IrregularityTextError(limit=TEXT_MAX)
    if not decision.told.strip():
        raise RegulatorToldError(event=27)


def decision_bill(shoe: Ref, decision: ShoeDecision) -> DecisionBill:
    """Return what a decision costs as the rounds stand now; nothing is written.

    Raises as `require_decision` and `ruled_bill` do, and ShoeDecisionError for rounds that the void
    does not put in question, or where none is left to decide of.
    """
    require_decision(decision)
    rows = _chosen(standing_rows(shoe), decision)
    rounds = tuple(RoundDecided(row, _bill(row, decision)) for row in rows)
    return DecisionBill(shoe.key, decision, rounds)


def decision_signed(
    shoe_key: str, decision: ShoeDecision, *, bill_hash: str, staff: Collection[int | str]
) -> int | None:
    """Return the id of the entry of this decision that these people signed, if it was made.

    The hash is read as bills spell it and no other way: rows of the list are found by it too. With
    the hash of another decision than the one that is sent it is none that was made.
    """
    try:
        content = bytes.fromhex(bill_hash)
    except ValueError:
        return None
    if content.hex() != bill_hash:
        return None
    entry = signed_entry(purpose=PURPOSE, subject=shoe_key, content_hash=content, staff=staff)
    if entry is None:
        return None
    made = [each for each in decisions_of(shoe_key) if each.document_hash == bill_hash]
    same = any(had_bill(each) and _says(each.document, decision) for each in made)
    return entry if same else None


def _says(document: Mapping[str, Any], decision: ShoeDecision) -> bool:  # Any: as it was signed
    """Tell whether a document says what is decided, of the same rounds where they are named."""
    said = [document.get(name) for name in ("decision", "note", "told", "moved")]
    asked = [decision.decision, decision.note, decision.told, decision.moved]
    rounds = {each["round"] for each in document["rounds"]} if decision.rounds else set()
    return said == asked and rounds == set(decision.rounds)


def replaced_since(shoe: Ref, *, bill_hash: str) -> list[str]:
    """Return the rounds of the decision with this hash of which another one stands by now."""
    decided = ShoeVoidRound.objects.filter(shoe_id=shoe.id, signed_hash=bill_hash)
    rounds = set(decided.values_list("round_id", flat=True))
    return [
        row.round.key
        for row in standing_rows(shoe)
        if row.round_id in rounds and row.signed_hash != bill_hash
    ]


def decisions_of(shoe_key: str) -> list[SignedAct]:
    """Return the decisions on the rounds of a void shoe, oldest first, in two queries."""
    return signed_acts(entries_of(shoe_key), action=DECIDED, purpose=PURPOSE)


def had_bill(done: SignedAct) -> bool:
    """Whether a decision had a bill; one from before there were bills moved nothing."""
    return "moved" in done.document


def owed_yet(shoe: Ref) -> OwedYet:
    """Return what of the rounds of a void shoe was decided and has not changed hands: of wagers
    that are given back, and of those that a later decision took back."""
    rounds = ShoeVoidRound.objects.filter(shoe_id=shoe.id).values("round_id")
    given_back = Payout.objects.filter(
        clause=VOID_SHOE_CLAUSE,
        **{name: OuterRef(name) for name in ("round_id", "part", "seat", "wager")},
    )
    rows = (
        Payout.objects.filter(Exists(given_back), round_id__in=rounds)
        .filter(
            Q(part="sweep", revision=F("round__sweep_revision"))
            | Q(part="final", revision=F("round__final_revision"))
        )
        .exclude(owed_minor=F("handed_minor"))
        .values_list("round__key", "owed_minor", "handed_minor")
    )
    owed = [(key, owed_minor - handed_minor) for key, owed_minor, handed_minor in rows]
    return OwedYet(
        to_players_minor=sum(max(minor, 0) for _, minor in owed),
        to_bank_minor=sum(max(-minor, 0) for _, minor in owed),
        rounds=frozenset(key for key, _ in owed),
    )


def name_of_round(key: str) -> RoundName:
    """Return the name that a round's key spells."""
    table, shoe, number = key.split("/")
    return RoundName(table, int(shoe), int(number))


def _chosen(rows: Sequence[ShoeVoidRound], decision: ShoeDecision) -> list[ShoeVoidRound]:
    """Return the rounds that are decided of: those named, or all that are open."""
    known = {row.round.key: row for row in rows}
    unknown = sorted(set(decision.rounds) - known.keys())
    chosen = [row for row in rows if row.round.key in set(decision.rounds)]
    if not decision.rounds:
        chosen = [row for row in rows if row.decision == _OPEN]
    if unknown or not chosen:
        raise ShoeDecisionError(expected=sorted(known), rounds=unknown)
    return chosen


def _bill(row: ShoeVoidRound, decision: ShoeDecision) -> Bill | None:
    name = name_of_round(row.round.key)
    ruling = ShoeRuling(
        decision=decision.decision,
        given_back=GIVES_BACK[decision.decision],
        shoe=row.shoe.key,
        irregularity=f"{name.table}/I{row.irregularity_number}",
        revision=row.revision + 1,
    )
    return ruled_bill(read_round(name), ruling, reason=decision.note, moved=decision.moved)
