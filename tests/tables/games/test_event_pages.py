"""The pages that record irregularities, at tables of Lucky 9: draw errors and withdrawals."""

from collections.abc import Callable
from typing import Any

import pytest

from tables.models import Departure, TakenOut
from tests.settlements.correcting import hire, put_in_charge
from tests.support.pages import PagePerson, text_of
from tests.support.records import refused
from tests.tables.games.playing import GameTable
from tests.tables.games.test_events import OPENING, WAGERS
from tests.tables.irregularities.recording import WORDS, apart, show, sign
from tests.tables.irregularities.ruling import rule

NewTable = Callable[..., GameTable]
RECORD = "/tables/T1/irregularities/record/"


def fixed(new_table: NewTable) -> GameTable:
    """Game B, the first two cards of every hand dealt."""
    table = _table(new_table("super-9"))
    table.open()
    table.bet(WAGERS)
    while table.next["lap"] in (1, 2):
        step = table.next
        table.key(step["draw"], OPENING[step["hand"]].split()[step["lap"] - 1])
    return table


def elective(new_table: NewTable) -> GameTable:
    """Game C with the bank at seat 4; seat 7 and seat 5 are to decide."""
    table = _table(new_table("home"))
    table.open(bank_seat=4)
    table.bet({2: 100, 5: 100, 7: 100})
    table.deal({2: "9S KD", 7: "AS AD", 5: "8S KH", 0: "6S JD"})
    table.settle("sweep")
    return table


def _table(table: GameTable) -> GameTable:
    hire(table.house)
    put_in_charge(table.house, "manager")
    return table


@pytest.mark.parametrize("make", [fixed, elective])
def test_every_way_that_is_offered_opens_and_says_what_follows(
    new_table: NewTable, make: Callable[[NewTable], GameTable]
) -> None:
    table = make(new_table)
    supervisor = PagePerson(table.house, "supervisor")
    groups = supervisor.get(RECORD).context["groups"]
    events = [event for group in groups for event in group["events"]]
    urls = [way["url"] for event in events for way in event["open"] if RECORD in way["url"]]
    assert len(urls) > 30
    for url in urls:
        assert supervisor.get(url).status_code == 200, url
        assert supervisor.post(url, {**WORDS, "act": "show"}).status_code in (200, 422), url
    offered = {event["number"] for event in events}
    assert {30, 31} & offered == ({30} if make is fixed else {31})


@pytest.mark.parametrize(
    ("code", "letters", "typed"),
    [
        ("burn", "S", {"hands": "2", **apart((7, "4C"))}),
        ("burn_bank", "M", apart((7, "4C"))),
        ("move_on", "S", {"hands": "2"}),
        ("void_seat", "S", {"hands": ["5"]}),
    ],
)
def test_a_draw_error_is_recorded_on_the_page(
    new_table: NewTable, code: str, letters: str, typed: dict[str, Any]
) -> None:
    table = fixed(new_table)
    supervisor = PagePerson(table.house, "supervisor")
    done = sign(supervisor, f"{RECORD}30/{code}/", typed, letters)
    assert done.status_code == 302, text_of(done)
    assert "Draw error" in text_of(supervisor.get(done["Location"]))
    burned = Departure.objects.filter(use="burned").values_list("draw", flat=True)
    assert list(burned) == ([7] if code.startswith("burn") else [])
    assert TakenOut.objects.count() == (1 if code == "void_seat" else 0)


def test_who_has_not_decided_may_withdraw_and_nobody_else_is_offered(new_table: NewTable) -> None:
    table = elective(new_table)
    supervisor = PagePerson(table.house, "supervisor")
    path = f"{RECORD}31/withdraw/"
    hands = supervisor.get(path).context["form"].fields["hands"].choices
    assert {hand for hand, _name in hands} == {"5", "7"}
    shown = show(supervisor, path, {"hands": ["5"]})
    assert shown.context["foreseen"]["back_minor"] == 100
    assert show(supervisor, path, {"hands": ["2"]}).status_code == 422
    with refused("irregularity.hand_decided"):
        rule(table.house, 31, "withdraw", "S", name=table.name, seats=(2,))
    natural = shown.context["foreseen"]["wagers"][0]
    assert (natural["seat"], natural["word"]) == (2, "settled, stands")
    done = sign(supervisor, path, {"hands": ["5"]}, "S")
    assert done.status_code == 302, text_of(done)
    assert TakenOut.objects.get().seat == 5
