"""Game B, Lucky 9 or Super 9: fixed draw, one bank, up to eight punters (rules 1B).

Nobody decides anything: who draws follows from the first two cards of all hands. Variants such as
the forced third card, several decks or no bonus hands are options (`LuckyRules`).
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from tables.games.game import (
    Game,
    Refusal,
    VoidCause,
    WorstCase,
    too_many_for_stage,
)
from tables.games.lines import void_line
from tables.games.lucky_9_lines import EVEN, extra_minor, seat_lines
from tables.games.lucky_9_options import SCHEMA, LuckyRules, lucky_rules, read_options
from tables.games.lucky_deal import (
    draw_faults,
    first_laps,
    laid_first_two,
    next_place,
    seats_playing,
    size_faults,
)
from tables.games.lucky_hands import first_two_total, read_faces
from tables.games.options import (
    Group,
)
from tables.games.rounding import pay
from tables.games.values import (
    BANK,
    Bets,
    Fault,
    Line,
    Place,
    Play,
    RoundState,
    Ruleset,
    Step,
)

_REASON: Final = "the draw rule decides by its first two cards and the banker's (B1, B4, B16)"
_BANK_REASON: Final = "the draw rule decides by its first two cards and the open hands (B1, B5)"


def draws(
    rules: LuckyRules,
    *,
    bank: int,
    seats: Iterable[int | None],
    compared: Iterable[bool] | None = None,
) -> tuple[list[bool], bool]:
    """Return who must draw, given the first-two totals: each seat in order, and the bank.

    A bank's natural may stop all draws (B4); the bank draws only while a comparison is open (B5). A
    total that is not known draws nothing and leaves its comparison open. `compared` tells of each
    seat whether there is a comparison with it at all; left out, there is with every one.
    """
    totals = list(seats)
    counted = [True] * len(totals) if compared is None else list(compared)
    stopped = rules.bank_natural_stops and rules.is_natural(bank)
    drawing = [not stopped and t is not None and rules.must_draw(t) for t in totals]
    is_open = any(
        counts and (t is None or not rules.is_decided_early(t))
        for t, counts in zip(totals, counted, strict=True)
    )
    return drawing, is_open and rules.must_draw(bank)


class Lucky9(Game):
    """Lucky 9 as the questions of `Game`."""

    code: ClassVar[str] = "lucky-9"
    bank: ClassVar[str] = "banker"
    seats_max: ClassVar[int] = 8
    kinds: ClassVar[tuple[str, ...]] = ("main",)
    deal_direction: ClassVar[str] = "clockwise"
    deal_from: ClassVar[str] = "pack_each_round"
    schema: ClassVar[Group] = SCHEMA

    def compile(self, options: Mapping[str, object]) -> LuckyRules:
        return read_options(options)

    def decks(self, ruleset: Ruleset) -> int:
        return lucky_rules(ruleset).decks

    def refusal(self, ruleset: Ruleset, bets: Bets, *, kind: str) -> Refusal | None:
        return None

    def has_hand(self, ruleset: Ruleset, bets: Bets) -> bool:
        return "main" in bets

    def worst_case(self, ruleset: Ruleset, *, kind: str, stake_minor: int) -> WorstCase:
        """The bank pays the highest Colon rate in full; commission does not spare it (B20)."""
        rules = lucky_rules(ruleset)
        prices = [EVEN, *([rules.colon_odds, rules.nine_odds] if rules.colon else [])]
        won = max(
            pay(stake_minor, odds=odds, rounding=rules.rounding).profit_minor for odds in prices
        )
        if not rules.bank_colon_multiple:
            return WorstCase(won, 0)
        return WorstCase(won, max(extra_minor(rules, stake_minor, odds) for odds in prices))

    def places(self, ruleset: Ruleset, state: RoundState) -> tuple[Place, ...]:
        laps = first_laps(state.live)
        laid = laid_first_two(state)
        if laid is None:
            return laps
        bank, totals = laid
        alive, compared = seats_playing(state)
        by_seat = dict(zip(state.live, totals, strict=True))
        drawing, bank_draws = draws(
            lucky_rules(ruleset),
            bank=bank,
            seats=[by_seat[seat] for seat in alive],
            compared=[seat in compared for seat in alive],
        )
        third = [seat for seat, must in zip(alive, drawing, strict=True) if must]
        if not bank_draws and compared != set(state.live):
            # It may have drawn, as it had to, before the last open wager went back (event 23).
            drawn_by_bank = len(laps) + len(third) + 1 in state.cards
            bank_draws = drawn_by_bank and lucky_rules(ruleset).must_draw(bank)
        third += [BANK] if bank_draws else []
        drawn = enumerate(third, start=len(laps) + 1)
        return laps + tuple(Place(draw=draw, hand=hand, nth=3, lap=3) for draw, hand in drawn)

    def next_step(self, ruleset: Ruleset, state: RoundState) -> Step:
        """Every card is dealt in turn; the third ones lie face up (B18, B19)."""
        place = next_place(self.places(ruleset, state), state)
        if place is None:
            return Step("settle")
        return Step("deal", place.draw, place.hand, place.lap, (place.draw,))

    def play_faults(self, ruleset: Ruleset, play: Play) -> list[Fault]:
        faults = size_faults(play)
        bank = first_two_total(play.bank)
        totals = [first_two_total(seat) for seat in play.seats]
        if bank is None:
            return faults
        drawing, bank_draws = draws(lucky_rules(ruleset), bank=bank, seats=totals)
        for seat, total, demanded in zip(play.seats, totals, drawing, strict=True):
            if total is not None:
                faults += draw_faults(seat, demanded=demanded, reason=_REASON)
        if None not in totals:
            faults += draw_faults(play.bank, demanded=bank_draws, reason=_BANK_REASON)
        return faults

    def void_faults(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Fault]:
        return [
            fault
            for hand in (*play.seats, play.bank)
            for fault in too_many_for_stage(hand.where, hand.faces, stage=cause.stage)
        ]

    def lines(self, ruleset: Ruleset, play: Play) -> list[Line]:
        rules = lucky_rules(ruleset)
        bank = read_faces(play.bank.faces)
        assert bank is not None
        found: list[Line] = []
        for seat in play.seats:
            own = read_faces(seat.faces)
            assert own is not None
            found += seat_lines(rules, seat, own=own, bank=bank)
        return found

    def void_lines(self, ruleset: Ruleset, play: Play, *, cause: VoidCause) -> list[Line]:
        return [void_line(seat, kind="main") for seat in play.seats]


GAME: Final = Lucky9()
