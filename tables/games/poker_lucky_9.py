"""Game A, Poker Lucky 9: house-banked, five seats, three cards each (rules 1A).

All its variants are options (`PokerRules`); how hands compare is in `poker_hands`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from tables.games.cards import RANK_LABELS
from tables.games.game import (
    Game,
    Refusal,
    VoidCause,
    WorstCase,
    expected_cards_fault,
    too_many_for_stage,
    unknown_face_faults,
)
from tables.games.options import (
    ROUNDING,
    Amounts,
    Choice,
    Flag,
    Group,
    Price,
    Whole,
    read_map,
    read_odds,
)
from tables.games.poker_hands import (
    Comparison,
    OrderRules,
    PokerHand,
    compare_hands,
    jacks_bet_wins,
    read_hand,
)
from tables.games.rounding import ZERO, Rounding, pay, read_rounding
from tables.games.values import (
    BANK,
    Bets,
    Fault,
    Line,
    Odds,
    Outcome,
    Part,
    Place,
    Play,
    RoundState,
    Ruleset,
    SeatPlay,
    Step,
    Why,
)

KINDS: Final = ("main", "tie", "pair", "jacks")


@dataclass(frozen=True, slots=True)
class PokerRules:
    """The options of a Poker Lucky 9 ruleset, typed."""

    decks: int
    order: OrderRules
    jacks_scope: str
    main_odds: Mapping[str, Odds]
    pair_odds: Odds
    jacks_odds: Odds
    tie_odds: Odds | None
    jacks_push_on_tie: bool
    main_required: bool
    pair_stands_on_void: bool
    rounding: Rounding
    caps_minor: Mapping[str, int]


def poker_rules(ruleset: Ruleset) -> PokerRules:
    """Return the typed options of a ruleset of this game."""
    assert isinstance(ruleset.rules, PokerRules)
    return ruleset.rules


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
    schema: ClassVar[Group] = Group(
        {
            "decks": Whole(8, low=1, high=8),
            "mixed_compare": Choice(("poker_over_lucky9", "by_count")),
            "kicker_by": Choice(("rank", "points")),
            "tie_break": Choice(("cascade", "high_card_only")),
            "tie_value": Choice(("rank", "points")),
            "jacks_scope": Choice(("hand_order", "same_rank_trio", "pair_only")),
            "main_odds": Group(
                {"trio": Price((3, 2)), "pair": Price((1, 1)), "lucky9": Price((95, 100))}
            ),
            "pair_odds": Price((10, 1)),
            "jacks_odds": Price((11, 1)),
            "tie_odds": Price(None, nullable=True),
            "side_on_tie": Choice(("settle", "push_unsettled")),
            "side_requires_main": Flag(True),
            "pair_bet_on_void": Choice(("stands", "reversed")),
            "rounding": ROUNDING,
            "max_payout_minor": Amounts(KINDS),
        },
        unknown="unknown_option",
    )

    def compile(self, options: Mapping[str, object]) -> PokerRules:
        decks, tie_odds = options["decks"], options["tie_odds"]
        caps = read_map(options["max_payout_minor"])
        main_odds = read_map(options["main_odds"])
        assert isinstance(decks, int)
        return PokerRules(
            decks=decks,
            order=OrderRules(
                by_count=options["mixed_compare"] == "by_count",
                kicker_by_points=options["kicker_by"] == "points",
                high_card_only=options["tie_break"] == "high_card_only",
                tie_by_points=options["tie_value"] == "points",
            ),
            jacks_scope=str(options["jacks_scope"]),
            main_odds={kind: read_odds(odds) for kind, odds in main_odds.items()},
            pair_odds=read_odds(options["pair_odds"]),
            jacks_odds=read_odds(options["jacks_odds"]),
            tie_odds=None if tie_odds is None else read_odds(tie_odds),
            jacks_push_on_tie=options["side_on_tie"] == "push_unsettled",
            main_required=options["side_requires_main"] is True,
            pair_stands_on_void=options["pair_bet_on_void"] == "stands",
            rounding=read_rounding(read_map(options["rounding"])),
            caps_minor={kind: cap for kind, cap in caps.items() if isinstance(cap, int)},
        )

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
        # A lone jacks bet looks at the House only and needs no cards (A21).
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
        if not missing:
            return Step("settle")
        first = missing[0]
        if first.lap < 3:
            return Step("deal", first.draw, first.hand, first.lap, (first.draw,))
        if not state.swept and self._sweep_due(ruleset, state):
            return Step("sweep")
        draws = tuple(place.draw for place in missing)
        return Step("deal", first.draw, first.hand, first.lap, draws)

    def _sweep_due(self, ruleset: Ruleset, state: RoundState) -> bool:
        """A sweep is due when a pair wager lies on a live seat (A19)."""
        return any(
            state.wagers.get(seat, {}).get("pair")
            and self.refusal(ruleset, state.wagers[seat], kind="pair") is None
            for seat in state.live
        )

    def play_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        faults: list[Fault] = []
        for seat in play.seats:
            faults += self._hand_faults(seat, needed=3 if self.has_hand(ruleset, seat.bets) else 0)
        in_play = self.in_play(ruleset, {seat.seat: seat.bets for seat in play.seats})
        if in_play or play.bank.faces:
            faults += self._hand_faults(play.bank, needed=3)
        return faults

    def _hand_faults(self, hand: SeatPlay, *, needed: int) -> list[Fault]:
        faults = unknown_face_faults(hand.where, hand.faces)
        if len(hand.faces) != needed:
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
        return [_pair_line(rules, seat, clause="A18") for seat in self._pair_seats(ruleset, play)]

    def _pair_seats(self, ruleset: Ruleset, play: Play) -> list[SeatPlay]:
        """Return the seats with a pair wager in play."""
        return [
            seat
            for seat in play.seats
            if "pair" in seat.bets and self.refusal(ruleset, seat.bets, kind="pair") is None
        ]

    def void_faults(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Fault]:
        faults: list[Fault] = []
        for seat in play.seats:
            if not self.has_hand(ruleset, seat.bets):
                faults += self._hand_faults(seat, needed=0)
                continue
            faults += too_many_for_stage(seat.where, seat.faces, stage=cause.stage)
            if self._pair_stands(ruleset, seat, cause):
                faults += unknown_face_faults(seat.where, seat.faces[:2])
                if len(seat.faces) < 2:
                    expected = "the first two cards, which decide the settled pair bet"
                    faults.append(
                        expected_cards_fault(seat.where, expected=expected, found=len(seat.faces))
                    )
        return faults + too_many_for_stage(play.bank.where, play.bank.faces, stage=cause.stage)

    def _pair_stands(self, ruleset: Ruleset, seat: SeatPlay, cause: VoidCause) -> bool:
        """Tell whether a settled pair bet survives the void of the round (A20)."""
        return (
            "pair" in seat.bets
            and self.refusal(ruleset, seat.bets, kind="pair") is None
            and cause.after_sweep
            and poker_rules(ruleset).pair_stands_on_void
            and not cause.touches(seat.seat)
        )

    def lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        rules = poker_rules(ruleset)
        house = _read(play.bank.faces)
        found: list[Line] = []
        for seat in play.seats:
            own = _read(seat.faces)
            met = compare_hands(own, house, rules=rules.order) if own and house else None
            for kind in KINDS:
                if kind not in seat.bets:
                    continue
                refusal = self.refusal(ruleset, seat.bets, kind=kind)
                if refusal is not None:
                    found.append(_back(seat, kind, "rejected", refusal.clause, refusal.code))
                elif kind == "pair":
                    found.append(_pair_line(rules, seat, clause="A18"))
                elif kind == "jacks":
                    assert house is not None
                    found.append(_jacks_line(rules, seat, own, house, met))
                else:
                    assert own is not None
                    assert house is not None
                    assert met is not None
                    settle = _main_line if kind == "main" else _tie_line
                    found.append(settle(rules, seat, own, house, met))
        return found

    def void_lines(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Line]:
        rules = poker_rules(ruleset)
        found: list[Line] = []
        for seat in play.seats:
            for kind in KINDS:
                if kind not in seat.bets:
                    continue
                refusal = self.refusal(ruleset, seat.bets, kind=kind)
                if refusal is not None:
                    found.append(_back(seat, kind, "rejected", refusal.clause, refusal.code))
                elif kind != "pair" or not cause.after_sweep:
                    found.append(_back(seat, kind, "void", "event 26", "round_void"))
                elif self._pair_stands(ruleset, seat, cause):
                    found.append(_pair_line(rules, seat, clause="A20"))
                else:
                    found.append(_back(seat, kind, "void", "A20", "pair_reversed", part="sweep"))
        return found


def _read(faces: tuple[str, ...]) -> PokerHand | None:
    """Return a complete hand read, or None where none was dealt."""
    if len(faces) != 3:
        return None
    return read_hand(faces[0][0] + faces[1][0] + faces[2][0])


def _back(
    seat: SeatPlay, kind: str, outcome: Outcome, clause: str, code: str, *, part: Part = "final"
) -> Line:
    """Return the line of a stake that goes back without winnings."""
    stake = seat.bets[kind]
    why = Why(code, {})
    return Line(
        seat.seat, kind, stake, outcome, None, 0, stake, 0, ZERO, 0, ZERO, part, clause, why
    )


def _lost(seat: SeatPlay, kind: str, clause: str, why: Why, *, part: Part = "final") -> Line:
    stake = seat.bets[kind]
    return Line(seat.seat, kind, stake, "lose", None, 0, 0, 0, ZERO, 0, ZERO, part, clause, why)


def _won(
    rules: PokerRules,
    seat: SeatPlay,
    kind: str,
    odds: Odds,
    clause: str,
    why: Why,
    *,
    part: Part = "final",
) -> Line:
    stake = seat.bets[kind]
    cap = rules.caps_minor.get(kind)
    profit, breakage, cut, commission = pay(
        stake, odds=odds, rounding=rules.rounding, cap_minor=cap
    )
    return Line(
        seat.seat,
        kind,
        stake,
        "win",
        odds,
        profit,
        stake + profit,
        0,
        breakage,
        cut,
        commission,
        part,
        clause,
        why,
    )


def _main_line(
    rules: PokerRules, seat: SeatPlay, own: PokerHand, house: PokerHand, met: Comparison
) -> Line:
    """Settle the main wager: the winning hand's class sets the price (A2), a tie pushes (A14)."""
    params = _labels(own, house, met)
    if met.result > 0:
        why = Why(f"{met.code}_wins", params)
        return _won(rules, seat, "main", rules.main_odds[own.kind], met.clause, why)
    if met.result < 0:
        return _lost(seat, "main", met.clause, Why(f"{met.code}_loses", params))
    stake = seat.bets["main"]
    why = Why(f"{met.code}_ties", params)
    return Line(
        seat.seat, "main", stake, "push", None, 0, stake, 0, ZERO, 0, ZERO, "final", "A14", why
    )


def _tie_line(
    rules: PokerRules, seat: SeatPlay, own: PokerHand, house: PokerHand, met: Comparison
) -> Line:
    """Settle the tie wager: it wins when the hands tie and only then (A13)."""
    params = {"own": own.label, "bank": house.label}
    if met.result:
        return _lost(seat, "tie", "A13", Why("tie_loses", params))
    assert rules.tie_odds is not None
    return _won(rules, seat, "tie", rules.tie_odds, met.clause, Why("tie_wins", params))


def _pair_line(rules: PokerRules, seat: SeatPlay, *, clause: str) -> Line:
    """Settle the pair wager by the first two cards alone, in the sweep (A18, A19)."""
    first, second = seat.faces[0][0], seat.faces[1][0]
    params = {"own": f"{RANK_LABELS[first]}-{RANK_LABELS[second]}"}
    if first != second:
        return _lost(seat, "pair", clause, Why("pair_loses", params), part="sweep")
    why = Why("pair_wins", params)
    return _won(rules, seat, "pair", rules.pair_odds, clause, why, part="sweep")


def _jacks_line(
    rules: PokerRules,
    seat: SeatPlay,
    own: PokerHand | None,
    house: PokerHand,
    met: Comparison | None,
) -> Line:
    """Settle the jacks wager by the House's three cards alone (A16, A17); A15 may push it."""
    if rules.jacks_push_on_tie and own is not None and met is not None and not met.result:
        why = Why("jacks_pushes", {"own": own.label})
        stake = seat.bets["jacks"]
        return Line(
            seat.seat, "jacks", stake, "push", None, 0, stake, 0, ZERO, 0, ZERO, "final", "A15", why
        )
    params = {"bank": house.label}
    if jacks_bet_wins(house, scope=rules.jacks_scope):
        why = Why("jacks_wins", params)
        return _won(rules, seat, "jacks", rules.jacks_odds, "A16", why)
    return _lost(seat, "jacks", "A16", Why("jacks_loses", params))


def _labels(own: PokerHand, house: PokerHand, met: Comparison) -> Mapping[str, str]:
    """Name both hands as the comparison saw them: by their sum, or by their cards."""
    if met.code == "count":
        return {"own": own.sum_label, "bank": house.sum_label}
    if met.code == "poker_over_count":
        return {
            "own": own.label if own.kind != "lucky9" else own.sum_label,
            "bank": house.label if house.kind != "lucky9" else house.sum_label,
        }
    return {"own": own.label, "bank": house.label}


GAME: Final = PokerLucky9()
