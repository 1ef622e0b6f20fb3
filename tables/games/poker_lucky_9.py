"""Game A, Poker Lucky 9: house-banked, five seats, three cards each (rules 1A).

All its variants are options (`PokerRules`); how hands compare is in `poker_hands`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Final

from tables.games.game import (
    Game,
    Refusal,
    VoidCause,
    WorstCase,
    expected_cards_fault,
    too_many_for_stage,
    unknown_face_faults,
)
from tables.games.lines import line_back, void_line
from tables.games.options import Group
from tables.games.poker_lines import (
    jacks_line,
    main_line,
    meeting_of,
    pair_line,
    read_three,
    tie_line,
)
from tables.games.poker_options import KINDS, SCHEMA, PokerRules, poker_rules, read_options
from tables.games.rounding import pay
from tables.games.values import (
    BANK,
    UNREAD,
    Bets,
    Fault,
    Line,
    Place,
    Play,
    RoundState,
    Ruleset,
    SeatPlay,
    Step,
    Why,
)

__all__ = ["GAME", "KINDS", "PokerLucky9", "PokerRules", "full_deal", "poker_rules"]


@lru_cache(maxsize=64)
def full_deal(live: tuple[int, ...]) -> tuple[Place, ...]:
    """Return all places of a round: three laps, the live seats in dealing order, House last."""
    hands = (*live, BANK)
    return tuple(
        Place(draw=(lap - 1) * len(hands) + turn, hand=hand, nth=lap, lap=lap)
        for lap in (1, 2, 3)
        for turn, hand in enumerate(hands, start=1)
    )


class PokerLucky9(Game):
    """Poker Lucky 9 as the questions of `Game`."""

    code: ClassVar[str] = "poker-lucky-9"
    bank: ClassVar[str] = "house"
    seats_max: ClassVar[int] = 5
    kinds: ClassVar[tuple[str, ...]] = KINDS
    deal_direction: ClassVar[str] = "clockwise"
    deal_from: ClassVar[str] = "shoe"
    schema: ClassVar[Group] = SCHEMA

    def compile(self, options: Mapping[str, object]) -> PokerRules:
        return read_options(options)

    def decks(self, ruleset: Ruleset) -> int:
        return poker_rules(ruleset).decks

    def refusal(self, ruleset: Ruleset, bets: Bets, *, kind: str) -> Refusal | None:
        rules = poker_rules(ruleset)
        if kind == "tie" and rules.tie_odds is None:
            return Refusal("A13", "no_price")
        if kind != "main" and rules.main_required and "main" not in bets:
            return Refusal("A21", "no_main")
        return None

    def has_hand(self, ruleset: Ruleset, bets: Bets) -> bool:
        if "main" in bets:
            return True
        rules = poker_rules(ruleset)
        if rules.main_required:
            return False
        # A lone jacks wager looks at the House only and needs no cards (A21).
        return "pair" in bets or ("tie" in bets and rules.tie_odds is not None)

    def worst_case(self, ruleset: Ruleset, *, kind: str, stake_minor: int) -> WorstCase:
        rules = poker_rules(ruleset)
        prices = {
            "main": tuple(rules.main_odds.values()),
            "tie": () if rules.tie_odds is None else (rules.tie_odds,),
            "pair": (rules.pair_odds,),
            "jacks": (rules.jacks_odds,),
        }[kind]
        cap = rules.caps_minor.get(kind)
        won = (
            pay(stake_minor, odds=odds, rounding=rules.rounding, cap_minor=cap).profit_minor
            for odds in prices
        )
        return WorstCase(max(won, default=0), 0)

    def places(self, ruleset: Ruleset, state: RoundState) -> tuple[Place, ...]:
        return full_deal(state.live)

    def next_step(self, ruleset: Ruleset, state: RoundState) -> Step:
        """Laps 1 and 2 go draw by draw; third cards lie face down and open in any order (A30)."""
        missing = [place for place in full_deal(state.live) if place.draw not in state.cards]
        if missing and missing[0].lap < 3:
            first = missing[0]
            return Step("deal", first.draw, first.hand, first.lap, (first.draw,))
        if not state.swept and self._sweep_due(state):
            return Step("sweep")
        if not missing:
            return Step("settle")
        first = missing[0]
        draws = tuple(place.draw for place in missing)
        return Step("deal", first.draw, first.hand, first.lap, draws)

    def _sweep_due(self, state: RoundState) -> bool:
        """A sweep is due when a pair wager lies on a live seat (A19)."""
        return any(state.wagers.get(seat, {}).get("pair") for seat in state.live)

    def play_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        faults: list[Fault] = []
        for seat in play.seats:
            bought = self.has_hand(ruleset, seat.bought)
            needed = bought and (self.has_hand(ruleset, seat.bets) or "tie" in seat.bets)
            if needed or not bought:
                faults += self._hand_faults(seat, needed=3 if needed else 0)
        # Nobody deals to the House alone: it has cards exactly when a wager is in play.
        wagers = {seat.seat: seat.bought for seat in play.seats}
        if play.bank.faces or self.in_play(ruleset, wagers):
            faults += self._hand_faults(play.bank, needed=3)
        return faults

    def _hand_faults(self, hand: SeatPlay, *, needed: int) -> list[Fault]:
        faults = unknown_face_faults(hand.where, hand.faces)
        if len(hand.faces) != needed and hand.faces != UNREAD:
            expected = f"{needed} cards" if needed else "no cards: the wagers buy no hand"
            faults.append(
                expected_cards_fault(hand.where, expected=expected, found=len(hand.faces))
            )
        return faults

    def sweep_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        faults: list[Fault] = []
        for seat in self._pair_seats(ruleset, play):
            faults += unknown_face_faults(seat.where, seat.faces[:2])
            if len(seat.faces) < 2:
                found = len(seat.faces)
                faults.append(
                    expected_cards_fault(seat.where, expected="the first two cards", found=found)
                )
        return faults

    def sweep_lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        rules = poker_rules(ruleset)
        return [pair_line(rules, seat, clause="A18") for seat in self._pair_seats(ruleset, play)]

    def _pair_seats(self, ruleset: Ruleset, play: Play) -> list[SeatPlay]:
        """Return the seats with a pair wager in play."""
        return [
            seat
            for seat in play.seats
            if "pair" in seat.bets and self.refusal(ruleset, seat.bought, kind="pair") is None
        ]

    def void_faults(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Fault]:
        faults: list[Fault] = []
        for seat in play.seats:
            if not self.has_hand(ruleset, seat.bought):
                faults += self._hand_faults(seat, needed=0)
                continue
            faults += too_many_for_stage(seat.where, seat.faces, stage=cause.stage)
            if self._pair_stands(ruleset, seat, cause):
                faults += unknown_face_faults(seat.where, seat.faces[:2], voided=True)
                if len(seat.faces) < 2 and seat.faces != UNREAD:
                    expected = "the first two cards, which decide the settled pair wager"
                    faults.append(
                        expected_cards_fault(seat.where, expected=expected, found=len(seat.faces))
                    )
        return faults + too_many_for_stage(play.bank.where, play.bank.faces, stage=cause.stage)

    def _pair_stands(self, ruleset: Ruleset, seat: SeatPlay, cause: VoidCause) -> bool:
        """Tell whether a settled pair wager survives the void of the round (A20)."""
        return (
            "pair" in seat.bets
            and self.refusal(ruleset, seat.bought, kind="pair") is None
            and cause.after_sweep
            and poker_rules(ruleset).pair_stands_on_void
            and not cause.touches(seat.seat)
        )

    def lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        rules = poker_rules(ruleset)
        house = read_three(play.bank.faces)
        found: list[Line] = []
        for seat in play.seats:
            met = meeting_of(rules, seat, house=house)
            bets = seat.bets
            sound = "main" in bets and (rules.tie_odds is not None or "tie" not in bets)
            for kind in KINDS:
                if kind not in bets:
                    continue
                refusal = None if sound else self.refusal(ruleset, seat.bought, kind=kind)
                if refusal is not None:
                    found.append(_rejected(seat, kind, refusal=refusal))
                elif kind == "pair":
                    found.append(pair_line(rules, seat, clause="A18"))
                elif kind == "jacks":
                    assert house is not None
                    found.append(jacks_line(rules, seat, house=house, met=met))
                else:
                    assert met is not None
                    settle = main_line if kind == "main" else tie_line
                    found.append(settle(rules, seat, met=met))
        return found

    def void_lines(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Line]:
        found: list[Line] = []
        for seat in play.seats:
            for kind in KINDS:
                if kind not in seat.bets:
                    continue
                refusal = self.refusal(ruleset, seat.bought, kind=kind)
                if refusal is not None:
                    found.append(_rejected(seat, kind, refusal=refusal))
                elif kind == "pair" and cause.after_sweep:
                    found.append(self._swept_line(ruleset, seat, cause))
                else:
                    found.append(void_line(seat, kind=kind))
        return found

    def _swept_line(self, ruleset: Ruleset, seat: SeatPlay, cause: VoidCause) -> Line:
        """Return what becomes of a pair wager that was settled before the void (A20)."""
        if self._pair_stands(ruleset, seat, cause):
            return pair_line(poker_rules(ruleset), seat, clause="A20")
        why = Why("pair_reversed", {})
        return line_back(seat, kind="pair", outcome="void", clause="A20", why=why, part="sweep")


def _rejected(seat: SeatPlay, kind: str, *, refusal: Refusal) -> Line:
    why = Why(refusal.code, {})
    return line_back(seat, kind=kind, outcome="rejected", clause=refusal.clause, why=why)


GAME: Final = PokerLucky9()
