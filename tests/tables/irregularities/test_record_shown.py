"""What was shown is what is signed: sent twice it is one, and anything else is looked at again."""

from settlements.services.irregularity_preview import foresee_irregularity
from tests.factories.house import House, bet, play_round
from tests.settlements.correcting import correct, misread
from tests.support.pages import PagePerson, boxes_of, text_of
from tests.support.records import nothing_recorded, refused
from tests.tables.irregularities.recording import WORDS, apart, boxes, show
from tests.tables.irregularities.ruling import DEAL, WAGERS, begin, case, close_shoe, rule
from tests.tables.irregularities.test_shoes import HANDS


def test_something_else_than_was_shown_is_looked_at_again(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    path, person = "/tables/T1/irregularities/record/26/void/", PagePerson(house, "supervisor")
    shown = show(person, path, {}).context["foreseen"]["hash"]
    rule(house, 3, "stays", "S", name=name)
    with nothing_recorded():
        page = person.post(path, {**WORDS, "shown": shown, "act": "sign", **boxes("SM")})
    assert page.status_code == 422
    assert "Something else follows now than was shown" in text_of(page)
    assert page.context["form"]["number"].value() == "2", "the number is the next one again"


def test_a_form_that_is_sent_twice_records_once(house: House) -> None:
    begin(house, cards=DEAL[:4])
    path, person = "/tables/T1/irregularities/record/10/void/", PagePerson(house, "supervisor")
    typed = apart((5, "9H"))
    shown = boxes_of(show(person, path, typed))
    sent = {**WORDS, **typed, "shown": shown["shown"], "act": "sign", **boxes("SM")}
    sent["sheet"] = shown["sheet"]
    first = person.post(path, sent)
    with nothing_recorded():
        again = person.post(path, sent)
    assert first["Location"] == again["Location"] == "/tables/T1/irregularities/1/"


def test_another_hand_chosen_after_going_back_is_another_irregularity(house: House) -> None:
    begin(house, cards=DEAL[:6])
    path, person = "/tables/T1/irregularities/record/9/void_seat/", PagePerson(house, "supervisor")
    shown = boxes_of(show(person, path, {"hands": ["1"]}))
    sent = {**WORDS, "shown": shown["shown"], "sheet": shown["sheet"], "act": "sign", **boxes("M")}
    assert person.post(path, {**sent, "hands": ["1"]}).status_code == 302
    with nothing_recorded():
        page = person.post(path, {**sent, "hands": ["3"]})
    assert page.status_code == 422
    assert "Something else follows now than was shown" in text_of(page)
    assert [turn["seat"] for turn in page.context["foreseen"]["wagers"]][-2:] == [3, 3]
    again = boxes_of(page)
    assert again["number"] == "2"
    signed = {
        **sent,
        "hands": ["3"],
        **{name: again[name] for name in ("number", "shown", "sheet")},
    }
    assert person.post(path, signed)["Location"] == "/tables/T1/irregularities/2/"


def test_a_case_that_could_not_be_signed_is_not_foreseen(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    close_shoe(house, out=9)
    made = case(house, 28, "match", counted={"JÓKER": 1})
    with refused("chain.body"):
        foresee_irregularity(case=made, by=house.acting("supervisor"))


def test_a_bet_that_was_changed_in_between_is_something_else(house: House) -> None:
    name = begin(house)
    path, person = "/tables/T1/irregularities/record/16/burn_now/", PagePerson(house, "supervisor")
    shown = show(person, path, {"burned": "9H"})
    (stake,) = (
        turn["stake_minor"]
        for turn in shown.context["foreseen"]["wagers"]
        if (turn["seat"], turn["wager"]) == (1, "main")
    )
    assert stake == 10000
    bet(house, name, {1: {"main": 15000, "pair": 1000}}, revision=2)
    sent = {"burned": "9H", "shown": shown.context["foreseen"]["hash"], "act": "sign"}
    with nothing_recorded():
        page = person.post(path, {**WORDS, **sent, **boxes("S")})
    assert page.status_code == 422
    assert "Something else follows now than was shown" in text_of(page)


def test_a_record_that_was_corrected_in_between_is_something_else(house: House) -> None:
    rule(house, 2, "burn", "S", burned=("9H",) * 8)
    name = play_round(house, WAGERS, HANDS)
    close_shoe(house, out=17)
    case_ = case(house, 28, "composition_error", counted={"AS": 8})
    by = house.acting("supervisor")
    before = foresee_irregularity(case=case_, by=by)
    correct(house, name, misread(9, "9H", as_seen=True))
    after = foresee_irregularity(case=case_, by=by)
    assert before.shoe is not None
    assert after.shoe is not None
    assert before.shoe.found["over_in_record"] != after.shoe.found["over_in_record"]
    assert before.hash != after.hash
