"""What corrected first cards say of the third ones: draw errors noticed after the settlement.

Event 30: third cards stay where they were dealt. One that its hand had no right to counts for
nothing; all are judged as they should have been if each card went to just another hand that was
due one; a hand that lacks a card which nobody can name is void. In game C whoever was not asked,
because a natural was seen, stands or is void as one who said nothing (C6). Writes nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from audit.log.rows import Row
from settlements.draw_error import DrawError
from tables.games import TakenOut as Out
from tables.games import hands, house_decision, next_step, places, stakes_in_play
from tables.games.lucky_9_options import LuckyRules
from tables.games.lucky_hands import read_faces
from tables.games.registry import game_of
from tables.games.values import BANK, Place
from tables.models import Decision, Departure, Irregularity, Round, TakenOut
from tables.selectors.round_read import KeyedDecision, RoundRead
from tables.services.irregularities.departing import Turned, depart, keep_cards
from tables.services.irregularities.ground import latest_number
from tables.services.irregularities.wagering import take_out

EVENT, PROCEDURE = 30, "correct"
_THIRD = 3
_SILENT = "no_decision"


def judged(read: RoundRead, after: RoundRead) -> tuple[RoundRead, DrawError | None]:
    """Return the corrected round with its third cards judged, and what that took; None if nothing.

    `after` is `read` with other faces.
    """
    if game_of(read.ruleset).asks:
        return _asked(after)
    if not isinstance(read.ruleset.rules, LuckyRules):
        return after, None
    lay = {place.draw: place.hand for place in _thirds(read) if place.draw in read.faces}
    own = _void_by_correction(after)
    bare = replace(after, taken_out=tuple(out for out in after.taken_out if out not in own))
    over = read.stage == Round.Stage.SETTLED  # of a void round not every card was dealt
    due = {p.draw: p.hand for p in _thirds(bare) if over or p.draw in read.faces}
    if not own and due == lay:
        return after, None
    if not _is_stated(read) and due.keys() == lay.keys():
        return after, None  # each went to another hand that was due one: judged as it should be
    return _judged_as_laid(bare, lay, own=own)


def _is_stated(read: RoundRead) -> bool:
    """Tell whether it is on record where third cards lie, or that a hand got none."""
    stated = any(
        each.use == Departure.Use.HAND and each.nth == _THIRD for each in read.departures.values()
    )
    return stated or any(out.wager is None for out in read.taken_out)


def _thirds(read: RoundRead) -> list[Place]:
    return [place for place in places(read.ruleset, read.state()) if place.nth == _THIRD]


def _by_draw(read: RoundRead) -> dict[int, tuple[int, int]]:
    return {place.draw: (place.hand, place.nth) for place in places(read.ruleset, read.state())}


def _void_by_correction(read: RoundRead) -> tuple[Out, ...]:
    """Return the hands that an earlier correction found to lack a card: they are judged anew."""
    if not any(out.event == EVENT and out.wager is None for out in read.taken_out):
        return ()
    of_round = Irregularity.objects.filter(
        round_id=read.ref.id, event=EVENT, procedure=PROCEDURE
    ).values("number")
    seats = set(
        TakenOut.objects.filter(
            round_id=read.ref.id, wager="", irregularity_number__in=of_round
        ).values_list("seat", flat=True)
    )
    return tuple(out for out in read.taken_out if out.wager is None and out.seat in seats)


def _judged_as_laid(
    bare: RoundRead, lay: Mapping[int, int], *, own: Collection[Out]
) -> tuple[RoundRead, DrawError | None]:
    """Let third cards lie where they do; void the hands that lack one."""
    turned, number = Turned(bare), latest_number(bare.table) + 1
    for draw, hand in sorted(lay.items()):
        stated = turned.read.departures.get(draw)
        if stated is None or stated.use != Departure.Use.HAND:
            turned = turned.then(
                depart(turned.read, draw, Departure.Use.HAND, number=number, hand=hand, nth=_THIRD)
            )
    was_void, void = {out.seat: out for out in own}, []
    of_bank = False
    while bare.stage == Round.Stage.SETTLED:
        missing = [p.hand for p in _thirds(turned.read) if p.draw not in turned.read.faces]
        if not missing:
            break
        of_bank = of_bank or BANK in missing
        lacking = [hand for hand in missing if hand] or _open_seats(turned.read)
        assert lacking, "the bank's card is due only while a comparison is open (B5)"
        for seat in lacking:
            void.append(seat)
            turned = _take_out(turned, seat, was_void=was_void, number=number)
    alive = tuple(sorted(was_void.keys() - set(void)))
    for seat in alive:
        turned = turned.then(_put_back(turned.read, was_void[seat], number=number))
    counted = _by_draw(turned.read)
    unneeded = {draw: hand for draw, hand in lay.items() if draw not in counted}
    if not turned.rows:
        return turned.read, None
    new = tuple(sorted(seat for seat in void if seat not in was_void))
    of_bank = of_bank or BANK in unneeded.values()
    return turned.read, DrawError(unneeded, new, alive, (), of_bank, turned.rows, number)


def _open_seats(read: RoundRead) -> list[int]:
    """Return the seats whose comparison waits for the bank's third card (B5)."""
    rules = read.ruleset.rules
    assert isinstance(rules, LuckyRules)
    compared = stakes_in_play(read.state())  # a capped wager is compared by the rest of it
    laid = hands(read.ruleset, read.state())
    found = []
    for seat in read.live:
        hand = read_faces(tuple(face or "" for face in laid[seat][:2]))
        if seat in compared and (hand is None or not rules.is_decided_early(hand.first_two)):
            found.append(seat)
    return found


def _take_out(turned: Turned, seat: int, *, was_void: Mapping[int, Out], number: int) -> Turned:
    read = turned.read
    if seat in was_void:
        stays = replace(read, taken_out=(*read.taken_out, was_void[seat]))
        return Turned(stays, turned.rows)
    kept = turned.then(keep_cards(read, seat, out=max(read.faces), number=number))
    return kept.then(take_out(kept.read, seat, "", event=EVENT, number=number))


def _put_back(read: RoundRead, out: Out, *, number: int) -> Turned:
    """Say of a hand that was void that it counts: nothing of it is missing after all."""
    revision = read.taken_revisions.get((out.seat, ""), 0) + 1
    values = {
        "round": read.ref,
        "seat": out.seat,
        "wager": "",
        "revision": revision,
        "event": EVENT,
        "returned_minor": None,
        "in_play": True,
        "irregularity_number": number,
    }
    revisions = {**read.taken_revisions, (out.seat, ""): revision}
    return Turned(replace(read, taken_revisions=revisions), (Row(TakenOut, values),))


def _asked(after: RoundRead) -> tuple[RoundRead, DrawError | None]:
    """Let hands that were not asked, because of a natural that is none, stand or be void (C6)."""
    if after.stage != Round.Stage.SETTLED:
        return after, None
    rows: list[Row] = []
    silent: list[int] = []
    while True:
        step = next_step(after.ruleset, replace(after.state(), settled=False, swept=True))
        if step.kind != "ask" or step.hand is None:
            break
        stands = after.decisions.get(step.hand)
        keyed = KeyedDecision(stands.revision + 1 if stands else 1, _SILENT, 0)
        after = replace(after, decisions={**after.decisions, step.hand: keyed})
        silent.append(step.hand)
        rows.append(
            Row(
                Decision,
                {
                    "round": after.ref,
                    "hand": step.hand,
                    "revision": keyed.revision,
                    "choice": _SILENT,
                },
            )
        )
    if not rows:
        return after, None
    of_bank = BANK in silent and after.bank_seat is None and _had_to_draw(after)
    return after, DrawError({}, (), (), tuple(silent), of_bank=of_bank, rows=tuple(rows))


def _had_to_draw(read: RoundRead) -> bool:
    """Tell whether the written rule of a staffed bank lets it draw (C5)."""
    bank = read_faces(tuple(face or "" for face in hands(read.ruleset, read.state())[BANK][:2]))
    return bank is not None and house_decision(read.procedures, total=bank.first_two) == "hit"
