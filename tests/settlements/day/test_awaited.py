"""A day with rounds on paper: what only waits for sheets is said to wait, not to be wrong."""

import re

import pytest

from audit.findings.models import Finding
from audit.findings.selectors import sentence
from settlements.day.runs import RECONCILER, start_day_run
from settlements.models import DayRun
from tables.models import Shoe
from tables.services.shoe_end import end_shoe
from tests.factories.house import House
from tests.settlements.day.test_runs import house, place, problems, reconcile, work
from tests.support.api import ApiPerson
from tests.tables.paper.sheets import key_copy, key_twice, reserve, sheet

__all__ = ["house", "place"]

# The fixture burned one card and dealt two rounds of nine.
LEFT = 416 - 1 - 18
OF_A_SHEET = 9


def end(house: House, *, stub: int) -> None:
    """End T1's shoe with so many cards left in it."""
    end_shoe(table="T1", shoe=1, stub_cards=stub, by=house.acting("supervisor"))
    assert Shoe.objects.get(key="T1/1").state == "ended"


def found(run: DayRun) -> list[tuple[str, str]]:
    """What a run found beside the session that is still open."""
    return [each for each in problems(run) if each[0] != "day.session_overrun"]


def test_a_shoe_that_only_waits_for_sheets_is_said_to_wait(house: House) -> None:
    first, second = reserve(house, 2, after=2).rounds
    key_copy(house, second, sheet(), who="dealer", copy="first")
    end(house, stub=LEFT - 2 * OF_A_SHEET)
    run = reconcile(house)
    assert found(run) == [
        ("day.round_awaited", first.key),
        ("day.round_awaited", second.key),
        ("day.shoe_awaits", "T1/1"),
    ]
    said = {each.kind: sentence(each) for each in Finding.objects.order_by("pk")}
    assert said["day.shoe_awaits"] == (
        "Shoe T1/1 waits for sheets: 2 rounds on paper, 18 cards to come"
    )
    assert said["day.round_awaited"] == (
        f"Round {second.key} is still awaited. One of two people has keyed its sheet."
    )
    auditor = ApiPerson(house, "auditor")
    text = auditor.client.get(f"/audit/days/{run.day.isoformat()}/").content.decode()
    assert "Waits for sheets" in text
    assert "2 rounds on paper, 18 cards to come" in text
    assert text.count('href="/tables/T1/paper/"') == 3
    wrong = text.split("What is wrong")[1].split("</section>")[0]
    assert "T1/S1" in wrong
    assert "T1/1" not in wrong
    assert '<a href="/tables/T1/">T1/S1</a>' in wrong
    assert f'<a href="/tables/T1/shoes/1/rounds/{second.number}/">{second.key}</a>' in text
    figures = dict(re.findall(r"<dt>([^<]+)</dt><dd>(\d+)</dd>", text))
    assert (figures["Wrong"], figures["Waits for sheets"]) == ("1", "3")
    listed = auditor.client.get("/audit/days/").content.decode()
    assert '<td class="num">1</td><td class="num">3</td>' in listed
    (line,) = auditor.get("days")["days"]
    assert (line["problems"], line["waiting"]) == (4, 3)


def test_once_the_sheets_are_in_nothing_waits(house: House) -> None:
    (name,) = reserve(house, 1, after=2).rounds
    end(house, stub=LEFT - OF_A_SHEET)
    run = reconcile(house)
    assert ("day.shoe_awaits", "T1/1") in found(run)
    key_twice(house, name, sheet())
    work()
    key = start_day_run(day=run.day, now=house.now, by=RECONCILER)
    work()
    assert found(DayRun.objects.get(key=key)) == []


@pytest.mark.parametrize(
    "stub",
    [
        LEFT + 1,  # more cards than were loaded
        LEFT - 19,  # more missing than a round of five seats and the House can have taken
    ],
)
def test_what_no_sheet_can_explain_is_an_open_shoe(house: House, stub: int) -> None:
    reserve(house, 1, after=2)
    end(house, stub=stub)
    codes = [code for code, _ in found(reconcile(house))]
    assert codes == ["day.round_awaited", "day.shoe_open"]
    said = Finding.objects.get(kind="day.shoe_open")
    assert "1 round on paper cannot explain it" in sentence(said)


def test_a_shoe_that_cannot_explain_itself_is_open_without_awaited_rounds(house: House) -> None:
    end(house, stub=LEFT - 1)
    assert found(reconcile(house)) == [("day.shoe_open", "T1/1")]
