"""The pages and the API of days: who sees them, what they show, which files they hand out."""

import re

import pytest

from audit.desk.web.work import WORK
from audit.findings.models import Finding
from casino.outbox.handlers import topics
from casino.outbox.models import OutboxItem
from settlements.models import DayRun
from tests.factories.house import House
from tests.log.databases import unguarded
from tests.outbox.inserting import TOPIC as TEST_TOPIC
from tests.settlements.day.test_runs import house, place, reconcile
from tests.support.api import ApiPerson
from tests.support.database import CloneDatabase

__all__ = ["house", "place"]


@pytest.fixture
def run(house: House) -> DayRun:
    return reconcile(house)


def test_an_auditor_sees_the_day_and_takes_its_files(house: House, run: DayRun) -> None:
    auditor = ApiPerson(house, "auditor")
    day = run.day.isoformat()
    assert run.day.isoformat() in auditor.client.get("/audit/days/").content.decode()
    page = auditor.client.get(f"/audit/days/{day}/").content.decode()
    assert "T1/S1" in page
    assert "log.jsonl" in page
    manifest = auditor.client.get(f"/audit/days/{day}/1/manifest.note")
    assert manifest.getvalue().startswith(b"test.invalid/log/day\n")
    assert auditor.client.get(f"/audit/days/{day}/1/key").status_code == 404
    document = auditor.get(f"days/{day}")
    assert document["totals"]["rounds"] == 2
    assert {file["name"] for file in document["files"]} == {
        "log.jsonl",
        "problems.json",
        "report.json",
    }


def test_an_auditor_has_a_day_reconciled_anew(house: House, run: DayRun) -> None:
    auditor = ApiPerson(house, "auditor")
    day = run.day.isoformat()
    assert auditor.post(f"days/{day}/runs")["run"]["number"] == 2
    assert auditor.refused("POST", f"days/{day}/runs")["code"] == "day.running"


@pytest.mark.parametrize("name", ["supervisor", "cashier"])
def test_others_do_not_see_days(house: House, run: DayRun, name: str) -> None:
    person = ApiPerson(house, name)
    assert person.refused("GET", "days")["status"] == 403
    assert person.client.get("/audit/days/").status_code == 403


def test_a_day_without_a_run_is_missing(house: House, run: DayRun) -> None:
    auditor = ApiPerson(house, "auditor")
    assert auditor.refused("GET", "days/2020-01-01")["code"] == "day.missing"
    assert auditor.refused("GET", "days/yesterday")["code"] == "day.missing"


def test_parked_work_is_shown_with_its_error_and_put_back(house: House) -> None:
    auditor = ApiPerson(house, "auditor")
    all_done = "Nothing waits: every settlement is checked."
    assert all_done in auditor.client.get("/audit/work/").content.decode()
    given_up = {"attempts": 5, "last_error": "Boom", "parked_at": house.now}
    OutboxItem.objects.create(topic="day.check", key="2026-03-01/1/4", **given_up)
    OutboxItem.objects.create(topic="round.check", key="T1/1/2/final/1", **given_up)
    page = auditor.client.get("/audit/work/").content.decode()
    assert "Boom" in page
    assert all_done not in page, "a settlement is not checked"
    named = re.findall(r'Try again<span class="out-of-sight"> (.+?)</span>', page)
    assert named == ["Check of a settlement T1/1/2/final/1", "Check of a day 2026-03-01/1/4"]
    assert "<td>round.check" not in page
    assert '<th scope="col"></th>' not in page
    sent = {
        "topic": "day.check",
        "key": "2026-03-01/1/4",
        "csrfmiddlewaretoken": auditor.headers["X-CSRFToken"],
    }
    assert auditor.client.post("/audit/work/again/", sent).status_code == 302
    assert OutboxItem.objects.get(key="2026-03-01/1/4").parked_at is None
    page = auditor.client.get("/audit/work/").content.decode()
    assert "Check of a day: 1" in page
    supervisor = ApiPerson(house, "supervisor")
    assert supervisor.client.get("/audit/work/").status_code == 403


def test_every_kind_of_follow_up_work_has_a_name() -> None:
    assert set(topics()) - {TEST_TOPIC} == set(WORK)


def test_a_wrong_payout_that_a_day_finds_is_read_on_every_page(
    house: House, clone_db: CloneDatabase
) -> None:
    with unguarded(clone_db.admin_url, "settlements_payout") as admin:
        admin.execute(
            "UPDATE settlements_payout SET profit_minor = profit_minor + 1"
            " WHERE id = (SELECT max(id) FROM settlements_payout WHERE outcome = 'win')"
        )
    reconcile(house)
    found = Finding.objects.get(kind="day.engines_disagree")
    assert (found.subject_kind, found.subject_key) == ("round", "T1/1/2")
    assert found.detail["where"] == "T1/1/2/final/1"
    auditor = ApiPerson(house, "auditor")
    round_page = "/tables/T1/shoes/1/rounds/2/"
    findings = auditor.client.get("/audit/findings/")
    assert findings.status_code == 200
    assert round_page in findings.content.decode()
    one = f"/audit/findings/{found.number}/"
    page = auditor.client.get(one)
    assert page.status_code == 200
    assert round_page in page.content.decode()
    assert one in auditor.client.get(round_page).content.decode()
