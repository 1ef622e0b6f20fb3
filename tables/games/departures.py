"""Deals that did not go by the plan: which place each draw took, and what the plan asks for next.

A departure says of one draw that it went to a hand's n-th card, or into no hand at all (burned, set
aside, a ghost seat). Every other draw fills, in order, the places of the plan that are still free;
a hand that was taken out of play whole gets no further card. A card carried over from the round
before is draw 0. Games know none of this: they see a round that was dealt by the plan, with draws
renumbered, and answers are numbered back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tables.games.cards import UNKNOWN
from tables.games.game import Game
from tables.games.values import Place, RoundState, Ruleset, Step

_LAST_LAP = 3


@dataclass(frozen=True, slots=True)
class Laid:
    """A round as a game sees it, and which draw of the shoe took each place of the plan.

    `drawn` maps a place's number in the plan to the draw; places that are no longer dealt to (of
    hands taken out) are missing in it.
    """

    state: RoundState
    drawn: Mapping[int, int]


def lay(game: Game, ruleset: Ruleset, state: RoundState) -> Laid:
    """Return the round by the plan. Without departures that is the round itself."""
    dead = {taken.seat for taken in state.taken_out if taken.wager is None}
    if not (state.departures or dead or state.carried):
        return Laid(state, {})
    laid = Laid(replace(state, cards={}), {})
    # Third cards of a game with a draw rule have places only once the first two lie, and the bank's
    # also where it lies though nothing is compared with it any more.
    for _ in range(3):
        plan = game.places(ruleset, laid.state)
        drawn = _drawn(plan, state=state, dead=dead)
        cards = {
            place.draw: state.cards[drawn[place.draw]]
            for place in plan
            if drawn.get(place.draw) in state.cards
        }
        cards |= {place.draw: UNKNOWN for place in plan if place.draw not in drawn}
        beyond = sorted(state.cards.keys() - state.departures.keys() - {*drawn.values()})
        cards |= {n: state.cards[draw] for n, draw in enumerate(beyond, start=len(plan) + 1)}
        laid = Laid(replace(state, cards=cards), drawn)
    return laid


def _drawn(plan: Sequence[Place], *, state: RoundState, dead: set[int]) -> dict[int, int]:
    """Return which draw takes each place of the plan that is dealt to."""
    stated = {place: draw for draw, place in state.departures.items() if place is not None}
    drawn = {
        place.draw: stated[place.hand, place.nth]
        for place in plan
        if (place.hand, place.nth) in stated
    }
    draw = -1 if state.carried else 0
    for place in plan:
        if place.draw in drawn or place.hand in dead:
            continue
        draw += 1
        while draw in state.departures:
            draw += 1
        drawn[place.draw] = draw
    return drawn


def renumbered(places: Sequence[Place], laid: Laid) -> tuple[Place, ...]:
    """Return the places with the draws that took them; those no longer dealt to are left out."""
    if not laid.drawn:
        return tuple(places)
    return tuple(
        place._replace(draw=laid.drawn[place.draw]) for place in places if place.draw in laid.drawn
    )


def renumbered_step(step: Step, laid: Laid) -> Step:
    """Return a step with the draws of the shoe."""
    if not laid.drawn or step.draw is None:
        return step
    draws = tuple(laid.drawn[draw] for draw in step.open_draws)
    return replace(step, draw=laid.drawn[step.draw], open_draws=draws)


def apart_first(step: Step, state: RoundState, places: Sequence[Place]) -> Step:
    """Ask for the cards that went into no hand, as soon as the deal has got to them.

    In the third lap they are keyed in any order, as the cards of hands are; while hands decide they
    may be keyed beside that.
    """
    waiting = sorted(
        draw
        for draw, place in state.departures.items()
        if place is None and draw not in state.cards
    )
    if step.kind == "ask":
        return replace(step, open_draws=tuple(sorted((*step.open_draws, *waiting))))
    missing = [place.draw for place in places if place.draw not in state.cards]
    third = step.kind == "deal" and len(step.open_draws) == len(missing) and step.lap == _LAST_LAP
    if step.kind != "settle" and not third:
        bound = step.draw if step.draw is not None else min(missing, default=0)
        waiting = [draw for draw in waiting if draw < bound][:1]
    if not waiting:
        return step
    draws = sorted((*waiting, *step.open_draws)) if third else waiting
    first = draws[0]
    lap = step.lap or (_LAST_LAP if step.kind == "settle" else _LAST_LAP - 1)
    hand = step.hand if first == step.draw else None
    return Step("deal", first, hand, lap, tuple(draws))
