"""A pack of each round: its cards go back, and every shuffle is a shoe of its own (B22, C14)."""

from collections.abc import Callable

import pytest

from audit.log.models import Entry
from audit.log.replay import replay_log
from audit.log.verify import verify_log
from casino.outbox.handlers import drain
from casino.people.models import Signature
from settlements.models import CheckResult
from tables.models import BurnedCard, Shoe, ShoeStatement, ShoeStep
from tables.services.shoes import prepare_shoe
from tests.support.api import ApiPerson
from tests.support.records import refused
from tests.tables.games.playing import GameTable
from tests.tables.irregularities.ruling import drawn, rule
from tests.tables.terms import under_terms

NewTable = Callable[..., GameTable]
HANDS = {2: "8S 9D", 0: "AS 5D"}


def test_each_round_is_dealt_from_a_pack_shuffled_anew(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    for number in (1, 2, 3):
        table.play({2: 100}, HANDS)
        assert (table.shoe, table.round["number"]) == (number, 1)
        assert table.view["shoe"]["shuffle_due"]
    shoes = Shoe.objects.order_by("number")
    assert [shoe.state for shoe in shoes] == ["ended", "ended", "ready"]
    assert [(shoe.cards_dealt, shoe.cards_burned) for shoe in shoes] == [(4, 1)] * 3
    assert BurnedCard.objects.filter(face="?").count() == 3
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []


def test_who_shuffled_and_cut_is_on_record(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    signed = Signature.objects.count()
    table.shuffle()
    assert Signature.objects.count() == signed
    steps = ShoeStep.objects.filter(shoe__number=2).values_list("step", "staff__number")
    assert sorted(steps) == [("burn", "1001"), ("cut", "1001"), ("shuffle", "1001")]
    actions = (
        Entry.objects.filter(stream="table/T1").order_by("-seq").values_list("action", "subject")
    )
    assert list(actions[:3]) == [
        ("pack.shuffled", "T1/2"),
        ("shoe.started", "T1/2"),
        ("pack.returned", "T1/1"),
    ]


def test_no_card_of_a_pack_waits_for_the_next_round(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.open()
    table.bet({2: 100})
    table.deal(HANDS)
    surplus = drawn((5, None))
    with refused("irregularity.stage"):
        rule(table.house, 1, "next_round", "S", name=table.name, draws=surplus)
    rule(table.house, 1, "burn", "S", name=table.name, draws=surplus)
    table.settle("final")
    shoe = Shoe.objects.get()
    assert (shoe.cards_dealt, shoe.cards_burned) == (4, 2)


def test_a_round_needs_a_shuffle_after_the_one_before(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    problem = table.dealer.refused("POST", "tables/T1/shoes/1/rounds", {})
    assert (problem["status"], problem["code"]) == (409, "shoe.pack_not_shuffled")


@pytest.mark.parametrize(
    ("burned", "status"), [([], 422), (["?", "?"], 422), (["1S"], 422), (["AS"], 201)]
)
def test_the_burn_follows_the_policy(burned: list[str], status: int, new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    before = Entry.objects.count()
    answer, _ = table.dealer.send("POST", "tables/T1/shoes/1/shuffle", {"burned": burned})
    assert answer == status
    assert status == 201 or Entry.objects.count() == before


def test_a_pack_without_burn_takes_none(new_table: NewTable) -> None:
    table = new_table("lucky-9", procedures={"burn": "none"})
    table.play({2: 100}, HANDS)
    table.play({2: 100}, HANDS)
    assert not BurnedCard.objects.exists()


def test_new_terms_come_with_the_next_shuffle(new_table: NewTable) -> None:
    table = new_table("straight")
    colon = {2: "4S 4D", 0: "AS 5D"}
    table.play({2: 100}, colon)
    assert table.paid() == {(2, "main"): ("win", 200)}
    turned = {"deal_direction": "anticlockwise"}
    under_terms(table.house, game="lucky-9", procedures=turned, table="T1")
    table.play({2: 100, 3: 100}, {**colon, 3: "8S 9D"})
    assert table.paid()[2, "main"] == ("win", 300), "the sign says 2 to 1 by now (B9)"
    assert table.asked[:3] == [("deal", 3), ("deal", 2), ("deal", 0)]
    first, second = Shoe.objects.order_by("number")
    assert (first.ruleset.name, second.ruleset.name) == ("Test rules", "Test")
    assert verify_log(place=None).problems == []
    assert replay_log().problems == []
    while drain():
        pass
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}


@pytest.mark.parametrize(
    ("options", "procedures"),
    [
        ({"decks": 2}, {}),
        ({}, {"burn": "none"}),
        ({}, {"deal_from": "shoe", "cut_card_depth": 26}),
    ],
)
def test_a_pack_that_does_not_serve_under_new_terms_is_prepared_anew(
    options: dict[str, object], procedures: dict[str, object], new_table: NewTable
) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    under_terms(table.house, game="lucky-9", options=options, procedures=procedures, table="T1")
    before = Entry.objects.count()
    problem = table.dealer.refused("POST", "tables/T1/shoes/1/shuffle", {"burned": ["?"]})
    assert (problem["status"], problem["code"]) == (409, "shoe.pack_terms")
    assert "supervisor ends shoe 1" in problem["detail"]
    assert Entry.objects.count() == before
    ApiPerson(table.house, "supervisor").post("tables/T1/shoes/1/end", {"stub_cards": 47})
    by = table.house.acting("dealer", table="T1")
    assert prepare_shoe(table="T1", by=by).shoe.number == 2
    assert Shoe.objects.get(number=2).ruleset.name == ("Test" if options else "Test rules")


def test_what_cannot_be_shuffled_is_refused(new_table: NewTable) -> None:
    table = new_table("super-9", procedures={"deal_from": "shoe", "burn": "one"})
    shuffle = "tables/T1/shoes/1/shuffle"
    assert table.dealer.refused("POST", shuffle, {"burned": ["?"]})["code"] == "shoe.not_a_pack"
    auditor = ApiPerson(table.house, "auditor")
    assert auditor.refused("POST", shuffle, {"burned": ["?"]})["status"] == 403


def test_a_pack_in_play_is_not_shuffled(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    shuffle = "tables/T1/shoes/1/shuffle"
    table.open()
    assert table.dealer.refused("POST", shuffle, {"burned": ["?"]})["code"] == "round.in_play"
    table.dealer.post(f"{table.path}/call-off")
    table.dealer.post(shuffle, {"burned": ["?"]})
    assert table.dealer.refused("POST", shuffle, {"burned": ["?"]})["code"] == "shoe.state"


def test_a_shuffle_that_is_sent_again_is_one(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    table.dealer.headers["Idempotency-Key"] = "shuffle-1"
    first = table.dealer.post("tables/T1/shoes/1/shuffle", {"burned": ["?"]})
    assert table.dealer.post("tables/T1/shoes/1/shuffle", {"burned": ["?"]}) == first
    assert Shoe.objects.count() == 2


def test_the_last_shoe_of_a_pack_is_counted(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    table.play({2: 100}, HANDS)
    supervisor = ApiPerson(table.house, "supervisor")
    supervisor.post("tables/T1/shoes/2/end", {"stub_cards": 47})
    [statement] = ShoeStatement.objects.all()
    assert (statement.shoe.number, statement.counted_closes) == (2, True)


def test_a_copy_of_an_earlier_round_is_none_of_this_pack(new_table: NewTable) -> None:
    table = new_table("home")
    table.play({2: 100}, HANDS, decisions={2: "stand", 0: "stand"}, bank_seat=1)
    table.play({3: 100}, {3: "8S 9D", 0: "AS 5D"}, decisions={3: "stand", 0: "stand"})
    assert table.paid() == {(3, "main"): ("win", 200)}


def test_same_again_reaches_over_the_shuffle(new_table: NewTable) -> None:
    table = new_table("lucky-9")
    table.play({2: 100}, HANDS)
    table.open()
    view = table.dealer.get("tables/T1/round")
    assert view["previous_wagers"] == {"2": {"main": 100}}
