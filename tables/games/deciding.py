"""Decisions about a third card, where a game asks for them (rules C4 to C7, event 31)."""

from dataclasses import replace

from tables.games.dealing import hand_name, hands, next_step, places
from tables.games.lucky_hands import read_faces
from tables.games.options import show
from tables.games.procedures import Procedures
from tables.games.registry import game_of
from tables.games.values import BANK, Fault, RoundState, Ruleset

CHOICES = ("hit", "stand", "no_decision")
TAKEN_BACK = ""


def house_decision(procedures: Procedures, *, total: int) -> str:
    """Return what a staffed bank decides on a first-two total by the house's own rule (C5)."""
    return "hit" if total <= procedures.house_draws_to else "stand"


def decision_faults(
    ruleset: Ruleset, procedures: Procedures, state: RoundState, *, hand: int, choice: str
) -> list[Fault]:
    """Return everything that is wrong with a decision about to be keyed for a hand (0 the bank).

    A signal may change, or be taken back (""), until the hand's third card touched the layout (C7);
    third cards that lie already stay with their hands. A staffed bank follows its written rule.
    Codes: decision.unknown, decision.not_asked, decision.out_of_turn, decision.binding,
    decision.moves_cards, decision.house_policy.
    """
    game = game_of(ruleset)
    where, name = f"decisions.{hand}", hand_name(game, hand)
    data: dict[str, object] = {"hand": hand}
    faults: list[Fault] = []
    known = (*CHOICES, TAKEN_BACK) if hand in state.decisions else CHOICES
    if choice not in known:
        detail = f"expected one of {', '.join(CHOICES)}, not {show(choice)}"
        faults.append(Fault("decision.unknown", where, detail, data))
    if hand in state.decisions:
        if state.decisions[hand] != choice and _has_third(ruleset, state, hand):
            detail = f"expected the decision of {name} to stay: its third card lies there"
            faults.append(Fault("decision.binding", where, detail, data))
        elif draws := _moved_draws(ruleset, state, hand=hand, choice=choice):
            detail = f"expected the decision of {name} to stay: draws {draws} lie by it"
            faults.append(Fault("decision.moves_cards", where, detail, data | {"draws": draws}))
    else:
        step = next_step(ruleset, state)
        if step.kind != "ask":
            detail = f"expected no decision now: {name} is not asked"
            faults.append(Fault("decision.not_asked", where, detail, data))
        elif step.hand != hand:
            expected = hand_name(game, step.hand)
            detail = f"expected the decision of {expected} next, not of {name}"
            turn = data | {"expected_hand": step.hand}
            faults.append(Fault("decision.out_of_turn", where, detail, turn))
    if hand == BANK and procedures.bank == "house" and choice and not faults:
        faults += _policy_faults(ruleset, procedures, state, choice=choice)
    return faults


def _has_third(ruleset: Ruleset, state: RoundState, hand: int) -> bool:
    return any(face is not None for face in hands(ruleset, state)[hand][2:])


def _moved_draws(ruleset: Ruleset, state: RoundState, *, hand: int, choice: str) -> list[int]:
    """Return the draws that would have gone elsewhere had the hand decided so."""
    decisions = {other: taken for other, taken in state.decisions.items() if other != hand}
    if choice:
        decisions[hand] = choice
    was, would = (
        {place.draw: (place.hand, place.nth) for place in places(ruleset, each)}
        for each in (state, replace(state, decisions=decisions))
    )
    return sorted(draw for draw in state.cards if was.get(draw) != would.get(draw))


def _policy_faults(
    ruleset: Ruleset, procedures: Procedures, state: RoundState, *, choice: str
) -> list[Fault]:
    """Refuse a staffed bank's decision that its own rule does not make."""
    bank = read_faces(tuple(face or "" for face in hands(ruleset, state)[BANK][:2]))
    assert bank is not None
    expected = house_decision(procedures, total=bank.first_two)
    if choice == expected:
        return []
    data = {"hand": BANK, "expected": expected}
    detail = f"expected {expected}: the house draws up to {procedures.house_draws_to} (C5)"
    return [Fault("decision.house_policy", f"decisions.{BANK}", detail, data)]
