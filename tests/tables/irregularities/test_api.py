"""Irregularities and disputes over the API: recorded, listed, amended, ruled, and who may."""

from typing import Any

import pytest

from settlements.models import Payout
from tables.models import DisputeHold, Irregularity
from tables.services.disputes import Ruling, require_ruling, ruling_hash
from tests.factories.house import House, settle_part
from tests.support.api import ApiPerson, Json
from tests.support.records import nothing_recorded
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    begin,
    deal,
    finish,
    paid,
    rule,
    signed,
)

AT = "2026-03-01T14:00:00Z"


def letters(names: str) -> list[Json]:
    """Signatures as they are sent."""
    return [
        {
            "badge": each.badge,
            "secret": each.secret,
            "role": each.role,
            "camera_reference": each.camera_reference,
        }
        for each in signed(names)
    ]


def case(event: int, procedure: str, names: str, **rest: Any) -> Json:  # Any: parts of a document
    return {
        "number": 1,
        "event": event,
        "procedure": procedure,
        "seen": "The dealer saw it.",
        "ruling": "As the list says.",
        "happened_at": AT,
        "shoe": 1,
        "round": 1,
        "signers": letters(names),
        **rest,
    }


def foreseen(person: ApiPerson, sent: Json) -> Json:
    """The case with the hash of what it would do; with none where it is refused already."""
    unsigned = {name: value for name, value in sent.items() if name != "signers"}
    status, answer = person.send("POST", "tables/T1/irregularities/foreseen", unsigned)
    return {**sent, "foreseen_hash": answer["foreseen_hash"] if status == 200 else "0" * 64}


def test_what_a_void_gives_back_is_read_first_and_signed_as_it_was_read(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    supervisor = ApiPerson(house, "supervisor")
    sent = case(26, "void", "SM", cards_out=6)
    shown = supervisor.post(
        "tables/T1/irregularities/foreseen",
        {key: value for key, value in sent.items() if key != "signers"},
        expect=200,
    )
    assert (shown["signers"], shown["back_minor"]) == (["S", "M"], 31_500)
    line = {"seat": 1, "wager": "pair", "what": "back", "stake_minor": 1000}
    assert {**line, "back_minor": 1000, "held_minor": 0, "collect_minor": 0} in shown["wagers"]
    assert shown["shoe"]["state"] == "ready"
    unseen = supervisor.refused("POST", "tables/T1/irregularities", sent)
    assert [fault["where"] for fault in unseen["faults"]] == ["/foreseen_hash"]

    signed_late = {**sent, "foreseen_hash": shown["foreseen_hash"]}
    deal(house, name, DEAL[4:6], start=5)
    settle_part(house, name, "sweep")
    with nothing_recorded():
        problem = supervisor.refused("POST", "tables/T1/irregularities", signed_late)
    assert (problem["status"], problem["code"]) == (409, "irregularity.changed")
    supervisor.post("tables/T1/irregularities", foreseen(supervisor, sent))
    assert Irregularity.objects.get().event == 26


@pytest.mark.parametrize(
    ("event", "procedure", "names", "moves"),
    [
        # Seat 1's pair won 10000 on 1000: its patron keeps the stake, or it is held.
        (26, "void", "SM", {"back_minor": 0, "held_minor": 0, "collect_minor": 10_000}),
        (32, "hold", "SH", {"back_minor": 0, "held_minor": 1000, "collect_minor": 11_000}),
    ],
)
def test_of_a_settled_pair_that_is_taken_back_it_is_said_what_moves_yet(
    house: House, event: int, procedure: str, names: str, moves: Json
) -> None:
    settle_part(house, begin(house, cards=DEAL[:6]), "sweep")
    supervisor = ApiPerson(house, "supervisor")
    sent = case(event, procedure, names, first_two_seats=[1], cards_out=6)
    unsigned = {key: value for key, value in sent.items() if key != "signers"}
    shown = supervisor.post("tables/T1/irregularities/foreseen", unsigned, expect=200)
    line = {"seat": 1, "wager": "pair", "what": "undone", "stake_minor": 1000, **moves}
    assert line in shown["wagers"]
    assert shown["collect_minor"] == moves["collect_minor"]
    supervisor.post("tables/T1/irregularities", foreseen(supervisor, sent))
    lines = Payout.objects.filter(wager="pair").order_by("revision")
    was, now = lines.values_list("owed_minor", "handed_minor")
    assert (was, now) == ((11_000, 11_000), (1000, 1000))
    held = sum(hold.disputed_minor for hold in DisputeHold.objects.all())
    assert held == sum(each["held_minor"] for each in shown["wagers"])


def test_a_dealer_reports_and_a_supervisor_rules_at_the_tablet(house: House) -> None:
    begin(house, cards=DEAL[:4])
    dealer = ApiPerson(house, "dealer", table="T1")
    sent = foreseen(dealer, case(2, "burn", "S", draws=[{"draw": 5, "face": "9H"}]))
    answer = dealer.post("tables/T1/irregularities", sent)
    assert answer["view"]["round"]["apart"] == [{"draw": 5, "face": "9H", "use": "burned"}]
    assert answer["view"]["round"]["next"]["draw"] == 6
    with nothing_recorded():
        again = dealer.post("tables/T1/irregularities", sent, expect=200)
    assert again["done_before"]
    assert again["receipt"] == answer["receipt"]

    auditor = ApiPerson(house, "auditor")
    listed = auditor.get("tables/T1/irregularities")
    assert listed["next"] == 2
    (line,) = listed["irregularities"]
    assert (line["key"], line["event"], line["procedure"]) == ("T1/I1", 2, "burn")
    assert line["signed"] == [{"name": "supervisor", "role": "supervisor"}]
    story = auditor.get("tables/T1/irregularities/1")
    assert story["departures"] == [{"draw": 5, "use": "burned", "hand": None, "nth": None}]
    assert auditor.refused("GET", "tables/T1/irregularities/2")["code"] == "irregularity.missing"


def test_a_void_over_the_api_ends_the_round(house: House) -> None:
    begin(house, cards=DEAL[:4])
    supervisor = ApiPerson(house, "supervisor")
    alone = foreseen(supervisor, case(26, "void", "S"))
    problem = supervisor.refused("POST", "tables/T1/irregularities", alone)
    assert problem["code"] == "irregularity.signers"
    both = foreseen(supervisor, case(26, "void", "SM"))
    answer = supervisor.post("tables/T1/irregularities", both)
    assert answer["view"]["round"]["stage"] == "voided"


def test_the_list_of_events_says_who_signs_and_what_follows(house: House) -> None:
    events = ApiPerson(house, "supervisor").get("irregularity-events")["events"]
    assert [event["event"] for event in events][:3] == [1, 2, 3]
    cut = next(event for event in events if event["event"] == 17)
    assert cut["procedures"][0]["signers"] == ["D"]
    assert cut["procedures"][0]["option"] == "after_cut"


def test_words_are_amended(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 3, "stays", "S", name=name)
    supervisor = ApiPerson(house, "supervisor")
    body = {"revision": 2, "seen": "Seat 3 saw it too.", "ruling": "As the list says."}
    supervisor.post("tables/T1/irregularities/1/amendments", body)
    assert Irregularity.objects.get(revision=2).seen == "Seat 3 saw it too."


def test_a_dispute_is_opened_filed_and_ruled(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    dealer = ApiPerson(house, "dealer", table="T1")
    opened = {"number": 1, "shoe": 1, "round": 1, "seen": "He says nine.", "seat": 3}
    dealer.post("tables/T1/disputes", {**opened, "wager": "main", "disputed_minor": 5000})
    supervisor = ApiPerson(house, "supervisor")
    kept = {"revision": 1, "patron": "J. Cruz", "contact": "0917", "narrative": "Nine."}
    supervisor.post("tables/T1/disputes/1/file", kept)
    shown = supervisor.get("tables/T1/disputes/1")
    assert (shown["key"], shown["state"], len(shown["files"])) == ("T1/D1", "open", 1)
    assert dealer.refused("GET", "tables/T1/disputes/1")["code"] == "role.not_allowed"
    listed = dealer.get("tables/T1/disputes")
    assert (listed["next"], listed["disputes"][0]["disputed_minor"]) == (2, 5000)
    correction: Json = {"event": 22, "reason": "counted", "moved": True, "dispute": 1}
    correction["handed"] = [{"seat": 3, "wager": "main", "handed_minor": 38000}]
    bill = f"tables/T1/shoes/1/rounds/{name.number}/corrections/bill"
    problem = supervisor.refused("POST", bill, correction)
    assert (problem["status"], problem["code"]) == (409, "correction.dispute")
    ruling: Json = {"outcome": "house", "ruling": "Eight.", "signers": letters("SH")}
    read = require_ruling(DisputeHold.objects.get(), Ruling("house", "Nine."))
    changed = {**ruling, "content_hash": ruling_hash(read).hex()}
    problem = supervisor.refused("POST", "tables/T1/disputes/1/release", changed)
    assert (problem["status"], problem["code"]) == (409, "dispute.ruling_changed")
    read = require_ruling(DisputeHold.objects.get(), Ruling("house", "Eight."))
    ruling["content_hash"] = ruling_hash(read).hex()
    first = supervisor.post("tables/T1/disputes/1/release", ruling)
    again = supervisor.post("tables/T1/disputes/1/release", ruling, expect=200)
    assert (again["receipt"], again["done_before"]) == (first["receipt"], True)
    assert DisputeHold.objects.get().state == "released"
    supervisor.post(bill, correction, expect=200)


def test_the_rounds_of_a_void_shoe_are_listed_and_decided_of(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    manager = ApiPerson(house, "manager")
    path = "tables/T1/shoes/1/void-rounds"
    (listed,) = manager.get(path)["rounds"]
    assert (listed["round"], listed["decision"], len(listed["bets"])) == (name.key, "open", 4)
    body: Json = {"decision": "reverse", "note": "A king.", "regulator_told": "A. Cruz, 23:10"}
    body |= {"moved": True, "rounds": [name.key]}
    with nothing_recorded():
        shown = manager.post(f"{path}/bill", body, expect=200)
    assert (shown["bill"]["to_players_minor"], shown["bill"]["to_bank_minor"]) == (500, 39_000)
    assert shown["signers"] == ["H", "M"]
    (of_round,) = shown["rounds"]
    assert (of_round["round"], of_round["ruling"]["decision"]) == (name.key, "reverse")
    auditor = ApiPerson(house, "auditor")
    assert auditor.post(f"{path}/bill", body, expect=200)["bill_hash"] == shown["bill_hash"]
    signed = {**body, "signers": letters("MH"), "bill_hash": shown["bill_hash"]}
    problem = manager.refused("POST", path, {**signed, "note": "An ace."})
    assert (problem["status"], problem["code"]) == (409, "shoe_void.bill_changed")
    assert problem["data"]["bill"]["note"] == "An ace."
    answer = manager.post(path, signed)
    again = manager.post(path, signed, expect=200)
    assert (again["done_before"], again["receipt"]) == (True, answer["receipt"])
    after = auditor.get(path)
    assert after["rounds"][0]["decision"] == "reverse"
    (done,) = after["decisions"]
    assert (done["bill"], done["bill_hash"]) == (shown["bill"], shown["bill_hash"])
    assert [each["role"] for each in done["signed"]] == ["manager", "manager"]
    assert {outcome for outcome, _ in paid(name).values()} == {"void"}


BAD_DECISIONS: list[tuple[Json, int, str]] = [
    ({"decision": "open"}, 422, "request.fields"),
    ({"decision": None}, 422, "request.fields"),
    ({"moved": "yes"}, 422, "request.fields"),
    ({"bill_hash": 7}, 422, "request.fields"),
    ({"bill_hash": "no hash"}, 409, "shoe_void.bill_changed"),
    ({"note": "   "}, 422, "irregularity.told"),
    ({"regulator_told": ""}, 422, "request.fields"),
    ({"rounds": ["T1/1/9"]}, 422, "shoe_void.decision"),
    ({"rounds": "T1/1/1"}, 422, "request.fields"),
    ({"signers": []}, 422, "request.fields"),
]


def test_a_decision_that_cannot_be_read_writes_nothing(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    manager = ApiPerson(house, "manager")
    sent: Json = {"decision": "reverse", "note": "A king.", "regulator_told": "A. Cruz"}
    sent |= {"bill_hash": "0" * 64, "signers": letters("MH")}
    for change, status, code in BAD_DECISIONS:
        with nothing_recorded():
            problem = manager.refused("POST", "tables/T1/shoes/1/void-rounds", {**sent, **change})
        assert (problem["status"], problem["code"]) == (status, code), change
    correction = {"event": 27, "reason": "Reversed.", "moved": True}
    bill = f"tables/T1/shoes/1/rounds/{name.number}/corrections/bill"
    problem = manager.refused("POST", bill, correction)
    assert (problem["code"], problem["data"]["events"]) == (
        "correction.event",
        [21, 22, 23, 24, 28],
    )


BAD: list[tuple[Json, str]] = [
    ({"event": 30}, "irregularity.event"),
    ({"event": 0}, "request.fields"),
    ({"event": "3"}, "request.fields"),
    ({"number": 1.0}, "request.fields"),
    ({"procedure": "shout"}, "irregularity.procedure"),
    ({"procedure": None}, "request.fields"),
    ({"shoe": 9}, "round.missing"),
    ({"round": 9}, "round.missing"),
    ({"draws": [{"draw": 0}]}, "request.fields"),
    ({"draws": [{"draw": 5, "face": "ZZ"}]}, "cards.refused"),
    ({"draws": [{"draw": 5, "face": "9H"}] * 2}, "irregularity.refused"),
    ({"draws": [{"draw": 5, "face": "9H", "extra": 1}]}, "request.fields"),
    ({"seen": ""}, "request.fields"),
    ({"signers": []}, "request.fields"),
    ({"happened_at": "yesterday"}, "request.fields"),
    ({"happened_at": "2099-01-01T00:00:00Z"}, "irregularity.time"),
]


@pytest.mark.parametrize(("change", "code"), BAD, ids=[str(change) for change, _ in BAD])
def test_bad_input_is_refused_by_code_and_writes_nothing(
    house: House, change: Json, code: str
) -> None:
    begin(house, cards=DEAL[:4])
    supervisor = ApiPerson(house, "supervisor")
    sent = {**case(2, "burn", "S", draws=[{"draw": 5, "face": "9H"}]), **change}
    body = foreseen(supervisor, sent)
    with nothing_recorded():
        problem = supervisor.refused("POST", "tables/T1/irregularities", body)
    assert problem["status"] in (400, 404, 409, 422)
    assert problem["code"] == code, problem


@pytest.mark.parametrize("name", ["cashier", "auditor", "surveillance"])
def test_who_has_no_part_in_it_writes_nothing(house: House, name: str) -> None:
    begin(house, cards=DEAL[:4])
    person = ApiPerson(house, name)
    with nothing_recorded():
        sent = foreseen(person, case(3, "stays", "S"))
        problem = person.refused("POST", "tables/T1/irregularities", sent)
        assert problem["code"] == "role.not_allowed"
        opened = {"number": 1, "shoe": 1, "round": 1, "seen": "He says nine."}
        assert person.refused("POST", "tables/T1/disputes", opened)["code"] == "role.not_allowed"


def test_the_cashier_does_not_read_irregularities(house: House) -> None:
    cashier = ApiPerson(house, "cashier")
    for path in ("tables/T1/irregularities", "tables/T1/disputes", "irregularity-events"):
        assert cashier.refused("GET", path)["code"] == "role.not_allowed"
