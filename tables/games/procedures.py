"""Procedures: what is done at the table, house policy, pinned to the shoe (rules 1E).

They never change what is owed from the cards. Values stand default first, as the rules spell them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tables.games.canonical import canonical_bytes, content_hash, read_object
from tables.games.errors import ProceduresError
from tables.games.game import Game
from tables.games.options import Choice, Form, Group, Whole, show
from tables.games.registry import GAMES
from tables.games.rulesets import fault_documents
from tables.games.values import Fault

HOUSE_DRAWS_TO = 5  # unless a house says otherwise (C5)
DRAW_UP_TO = tuple(f"draw_0_to_{total}" for total in (HOUSE_DRAWS_TO, 0, 1, 2, 3, 4, 6, 7, 8))
COUNT_EVERY = 10


@dataclass(frozen=True, slots=True)
class Procedures:
    """The procedures of a table: canonical bytes, their SHA-256, and those asked for most.

    `card_detail` is "rank_suit" or "rank"; `bank` is "house" or "players"; `deal_from` is "shoe" or
    "pack_each_round". `house_draws_to` is the highest total on which the staffed bank of an
    elective game draws (C5).
    """

    hash: str
    canonical: bytes = field(repr=False)
    card_detail: str
    deal_direction: str
    bank: str
    banker_rotation: str
    house_draws_to: int
    deal_from: str

    @property
    def players_bank(self) -> bool:
        """Tell whether a seat holds the bank (B20)."""
        return self.bank == "players"

    @property
    def pack_each_round(self) -> bool:
        """Tell whether the cards go back after every round and are shuffled anew (B22, C14)."""
        return self.deal_from == "pack_each_round"

    @property
    def values(self) -> dict[str, object]:
        """All procedures with the defaults filled in, as a copy that the caller may keep."""
        return read_object(self.canonical, "procedures")


def load_procedures(game: str, options: Mapping[str, object]) -> Procedures:
    """Return the procedures of a table of this game; what is left out takes its default.

    `deal_direction` and `deal_from` default by game. Raises ProceduresError with every fault:
    unknown_game, unknown_procedure, option_value, contradiction.
    """
    known = GAMES.get(game)
    if known is None:
        detail = f"expected one of the games {', '.join(GAMES)}, not {show(game)}"
        raise ProceduresError(faults=fault_documents([Fault("unknown_game", "game", detail)]))
    faults: list[Fault] = []
    read = procedures_schema(known).read(options, where="procedures", faults=faults)
    assert isinstance(read, dict)
    faults += _contradictions(known, read)
    if faults:
        raise ProceduresError(faults=fault_documents(faults))
    canonical = canonical_bytes({"procedures": read})
    return Procedures(
        hash=content_hash(canonical),
        canonical=canonical,
        card_detail=str(read["card_detail"]),
        deal_direction=str(read["deal_direction"]),
        bank=str(read["bank"]),
        banker_rotation=str(read["banker_rotation"]),
        house_draws_to=int(str(read["house_draw_policy"]).rpartition("_")[2]),
        deal_from=str(read["deal_from"]),
    )


def procedures_schema(game: Game) -> Group:
    """Return the members with their values; the first of a choice is its default."""
    direction = ("clockwise", "anticlockwise")
    source = ("shoe", "pack_each_round")
    members: dict[str, Form] = {
        "card_detail": Choice(("rank_suit", "rank")),
        "burn": Choice(("one", "first_card_value", "none")),
        "cut_card_depth": Whole(52, low=0, high=415),
        "after_cut": Choice(("finish_round", "one_more")),
        "excess_unseen": Choice(("next_card", "burn")),
        "shoe_exhausted": Choice(("void", "reshuffle_discards")),
        "over_max": Choice(("cap", "honour")),
        "wrong_order_policy": Choice(("rebuild", "move_only", "void")),
        "missed_seat_policy": Choice(("deal_next", "void_seat")),
        "deal_direction": Choice(_first(game.deal_direction, direction)),
        "bank": Choice(("house", "players")),
        "banker_rotation": Choice(("fixed", "clockwise", "winner_keeps")),
        "house_draw_policy": Choice(DRAW_UP_TO),
        "correction_window": Choice(("next_first_card", "minutes", "shift")),
        "correction_minutes": Whole(30, low=1, high=24 * 60),
        "correction_limit_minor": Whole(100_000, low=0),
        "count_policy": Choice(("every_shoe", "every_n", "on_incident")),
        "count_every": Whole(COUNT_EVERY, low=1, high=1_000),
        "deal_from": Choice(_first(game.deal_from, source)),
    }
    return Group(members, unknown="unknown_procedure")


def _first(default: str, values: tuple[str, ...]) -> tuple[str, ...]:
    return (default, *(value for value in values if value != default))


def _contradictions(game: Game, read: Mapping[str, object]) -> list[Fault]:
    """Return what the procedures say against each other, or against the game."""
    faults: list[Fault] = []
    if game.bank == "house" and read["bank"] == "players":
        detail = f"expected house: {game.code} is banked by the house (text A)"
        faults.append(Fault("contradiction", "procedures.bank", detail))
    if read["bank"] == "house" and read["banker_rotation"] != "fixed":
        detail = "expected fixed: a bank held by the house does not rotate (B20)"
        faults.append(Fault("contradiction", "procedures.banker_rotation", detail))
    if read["deal_from"] == "pack_each_round" and read["burn"] == "first_card_value":
        detail = "expected one or none: a pack shuffled for each round has no shoe to count off"
        faults.append(Fault("contradiction", "procedures.burn", detail))
    return faults
