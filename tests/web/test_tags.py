"""Template tags: money, times, odds, cards, states and pictures as they are read."""

import re
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from casino.web.templatetags.cards import card, card_name, card_text
from casino.web.templatetags.money import money, money_signed, money_text, result
from casino.web.templatetags.odds import odds
from casino.web.templatetags.pictures import shoe_fill, shoe_strip
from casino.web.templatetags.states import (
    STATES,
    actor_words,
    look_of,
    outcome,
    seat_name,
    state,
    state_in_row,
    wager_name,
)
from casino.web.templatetags.times import clock, clock_seconds, day, instant, span


@pytest.mark.parametrize(
    ("minor", "text"),
    [
        (0, "0"),
        (950_000, "9,500"),
        (950_050, "9,500.50"),
        (7, "0.07"),
        (-123_456_700, "−1,234,567"),
        (None, "not known"),
    ],
)
def test_money_shows_centavos_only_where_they_are_not_zero(minor: int | None, text: str) -> None:
    assert money_text(minor) == text


def test_money_in_a_column_keeps_room_for_centavos() -> None:
    assert "cents-room" in money(950_000)
    assert '<span class="cents">.50</span>' in money(950_050)


def test_unknown_money_is_never_zero() -> None:
    for drawn in (money(None), money_signed(None), result(None)):
        assert "not known" in drawn
        assert "0" not in drawn


def test_a_result_carries_its_sign_and_its_tone() -> None:
    assert re.search(r'class="money gain">\+12', result(1_200))
    assert re.search(r'class="money loss">−12', result(-1_200))
    assert 'class="money">0' in result(0)
    assert money_signed(1_200).count("+") == 1


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ((10, 1), "10 to 1"),
        ((95, 100), "0.95 to 1"),
        ((3, 2), "1.5 to 1"),
        ((1, 1), "1 to 1"),
        ((100, 1), "100 to 1"),
        ((2, 3), "2 to 3"),
        (None, ""),
    ],
)
def test_odds_are_said_as_people_say_them(pair: tuple[int, int] | None, text: str) -> None:
    assert odds(pair) == text


def test_times_are_the_houses_and_carry_utc() -> None:
    moment = datetime(2025, 11, 3, 6, 5, 12, tzinfo=UTC)
    with timezone.override("Asia/Manila"):
        drawn = clock(moment)
        assert ">3 Nov 2025 14:05<" in drawn
        assert 'datetime="2025-11-03T06:05:12.000000Z"' in drawn
        assert "3 Nov 2025 14:05:12<" in instant(moment)
        now = timezone.now()
        assert re.search(r">\d\d:\d\d:\d\d<", clock_seconds(now))
        # Another day of this year, whichever day it is today.
        today = timezone.localdate()
        other = moment.replace(year=today.year, day=4 if (today.month, today.day) == (11, 3) else 3)
        assert f">{other.day} Nov 14:05<" in clock(other)
    assert "Tue 3 Nov 2026" in day(date(2026, 11, 3))
    assert "not known" in clock(None)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (9, "9 s"),
        (61, "1 min"),
        (3900, "1 h 05"),
        (90_000, "1 day"),
        (200_000, "2 days"),
        (-5, "0 s"),
    ],
)
def test_a_length_of_time_is_short(seconds: int, text: str) -> None:
    assert span(timedelta(seconds=seconds)) == text


@pytest.mark.parametrize(
    ("face", "name"),
    [
        ("KS", "king of spades"),
        ("TD", "ten of diamonds"),
        ("A", "ace"),
        ("?", "card, face not known"),
        ("down", "card, face down"),
        ("", "no card"),
        (None, "no card"),
    ],
)
def test_every_card_has_a_name(face: str | None, name: str) -> None:
    assert card_name(face) == name
    assert f'aria-label="{name}"' in card(face)


def test_a_ten_is_printed_as_ten_and_a_rank_alone_has_no_suit() -> None:
    assert "<b>10</b>" in card("TD")
    assert "#D" in card("TD")
    assert "<use" not in card("K")


def test_a_superseded_card_stays_struck_beside_its_replacement() -> None:
    drawn = card("2S", ["2C", ""])
    assert drawn.count("<del") == 1
    assert drawn.index("two of clubs") < drawn.index("two of spades")


def test_a_card_in_a_sentence_names_itself() -> None:
    assert 'aria-label="four of hearts"' in card_text("4H")
    assert 'data-suit="H"' in card_text("4H")
    assert "data-suit" not in card_text("4")
    assert "face not known" in card_text("?")


def test_what_is_drawn_escapes_what_it_is_given() -> None:
    assert "<script" not in state("round", "<script>")
    assert "<script" not in wager_name("x").join(["", ""])
    segment = SimpleNamespace(kind="round", cards=18, label='"><script>', url="")
    assert "<script" not in shoe_strip([segment], 416)


def test_every_state_has_colour_shape_and_word() -> None:
    for group, looks in STATES.items():
        for value, look in looks.items():
            drawn = state(group, value)
            assert f'data-tone="{look.tone}"' in drawn
            assert f"#{look.shape}" in drawn
            assert str(look.word) in drawn


def test_no_two_states_of_a_group_look_the_same() -> None:
    for looks in STATES.values():
        words = [str(look.word) for look in looks.values()]
        assert len(set(words)) == len(words)


def test_an_unknown_state_keeps_its_own_words() -> None:
    assert look_of("round", "half_dealt").word == "half dealt"
    assert "half dealt" in state("round", "half_dealt")


def test_in_a_row_only_what_somebody_must_act_on_stands_in_a_box() -> None:
    assert "chip" in state_in_row("check", "differs")
    assert "chip" not in state_in_row("check", "agrees")
    assert "#win" in outcome("win")


def test_hands_and_wagers_are_named() -> None:
    assert seat_name(0) == "House"
    assert seat_name(3) == "Seat 3"
    assert wager_name("jacks") == "Jacks"


def test_a_shoe_is_drawn_without_style() -> None:
    segments = [
        SimpleNamespace(kind="burn", cards=1, label="burn", url=""),
        SimpleNamespace(kind="round", cards=18, label="Round 1", url="/r/1"),
        SimpleNamespace(kind="voided", cards=18, label="Round 2", url="/r/2"),
    ]
    drawn = shoe_strip(segments, 416, 52)
    assert 'role="group" aria-label="37 of 416 cards accounted for"' in drawn
    assert 'x="19" width="18"' in drawn
    assert 'x1="364"' in drawn
    assert "style" not in drawn
    assert 'width="151"' in shoe_fill(151, 416, 52)
    assert 'width="0"' in shoe_fill(0, 416)


def test_who_did_something_is_named_in_words() -> None:
    assert actor_words("system:round-check") == "Round check, system"
    assert actor_words("1002") == "Staff 1002"
