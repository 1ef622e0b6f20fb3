"""Game C, home Lucky 9: each hand decides about a third card, the bank last (rules 1C).

Only a two-card nine is a natural. Comparisons that a natural decides are settled before anyone
draws and stay settled (C3): they are this game's sweep.
"""

from collections.abc import Mapping
from dataclasses import dataclass
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
from tables.games.lines import line_back, line_lost, line_won, void_line
from tables.games.lucky_deal import draw_faults, first_laps, laid_first_two, next_place, size_faults
from tables.games.lucky_hands import first_two_total, read_faces
from tables.games.options import (
    ROUNDING,
    Choice,
    Fixed,
    Group,
    Price,
    Whole,
    read_map,
    read_odds,
)
from tables.games.rounding import Rounding, pay, read_rounding
from tables.games.values import (
    BANK,
    UNREAD,
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

NATURAL: Final = 9
_REVERSED: Final = Why("natural_reversed", {})


@dataclass(frozen=True, slots=True)
class SocialRules:
    """The options of a home Lucky 9 ruleset, typed."""

    decks: int
    silence_voids: bool
    odds: Odds
    rounding: Rounding

    def is_open(self, *, seat: int, bank: int, decision: str | None) -> bool:
        """Tell whether a comparison waits for the bank, given first-two totals (C2, C5, C6)."""
        silent = decision == "no_decision" and self.silence_voids
        return NATURAL not in (seat, bank) and not silent


def social_rules(ruleset: Ruleset) -> SocialRules:
    """Return the typed options of a ruleset of this game."""
    assert isinstance(ruleset.rules, SocialRules)
    return ruleset.rules


class Lucky9Social(Game):
    """Home Lucky 9 as the questions of `Game`."""

    code: ClassVar[str] = "lucky-9-social"
    bank: ClassVar[str] = "banker"
    seats_max: ClassVar[int] = 8
    kinds: ClassVar[tuple[str, ...]] = ("main",)
    deal_direction: ClassVar[str] = "anticlockwise"
    deal_from: ClassVar[str] = "pack_each_round"
    asks: ClassVar[bool] = True
    taken_back: ClassVar[tuple[str, Why]] = ("C3", _REVERSED)
    schema: ClassVar[Group] = Group(
        {
            "decks": Whole(1, low=1, high=8),
            "natural_totals": Fixed((9,)),
            "draw": Fixed("elective"),
            "no_decision": Choice(("stand", "void_bet")),
            "odds": Price((1, 1)),
            "tie": Fixed("push"),
            "rounding": ROUNDING,
        },
        unknown="unknown_option",
    )

    def compile(self, options: Mapping[str, object]) -> SocialRules:
        decks = options["decks"]
        assert isinstance(decks, int)
        return SocialRules(
            decks=decks,
            silence_voids=options["no_decision"] == "void_bet",
            odds=read_odds(options["odds"]),
            rounding=read_rounding(read_map(options["rounding"])),
        )

    def decks(self, ruleset: Ruleset) -> int:
        return social_rules(ruleset).decks

    def refusal(self, ruleset: Ruleset, bets: Bets, *, kind: str) -> Refusal | None:
        return None

    def has_hand(self, ruleset: Ruleset, bets: Bets) -> bool:
        return "main" in bets

    def worst_case(self, ruleset: Ruleset, *, kind: str, stake_minor: int) -> WorstCase:
        rules = social_rules(ruleset)
        paid = pay(stake_minor, odds=rules.odds, rounding=rules.rounding)
        return WorstCase(paid.profit_minor, 0)

    def places(self, ruleset: Ruleset, state: RoundState) -> tuple[Place, ...]:
        laps = first_laps(state.live)
        if laid_first_two(state) is None:
            return laps
        hitting = [h for h in (*state.live, BANK) if state.decisions.get(h) == "hit"]
        drawn = enumerate(hitting, start=len(laps) + 1)
        return laps + tuple(Place(draw=draw, hand=hand, nth=3, lap=3) for draw, hand in drawn)

    def next_step(self, ruleset: Ruleset, state: RoundState) -> Step:
        """Naturals first (C2), then each hand decides in turn, the bank last (C5).

        Third cards may be keyed any time after their hand asked for one: they stay private (C13).
        """
        places = self.places(ruleset, state)
        place = next_place(places, state)
        if place is not None and place.lap < 3:
            return Step("deal", place.draw, place.hand, place.lap, (place.draw,))
        laid = laid_first_two(state)
        if laid is None:
            return Step("settle")
        bank, totals = laid
        naturals = [
            NATURAL in (total, bank)
            for seat, total in zip(state.live, totals, strict=True)
            if seat in state.wagers
        ]
        if not state.swept and any(naturals):
            return Step("sweep")
        draws = tuple(p.draw for p in places if p.draw not in state.cards)
        asked = self._who_decides(ruleset, state, bank=bank, totals=totals)
        if asked is not None:
            return Step("ask", hand=asked, open_draws=draws)
        if place is None:
            return Step("settle")
        return Step("deal", place.draw, place.hand, place.lap, draws)

    def _who_decides(
        self, ruleset: Ruleset, state: RoundState, *, bank: int, totals: tuple[int | None, ...]
    ) -> int | None:
        """Return the hand whose decision is due, None when no comparison waits for one."""
        if bank == NATURAL:
            return None
        rules = social_rules(ruleset)
        waiting = False
        for seat, total in zip(state.live, totals, strict=True):
            if total is None or seat not in state.wagers:
                continue  # nobody decides for a hand that cannot be read or is out of play
            decision = state.decisions.get(seat)
            if total != NATURAL and decision is None:
                return seat
            waiting = waiting or rules.is_open(seat=total, bank=bank, decision=decision)
        return BANK if waiting and BANK not in state.decisions else None

    def play_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        faults = size_faults(play)
        bank = first_two_total(play.bank)
        if bank is None:
            return faults
        rules = social_rules(ruleset)
        all_known, waiting = True, False
        for seat in play.seats:
            total = first_two_total(seat)
            if total is None:
                all_known = False
                continue
            faults += _decision_faults(seat, asked=NATURAL not in (total, bank))
            waiting = waiting or rules.is_open(seat=total, bank=bank, decision=seat.draw)
        if all_known or waiting:
            faults += _decision_faults(play.bank, asked=waiting)
        return faults

    def sweep_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        return _opening_faults([*play.seats, play.bank])

    def sweep_lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        opening = [seat._replace(faces=seat.faces[:2]) for seat in play.seats]
        bank = play.bank._replace(faces=play.bank.faces[:2])
        made = self.lines(ruleset, Play(tuple(opening), bank))
        return [line for line in made if line.part == "sweep"]

    def void_faults(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Fault]:
        hands = (*play.seats, play.bank)
        faults = [
            fault
            for hand in hands
            for fault in too_many_for_stage(hand.where, hand.faces, stage=cause.stage)
        ]
        standing = [seat for seat in play.seats if not cause.touches(seat.seat)]
        if cause.after_sweep and standing:
            faults += _opening_faults([*standing, play.bank], voided=True)
        return faults

    def lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        rules = social_rules(ruleset)
        return [_main_line(rules, seat, play.bank) for seat in play.seats]

    def void_lines(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Line]:
        rules = social_rules(ruleset)
        found: list[Line] = []
        for seat in play.seats:
            early = cause.after_sweep and _is_natural_met(seat, play.bank)
            if early and not cause.touches(seat.seat):
                found.append(_main_line(rules, seat, play.bank)._replace(clause="C3"))
            elif early:
                found.append(_back(seat, "void", clause="C3", why=_REVERSED, part="sweep"))
            else:
                found.append(void_line(seat, kind="main"))
        return found


def _is_natural_met(seat: SeatPlay, bank: SeatPlay) -> bool:
    """Tell whether a natural on either side decided this comparison at the opening (C2)."""
    return NATURAL in (first_two_total(seat), first_two_total(bank))


def _opening_faults(hands: list[SeatPlay], *, voided: bool = False) -> list[Fault]:
    """Return what keeps the naturals from being judged: first two cards missing or unknown."""
    faults: list[Fault] = []
    for hand in hands:
        faults += unknown_face_faults(hand.where, hand.faces[:2], voided=voided)
        if len(hand.faces) < 2 and hand.faces != UNREAD:
            expected = "the first two cards, which decide whether a natural was settled"
            found = len(hand.faces)
            faults.append(expected_cards_fault(hand.where, expected=expected, found=found))
    return faults


def _decision_faults(hand: SeatPlay, *, asked: bool) -> list[Fault]:
    """Return what is wrong between what a hand decided and the cards it holds (C4, C5, C6)."""
    where = f"{hand.where}.draw"
    if not asked:
        faults = draw_faults(
            hand, demanded=False, reason="a natural left nothing to decide (C2, C5)"
        )
        if hand.draw not in (None, "", "none"):
            detail = 'expected "none": a natural left nothing to decide'
            faults.append(Fault("draw_forbidden", where, detail))
        return faults
    if hand.draw in (None, "none"):
        detail = 'expected "hit", "stand" or "no_decision": this hand has a choice'
        return [Fault("draw_missing", where, detail)]
    if not hand.draw:
        return []  # A decision that could not be read has its own fault.
    reason = f'its decision was "{hand.draw}" (C4)'
    return draw_faults(hand, demanded=hand.draw == "hit", reason=reason)


def _main_line(rules: SocialRules, seat: SeatPlay, bank: SeatPlay) -> Line:
    """Settle one seat: by naturals at the opening (C2), else by total (C8, C9)."""
    if _is_natural_met(seat, bank):
        return _natural_line(rules, seat, bank)
    if seat.draw == "no_decision" and rules.silence_voids:
        return _back(seat, "void", clause="C6", why=Why("no_decision_void", {}))
    own, banks = read_faces(seat.faces), read_faces(bank.faces)
    assert own is not None
    assert banks is not None
    params = {"own": own.label, "bank": banks.label}
    if own.total == banks.total:
        return _back(seat, "push", clause="C8", why=Why("total_ties", params))
    if own.total < banks.total:
        return line_lost(seat, kind="main", clause="C9", why=Why("total_loses", params))
    return _won(rules, seat, clause="C9", why=Why("total_wins", params))


def _natural_line(rules: SocialRules, seat: SeatPlay, bank: SeatPlay) -> Line:
    """Settle a comparison that a natural decides by the first two cards, for good (C2, C3)."""
    own, banks = read_faces(seat.faces[:2]), read_faces(bank.faces[:2])
    assert own is not None
    assert banks is not None
    params = {"own": own.label, "bank": banks.label}
    if own.total == banks.total:
        return _back(seat, "push", clause="C2", why=Why("natural_ties", params), part="sweep")
    if own.total != NATURAL:
        why = Why("natural_loses", params)
        return line_lost(seat, kind="main", clause="C2", why=why, part="sweep")
    return _won(rules, seat, clause="C2", why=Why("natural_wins", params), part="sweep")


def _back(seat: SeatPlay, outcome: Outcome, *, clause: str, why: Why, part: Part = "final") -> Line:
    return line_back(seat, kind="main", outcome=outcome, clause=clause, why=why, part=part)


def _won(
    rules: SocialRules, seat: SeatPlay, *, clause: str, why: Why, part: Part = "final"
) -> Line:
    paid = pay(seat.bets["main"], odds=rules.odds, rounding=rules.rounding)
    return line_won(
        seat, kind="main", odds=rules.odds, paid=paid, clause=clause, why=why, part=part
    )


GAME: Final = Lucky9Social()
