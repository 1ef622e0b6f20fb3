"""What the dealer's glass shows of Lucky 9 beside cards and money: bank, pack, decisions.

Parts of the document that `table_view` makes; nothing here decides a rule.
"""

from tables.games import Procedures, Ruleset, Step, decision_faults
from tables.games.deciding import CHOICES
from tables.games.registry import game_of
from tables.models import Round, Shoe
from tables.selectors.bank import bank_due, next_bank
from tables.selectors.floor import Floor, UsedShoe, rounds_max
from tables.selectors.round_read import ROUND_OVER, RoundRead

Document = dict[str, object]

# What is settled before the third cards, by game: wagers on a pair (A19), or naturals (C3).
_SWEEPS = {"poker-lucky-9": "pair", "lucky-9-social": "natural"}
_STAGES = (
    Round.Stage.BETTING,
    Round.Stage.FIRST_LAP,
    Round.Stage.SECOND_LAP,
    Round.Stage.SWEEP,
    Round.Stage.THIRD_LAP,
    Round.Stage.SHOWDOWN,
    Round.Stage.SETTLED,
)


def stages_of(game: str | None) -> list[str]:
    """Return the stages of a round in order; a game without a sweep has none."""
    return [stage.value for stage in _STAGES if game in _SWEEPS or stage != Round.Stage.SWEEP]


def play_document(ruleset: Ruleset) -> Document:
    """Return how a game is played: what its sweep settles, and whether hands are asked."""
    return {"sweep": _SWEEPS.get(ruleset.game), "asks": game_of(ruleset).asks}


def shoe_of_round(read: RoundRead) -> Document:
    """Return the shoe of a round, with the cards of the round in it."""
    over = read.stage in ROUND_OVER
    return {
        "number": read.name.shoe,
        "key": read.shoe.key,
        "state": read.shoe_state,
        "rounds": read.rounds,
        "cards_out": read.cards_out + (0 if over else read.cards_played + read.cards_apart),
        "cards_loaded": read.cards_loaded,
        "cut_card_out": read.rounds_max is not None,
        **_pack(read.procedures, is_dealt=read.cards_dealt > 0 or bool(read.faces), over=over),
    }


def shoe_of_table(shoe: UsedShoe) -> Document:
    """Return a shoe in which no round was opened yet."""
    return {
        "number": shoe.number,
        "key": shoe.ref.key,
        "state": shoe.state,
        "rounds": shoe.rounds,
        "cards_out": shoe.cards_out if shoe.state != Shoe.State.PREPARING else 0,
        "cards_loaded": shoe.cards_loaded,
        "cut_card_out": rounds_max(shoe.cut_card_round, shoe.procedures) is not None,
        **_pack(shoe.procedures, is_dealt=shoe.cards_dealt > 0, over=True),
    }


def _pack(procedures: Procedures, *, is_dealt: bool, over: bool) -> Document:
    """Say whether the cards go back after the round, and whether they have to now."""
    pack = procedures.pack_each_round
    burned = 1 if procedures.values["burn"] == "one" else 0
    return {"pack": pack, "shuffle_due": pack and is_dealt and over, "burn_cards": burned}


def bank_of_round(read: RoundRead) -> Document:
    """Return who banks the round, and who the next one, as far as it is decided."""
    over = read.stage in ROUND_OVER
    return _bank(
        read.procedures,
        seat=read.bank_seat,
        due=next_bank(read, procedures=read.procedures) if over else read.bank_seat,
    )


def bank_of_table(floor: Floor) -> Document:
    """Return who banks the next round of a table whose shoe has none yet."""
    if floor.shoe is None or floor.session is None:
        return {"players": False, "seat": None, "due": None, "rotation": "fixed", "seats": []}
    procedures = floor.shoe.procedures
    due = bank_due(floor.session.ref, procedures=procedures) if procedures.players_bank else None
    return {**_bank(procedures, seat=None, due=due), "seats": list(range(1, floor.seats + 1))}


def _bank(procedures: Procedures, *, seat: int | None, due: int | None) -> Document:
    return {
        "players": procedures.players_bank,
        "seat": seat,
        "due": due,
        "rotation": procedures.banker_rotation,
        "seats": [],
    }


def decisions_of(read: RoundRead) -> list[Document]:
    """Return the decisions on record in the order in which hands are asked, the bank (0) last."""
    return [
        {
            "hand": hand,
            "choice": read.decisions[hand].choice or None,
            "revision": read.decisions[hand].revision,
        }
        for hand in (*read.live, 0)
        if hand in read.decisions
    ]


def step_document(read: RoundRead, step: Step) -> Document:
    """Return what comes next as data; of a decision, what may be decided (C4, C5)."""
    choices = [choice for choice in CHOICES if _may_decide(read, step, choice)]
    return {
        "kind": step.kind,
        "draw": step.draw,
        "hand": step.hand,
        "lap": step.lap,
        "open_draws": list(step.open_draws),
        "choices": choices,
    }


def _may_decide(read: RoundRead, step: Step, choice: str) -> bool:
    if step.kind != "ask" or step.hand is None:
        return False
    state = read.state()
    return not decision_faults(read.ruleset, read.procedures, state, hand=step.hand, choice=choice)
