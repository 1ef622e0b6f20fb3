"""Two tablets in one round: what the lock of the table makes of it, and what would be without.

Each pair is one race in a stated order. The twin without the lock shows the harm: a fact that
contradicts another, or a raw error of the database where a tablet needs a conflict.
"""

from collections.abc import Callable

import pytest

from audit.log.replay import replay_log
from audit.log.verify import verify_log
from settlements.services import settle as settling
from settlements.services import voids
from settlements.services.settle import Settled, settle_round
from settlements.services.voids import VoidCause, void_bill, void_round
from tables.models import Round
from tables.selectors.round_read import ROUND_OVER, RoundName
from tables.services import cards, rounds
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import Step, call_off_round, place_wagers
from tables.simulation import CARDS
from tests.concurrency.racing import code_of, constraint_of, lock_taken_away, overlap
from tests.factories.house import House, bet, key, open_round, signer
from tests.support.floors import FloorClone

MAIN = {"main": 10000}


def keying(
    house: House, name: RoundName, face: str | None, *, draw: int = 1, revision: int = 1
) -> Callable[[], Step]:
    """The dealer's tablet keys a draw."""
    by = house.acting("dealer", table=name.table)
    card = KeyedCard(draw=draw, revision=revision, face=face)
    return lambda: deal_cards(name=name, cards=[card], by=by)


def keying_too(house: House, name: RoundName, face: str) -> Callable[[], Step]:
    """A supervisor keys the same draw at another tablet of the table."""
    by = house.acting("supervisor", table=name.table)
    return lambda: deal_cards(name=name, cards=[KeyedCard(1, 1, face)], by=by)


def wagering(house: House, name: RoundName, seat: int) -> Callable[[], Step]:
    """A seat's wager is keyed."""
    by = house.acting("dealer", table=name.table)
    return lambda: place_wagers(name=name, seat=seat, revision=1, wagers=MAIN, by=by)


def settling_final(house: House, name: RoundName) -> Callable[[], Settled]:
    """The dealer confirms what was handed over."""
    by = house.acting("dealer", table=name.table)
    return lambda: settle_round(name=name, part="final", revision=1, handed={}, by=by)


def voiding(house: House, name: RoundName) -> Callable[[], object]:
    """A supervisor and a manager void the round."""
    out = stored(name).cards.latest("draw").draw
    cause = VoidCause(event=26, first_two=False, note="dropped", cards_out=out)
    signers, by = [signer("supervisor"), signer("manager")], house.acting("supervisor")
    seen = void_bill(name, first_two=False).seen
    return lambda: void_round(name=name, cause=cause, seen=seen, signers=signers, by=by)


@pytest.fixture
def betting(races: FloorClone) -> RoundName:
    """A round in which seat 1 has bet; what an earlier race left in play is ended."""
    left = Round.objects.exclude(stage__in=ROUND_OVER).first()
    if left is not None:
        name = RoundName("T1", 1, left.number)
        if not left.cards.exists():
            key(races.house, name, {1: "?"})
        voiding(races.house, name)()
    name = open_round(races.house)
    bet(races.house, name, {1: MAIN})
    return name


@pytest.fixture
def face(betting: RoundName) -> str:
    """A card of the round's own, so that no shoe runs out of copies."""
    return CARDS[betting.number % len(CARDS)]


@pytest.fixture
def showdown(races: FloorClone, betting: RoundName) -> RoundName:
    """The same round with all six cards on the table."""
    hands = ["9H", "5S", "KD", "KC", "QD", "QC"]
    key(races.house, betting, dict(enumerate(hands, start=1)))
    return betting


def stored(name: RoundName) -> Round:
    """The round as it is stored now."""
    return Round.objects.get(key=name.key)


def faces(name: RoundName) -> list[str]:
    """Every face that was ever keyed in the round."""
    return list(stored(name).cards.order_by("draw", "revision").values_list("face", flat=True))


def assert_sound() -> None:
    """The log is whole and the tables say what it says."""
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []


def test_two_tablets_keying_the_same_card_are_one_fact(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    both = overlap(
        keying(house, betting, face),
        keying_too(house, betting, face),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert isinstance(both.first, Step)
    assert isinstance(both.second, Step)
    assert (both.first.done_before, both.second.done_before) == (False, True)
    assert both.first.receipt.hash == both.second.receipt.hash
    assert faces(betting) == [face]
    assert_sound()


def test_two_tablets_keying_different_cards_are_one_fact_and_a_conflict_naming_both(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house, other = races.house, "KC"
    both = overlap(
        keying(house, betting, face),
        keying_too(house, betting, other),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert code_of(both.first) == ""
    assert code_of(both.second) == "card.conflict"
    assert f"{face!r}" in str(both.second)
    assert f"{other!r}" in str(both.second)
    assert faces(betting) == [face]
    assert_sound()


@pytest.mark.parametrize("same", [True, False])
def test_without_the_lock_a_tablet_meets_a_raw_error(
    races: FloorClone, betting: RoundName, face: str, same: bool
) -> None:
    house = races.house
    with lock_taken_away():
        both = overlap(
            keying(house, betting, face),
            keying_too(house, betting, face if same else "2H"),
            writes=cards,
            clone=races.database,
        )
    assert not both.waited
    assert constraint_of(both.first) == "card_one_per_revision"


def test_a_late_retry_after_an_undo_is_superseded(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    keying(house, betting, face)()
    both = overlap(
        keying(house, betting, None, revision=2),
        keying(house, betting, face),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert code_of(both.first) == ""
    assert code_of(both.second) == "revision.superseded"
    assert "the latest is 2" in str(both.second)
    assert faces(betting) == [face, ""]


def test_without_the_lock_a_late_retry_meets_a_raw_error(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    """The retry read the round before the card was keyed and undone."""
    house = races.house

    def keyed_and_undone() -> None:
        keying(house, betting, face)()
        keying(house, betting, None, revision=2)()

    with lock_taken_away():
        both = overlap(
            keying(house, betting, face),
            keyed_and_undone,
            writes=cards,
            clone=races.database,
        )
    assert constraint_of(both.first) == "card_one_per_revision"


def test_a_wager_that_races_the_first_card_comes_too_late(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    both = overlap(
        keying(house, betting, face),
        wagering(house, betting, 2),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "round.betting_closed")
    assert stored(betting).live_seats == [1]
    assert list(stored(betting).seat_wagers.values_list("seat", flat=True)) == [1]


def test_a_wager_that_was_first_gets_its_cards(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    both = overlap(
        wagering(house, betting, 2),
        keying(house, betting, face),
        writes=rounds,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    assert stored(betting).live_seats == [1, 2]


def test_without_the_lock_a_wager_lies_there_after_the_first_card(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    with lock_taken_away():
        both = overlap(
            wagering(house, betting, 2),
            keying(house, betting, face),
            writes=rounds,
            clone=races.database,
        )
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    late = stored(betting).seat_wagers.select_related("entry").get(seat=2)
    first_card = stored(betting).cards.select_related("entry").get()
    assert late.entry.seq > first_card.entry.seq
    assert stored(betting).live_seats == [1], "money on a seat that gets no hand"


def test_settling_while_a_card_is_undone_is_not_due(races: FloorClone, showdown: RoundName) -> None:
    house = races.house
    both = overlap(
        keying(house, showdown, None, draw=6, revision=2),
        settling_final(house, showdown),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "settlement.not_due")
    assert not stored(showdown).settlements.exists()


def test_undoing_a_card_of_a_round_that_was_just_settled_is_refused(
    races: FloorClone, showdown: RoundName
) -> None:
    house = races.house
    both = overlap(
        settling_final(house, showdown),
        keying(house, showdown, None, draw=6, revision=2),
        writes=settling,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "round.stage")
    assert len(faces(showdown)) == 6
    assert_sound()


def test_without_the_lock_undone_cards_are_settled(races: FloorClone, showdown: RoundName) -> None:
    house = races.house
    with lock_taken_away():
        both = overlap(
            settling_final(house, showdown),
            keying(house, showdown, None, draw=6, revision=2),
            writes=settling,
            clone=races.database,
        )
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    assert stored(showdown).payouts.get().outcome == "win"
    assert faces(showdown)[-1] == "", "paid on a card that is not there"


def test_two_confirmations_of_a_settlement_pay_once(races: FloorClone, showdown: RoundName) -> None:
    house, before = races.house, stored(showdown).session
    both = overlap(
        settling_final(house, showdown),
        settling_final(house, showdown),
        writes=settling,
        clone=races.database,
    )
    assert both.waited
    assert isinstance(both.first, Settled)
    assert isinstance(both.second, Settled)
    assert (both.first.done_before, both.second.done_before) == (False, True)
    assert both.first.receipt.hash == both.second.receipt.hash
    after = stored(showdown).session
    assert after.rounds_settled == before.rounds_settled + 1
    assert after.handle_minor == before.handle_minor + 10000


def test_without_the_lock_the_second_confirmation_meets_a_raw_error(
    races: FloorClone, showdown: RoundName
) -> None:
    house = races.house
    with lock_taken_away():
        both = overlap(
            settling_final(house, showdown),
            settling_final(house, showdown),
            writes=settling,
            clone=races.database,
        )
    assert constraint_of(both.first) == "settlement_one_per_revision"


def test_a_void_that_races_the_settlement_finds_the_round_over(
    races: FloorClone, showdown: RoundName
) -> None:
    house = races.house
    both = overlap(
        settling_final(house, showdown),
        voiding(house, showdown),
        writes=settling,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "round.over")
    assert stored(showdown).stage == Round.Stage.SETTLED


def test_a_void_that_waited_for_a_card_is_looked_at_again(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    """Two people signed for a round of one card; meanwhile the deal went on."""
    house = races.house
    key(house, betting, {1: face})
    both = overlap(
        keying(house, betting, CARDS[-1 - betting.number % len(CARDS)], draw=2),
        voiding(house, betting),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "void.changed")
    assert stored(betting).stage == Round.Stage.SECOND_LAP
    voiding(house, betting)()
    assert_sound()


def test_without_the_lock_a_void_meets_a_raw_error(races: FloorClone, showdown: RoundName) -> None:
    house = races.house
    with lock_taken_away():
        both = overlap(
            voiding(house, showdown),
            settling_final(house, showdown),
            writes=voids,
            clone=races.database,
        )
    assert constraint_of(both.first) == "settlement_one_per_revision"


def test_calling_off_races_the_first_card(races: FloorClone, betting: RoundName, face: str) -> None:
    house = races.house
    by = house.acting("dealer", table="T1")
    both = overlap(
        keying(house, betting, face),
        lambda: call_off_round(name=betting, by=by),
        writes=cards,
        clone=races.database,
    )
    assert both.waited
    assert (code_of(both.first), code_of(both.second)) == ("", "round.dealt")
    assert stored(betting).stage == Round.Stage.FIRST_LAP


def test_without_the_lock_a_dealt_round_is_called_off(
    races: FloorClone, betting: RoundName, face: str
) -> None:
    house = races.house
    by = house.acting("dealer", table="T1")
    with lock_taken_away():
        both = overlap(
            lambda: call_off_round(name=betting, by=by),
            keying(house, betting, face),
            writes=rounds,
            clone=races.database,
        )
    assert (code_of(both.first), code_of(both.second)) == ("", "")
    assert stored(betting).stage == Round.Stage.CALLED_OFF
    assert faces(betting) == [face], "a card in a round that was never dealt"
