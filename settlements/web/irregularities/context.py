"""What the templates of an irregularity read: the form in rows, and what would follow in words."""

from typing import Any, NamedTuple

from django.forms import BoundField
from django.utils.translation import gettext as _

from settlements.services.irregularity_preview import Foreseen, ShoeTurn, WagerTurn
from settlements.web.irregularities import words
from settlements.web.irregularities.form import RANKS, CaseForm, faces_of
from tables.games import stakes_in_play

Context = dict[str, Any]  # Any: a template's context


class WagerRow(NamedTuple):
    """One wager on the form; what is not asked of it is None."""

    seat: int
    wager: str
    stake_minor: int | None
    pick: BoundField | None
    stake: BoundField | None
    back: BoundField | None

    @property
    def is_typed(self) -> bool:
        """Tell whether something was typed for it."""
        return any(field.value() for field in (self.pick, self.stake, self.back) if field)


class LaidRow(NamedTuple):
    """One draw that may lie elsewhere than planned."""

    draw: int
    planned: int
    face: str
    field: BoundField


def form_context(form: CaseForm) -> Context:
    """Return the form as its page shows it, row by row."""
    asks, way = form.asks, form.way
    absent = [_wager_row(form, *name) for name in asks.wagers.absent]
    return {
        "form": form,
        "asks": asks,
        "event": {"number": way.event, "name": words.event_name(way.event)},
        "way": {
            "name": _("The cards are counted; the count says the result")
            if asks.counted
            else _(way.procedure.name),
            "effects": words.effects_of_way(way.procedure, in_round=way.playing is not None),
            "option": _option(form),
        },
        "apart_rows": [
            (form[f"apart_{n}"], form[f"face_{n}"] if asks.cards.faces else None)
            for n in range(1, asks.cards.apart + 1)
        ],
        "draw_rows": [form[f"draw_{n}"] for n in range(1, asks.cards.named + 1)],
        "laid_rows": _laid_rows(form),
        "wager_rows": [_wager_row(form, *name) for name in asks.wagers.known],
        "absent_rows": absent,
        "absent_used": any(row.is_typed for row in absent),
        "count_rows": _count_rows(form),
        "fields": {name: form[name] for name in form.fields if "_" not in name or name in _SINGLE},
        "question": form.question,
        "asks_as_seen": form.question is not None or bool(form["as_seen"].value()),
    }


_SINGLE = ("cards_out", "first_two", "replaced_out", "replaced_in", "since_shoe")


def _option(form: CaseForm) -> str:
    way = form.way
    values = way.floor.shoe.procedures.values if way.floor.shoe else {}
    return words.option_text(way.procedure, values) if values else ""


def _laid_rows(form: CaseForm) -> list[LaidRow]:
    read = form.way.playing
    faces = read.faces if read else {}
    return [
        LaidRow(draw, planned, faces.get(draw, ""), form[f"laid_{draw}"])
        for draw, planned in form.asks.cards.laid
    ]


def _wager_row(form: CaseForm, seat: int, kind: str) -> WagerRow:
    read = form.way.playing
    stakes = stakes_in_play(read.state()) if read else {}

    def field(name: str) -> BoundField | None:
        key = f"{name}_{seat}_{kind}"
        return form[key] if key in form.fields else None

    return WagerRow(
        seat, kind, stakes.get(seat, {}).get(kind), field("pick"), field("stake"), field("back")
    )


def _count_rows(form: CaseForm) -> list[tuple[str, list[BoundField]]]:
    """Return the fields of a count by suit, "" where suits are not told apart."""
    if not form.asks.counted:
        return []
    faces = faces_of(form.way)
    rows = [faces[n : n + len(RANKS)] for n in range(0, len(faces), len(RANKS))]
    return [(row[0][1:], [form[f"count_{face}"] for face in row]) for row in rows]


def foreseen_context(foreseen: Foreseen) -> Context:
    """Return what a case would do, in words and rows."""
    before, after = foreseen.before, foreseen.after
    back = sum(turn.back_minor for turn in foreseen.wagers)
    held = sum(turn.held_minor for turn in foreseen.wagers)
    return {
        "hash": foreseen.hash,
        "result": _(foreseen.procedure.name),
        "sentences": words.effects_of_way(foreseen.procedure, in_round=before is not None),
        "stage": before.stage if before else "",
        "stage_after": _stage_after(foreseen),
        "wagers": [_turn(turn) for turn in foreseen.wagers],
        "back_minor": back,
        "held_minor": held,
        "collect_minor": sum(turn.collect_minor for turn in foreseen.wagers),
        "draws": [
            {
                "draw": turn.draw,
                "face": turn.face,
                "use": words.use_words(
                    turn.use, turn.hand, bank_seat=after.bank_seat if after else None
                ),
            }
            for turn in foreseen.draws
        ],
        "next": "" if foreseen.procedure.voids_round else words.next_words(after),
        "shoe": shoe_context(foreseen.shoe),
        "replaced": foreseen.case.replaced,
        "letters": words.letters_text(foreseen.letters),
        "signers": len(foreseen.letters),
        "dealer": before.dealer_name if before else "",
    }


def _stage_after(foreseen: Foreseen) -> str:
    if foreseen.after is None:
        return ""
    return "voided" if foreseen.procedure.voids_round else foreseen.after.stage


def _turn(turn: WagerTurn) -> Context:
    tone, shape, word = words.TURNS[turn.what]
    return {
        "seat": turn.seat,
        "wager": turn.wager,
        "stake_minor": turn.stake_minor,
        "was_minor": turn.was_minor,
        "back_minor": turn.back_minor,
        "held_minor": turn.held_minor,
        "collect_minor": turn.collect_minor,
        "tone": tone,
        "shape": shape,
        "word": word,
    }


def shoe_context(turn: ShoeTurn | None) -> Context | None:
    """Return what becomes of the shoe; None where nothing does."""
    if turn is None:
        return None
    found = found_words(turn.found)
    if turn.state == turn.was and not turn.burned and not found and turn.listed is None:
        return None
    return {
        "key": turn.key,
        "was": turn.was,
        "state": turn.state,
        "burned": turn.burned,
        "listed": turn.listed,
        "found": found,
    }


def found_words(found: Any) -> list[tuple[str, str]]:  # Any: what a case found, as JSON
    """Return what the system worked out for a case, each with its name."""
    said = []
    if "cause" in found:
        said.append((_("Cause"), words.event_name(found["cause"])))
    if "cards_out" in found:
        said.append((_("Cards out of the shoe"), str(found["cards_out"])))
    if "cards_reshuffled" in found:
        said.append((_("Cards shuffled again"), str(found["cards_reshuffled"])))
    if "cards_counted" in found:
        said.append((_("Cards counted"), str(found["cards_counted"])))
        for name, label in (("missing", _("Missing")), ("extra", _("Too many"))):
            cards = ", ".join(f"{face} {n}" for face, n in sorted(found[name].items()))
            said.append((label, cards or _("none")))
    return said
