"""The pages and the API of days: who sees them, what they show, which files they hand out."""

import re
from pathlib import Path

import pytest

from audit.desk.web.work import WORK
from audit.findings.models import Finding
from casino.outbox.handlers import topics
from casino.outbox.models import OutboxItem
from settlements.day.runs import turn_and_start
from settlements.models import DayRun
from tests.factories.house import House
from tests.log.databases import unguarded
from tests.outbox.inserting import TOPIC as TEST_TOPIC
from tests.settlements.day.test_runs import DAY, house, place, reconcile, work
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
    run = reconcile(house)
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
    day = auditor.client.get(f"/audit/days/{run.day.isoformat()}/").content.decode()
    assert f'<a href="{round_page}">T1/1/2/final/1</a>' in day


def test_a_day_that_is_at_work_asks_for_itself_without_keeping_its_reader_signed_on(
    house: House,
) -> None:
    turn_and_start(now=house.now + DAY)
    day = DayRun.objects.get().day.isoformat()
    auditor = ApiPerson(house, "auditor")
    running = auditor.client.get(f"/audit/days/{day}/").content.decode()
    assert 'http-equiv="refresh"' not in running
    assert f'hx-get="/audit/days/{day}/"' in running
    assert """hx-headers='{"X-Background": "1"}'""" in running
    work()
    assert "hx-get" not in auditor.client.get(f"/audit/days/{day}/").content.decode()


def test_a_total_is_not_known_before_all_of_it_was_looked_at(house: House) -> None:
    turn_and_start(now=house.now + DAY)
    run = DayRun.objects.get()
    auditor = ApiPerson(house, "auditor")
    address = f"days/{run.day.isoformat()}"
    names = ("handle_minor", "rounds", "held_minor", "settlements_checked", "entries_verified")
    totals = auditor.get(address)["totals"]
    assert [totals[name] for name in names] == [None] * 5
    page = auditor.client.get(f"/audit/{address}/").content.decode()
    assert "<dt>Wrong so far</dt>" in page
    assert "<dt>Rounds</dt><dd>–</dd>" in page
    (shoe,) = [number for number, (check, _) in enumerate(run.plan, start=1) if check == "shoe"]
    waiting = OutboxItem.objects.filter(key=f"{run.key}/{shoe}")
    waiting.update(parked_at=house.now)
    work()
    totals = auditor.get(address)["totals"]
    assert (totals["handle_minor"], totals["rounds"], totals["held_minor"]) == (
        2 * 31500,
        None,
        None,
    )
    assert totals["entries_verified"] > 0
    waiting.update(parked_at=None)
    work()
    totals = auditor.get(address)["totals"]
    assert (totals["rounds"], totals["held_minor"], totals["settlements_checked"]) == (2, 0, 4)
    page = auditor.client.get(f"/audit/{address}/").content.decode()
    assert "<td>Session overrun</td>" in page
    assert "day.session_overrun" not in page


def test_a_run_whose_work_was_given_up_says_so(house: House) -> None:
    turn_and_start(now=house.now + DAY)
    run = DayRun.objects.get()
    auditor = ApiPerson(house, "auditor")
    address = f"/audit/days/{run.day.isoformat()}/"
    assert "given up" not in auditor.client.get(address).content.decode()
    parked = OutboxItem.objects.filter(key=f"{run.key}/2").update(parked_at=house.now)
    assert parked == 1
    work()
    page = auditor.client.get(address).content.decode()
    assert "1 part of this run was given up after five attempts" in page
    notice = page.split("given up after five attempts")[1].split("</div>")[0]
    assert 'href="/audit/work/"' in notice
    row = auditor.client.get("/audit/days/").content.decode().split("<tbody>")[1]
    assert 'href="/audit/work/"' in row
    document = auditor.get(f"days/{run.day.isoformat()}")["run"]
    assert (document["state"], document["given_up"]) == ("running", 1)


def test_the_days_have_pages(house: House) -> None:
    started = turn_and_start(now=house.now + 52 * DAY)
    days = [key.split("/")[0] for key in reversed(started)]
    assert len(days) == 52
    auditor = ApiPerson(house, "auditor")
    first = auditor.client.get("/audit/days/")
    assert [line.day.isoformat() for line in first.context["days"]] == days[:50]
    assert 'href="/audit/days/?page=2"' in first.content.decode()
    second = auditor.client.get("/audit/days/?page=2")
    assert [line.day.isoformat() for line in second.context["days"]] == days[50:]
    assert 'href="/audit/days/"' in second.content.decode().split('class="pager"')[1]
    assert "Older" not in second.content.decode()
    document = auditor.get("days?limit=50")
    assert [line["day"] for line in document["days"]] == days[:50]
    assert document["next"] == days[49]
    rest = auditor.get(f"days?after={document['next']}")
    assert ([line["day"] for line in rest["days"]], rest["next"]) == (days[50:], None)
    assert auditor.refused("GET", "days?after=yesterday")["code"] == "day.missing"


@pytest.mark.parametrize("name", ["manifest.note", "log.jsonl", "report.json"])
def test_a_file_that_is_not_as_it_was_signed_is_an_alarm_and_not_handed_out(
    house: House, place: Path, run: DayRun, name: str
) -> None:
    auditor = ApiPerson(house, "auditor")
    day = run.day.isoformat()
    address, file = f"/audit/days/{day}/", place / "days" / day / "run-1" / name
    said = f"Missing, or not as it was signed: {name}."
    assert said not in auditor.client.get(address).content.decode()
    assert auditor.get(f"days/{day}")["altered"] == []
    signed = file.read_bytes()
    file.write_bytes(signed.replace(b"2026", b"2027", 1))
    assert said in auditor.client.get(address).content.decode()
    assert auditor.get(f"days/{day}")["altered"] == [name]
    refused = auditor.client.get(f"{address}1/{name}")
    assert refused.status_code == 409
    assert b"2027" not in refused.getvalue()
    file.unlink()
    assert said in auditor.client.get(address).content.decode()
    assert auditor.client.get(f"{address}1/{name}").status_code == 404
    file.write_bytes(signed)
    assert auditor.client.get(f"{address}1/{name}").getvalue() == signed
