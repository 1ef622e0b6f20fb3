"""Cards: keyed one by one or by the lap, taken back, keyed again, and their receipts."""

from collections.abc import Iterable

import pytest

from audit.findings.models import Finding
from tables.models import Card, Round
from tables.selectors.round_read import RoundName, read_round
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import Step
from tables.services.shoes import burn_cards
from tests.factories.house import House, bet, key, open_round, settle_part
from tests.support.records import body_of, last_entry, refused

MAIN = {"main": 10000}
# Seats 1 and 2 and the House: nine draws.
FACES = ["2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH"]


@pytest.fixture
def name(floor: House) -> RoundName:
    """A round in which seats 1 and 2 have bet."""
    name = open_round(floor)
    bet(floor, name, {1: MAIN, 2: MAIN})
    return name


def deal(house: House, name: RoundName, cards: Iterable[KeyedCard], *, who: str = "dealer") -> Step:
    return deal_cards(name=name, cards=list(cards), by=house.acting(who, table=name.table))


def lap(n: int) -> list[KeyedCard]:
    """The cards of one lap."""
    return [KeyedCard(draw, 1, FACES[draw - 1]) for draw in range(3 * n - 2, 3 * n + 1)]


def stage(name: RoundName) -> str:
    return Round.objects.get(key=name.key).stage


def test_a_card_is_a_fact_with_a_receipt(floor: House, name: RoundName) -> None:
    step = deal(floor, name, [KeyedCard(1, 1, "2H")])
    card = Card.objects.get()
    assert (card.round.key, card.draw, card.revision, card.face) == (name.key, 1, 1, "2H")
    assert card.shoe.key == "T1/1"
    entry = last_entry("table/T1")
    assert card.entry == entry
    assert (entry.action, entry.subject, entry.actor, entry.role, entry.device) == (
        "card.dealt",
        name.key,
        "1001",
        "dealer",
        "D1",
    )
    assert (step.receipt.stream, step.receipt.seq) == ("table/T1", entry.seq)
    assert step.receipt.hash == bytes(entry.hash).hex()
    body = body_of(entry)
    assert body["facts"] == [
        {
            "kind": "card",
            "row": {
                "as_seen": False,
                "claimed_at": None,
                "draw": 1,
                "face": "2H",
                "revision": 1,
                "round": name.key,
                "shoe": "T1/1",
            },
        }
    ]
    assert {"live_seats", "limits", "stage"} == set(body["heads"][0]["set"])


def test_the_stage_follows_the_cards(floor: House, name: RoundName) -> None:
    stages = []
    for draw, face in enumerate(FACES, start=1):
        deal(floor, name, [KeyedCard(draw, 1, face)])
        stages.append(stage(name))
    assert stages == [
        *["first_lap"] * 2,
        *["second_lap"] * 3,
        *["third_lap"] * 3,
        "showdown",
    ]


def test_a_lap_in_one_call_is_one_entry(floor: House, name: RoundName) -> None:
    before = last_entry("table/T1").seq
    step = deal(floor, name, lap(1))
    assert step.receipt.seq == before + 1
    assert Card.objects.count() == 3
    deal(floor, name, [*lap(2), *lap(3)])
    assert stage(name) == "showdown"
    assert Card.objects.values("entry").distinct().count() == 2


def test_one_bad_card_refuses_the_whole_call_with_every_fault(
    floor: House, name: RoundName
) -> None:
    cards = [KeyedCard(1, 1, "2H"), KeyedCard(2, 1, "1H"), KeyedCard(4, 1, "A")]
    with refused("cards.refused") as caught:
        deal(floor, name, cards)
    assert [(fault["code"], fault["where"]) for fault in caught.value.faults] == [
        ("card.unknown", "cards[1]"),
        ("card.detail", "cards[2]"),
        ("card.out_of_turn", "cards[2]"),
    ]
    assert stage(name) == "betting", "a refused first card closes nothing"


def test_a_card_sent_again_is_answered_as_the_first_time(floor: House, name: RoundName) -> None:
    first = deal(floor, name, [KeyedCard(1, 1, "2H")])
    deal(floor, name, [KeyedCard(2, 1, "3H")])
    again = deal(floor, name, [KeyedCard(1, 1, "2H")])
    assert (again.done_before, again.receipt.hash) == (True, first.receipt.hash)
    assert Card.objects.count() == 2


def test_a_lap_sent_again_with_more_writes_only_what_is_new(floor: House, name: RoundName) -> None:
    deal(floor, name, lap(1)[:2])
    step = deal(floor, name, lap(1))
    assert not step.done_before
    assert Card.objects.filter(entry_id=step.receipt.entry_id).count() == 1
    again = deal(floor, name, lap(1))
    assert again.receipt.hash == step.receipt.hash, "the receipt of the last of them"


def test_another_card_at_the_same_revision_is_a_conflict_that_names_both(
    floor: House, name: RoundName
) -> None:
    deal(floor, name, [KeyedCard(1, 1, "2H")])
    with refused("card.conflict") as caught:
        deal(floor, name, [KeyedCard(1, 1, "3H")], who="supervisor")
    assert (caught.value.data["stored"], caught.value.data["keyed"]) == ("2H", "3H")
    with refused("card.conflict"):
        deal(floor, name, [KeyedCard(1, 1, None)])


def test_an_undo_is_an_empty_revision(floor: House, name: RoundName) -> None:
    deal(floor, name, [KeyedCard(1, 1, "2H")])
    deal(floor, name, [KeyedCard(1, 2, None)])
    assert last_entry("table/T1").action == "card.undone"
    assert read_round(name).faces == {}
    with refused("revision.superseded") as caught:
        deal(floor, name, [KeyedCard(1, 1, "2H")])
    assert caught.value.data["latest"] == 2
    with refused("revision.beyond"):
        deal(floor, name, [KeyedCard(1, 4, "2H")])
    deal(floor, name, [KeyedCard(1, 3, "2H")])
    assert list(Card.objects.order_by("revision").values_list("face", flat=True)) == [
        "2H",
        "",
        "2H",
    ]


def test_an_undo_sent_again_changes_nothing(floor: House, name: RoundName) -> None:
    deal(floor, name, [KeyedCard(1, 1, "2H")])
    undone = deal(floor, name, [KeyedCard(1, 2, None)])
    again = deal(floor, name, [KeyedCard(1, 2, None)])
    assert (again.done_before, again.receipt.hash) == (True, undone.receipt.hash)


def test_a_card_is_keyed_anew_in_the_next_revision(floor: House, name: RoundName) -> None:
    deal(floor, name, lap(1))
    deal(floor, name, [KeyedCard(3, 2, "KC")])
    assert read_round(name).faces[3] == "KC"
    deal(floor, name, [KeyedCard(1, 2, "QC")])
    assert read_round(name).faces == {1: "QC", 2: "3H", 3: "KC"}


def test_in_the_first_two_laps_cards_are_taken_back_from_the_last(
    floor: House, name: RoundName
) -> None:
    deal(floor, name, lap(1))
    with refused("card.not_last") as caught:
        deal(floor, name, [KeyedCard(2, 2, None)])
    assert caught.value.data == {"draw": 2, "last": 3}
    deal(floor, name, [KeyedCard(2, 2, None), KeyedCard(3, 2, None)])
    assert read_round(name).faces == {1: "2H"}
    assert stage(name) == "first_lap"


def test_third_cards_are_keyed_in_any_order_and_their_draws_stand(
    floor: House, name: RoundName
) -> None:
    """They are dealt face down and become known as the hands are opened (A29)."""
    deal(floor, name, [*lap(1), *lap(2)])
    for draw in (9, 7, 8):
        deal(floor, name, [KeyedCard(draw, 1, FACES[draw - 1])])
    assert stage(name) == "showdown"
    deal(floor, name, [KeyedCard(7, 2, None)])
    assert stage(name) == "third_lap"
    assert set(read_round(name).faces) == {1, 2, 3, 4, 5, 6, 8, 9}


def test_after_the_sweep_the_first_two_laps_stand(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, {1: {**MAIN, "pair": 500}, 2: MAIN})
    deal(floor, name, [*lap(1), *lap(2)])
    assert stage(name) == "sweep"
    with refused("cards.refused") as caught:
        deal(floor, name, [KeyedCard(7, 1, "8H")])
    assert caught.value.faults[0]["code"] == "card.sweep_first"
    deal(floor, name, [KeyedCard(6, 2, "KC")])
    settle_part(floor, name, "sweep")
    for card in (KeyedCard(6, 3, "QC"), KeyedCard(6, 3, None), KeyedCard(1, 2, "QC")):
        with refused("card.swept"):
            deal(floor, name, [card])
    deal(floor, name, lap(3))
    deal(floor, name, [KeyedCard(9, 2, "QC")])


def test_a_settled_round_takes_no_card(floor: House, name: RoundName) -> None:
    key(floor, name, dict(enumerate(FACES, start=1)))
    settle_part(floor, name, "final")
    for card in (KeyedCard(9, 2, None), KeyedCard(9, 2, "KC"), KeyedCard(10, 1, "KC")):
        with refused("round.stage"):
            deal(floor, name, [card])
    assert deal(floor, name, [KeyedCard(9, 1, "TH")]).done_before


def test_a_copy_too_many_is_a_question_then_a_fact_with_a_finding(floor: House) -> None:
    """It never stops the deal; the earlier places are told (event 13)."""
    for _ in range(2):
        name = open_round(floor)
        bet(floor, name, {1: MAIN})
        faces = ["7H", "7H", "7H", "7H", "2S", "3S"]
        key(floor, name, dict(enumerate(faces, start=1)))
        settle_part(floor, name, "final")
    name = open_round(floor)
    bet(floor, name, {1: MAIN})
    with refused("card.one_too_many") as caught:
        deal(floor, name, [KeyedCard(1, 1, "7H")])
    assert (caught.value.data["face"], caught.value.data["copies"]) == ("7H", 9)
    places = caught.value.data["places"]
    assert isinstance(places, list)
    assert [(place["round"], place["draw"], place["hand"], place["lap"]) for place in places] == [
        (f"T1/1/{number}", draw, hand, at)
        for number in (1, 2)
        for draw, hand, at in ((1, 1, 1), (2, 0, 1), (3, 1, 2), (4, 0, 2))
    ]
    assert not Finding.objects.exists()
    deal(floor, name, [KeyedCard(1, 1, "7H", as_seen=True)])
    finding = Finding.objects.get()
    assert (finding.kind, finding.subject_key) == ("shoe.one_card_too_many", name.key)
    assert Card.objects.filter(round__key=name.key, as_seen=True).count() == 1
    # The question is asked again for the next copy; taken back, there are eight again.
    with refused("card.one_too_many"):
        deal(floor, name, [KeyedCard(2, 1, "7H")])
    deal(floor, name, [KeyedCard(1, 2, "2C")])
    with refused("card.one_too_many"):
        deal(floor, name, [KeyedCard(2, 1, "7H")])


def test_a_question_beside_other_faults_is_one_of_them(floor: House, name: RoundName) -> None:
    eight = [KeyedCard(draw, 1, "7H") for draw in range(1, 9)]
    with refused("cards.refused") as caught:
        deal(floor, name, [*eight, KeyedCard(9, 1, "7H"), KeyedCard(12, 1, "2S")])
    assert {fault["code"] for fault in caught.value.faults} == {
        "card.one_too_many",
        "card.after_end",
    }


def test_a_burned_card_counts_among_the_copies(floor: House) -> None:
    by = floor.acting("supervisor")
    burn_cards(table="T1", shoe=1, event=2, faces=["7H"] * 8, reason="exposed", by=by)
    name = open_round(floor)
    bet(floor, name, {1: MAIN})
    with refused("card.one_too_many") as caught:
        deal(floor, name, [KeyedCard(1, 1, "7H")])
    assert caught.value.data["copies"] == 9


def test_the_hand_that_a_tablet_believes_in_is_checked(floor: House, name: RoundName) -> None:
    with refused("cards.refused") as caught:
        deal(floor, name, [KeyedCard(1, 1, "2H", hand=3)])
    assert caught.value.faults[0]["code"] == "card.empty_seat"
    with refused("cards.refused") as caught:
        deal(floor, name, [KeyedCard(1, 1, "2H", hand=2)])
    assert caught.value.faults[0]["code"] == "card.wrong_hand"
    deal(floor, name, [KeyedCard(1, 1, "2H", hand=1), KeyedCard(3, 1, "4H", hand=0),
                       KeyedCard(2, 1, "3H", hand=2)])  # fmt: skip


def test_a_device_time_is_kept_as_a_claim(floor: House, name: RoundName) -> None:
    claimed = floor.at(minutes=-10).now
    step = deal(floor, name, [KeyedCard(1, 1, "2H", claimed_at=claimed)])
    assert Card.objects.get().claimed_at == claimed
    assert step.receipt.at != claimed
