"""The page of one irregularity, the list, the panels that lead there, and a void shoe's rounds."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from settlements.models import ShoeVoidRound
from tables.models import Irregularity
from tests.factories.house import House, open_floor, play_round
from tests.settlements.correcting import correct, misread
from tests.settlements.deciding import decide, decision
from tests.support.pages import PagePerson, text_of
from tests.support.records import nothing_recorded
from tests.tables.irregularities.ruling import (
    DEAL,
    TOLD_ALL,
    WAGERS,
    begin,
    deal,
    drawn,
    finish,
    rule,
    signed,
    wager,
)
from tests.tables.irregularities.test_shoes import HANDS

LIST = "/irregularities/"
PAGE = "/tables/T1/irregularities/1/"
ROUNDS = "/tables/T1/shoes/1/void-rounds/"


def queries(person: PagePerson, path: str) -> int:
    """How many statements a page takes."""
    person.get(path)
    with CaptureQueriesContext(connection) as captured:
        assert person.get(path).status_code == 200
    return len(captured)


def test_a_misdeal_has_a_page_with_its_money_its_signers_and_its_entries(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 26, "void", "SM", name=name, told=TOLD_ALL)
    page = PagePerson(house, "auditor").get(PAGE)
    text = text_of(page)
    for said in (
        "26 Round void (misdeal)",
        "The round is void; every open stake goes back.",
        "Authority supervisor and manager",
        "supervisor, supervisor",
        "manager_2, manager",
        "It was in second lap",
        "Together 315",
    ):
        assert said in text
    assert [entry["sentence"] for entry in page.context["timeline"]] == [
        "Irregularity: 26. Round void (misdeal), T1/I1",
        "Voided: bank 0",
    ]
    assert "Amend the words" not in text
    assert 'href="/tables/T1/shoes/1/rounds/1/"' in page.content.decode()


def test_what_was_burned_and_what_went_back_in_part_is_on_its_page(house: House) -> None:
    name = begin(house, cards=DEAL[:3])
    rule(house, 2, "burn", "S", name=name, draws=drawn((4, None, "9H")))
    rule(house, 23, "return", "SV", name=name, wagers=(wager(3, "main", None, 5000),))
    watcher = PagePerson(house, "surveillance")
    assert "Draw 4 9 burned" in text_of(watcher.get(PAGE))
    late = text_of(watcher.get("/tables/T1/irregularities/2/"))
    assert "Seat 3, Main 50 went back, the rest played on" in late
    assert "watcher, surveillance, camera CAM 4 21:14:05" in late


def test_a_burned_card_that_is_corrected_lies_at_no_hand(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 2, "burn", "S", name=name, draws=drawn((5, None, "9H")))
    deal(house, name, DEAL[4:6], start=6)
    finish(house, name, DEAL[6:], start=8)
    supervisor, path = PagePerson(house, "supervisor"), "/tables/T1/shoes/1/rounds/1/"
    typed = {"event": "21", "reason": "Camera.", "moved": "yes", "card_5": "9D", "act": "bill"}
    shown = supervisor.post(f"{path}correct/", typed)
    assert "Draw 5, No hand" in text_of(shown)
    correct(house, name, misread(5, "9D"))
    assert "Draw 5, No hand" in text_of(supervisor.get(path))


def test_the_round_the_shoe_and_the_table_list_theirs_and_lead_on(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 3, "stays", "S", name=name)
    supervisor, auditor = PagePerson(house, "supervisor"), PagePerson(house, "auditor")
    where = {
        "/tables/T1/shoes/1/rounds/1/": "?shoe=1&amp;round=1",
        "/tables/T1/shoes/1/": "?shoe=1",
        "/tables/T1/": "",
    }
    for path, query in where.items():
        page = supervisor.get(path).content.decode()
        assert f'href="{PAGE}"' in page
        assert f'href="/tables/T1/irregularities/record/{query}"' in page
        read = auditor.get(path).content.decode()
        assert f'href="{PAGE}"' in read
        assert "/irregularities/record/" not in read
    board = supervisor.get("/pit/P1/").content.decode()
    assert 'href="/tables/T1/irregularities/record/"' in board
    assert "/irregularities/record/" not in auditor.get("/pit/P1/").content.decode()
    cashier = PagePerson(house, "cashier").get("/tables/T1/").content.decode()
    assert "/irregularities/" not in cashier


def test_the_list_is_narrowed_by_table_day_and_event(house: House) -> None:
    rule(house, 3, "stays", "S", name=begin(house, cards=DEAL[:4]))
    open_floor(house, "T2")
    rule(house, 26, "void", "SM", name=begin(house, cards=DEAL[:4], table="T2"))
    auditor = PagePerson(house, "auditor")

    def keys(query: str) -> list[str]:
        page = auditor.get(f"{LIST}{query}")
        assert page.status_code == 200
        return sorted(each["key"] for each in page.context["irregularities"])

    assert keys("") == ["T1/I1", "T2/I1"]
    assert keys("?table_code=T2") == ["T2/I1"]
    assert keys("?event=3") == ["T1/I1"]
    # 22:04 in Manila lies in the gaming day of that date.
    assert keys("?day=2026-03-01") == ["T1/I1", "T2/I1"]
    assert keys("?day=2026-03-02") == []
    assert keys("?page=2") == []
    assert keys(f"?page={'9' * 4301}") == []
    for none in ("x", "-1", "0", "%D9%A2"):
        assert keys(f"?page={none}") == ["T1/I1", "T2/I1"], none
    assert 'aria-current="page">Irregularities' in auditor.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?day=yesterday", 422),
        ("?day=9999-12-31", 404),
        ("?event=x", 422),
        ("?event=99", 422),
        ("?table_code=T99", 422),
    ],
)
def test_a_filter_that_cannot_be_read_says_so(house: House, query: str, status: int) -> None:
    assert PagePerson(house, "auditor").get(f"{LIST}{query}").status_code == status


def test_pages_take_the_same_queries_for_one_as_for_many(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    rule(house, 3, "stays", "S", name=name)
    supervisor = PagePerson(house, "supervisor")
    paths = [LIST, "/tables/T1/", "/tables/T1/shoes/1/", "/tables/T1/shoes/1/rounds/1/"]
    before = {path: queries(supervisor, path) for path in paths}
    for _ in range(3):
        rule(house, 3, "stays", "S", name=name)
    assert {path: queries(supervisor, path) for path in paths} == before
    assert before[LIST] == 5
    assert queries(supervisor, "/tables/T1/irregularities/record/") <= 8


def test_words_are_amended_on_a_page_and_what_stood_stays(house: House) -> None:
    rule(house, 3, "stays", "S", name=begin(house, cards=DEAL[:4]))
    supervisor = PagePerson(house, "supervisor")
    opened = supervisor.get(f"{PAGE}amend/")
    assert opened.context["form"]["seen"].value() == "The dealer saw it."
    words = {"revision": "2", "seen": "Seat 3 saw it too.", "ruling": "As the list says."}
    with nothing_recorded():
        refused = supervisor.post(f"{PAGE}amend/", {**words, "seen": " "})
    assert refused.status_code == 422
    assert refused.context["form"]["ruling"].value() == "As the list says."
    assert supervisor.post(f"{PAGE}amend/", words)["Location"] == PAGE
    page = text_of(supervisor.get(PAGE))
    assert "Seat 3 saw it too." in page
    assert "Words of revision 1, amended since" in page
    stale = supervisor.post(f"{PAGE}amend/", {**words, "seen": "Something else."})
    assert stale.status_code == 422
    assert Irregularity.objects.count() == 2


def decided(*rounds: str, **changed: str) -> dict[str, object]:
    """The form that decides of rounds, signed."""
    boxes: dict[str, str] = {}
    for n, each in enumerate(signed("HM"), start=1):
        boxes |= {f"signer{n}-badge": each.badge, f"signer{n}-secret": each.secret}
    words = {"decision": "refund_losers", "note": "A king was missing.", "told": "A. Cruz, 23:10"}
    words |= {"moved": "yes", "act": "sign"}
    return {"rounds": list(rounds), **words, **boxes, **changed}


def test_the_rounds_of_a_void_shoe_are_listed_and_decided_of_on_a_page(house: House) -> None:
    for _ in range(2):
        play_round(house, WAGERS, HANDS)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    assert f'href="{ROUNDS}"' in PagePerson(house, "auditor").get(PAGE).content.decode()
    assert (
        f'href="{ROUNDS}"'
        in PagePerson(house, "auditor").get("/tables/T1/shoes/1/").content.decode()
    )
    manager = PagePerson(house, "manager")
    page = manager.get(ROUNDS)
    assert [each["is_chosen"] for each in page.context["rounds"]] == [True, True]
    assert page.context["totals"] == {
        "wagers": 8,
        "stake_minor": 63000,
        "bank_minor": 2 * (31500 - 70000),
        "lost_minor": 1000,
        "open": 2,
    }
    for changed, said in (
        ({"note": ""}, "This field is required."),
        ({"told": ""}, "This field is required."),
        ({"decision": "open"}, "Select a valid choice."),
        ({"signer2-secret": "000000"}, "do not belong together"),
        ({"rounds": "T1/1/9"}, "Select a valid choice."),
    ):
        with nothing_recorded():
            refused = manager.post(ROUNDS, decided("T1/1/1", **changed))
        assert refused.status_code == 422
        assert said in text_of(refused)
        assert "A. Cruz" in refused.content.decode() or "told" in changed
    with nothing_recorded():
        shown = manager.post(ROUNDS, decided("T1/1/1", act="bill"))
    bill = shown.context["bill"]
    assert (shown.status_code, bill["to_players_minor"], bill["wagers"]) == (200, 500, 1)
    assert "seat 3, jacks" in text_of(shown).lower()
    with nothing_recorded():
        stale = manager.post(ROUNDS, decided("T1/1/1", bill_hash="0" * 64))
    assert stale.status_code == 422
    assert "Read the new bill and sign again." in text_of(stale)
    assert f'name="bill_hash" value="{bill["hash"]}"' in stale.content.decode()
    for _ in range(2):  # sent twice: done once
        done = manager.post(ROUNDS, decided("T1/1/1", bill_hash=bill["hash"]))
        assert done.status_code == 302
    kept = {
        row.round.key: row.decision
        for row in ShoeVoidRound.objects.select_related("round").order_by("revision")
    }
    assert kept == {"T1/1/1": "refund_losers", "T1/1/2": "open"}
    after = manager.get(ROUNDS)
    assert [each["is_chosen"] for each in after.context["rounds"]] == [False, True]
    assert queries(manager, ROUNDS) == 9
    told = text_of(PagePerson(house, "auditor").get(ROUNDS))
    assert "5 to players, 0 to the bank" in told
    of_round = text_of(manager.get("/tables/T1/shoes/1/rounds/1/"))
    assert "Decided after the shoe was void" in of_round
    assert "the shoe is void and its losers are refunded: stake returned" in of_round


def test_what_was_decided_and_is_owed_yet_is_asked_next(house: House) -> None:
    for _ in range(2):
        play_round(house, WAGERS, HANDS)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    decide(house, decision("stand", "T1/1/2"))
    decide(house, decision("reverse", "T1/1/1"))
    manager = PagePerson(house, "manager")
    page = manager.get(ROUNDS)
    assert [each["is_chosen"] for each in page.context["rounds"]] == [True, False]
    form = page.context["form"]
    assert (form["decision"].value(), form["moved"].value()) == ("reverse", "yes")
    assert "money is owed yet" in text_of(page)
    shown = manager.post(ROUNDS, decided("T1/1/1", act="bill", decision="reverse"))
    bill = shown.context["bill"]
    assert (bill["to_players_minor"], bill["to_bank_minor"]) == (500, 39_000)
    sent = decided("T1/1/1", decision="reverse", bill_hash=bill["hash"])
    assert manager.post(ROUNDS, sent).status_code == 302
    after = manager.get(ROUNDS)
    assert [each["is_chosen"] for each in after.context["rounds"]] == [False, False]
    assert "money is owed yet" not in text_of(after)


def test_as_many_rounds_are_marked_on_the_page_as_over_the_api(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    page = PagePerson(house, "manager").post(ROUNDS, decided(*["T1/1/1"] * 2000, act="bill"))
    assert (page.status_code, page.context["bill"]["to_players_minor"]) == (200, 500)


def test_only_managers_decide_and_only_of_a_void_shoe(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    assert PagePerson(house, "manager").get(ROUNDS).status_code == 404
    rule(house, 27, "void", "MH", told=TOLD_ALL)
    supervisor = PagePerson(house, "supervisor")
    assert "Decide of the rounds" not in text_of(supervisor.get(ROUNDS))
    with nothing_recorded():
        assert supervisor.post(ROUNDS, decided("T1/1/1")).status_code == 403
