"""Three late rounds between live ones: nothing is renumbered, nothing live is touched."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db.models import Model

from audit.log.day_log import LOG_FILE, day_folder, write_day_log
from audit.log.days import turn_days
from audit.log.keys import generate_key
from audit.log.models import Entry
from audit.log.place import Place
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.kernel.money import Currency
from settlements.comparison import differences
from settlements.models import Payout, Settlement
from settlements.selectors.checks import read_subject
from tables.models import (
    BurnedCard,
    Card,
    Round,
    SeatWagers,
    Shoe,
    ShoeStatement,
    TableSession,
)
from tables.selectors.positions import round_spans, shoe_positions
from tables.selectors.round_read import RoundName
from tables.services.shoe_end import end_shoe
from tests.factories.house import House, play_round
from tests.support.floors import ref_of
from tests.tables.paper.sheets import (
    HANDS,
    WAGERS,
    agree,
    dealt_at,
    hold,
    key_twice,
    misdeal,
    reserve,
    sheet,
)

LIVE = {1: ("2S", "3S", "4S"), 0: ("2H", "3H", "4H")}
FACTS: tuple[type[Model], ...] = (Card, SeatWagers, Settlement, Payout, BurnedCard)


def facts_so_far() -> dict[str, list[dict[str, object]]]:
    """Every fact of the floor, as it is stored."""
    return {
        model.__name__: [dict(row) for row in model._default_manager.order_by("pk").values()]
        for model in FACTS
    }


def play(house: House) -> RoundName:
    """A live round of six cards."""
    return play_round(house, {1: {"main": 10_000}}, LIVE)


class Logged(NamedTuple):
    """An entry as a line of a day's log says it."""

    stream: str
    seq: int
    action: str
    subject: str
    data: dict[str, object]


def day_log(day: date, place: Place, *, run: int) -> list[Logged]:
    """Write and sign the log of a day that is over; return its lines."""
    write_day_log(day, run=run, place=place, currency=Currency("PHP", 2), files={})
    lines = (day_folder(place, day, run) / LOG_FILE).read_text().splitlines()
    read = [json.loads(line) for line in lines]
    bodies = [json.loads(line["body"]) for line in read]
    return [
        Logged(line["stream"], line["seq"], body["action"], body["subject"], body["data"])
        for line, body in zip(read, bodies, strict=True)
    ]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Where days are written, with a key of its own."""
    generate_key(tmp_path / "key", name="test.invalid/log")
    return Place("test.invalid/log", tmp_path / "key", tmp_path)


@pytest.fixture
def late(floor: House) -> tuple[House, list[RoundName]]:
    """Two live rounds, three on paper, one live behind them."""
    play(floor)
    play(floor)
    reserved = reserve(floor, 3, after=2)
    assert play(floor).number == 6
    return floor, list(reserved.rounds)


def spans(house: House) -> dict[int, tuple[int, int, bool]]:
    """First and last place by round, and whether they are at least so much."""
    shoe = Shoe.objects.get(key="T1/1")
    found = round_spans(shoe_positions(ref_of(shoe)))
    return {number: (span.first, span.last, span.at_least) for number, span in found.items()}


def bring_in(house: House, names: list[RoundName], *, dealt: datetime | None = None) -> None:
    """The first was played, the second misdealt, the third came back from a tablet too."""
    first, second, third = names
    when = dealt or dealt_at(house)
    assert key_twice(house, first, sheet(), dealt_at=when).accepted
    assert key_twice(house, second, misdeal(), dealt_at=when).accepted is None
    agree(house, second, keep="first", signers=("supervisor", "manager"))
    hold(house, third, sheet(hands={**HANDS, 1: ("AS", "7D", "9D")}))
    assert key_twice(house, third, sheet(), dealt_at=when).accepted is None
    agree(house, third, keep="second")


def test_numbers_are_gapless_and_places_move_up(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    assert [name.number for name in names] == [3, 4, 5]
    assert spans(house) == {1: (2, 7, False), 2: (8, 13, False), 6: (14, 19, True)}
    bring_in(house, names)
    assert spans(house) == {
        1: (2, 7, False),
        2: (8, 13, False),
        3: (14, 22, False),
        4: (23, 26, False),
        5: (27, 35, False),
        6: (36, 41, False),
    }
    rounds = Round.objects.filter(shoe__key="T1/1").order_by("number")
    assert [(r.number, r.stage, r.source) for r in rounds] == [
        (1, "settled", "live"),
        (2, "settled", "live"),
        (3, "settled", "paper"),
        (4, "voided", "paper"),
        (5, "settled", "paper"),
        (6, "settled", "live"),
    ]


def test_no_live_fact_is_touched(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    before = facts_so_far()
    heads = list(Round.objects.exclude(stage="awaited").order_by("pk").values())
    bring_in(house, names)
    after = facts_so_far()
    for kind, rows in before.items():
        assert after[kind][: len(rows)] == rows
    assert list(Round.objects.filter(source="live").order_by("pk").values()) == heads
    late_facts = [row["round_id"] for row in after["Card"][len(before["Card"]) :]]
    assert set(late_facts) == set(Round.objects.filter(source="paper").values_list("pk", flat=True))


def test_sums_move_as_if_the_rounds_had_been_live(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    session = TableSession.objects.get(key="T1/S1")
    shoe = Shoe.objects.get(key="T1/1")
    bring_in(house, names)
    moved = TableSession.objects.get(pk=session.pk)
    settled = Settlement.objects.filter(round__source="paper")
    assert moved.rounds_settled == session.rounds_settled + 2
    assert moved.handle_minor == session.handle_minor + 2 * sum(
        sum(bets.values()) for bets in WAGERS.values()
    )
    assert moved.bank_owed_minor == session.bank_owed_minor + sum(
        settled.values_list("bank_owed_minor", flat=True)
    )
    assert Shoe.objects.get(pk=shoe.pk).cards_dealt == shoe.cards_dealt + 9 + 4 + 9


def test_the_second_engine_agrees(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    bring_in(house, names)
    checked = [
        (settled.round.number, settled.part, settled.revision)
        for settled in Settlement.objects.select_related("round").filter(round__source="paper")
    ]
    assert sorted(checked) == [
        (3, "final", 1),
        (3, "sweep", 1),
        (4, "final", 1),
        (5, "final", 1),
        (5, "sweep", 1),
    ]
    for number, part, revision in checked:
        subject = read_subject(f"T1/1/{number}", part=part, revision=revision)
        assert subject is not None
        assert differences(subject.read) == ()


def test_the_log_replays_and_verifies(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    bring_in(house, names)
    assert list(replay_log().problems) == []
    assert verify_log(place=None).sound


def test_the_day_of_keying_holds_them_and_names_the_day_they_belong_to(
    floor: House, place: Place
) -> None:
    """Yesterday's log is signed before they are keyed; it gains nothing."""
    yesterday, today = date(2026, 3, 1), date(2026, 3, 2)
    turn_days(yesterday)
    for _ in range(2):
        play(floor)
    names = list(reserve(floor, 3, after=2).rounds)
    play(floor)
    turn_days(today)
    signed = day_log(yesterday, place, run=1)
    bring_in(replace(floor, now=floor.now + timedelta(days=1)), names, dealt=floor.now)
    turn_days(today + timedelta(days=1))
    assert day_log(yesterday, place, run=2) == signed
    keyed = [entry for entry in day_log(today, place, run=1) if entry.stream == "table/T1"]
    first, second, third = (name.key for name in names)
    assert [(entry.action, entry.subject) for entry in keyed] == [
        ("day.turned", "2026-03-02"),
        *[("sheet.keyed", first)] * 2,
        ("sheet.accepted", first),
        *[("sheet.keyed", second)] * 2,
        ("sheet.accepted", second),
        ("sheet.held", third),
        *[("sheet.keyed", third)] * 2,
        ("sheet.accepted", third),
    ]
    assert {entry.data["gaming_day"] for entry in keyed[1:]} == {"2026-03-01"}
    assert {entry.seq for entry in signed if entry.stream == "table/T1"}.isdisjoint(
        entry.seq for entry in keyed
    )
    for row in Round.objects.filter(key__in=[first, second, third]):
        assert (row.gaming_day, row.ended_at) == (yesterday, floor.now)


def test_a_shoe_may_end_before_its_sheets_come_in(late: tuple[House, list[RoundName]]) -> None:
    house, names = late
    end_shoe(table="T1", shoe=1, stub_cards=416 - 41, by=house.acting("supervisor"))
    stated = ShoeStatement.objects.get(shoe__key="T1/1")
    assert (stated.awaited, stated.counted_closes) == (3, False)
    assert not Entry.objects.filter(action="finding.raised").exists()
    bring_in(house, names)
    statements = ShoeStatement.objects.filter(shoe__key="T1/1").order_by("revision")
    assert [(s.revision, s.awaited, s.counted_closes) for s in statements] == [
        (1, 3, False),
        (2, 2, False),
        (3, 1, False),
        (4, 0, True),
    ]


def test_rounds_that_come_to_light_after_the_shoe_ended_are_reserved_in_it(floor: House) -> None:
    play(floor)
    end_shoe(table="T1", shoe=1, stub_cards=416 - 16, by=floor.acting("supervisor"))
    assert Entry.objects.filter(action="finding.raised").count() == 1
    name = reserve(floor, 1, after=1, who="supervisor").rounds[0]
    key_twice(floor, name, sheet())
    statements = ShoeStatement.objects.filter(shoe__key="T1/1").order_by("revision")
    assert [(s.revision, s.awaited, s.counted_closes) for s in statements] == [
        (1, 0, False),
        (2, 1, False),
        (3, 0, True),
    ]
    assert replay_log().problems == []
