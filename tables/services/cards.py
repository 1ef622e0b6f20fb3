"""Cards: keyed as they are dealt, taken back, or keyed anew until they are settled.

A card fact is (round, draw, revision). Several come in one call: all or nothing, every fault at
once; equal ones count as done (design 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from audit.findings.services import raise_finding
from audit.log.receipts import receipt_of
from audit.log.rows import Change, Receipt, Row
from audit.log.services import append, lock_stream, service
from tables.acting import Acting
from tables.errors import (
    CardCarriedError,
    CardConflictError,
    CardDecidedError,
    CardNotLastError,
    CardsRefusedError,
    CardSweptError,
    NoWagersError,
    OneCardTooManyError,
    RoundStageError,
    ShoeExhaustedError,
    WagersRefusedError,
)
from tables.faults import fault_documents
from tables.games import (
    Fault,
    NewCard,
    card_faults,
    cards_needed,
    live_seats,
    next_step,
    places,
    wager_faults,
)
from tables.games import Step as NextStep
from tables.games.cards import UNKNOWN
from tables.models import Card, Departure, Round
from tables.selectors.places import earlier_places
from tables.selectors.round_read import KeyedFace, RoundName, RoundRead, read_round
from tables.services.rounds import Step, require_before_cut, require_dealing, require_revision

_DEALING = (
    Round.Stage.BETTING,
    Round.Stage.FIRST_LAP,
    Round.Stage.SECOND_LAP,
    Round.Stage.SWEEP,
    Round.Stage.THIRD_LAP,
    Round.Stage.SHOWDOWN,
)
_LAPS = {1: Round.Stage.FIRST_LAP, 2: Round.Stage.SECOND_LAP, 3: Round.Stage.THIRD_LAP}


@dataclass(frozen=True, slots=True)
class KeyedCard:
    """One card as keyed: a face, or None to take the draw back (an empty revision).

    `hand` is where the person keying believes it goes; it is checked, not stored.
    """

    draw: int
    revision: int
    face: str | None
    as_seen: bool = False
    hand: int | None = None
    claimed_at: datetime | None = None


def stage_of(step: NextStep) -> Round.Stage:
    """Return the stage in which a dealt round waits for this step."""
    if step.kind == "sweep":
        return Round.Stage.SWEEP
    if step.kind == "ask":
        return Round.Stage.THIRD_LAP
    if step.kind == "deal" and step.lap is not None:
        return _LAPS[step.lap]
    return Round.Stage.SHOWDOWN


@service
def deal_cards(*, name: RoundName, cards: Sequence[KeyedCard], by: Acting) -> Step:
    """Key cards; the first one closes betting and pins the live seats and the limits (A23, A28).

    Raises CardConflictError (another card at the same revision), Revision*Error, CardSweptError,
    OneCardTooManyError (a question, event 13), CardsRefusedError with every fault, RoundStageError
    after the last card, and what `require_dealing` and, for the first card, `close_betting` raise.
    Nothing is written then. Content that stands already counts as done and returns the receipt it
    got.
    """
    lock_stream(name.stream)
    read = read_round(name, faces=[card.face for card in cards if card.face])
    require_dealing(by, read)
    _require_sound(read, cards)
    fresh = [card for card in cards if not _stands(read, card)]
    if not fresh:
        return Step(receipt=_receipt_of_standing(read, cards), round=read, done_before=True)
    if read.stage not in _DEALING:
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.THIRD_LAP)
    _require_of_this_round(read, fresh)
    live = read.live or close_betting(read)
    before = read if read.live else replace(read, live=live)
    faces = _faces_after(before, fresh)
    stage = stage_of(next_step(before.ruleset, before.state(faces)))
    receipt = append(
        stream=name.stream,
        action=_action(fresh),
        subject=name.key,
        actor=by.actor,
        facts=[_card_row(read, card) for card in fresh],
        changes=_round_changes(read, stage=stage, live=live),
    )
    _raise_findings(before, fresh, by=by)
    return Step(receipt=receipt, round=_after(before, fresh, stage=stage, receipt=receipt))


def _require_sound(read: RoundRead, cards: Sequence[KeyedCard]) -> None:
    """Refuse a draw that stands twice in a call, and the taking back of one never keyed."""
    faults: list[Fault] = []
    draws: set[int] = set()
    for index, card in enumerate(cards):
        where, data = f"cards[{index}]", {"draw": card.draw}
        if card.draw in draws:
            detail = f"expected draw {card.draw} once in a call"
            faults.append(Fault("card.twice", where, detail, data))
        elif card.face is None and read.keyed(card.draw) is None:
            detail = f"expected a draw that was keyed, not {card.draw}"
            faults.append(Fault("card.not_keyed", where, detail, data))
        draws.add(card.draw)
    _refuse_faults(faults, read=read)


def _stands(read: RoundRead, card: KeyedCard) -> bool:
    """Tell whether this content stands already; refuse other content at the latest revision."""
    stored = read.keyed(card.draw)
    latest = stored.revision if stored else 0
    require_revision(f"draw {card.draw}", revision=card.revision, latest=latest)
    if stored is None or card.revision != latest:
        return False
    if (card.face or "") != stored.face:
        raise CardConflictError(
            draw=card.draw, revision=latest, stored=stored.face or None, keyed=card.face
        )
    return True


def _receipt_of_standing(read: RoundRead, cards: Sequence[KeyedCard]) -> Receipt:
    stored = [read.keyed(card.draw) for card in cards]
    return receipt_of(max(keyed.entry_id for keyed in stored if keyed))


def _require_of_this_round(read: RoundRead, fresh: Sequence[KeyedCard]) -> None:
    """Refuse a card that is the first of the next round: it is keyed when it is opened there."""
    for card in fresh:
        departed = read.departures.get(card.draw)
        if departed is not None and departed.use == Departure.Use.NEXT_ROUND:
            raise CardCarriedError(draw=card.draw)


def close_betting(read: RoundRead) -> tuple[int, ...]:
    """Return the live seats; the limits in force now are the ones that are pinned.

    Raises CutCardOutError (event 17), NoWagersError, WagersRefusedError with every fault,
    ShoeExhaustedError where too few cards are left for these seats (event 18).
    """
    require_before_cut(read.shoe.key, number=read.name.number, rounds_max=read.rounds_max)
    live = live_seats(
        read.ruleset, read.wagers, procedures=read.procedures, bank_seat=read.bank_seat
    )
    if not live:
        raise NoWagersError(round=read.ref.key)
    faults = wager_faults(
        read.ruleset, read.limits, read.wagers_as_placed, bank_seat=read.bank_seat
    )
    if faults:
        raise WagersRefusedError(count=len(faults), faults=fault_documents(faults))
    needed = cards_needed(live)
    left = read.cards_loaded - read.cards_out
    if left < needed:
        raise ShoeExhaustedError(cards_left=left, cards_needed=needed)
    return live


def _faces_after(read: RoundRead, fresh: Sequence[KeyedCard]) -> dict[int, str]:
    """Return the faces by draw once `fresh` is keyed; raise all that is wrong with them."""
    faces = read.faces
    laps = {place.draw: place.lap for place in places(read.ruleset, read.state())}
    early = [card.draw for card in fresh if laps.get(card.draw, 3) < 3]
    if early:
        _require_open(read, early[0])
    for card in fresh:
        faces.pop(card.draw, None)
    for card in fresh:
        last = max(faces, default=0)
        if card.face is None and laps.get(card.draw, 3) < 3 and last > card.draw:
            raise CardNotLastError(draw=card.draw, last=last)
    _refuse_faults(_faults(read, fresh, faces=faces), read=read)
    faces.update({card.draw: card.face for card in fresh if card.face})
    last = max(read.faces, default=0)
    if early and laps.get(last, 3) == 3 and _moved(read, faces):
        raise CardNotLastError(draw=early[0], last=last)
    return faces


def _require_open(read: RoundRead, draw: int) -> None:
    """Refuse a card of the first two laps once something was settled or decided by it."""
    if read.sweep_revision:
        raise CardSweptError(draw=draw)
    decided = next((hand for hand, keyed in read.decisions.items() if keyed.choice), None)
    if decided is not None:
        raise CardDecidedError(draw=draw, hand=decided)


def _moved(read: RoundRead, faces: dict[int, str]) -> bool:
    """Tell whether a card that lies would be another hand's under these faces (B1, C4)."""
    was, now = (
        {place.draw: place.hand for place in places(read.ruleset, read.state(each))}
        for each in (None, faces)
    )
    return any(was.get(draw) != now.get(draw) for draw in read.faces if draw in faces)


def _faults(
    read: RoundRead, fresh: Sequence[KeyedCard], *, faces: dict[int, str], answered: bool = True
) -> list[Fault]:
    """Return what the engine finds wrong; with `answered` False also what was keyed as seen."""
    seen = dict(read.copies)
    for card in fresh:
        stored = read.keyed(card.draw)
        if stored and stored.face in seen:
            seen[stored.face] -= 1
    new = [
        NewCard(
            draw=card.draw,
            face=card.face,
            as_seen=card.as_seen and (answered or card.face == UNKNOWN),
            hand=card.hand,
        )
        for card in sorted(fresh, key=lambda card: card.draw)
        if card.face is not None
    ]
    found = card_faults(read.ruleset, read.procedures, read.state(faces), seen, new)
    return [fault for fault in found if not _lies(read, fault, new, faces=faces)]


def _lies(
    read: RoundRead, fault: Fault, new: Sequence[NewCard], *, faces: Mapping[int, str]
) -> bool:
    """Tell whether a fault calls a card too many that has its place by lying there: the bank's, of
    which the last open wager went back after it was keyed (event 23)."""
    if fault.code != "card.after_end" or read.keyed(int(str(fault.data["draw"]))) is None:
        return False
    lies = {**faces, **{card.draw: card.face for card in new}}
    return fault.data["draw"] in {p.draw for p in places(read.ruleset, read.state(lies))}


def _refuse_faults(faults: Sequence[Fault], *, read: RoundRead) -> None:
    """Raise the question when nothing else is wrong (event 13), otherwise every fault at once."""
    if not faults:
        return
    if all(fault.code == OneCardTooManyError.code for fault in faults):
        face = str(faults[0].data["face"])
        places = earlier_places(read.shoe, face=face)
        raise OneCardTooManyError(
            **dict(faults[0].data), places=places, faults=fault_documents(faults)
        )
    raise CardsRefusedError(count=len(faults), faults=fault_documents(faults))


def _action(fresh: Sequence[KeyedCard]) -> str:
    if all(card.face is None for card in fresh):
        return "card.undone"
    return "card.dealt"


def _card_row(read: RoundRead, card: KeyedCard) -> Row:
    """Return the fact; a card carried over keeps the round and the draw in which it was drawn.

    Taken back, that one is a card not opened yet: it has left the shoe.
    """
    carried = read.carried if card.draw == 0 else None
    return Row(
        Card,
        {
            "round": carried.round if carried else read.ref,
            "shoe": read.shoe,
            "draw": carried.draw if carried else card.draw,
            "revision": card.revision,
            "face": card.face or ("?" if carried else ""),
            "as_seen": card.as_seen,
            "claimed_at": card.claimed_at,
        },
    )


def _round_changes(
    read: RoundRead, *, stage: Round.Stage, live: tuple[int, ...]
) -> tuple[Change, ...]:
    changed: dict[str, object] = {}
    if stage != read.stage:
        changed["stage"] = stage.value
    if not read.live:
        changed |= {"live_seats": list(live), "limits": read.limits_ref}
    return (Change(Round, read.ref, changed),) if changed else ()


def _after(
    read: RoundRead, fresh: Sequence[KeyedCard], *, stage: Round.Stage, receipt: Receipt
) -> RoundRead:
    """Return the round as it stands after the write, without reading it again."""
    keyed = {
        card.draw: KeyedFace(
            revision=card.revision,
            face=card.face or "",
            as_seen=card.as_seen,
            entry_id=receipt.entry_id,
        )
        for card in fresh
    }
    carried = keyed.pop(0, None)
    cards = dict(sorted({**read.cards, **keyed}.items()))
    after = replace(read, stage=stage.value, cards=cards, limits_pinned=True)
    if carried is None or read.carried is None:
        return after
    return replace(after, carried=replace(read.carried, keyed=carried))


def _raise_findings(read: RoundRead, fresh: Sequence[KeyedCard], *, by: Acting) -> None:
    """Open a finding for each copy beyond the decks that was confirmed as seen (event 13)."""
    if not any(card.as_seen and card.face for card in fresh):
        return
    standing = {draw: face for draw, face in read.faces.items() if draw not in _draws(fresh)}
    for fault in _faults(read, fresh, faces=standing, answered=False):
        if fault.code == OneCardTooManyError.code:
            raise_one_too_many(read, fault, by=by)


def raise_one_too_many(read: RoundRead, fault: Fault, *, by: Acting) -> None:
    """Open a finding for a copy beyond the decks that was confirmed as seen (event 13)."""
    raise_finding(
        kind="shoe.one_card_too_many",
        subject_kind="round",
        subject_key=read.ref.key,
        table_code=read.table.key,
        detail=dict(fault.data),
        raised_by=by.actor,
        now=by.now,
    )


def _draws(cards: Sequence[KeyedCard]) -> set[int]:
    return {card.draw for card in cards}
