"""The pages that record an irregularity: every event is shown, signed, and done as shown."""

from html import unescape
from typing import Any

import pytest

from settlements.models import Payout
from tables.irregularities import EVENTS
from tables.models import Departure, DisputeHold, Irregularity, Round, Shoe, TakenOut
from tables.selectors.round_read import RoundName, read_round
from tests.factories.house import House, play_round
from tests.support.pages import PagePerson, boxes_of, text_of
from tests.support.records import nothing_recorded
from tests.tables.irregularities.recording import (
    ACTS,
    COUNT,
    ELSEWHERE,
    WORDS,
    Act,
    apart,
    boxes,
    come_about,
    finish_sweep,
    show,
    sign,
)
from tests.tables.irregularities.ruling import (
    DEAL,
    WAGERS,
    begin,
    close_shoe,
    finish,
    house_with,
    prove,
    rule,
)
from tests.tables.irregularities.test_shoes import HANDS


def test_every_way_has_its_form_tried_below() -> None:
    of_game = {
        (event.number, way.code)
        for event in EVENTS.values()
        for way in event.procedures.values()
        if "poker-lucky-9" in event.games and "poker-lucky-9" in way.games and not way.elsewhere
    }
    assert of_game - {(act.event, act.code) for act in ACTS} == ELSEWHERE


def on_record(table: str) -> tuple[int, int]:
    """What the first irregularity gave back, and what it holds, by the rows it wrote."""
    stored = Irregularity.objects.get()
    held = sum(hold.disputed_minor for hold in DisputeHold.objects.filter(irregularity_number=1))
    if stored.round is None:
        return 0, held
    lines = Payout.objects.filter(round=stored.round)
    back = sum(line.owed_minor for line in lines.filter(outcome="void"))
    settled = set(lines.values_list("seat", "wager"))
    wagers = read_round(RoundName(table, 1, 1)).wagers
    for out in TakenOut.objects.filter(irregularity_number=1):
        kinds = [out.wager] if out.wager else list(wagers[out.seat])
        whole = sum(wagers[out.seat][kind] for kind in kinds if (out.seat, kind) not in settled)
        back += whole if out.returned_minor is None else out.returned_minor
    for told in stored.details["wagers"]:  # a bet that never came on record is told alone
        if told["wager"] not in wagers.get(told["seat"], {}):
            back += told["stake_minor"]
    return (0 if stored.procedure == "hold" and stored.event == 32 else back), held


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_what_is_shown_is_what_is_done(house: House, act: Act) -> None:
    path = come_about(house, act)
    table = path.split("/")[2]
    supervisor = PagePerson(house, "supervisor")
    listed = unescape(text_of(supervisor.get(f"/tables/{table}/irregularities/record/")))
    assert EVENTS[act.event].name in listed
    opened = supervisor.get(path)
    assert opened.status_code == 200, text_of(opened)
    assert "Sign and record" not in text_of(opened), "nobody signs what was not shown"

    with nothing_recorded():
        shown = show(supervisor, path, act.typed)
    assert shown.status_code == 200, text_of(shown)
    foreseen = shown.context["foreseen"]
    assert len(shown.context["signers"]) == len(act.letters)

    done = sign(supervisor, path, act.typed, act.letters)
    assert done.status_code == 302, text_of(done)
    assert done["Location"] == f"/tables/{table}/irregularities/1/"
    stored = Irregularity.objects.get()
    assert (stored.event, stored.procedure, stored.seen) == (act.event, act.code, WORDS["seen"])
    assert Shoe.objects.get(key=f"{table}/1").state == act.shoe
    moved = Departure.objects.order_by("draw", "-revision").distinct("draw").values_list("draw")
    assert [row["draw"] for row in foreseen["draws"]] == [draw for (draw,) in moved]
    if foreseen["stage_after"]:
        assert Round.objects.get(key=f"{table}/1/1").stage == foreseen["stage_after"]
    out = TakenOut.objects.filter(returned_minor__isnull=False)
    said = (foreseen["back_minor"], foreseen["held_minor"])
    assert said == on_record(table) == (act.back_minor, act.held_minor)
    partly = [
        turn["back_minor"] for turn in foreseen["wagers"] if turn["word"] == "goes back in part"
    ]
    assert partly == [each.returned_minor for each in out if each.wager]

    page = PagePerson(house, "auditor").get(done["Location"])
    assert page.status_code == 200
    text = unescape(text_of(page))
    for words in (EVENTS[act.event].name, WORDS["seen"], WORDS["ruling"], f"{table}/I1"):
        assert words in text
    assert len(page.context["signed"]) == len(act.letters)
    assert page.context["timeline"][0]["sentence"].endswith(f"{table}/I1")
    if act.back_minor == 31500:
        assert page.context["returned_minor"] == 31500
    prove(house, findings=act.findings)


def test_the_cards_that_are_counted_say_the_result(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    close_shoe(house, out=9)
    path = "/tables/T1/irregularities/record/28/match/?shoe=1"
    typed = {**COUNT, "count_KS": "7", "count_QS": "9", "foreign": "joker"}
    supervisor = PagePerson(house, "supervisor")
    shown = show(supervisor, path, typed)
    assert "Cards are missing, too many or foreign" in text_of(shown)
    assert ("Missing", "KS 1") in shown.context["foreseen"]["shoe"]["found"]
    done = sign(supervisor, path, typed, "SV")
    assert done.status_code == 302, text_of(done)
    assert Irregularity.objects.get().procedure == "composition_error"
    assert "Too many JOKER 1, QS 1" in text_of(supervisor.get(done["Location"]))
    missing = show(supervisor, path, {**typed, "number": "2", "count_AS": ""})
    assert missing.status_code == 422
    assert missing.context["form"]["count_KS"].value() == "7", "nothing typed is lost"


def test_a_round_is_completed_from_the_discards_on_the_page(house: House) -> None:
    table = house_with(house, shoe_exhausted="reshuffle_discards")
    play_round(house, WAGERS, HANDS, table=table)
    begin(house, cards=DEAL[:4], table=table)
    path = f"/tables/{table}/irregularities/record/18/reshuffle_discards/"
    supervisor = PagePerson(house, "supervisor")
    done = sign(supervisor, path, {}, "M")
    assert done.status_code == 302, text_of(done)
    assert Shoe.objects.get(key=f"{table}/1").cards_reshuffled == 9
    assert "Cards shuffled again 9" in text_of(supervisor.get(done["Location"]))


def test_the_settled_pair_bet_that_the_fault_touches_is_taken_back(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    finish_sweep(house, name, DEAL[:6])
    path = "/tables/T1/irregularities/record/9/void_seat/"
    supervisor = PagePerson(house, "supervisor")
    stands = show(supervisor, path, {"hands": ["1"]}).context["foreseen"]
    assert [(t["wager"], t["word"]) for t in stands["wagers"] if t["seat"] == 1] == [
        ("main", "goes back"),
        ("pair", "settled, stands"),
    ]
    touched = {"hands": ["1"], "first_two": ["1"]}
    page = show(supervisor, path, touched)
    undone = page.context["foreseen"]
    turn = undone["wagers"][1]
    assert turn["word"] == "settled, taken back"
    # The pair won: its stake lies with the patron already, and the win comes back to the tray.
    owed = Payout.objects.get(part="sweep", seat=1, wager="pair").handed_minor
    assert owed == 11000
    assert (turn["back_minor"], turn["collect_minor"]) == (0, owed - 1000)
    assert (undone["back_minor"], undone["collect_minor"]) == (10000, 10000)
    assert "To collect" in text_of(page)
    done = sign(supervisor, path, touched, "M")
    assert done.status_code == 302
    entries = supervisor.get(done["Location"]).context["timeline"]
    assert [entry["sentence"] for entry in entries] == [
        "Irregularity: 9. A player's hand has a wrong number of cards, T1/I1",
        "Settled wagers taken back",
    ]
    prove(house)


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"seen": ""}, "seen", "This field is required."),
    ({"happened_at": "soon"}, "happened_at", "Enter a valid date/time."),
    ({"happened_at": "2099-01-01T00:00:00"}, "", "Expected a time that has passed"),
    ({"apart_1": "5", "face_1": ""}, "apart_1", "expected the card that was seen"),
    ({"apart_1": "", "face_1": "9H"}, "apart_1", "Say at which draw it came."),
    ({"apart_1": "7", "face_1": "9H"}, "", "expected"),
    ({"apart_1": "5", "face_1": "ZZ"}, "", "expected a card"),
    ({"apart_1": "x", "face_1": "9H"}, "apart_1", "Enter a whole number."),
    ({"apart_1": "", "face_1": ""}, "", "expected the draws that went into no hand"),
]


@pytest.mark.parametrize(("changed", "where", "said"), FAULTS, ids=[str(f[0]) for f in FAULTS])
def test_what_is_refused_stands_at_its_field_and_nothing_is_lost(
    house: House, changed: dict[str, Any], where: str, said: str
) -> None:
    begin(house, cards=DEAL[:4])
    path = "/tables/T1/irregularities/record/2/burn/"
    typed = {**apart((5, "9H")), "chips_moved": "None yet.", **changed}
    with nothing_recorded():
        page = show(PagePerson(house, "supervisor"), path, typed)
    assert page.status_code == 422
    form = page.context["form"]
    found = form[where].errors if where else form.non_field_errors()
    assert said in " ".join(found)
    assert "Sign and record" not in text_of(page)
    for name, value in {**WORDS, **typed}.items():
        assert str(form[name].value() or "") == value


@pytest.mark.parametrize("letters", ["M", "V", "D"])
def test_the_wrong_authority_is_refused_in_the_form(house: House, letters: str) -> None:
    begin(house, cards=DEAL[:4])
    path = "/tables/T1/irregularities/record/2/burn/"
    with nothing_recorded():
        page = sign(PagePerson(house, "supervisor"), path, apart((5, "9H")), letters)
    assert page.status_code == 422
    assert "does not hold the role" in text_of(page)
    assert page.context["foreseen"]["draws"], "what would happen stays on the page"


def test_a_wrong_secret_is_refused_and_never_sent_back(house: House) -> None:
    begin(house, cards=DEAL[:4])
    path, person = "/tables/T1/irregularities/record/2/burn/", PagePerson(house, "supervisor")
    shown = show(person, path, apart((5, "9H")))
    seen = {"shown": shown.context["foreseen"]["hash"], "act": "sign"}
    page = person.post(
        path, {**WORDS, **apart((5, "9H")), **seen, **boxes("S"), "signer1-secret": "000111"}
    )
    assert page.status_code == 422
    assert "do not belong together" in text_of(page)
    assert "000111" not in page.content.decode()
    assert not Irregularity.objects.exists()


@pytest.mark.parametrize("word", ["JÓKER", "NINELETTE", "爪"])
def test_a_foreign_card_that_no_count_could_keep_is_refused_at_its_field(
    house: House, word: str
) -> None:
    play_round(house, WAGERS, HANDS)
    close_shoe(house, out=9)
    path = "/tables/T1/irregularities/record/28/match/?shoe=1"
    page = show(PagePerson(house, "supervisor"), path, {**COUNT, "foreign": f"joker {word}"})
    assert page.status_code == 422
    assert word in " ".join(page.context["form"]["foreign"].errors)
    assert boxes_of(page)["count_KS"] == COUNT["count_KS"], "nothing typed is lost"


def test_one_copy_too_many_is_a_question_on_the_page(house: House) -> None:
    rule(house, 2, "burn", "S", burned=("9H",) * 8)
    begin(house, cards=DEAL[:4])
    path, person = "/tables/T1/irregularities/record/2/burn/", PagePerson(house, "supervisor")
    typed = {"number": "2", **apart((5, "9H"))}
    page = show(person, path, typed)
    assert page.status_code == 422
    assert "Which card was it" in text_of(page)
    assert sign(person, path, {**typed, "as_seen": "on"}, "S").status_code == 302


def test_without_a_manager_in_charge_the_page_says_who_is_missing(floor: House) -> None:
    begin(floor, cards=DEAL[:4])
    page = show(PagePerson(floor, "supervisor"), "/tables/T1/irregularities/record/32/void/", {})
    assert page.status_code == 200
    assert "Nobody is in charge of the shift yet." in text_of(page)
    assert "Sign and record" not in text_of(page)


@pytest.mark.parametrize("name", ["cashier", "surveillance", "auditor", "dealer"])
def test_who_may_not_record_does_not_get_in(house: House, name: str) -> None:
    begin(house, cards=DEAL[:4])
    person = PagePerson(house, name, table="T1" if name == "dealer" else None)
    with nothing_recorded():
        for path in ("", "3/stays/"):
            for page in (
                person.get(f"/tables/T1/irregularities/record/{path}"),
                person.post(f"/tables/T1/irregularities/record/{path}", WORDS),
            ):
                assert page.status_code in (403, 405)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("record/99/void/", 422),
        ("record/3/shout/", 422),
        ("record/30/move_on/", 422),
        ("record/3/stays/?shoe=x", 404),
        ("record/3/stays/?shoe=9", 404),
        ("record/3/stays/?shoe=1&round=9", 404),
        ("record/17/one_more/", 409),
        ("record/28/match/", 409),
        ("record/22/correct/", 409),
        ("9/", 404),
    ],
)
def test_an_address_that_leads_nowhere_says_so(house: House, path: str, status: int) -> None:
    begin(house, cards=DEAL[:4])
    answer = PagePerson(house, "supervisor").get(f"/tables/T1/irregularities/{path}")
    assert answer.status_code == status


def test_the_choice_says_why_a_way_is_not_open(house: House) -> None:
    begin(house, cards=DEAL[:4])
    page = PagePerson(house, "manager").get("/tables/T1/irregularities/record/")
    events = {
        event["number"]: event for group in page.context["groups"] for event in group["events"]
    }
    assert sorted(events) == sorted(set(EVENTS) - {30, 31})
    assert [way["name"] for way in events[17]["open"]] == ["The round is finished, then no more"]
    (closed,) = events[17]["closed"]
    assert "after_cut is finish_round" in closed["why"]
    assert events[28]["open"] == []
    assert "Correct round" in events[22]["closed"][0]["why"]


def test_a_settled_round_leads_to_its_correction(house: House) -> None:
    name = begin(house, cards=DEAL[:6])
    finish(house, name, DEAL[6:], start=7)
    page = PagePerson(house, "supervisor").get("/tables/T1/irregularities/record/?shoe=1&round=1")
    assert "/tables/T1/shoes/1/rounds/1/correct/" in page.content.decode()
    assert "/irregularities/record/12/replace/?shoe=1&amp;round=1" in page.content.decode()
