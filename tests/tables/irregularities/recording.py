"""Every way to rule an event in game A, as it comes about and is typed on the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.games.cards import copies_max
from tables.selectors.round_read import RoundName
from tests.factories.house import House, open_floor, settle_part
from tests.support.pages import Page, PagePerson, text_of
from tests.tables.irregularities.ruling import (
    DEAL,
    WAGERS,
    begin,
    deal,
    house_with,
    signed,
)
from tests.tables.irregularities.test_shoes import FACES
from tests.tables.terms import T, under_terms

WORDS = {
    "number": "1",
    "happened_at": "2026-03-01T22:04:00",
    "seen": "The dealer saw it.",
    "ruling": "As the list says.",
    "chips_moved": "",
    "patrons": "Seat 3, agreed.",
}
THREE = {1: {"main": 10000}, 3: {"main": 20000, "pair": 700}, 5: {"main": 5000}}
COUNT = {f"count_{face}": str(copies_max(face, decks=8)) for face in FACES}
TOLD = {"regulator": "A. Cruz, phone, 22:01."}


@dataclass(frozen=True)
class Act:
    """One way to rule an event, on the page: how it comes about, what is typed, who signs."""

    event: int
    code: str
    letters: str
    cards: tuple[str, ...] = DEAL[:4]
    typed: Mapping[str, Any] = field(default_factory=dict)  # fields of the form
    wagers: Mapping[int, Mapping[str, int]] = field(default_factory=lambda: WAGERS)
    policy: Mapping[str, str] = field(default_factory=dict)
    between: bool = False  # no round is in play
    back_minor: int = 0
    held_minor: int = 0
    shoe: str = "ready"
    findings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.event}-{self.code}{'-between' if self.between else ''}"


def apart(*cards: tuple[int, str]) -> dict[str, str]:
    """Draws that went into no hand, as typed."""
    return {
        name: value
        for n, (draw, face) in enumerate(cards, start=1)
        for name, value in ((f"apart_{n}", str(draw)), (f"face_{n}", face))
    }


def void(event: int, **rest: Any) -> Act:  # Any: fields of the act, by name
    """The round is void, by a supervisor and a manager."""
    return Act(event, "void", "SM", back_minor=31500, **rest)


ACTS = [
    Act(1, "next_card", "S", typed={"draw_1": "5"}),
    Act(1, "next_round", "S", cards=DEAL, typed={"apart_1": "10"}),
    Act(1, "burn", "S", typed={"apart_1": "5"}, policy={"excess_unseen": "burn"}),
    Act(1, "burn", "S", typed={"burned": "?"}, policy={"excess_unseen": "burn"}, between=True),
    Act(2, "burn", "S", typed=apart((5, "9h"))),
    Act(2, "burn", "S", typed={"burned": "9H 10s"}, between=True),
    Act(3, "stays", "S", typed={"hands": ["1"], "draw_1": "4"}),
    Act(4, "discard", "S", typed=apart((5, "JH"))),
    void(5, typed=apart((5, "JH"), (6, "QH")), shoe="stopped"),
    Act(5, "void", "M", typed={"burned": "JH QH"}, between=True, shoe="stopped"),
    Act(6, "move", "S", typed={"draw_1": "5"}),
    Act(6, "rebuild", "M", cards=DEAL[:5], typed={"laid_4": "3", "laid_5": "1"}),
    Act(
        6,
        "void_hands",
        "M",
        wagers=THREE,
        cards=("2H", "8S", "9C", "5S", "2D", "7C", "8H", "3D"),
        typed={"hands": ["3", "5"], "laid_6": "5", "laid_7": "3"},
        back_minor=25700,
    ),
    void(6),
    Act(7, "move", "S", typed={"hands": ["2"], "draw_1": "5"}),
    Act(7, "ghost", "S", cards=("2H", "AC", "8S"), typed={"hands": "2", **apart((2, ""))}),
    Act(8, "deal_next", "S", wagers=THREE, cards=("2H", "9C"), typed={"hands": "3"}),
    Act(
        8,
        "void_seat",
        "S",
        wagers=THREE,
        cards=("2H", "9C", "5S"),
        typed={"hands": ["3"], "laid_2": "5", "laid_3": "0"},
        back_minor=20700,
    ),
    Act(9, "deal_last", "M", cards=DEAL[:3], typed={"hands": "1", "cards_out": "5"}),
    Act(
        9,
        "void_seat",
        "M",
        cards=DEAL[:6],
        typed={"hands": ["1"], **apart((7, "KD"), (8, "AH"))},
        back_minor=11000,
    ),
    Act(10, "deal_next", "M", cards=("2H", "8S", "2D")),
    Act(10, "burn", "M", cards=DEAL[:6], typed=apart((7, "9H"))),
    void(10, typed=apart((5, "9H"))),
    Act(11, "keep", "SV", typed={"draw_1": "4"}, findings=("card.to_inspect",)),
    Act(11, "void", "SMV", typed={"draw_1": "4"}, back_minor=31500),
    Act(12, "replace", "S", typed={"replaced_out": "7c", "replaced_in": "7C"}),
    Act(
        12,
        "replace_suspected",
        "HV",
        typed={"replaced_out": "10C", "replaced_in": "TC", **TOLD},
        between=True,
    ),
    Act(13, "void", "SMH", back_minor=31500, shoe="voided"),
    Act(13, "void", "MH", between=True, shoe="voided"),
    Act(14, "in_order", "S", typed={"draw_1": "5", "draw_2": "6"}),
    void(14, typed=apart((5, "2D"), (6, "7C"))),
    Act(15, "void", "SMH", typed=TOLD, back_minor=31500, shoe="voided"),
    Act(15, "void", "MH", typed=TOLD, between=True, shoe="voided"),
    Act(16, "void", "SMH", typed=TOLD, back_minor=31500, shoe="voided"),
    Act(16, "burn_now", "S", cards=(), typed={"burned": "9H"}),
    Act(16, "carry_on", "S"),
    Act(16, "carry_on", "S", between=True),
    Act(17, "finish_round", "D"),
    Act(17, "one_more", "D", policy={"after_cut": "one_more"}),
    void(18, shoe="ended", findings=("shoe.count_open",)),
    Act(19, "settle_late", "SV", cards=DEAL[:6]),
    Act(19, "void_pair", "SV", cards=DEAL[:6], typed={"pick_1_pair": "on"}, back_minor=1000),
    Act(20, "restore", "S", typed={"hands": ["1"]}),
    Act(20, "restore_suspected", "H", typed={"hands": ["1"]}),
    Act(20, "dead_hand", "S", cards=DEAL[:6], typed={"hands": ["1"]}, held_minor=11000),
    Act(20, "dead_hand_suspected", "H", cards=DEAL[:6], typed={"hands": ["3"]}, held_minor=20500),
    Act(21, "read_anew", "S", typed={"hands": ["1"], "draw_1": "4"}),
    Act(
        23,
        "return",
        "SV",
        cards=DEAL[:3],
        typed={"pick_3_jacks": "on", "back_3_main": "50", "stake_5_main": "70.00"},
        back_minor=500 + 5000 + 7000,
    ),
    Act(
        23,
        "return",
        "SV",
        cards=DEAL[:3],
        typed={"stake_3_main": "300", "back_3_main": "100"},
        back_minor=10000,
    ),
    Act(23, "recollect", "SV", typed={"pick_3_jacks": "on"}),
    Act(24, "cap", "S", cards=DEAL[:3], typed={"stake_3_main": "250"}, back_minor=5000),
    Act(
        24,
        "honour",
        "S",
        cards=DEAL[:3],
        typed={"stake_3_main": "250"},
        policy={"over_max": "honour"},
    ),
    Act(24, "return", "S", cards=DEAL[:3], typed={"stake_5_jacks": "7"}, back_minor=700),
    void(26),
    Act(27, "void", "SMH", typed=TOLD, back_minor=31500, shoe="voided"),
    Act(27, "void", "MH", typed=TOLD, between=True, shoe="voided"),
    Act(29, "paper", "M"),
    void(29),
    Act(32, "void", "SH", back_minor=31500, shoe="stopped"),
    Act(32, "hold", "SH", held_minor=31500, shoe="stopped"),
    Act(33, "hold", "H", typed={"hands": ["3"], **TOLD}, held_minor=20500),
]
# On pages of their own: the count needs an ended shoe, a reshuffle needs discards.
ELSEWHERE = {(28, "match"), (28, "record_error"), (28, "composition_error")}
ELSEWHERE |= {(18, "reshuffle_discards")}


def come_about(house: House, act: Act) -> str:
    """Let the situation come about in which it is ruled; the address of its form."""
    table = "T1"
    if act.event == 24 and act.code != "return":
        under_terms(house, procedures=act.policy, limits={"max": {"main": 20000}})
        open_floor(house, T)
        table = T
    elif act.policy:
        table = house_with(house, **act.policy)
    if act.between:
        return f"/tables/{table}/irregularities/record/{act.event}/{act.code}/?shoe=1"
    name = begin(house, act.wagers, cards=act.cards[:6], table=table)
    if len(act.cards) > 6:
        if act.wagers is WAGERS:
            finish_sweep(house, name, act.cards)
        else:
            finish_deal(house, name, act.cards)
    return f"/tables/{table}/irregularities/record/{act.event}/{act.code}/?shoe=1&round=1"


def finish_sweep(house: House, name: RoundName, cards: tuple[str, ...]) -> None:
    """Settle the pair wagers and key the third cards."""
    settle_part(house, name, "sweep")
    finish_deal(house, name, cards)


def finish_deal(house: House, name: RoundName, cards: tuple[str, ...]) -> None:
    """Key the rest of the cards."""
    deal(house, name, cards[6:], start=7)


def boxes(letters: str) -> dict[str, str]:
    """The boxes of the signatures, filled in by the people of these letters."""
    found: dict[str, str] = {}
    for n, each in enumerate(signed(letters), start=1):
        found |= {f"signer{n}-badge": each.badge, f"signer{n}-secret": each.secret}
        if each.camera_reference:
            found[f"signer{n}-camera"] = each.camera_reference
    return found


def show(person: PagePerson, path: str, typed: Mapping[str, Any]) -> Page:
    """Fill the form in and ask what would happen."""
    return person.post(path, {**WORDS, **typed, "act": "show"})


def sign(person: PagePerson, path: str, typed: Mapping[str, Any], letters: str) -> Page:
    """Look at what would happen, then sign it."""
    shown = show(person, path, typed)
    assert shown.status_code == 200, text_of(shown)
    seen = {"shown": shown.context["foreseen"]["hash"], "act": "sign"}
    return person.post(path, {**WORDS, **typed, **seen, **boxes(letters)})
