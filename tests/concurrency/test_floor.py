"""The same act twice at once, and acts that exclude each other: sessions, shoes, reference data.

Each race runs on two tables of its own: with the lock of the table one call waits and is answered
by a code; without it a call meets a raw error, or the table contradicts itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pytest
from django.db import IntegrityError

from tables.models import Count, Limits, Procedures, Round, Shoe, TableSession, TableTerms
from tables.services import house as reference
from tables.services import rounds, sessions, shoe_end, shoes
from tables.services.house import (
    create_pit,
    create_table,
    publish_limits,
    set_house,
)
from tables.services.rounds import open_betting
from tables.services.sessions import (
    close_table,
    key_count,
    open_table,
    start_closing,
    start_session,
)
from tables.services.shoe_end import end_shoe
from tables.services.shoes import (
    ShoeChange,
    burn_cards,
    mark_cut_card,
    prepare_shoe,
    sign_shoe_step,
)
from tests.concurrency.places import Place, new_place
from tests.concurrency.racing import Call, Overlapped, code_of, lock_taken_away, overlap
from tests.factories.house import DENOMINATIONS, NOW, OPENER, SET_UP, set_terms, signer
from tests.support.floors import FloorClone, ref_of


@dataclass(frozen=True, slots=True)
class Race:
    """Two calls at a prepared table: the answer to the second with the lock, and the harm without.

    `harm` is None where it is a raw error of the database.
    """

    name: str
    place: Callable[[Place], Place]
    first: Callable[[Place], Call]
    second: Callable[[Place], Call]
    writes: ModuleType
    code: str
    harm: Callable[[Place], bool] | None = None


def starting(place: Place) -> Call:
    return lambda: start_session(table=place.code, by=place.supervisor)


def counting(place: Place, *, pieces: dict[str, int], revision: int = 1) -> Call:
    return lambda: key_count(
        table=place.code,
        session=1,
        kind="opener",
        revision=revision,
        pieces=pieces,
        by=place.supervisor,
    )


def opening(place: Place) -> Call:
    return lambda: open_table(table=place.code, session=1, by=place.supervisor)


def going_to_close(place: Place) -> Call:
    return lambda: start_closing(table=place.code, session=1, by=place.supervisor)


def closing(place: Place) -> Call:
    return lambda: close_table(table=place.code, session=1, by=place.supervisor)


def preparing(place: Place) -> Call:
    return lambda: prepare_shoe(table=place.code, by=place.dealer)


def shuffling(place: Place) -> Call:
    return lambda: sign_shoe_step(
        table=place.code, shoe=1, step="shuffle", signers=[signer("dealer")], by=place.dealer
    )


def burning(place: Place, face: str = "?") -> Call:
    return lambda: burn_cards(
        table=place.code, shoe=1, event=2, faces=[face], reason="exposed", by=place.supervisor
    )


def cutting(place: Place) -> Call:
    return lambda: mark_cut_card(table=place.code, shoe=1, by=place.dealer)


def ending(place: Place) -> Call:
    return lambda: end_shoe(table=place.code, shoe=1, stub_cards=415, by=place.supervisor)


def betting(place: Place) -> Call:
    return lambda: open_betting(table=place.code, shoe=1, by=place.dealer)


def started(place: Place) -> Place:
    starting(place)()
    return place


RACES = [
    Race("two sessions", lambda p: p, starting, starting, sessions, "session.already_open"),
    Race("two shoes", Place.opened, preparing, preparing, shoes, "shoe.in_use"),
    Race("two rounds", Place.dealing, betting, betting, rounds, "round.in_play"),
    Race("a step signed twice", Place.preparing, shuffling, shuffling, shoes, ""),
    Race("a burn sent twice", Place.dealing, burning, burning, shoes, ""),
    Race(
        "two burns",
        Place.dealing,
        burning,
        lambda place: burning(place, "7H"),
        shoes,
        "burn.conflict",
    ),
    Race("a shoe ended twice", Place.dealing, ending, ending, shoe_end, "shoe.state"),
    Race(
        "two counts by one side",
        started,
        lambda p: counting(p, pieces=OPENER),
        lambda p: counting(p, pieces={"500": 1}),
        sessions,
        "count.conflict",
    ),
    Race(
        "a count while the table opens",
        Place.opening,
        opening,
        lambda p: counting(p, pieces={"500": 1}, revision=2),
        sessions,
        "session.state",
        harm=lambda p: (
            Count.objects.filter(session=p.session, side="supervisor")
            .latest("revision")
            .total_minor
            != p.session.opener_minor
        ),
    ),
    Race(
        "a table opened twice",
        Place.opening,
        opening,
        opening,
        sessions,
        "session.state",
        harm=lambda p: p.entries("session.opened") == 2,
    ),
    Race(
        "a table closed twice",
        Place.closing,
        closing,
        closing,
        sessions,
        "count.settled",
        harm=lambda p: p.entries("session.closed") == 2,
    ),
    Race(
        "a shoe for a table that closes",
        Place.opened,
        going_to_close,
        preparing,
        sessions,
        "session.state",
        harm=lambda p: (
            (p.session.state, p.shoe.state) == (TableSession.State.CLOSING, Shoe.State.PREPARING)
        ),
    ),
    Race(
        "the cut card twice",
        Place.dealing,
        cutting,
        cutting,
        shoes,
        "shoe.state",
        harm=lambda p: p.entries("shoe.cut_card_out") == 2,
    ),
    Race(
        "a round after the cut card",
        Place.dealing,
        cutting,
        betting,
        shoes,
        "shoe.cut_card_out",
        harm=lambda p: p.shoe.rounds > (p.shoe.cut_card_round or 0),
    ),
    Race(
        "a round in a shoe that ends",
        Place.dealing,
        ending,
        betting,
        shoe_end,
        "shoe.state",
        harm=lambda p: (
            p.shoe.state == Shoe.State.ENDED
            and Round.objects.filter(shoe=p.shoe, stage=Round.Stage.BETTING).exists()
        ),
    ),
]


def run(race: Race, place: Place, floor: FloorClone) -> Overlapped:
    """Prepare the table and race."""
    race.place(place)
    return overlap(race.first(place), race.second(place), writes=race.writes, clone=floor.database)


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_with_the_lock_the_second_is_answered(races: FloorClone, race: Race) -> None:
    both = run(race, new_place(races.house), races)
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", race.code)


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_without_the_lock_there_is_harm(races: FloorClone, race: Race) -> None:
    place = new_place(races.house)
    with lock_taken_away():
        both = run(race, place, races)
    assert not both.waited
    assert code_of(both.second) == ""
    if race.harm is None:
        assert isinstance(both.first, IntegrityError), both.first
    else:
        assert code_of(both.first) == ""
        assert race.harm(place)


def test_a_burn_sent_twice_at_once_is_one_fact(races: FloorClone) -> None:
    place = new_place(races.house).dealing()
    both = overlap(burning(place), burning(place), writes=shoes, clone=races.database)
    assert isinstance(both.first, ShoeChange)
    assert isinstance(both.second, ShoeChange)
    assert both.second.done_before
    assert both.second.receipt.hash == both.first.receipt.hash
    assert place.shoe.cards_burned == 2
    assert sorted(place.shoe.burned_cards.values_list("event", flat=True)) == [1, 2]


def pit(number: int) -> Call:
    return lambda: create_pit(code=f"P{number}", name=f"Pit {number}", by=SET_UP)


def table(number: int) -> Call:
    return lambda: create_table(code=f"X{number}", name="Table", pit="P1", by=SET_UP)


def limits(number: int) -> Call:
    return lambda: publish_limits(
        game="poker-lucky-9", options={"min": {"main": number}}, by=SET_UP
    )


def settings(number: int) -> Call:
    return lambda: set_house(
        name=f"Test House {number}",
        currency_code="PHP",
        currency_exponent=2,
        zone="Asia/Manila",
        cut_over_hour=7,
        denominations=DENOMINATIONS,
        effective_at=NOW,
        by=SET_UP,
    )


@pytest.mark.parametrize(
    ("act", "code"), [(pit, "name.refused"), (table, "name.refused"), (limits, ""), (settings, "")]
)
def test_reference_data_written_twice_at_once(
    races: FloorClone, act: Callable[[int], Call], code: str
) -> None:
    both = overlap(act(71), act(71), writes=reference, clone=races.database)
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", code)
    if act is limits:
        assert both.first == both.second


@pytest.mark.parametrize("act", [pit, limits, settings])
def test_without_the_lock_reference_data_meets_a_raw_error(
    races: FloorClone, act: Callable[[int], Call]
) -> None:
    with lock_taken_away():
        both = overlap(act(72), act(72), writes=reference, clone=races.database)
    assert isinstance(both.first, IntegrityError)


def terms(place: Place) -> Call:
    return lambda: set_terms(
        table=place.code,
        ruleset=place.house.ruleset,
        procedures=ref_of(Procedures.objects.earliest("id")),
        limits=ref_of(Limits.objects.earliest("id")),
    )


def test_terms_set_twice_at_once_follow_each_other(races: FloorClone) -> None:
    place = new_place(races.house)
    both = overlap(terms(place), terms(place), writes=reference, clone=races.database)
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    kept = TableTerms.objects.filter(table__code=place.code).values_list("revision", flat=True)
    assert sorted(kept) == [1, 2, 3]


def test_without_the_lock_terms_meet_a_raw_error(races: FloorClone) -> None:
    place = new_place(races.house)
    with lock_taken_away():
        both = overlap(terms(place), terms(place), writes=reference, clone=races.database)
    assert isinstance(both.first, IntegrityError)
