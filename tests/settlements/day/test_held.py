"""What lies under dispute holds on a day: owed, rightly not handed over, and not mispaid."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.db import connection

from audit.log.keys import public_path
from settlements.day.checks import examine
from settlements.services.settle import settle_round
from tables.models import TableSession
from tables.selectors.round_read import RoundName
from tables.services.disputes import Disputed, open_dispute
from tests.factories.house import House, settle_part
from tests.log.databases import unguarded
from tests.settlements.day.test_runs import VERIFIER, house, place, reconcile
from tests.support.api import ApiPerson
from tests.support.database import CloneDatabase
from tests.tables.irregularities.ruling import DEAL, begin, deal

__all__ = ["house", "place"]


def held_round(house: House, *, seat: int | None, wager: str, short: int = 0) -> RoundName:
    """A round that is settled around a hold; seat 1's main bet is paid so much short of 20,000."""
    name = begin(house, cards=DEAL[:6])
    open_dispute(
        name=name,
        disputed=Disputed(1, "He says nine.", seat, wager),
        by=house.acting("supervisor"),
    )
    settle_part(house, name, "sweep")
    deal(house, name, DEAL[6:], start=7)
    handed = {(1, "main"): 20_000 - short} if short else {}
    dealer = house.acting("dealer", table="T1")
    settle_round(name=name, part="final", revision=1, handed=handed, by=dealer)
    return name


def figures() -> dict[str, object]:
    day = TableSession.objects.get().gaming_day
    found = examine("shoe", "T1/1", day=day).figures
    return {name: found[name] for name in ("mispaid_minor", "held_minor")}


def test_what_is_held_is_told_apart_from_what_is_mispaid(house: House) -> None:
    assert figures() == {"mispaid_minor": 0, "held_minor": 0}
    held_round(house, seat=3, wager="main", short=500)
    assert figures() == {"mispaid_minor": -500, "held_minor": 39_000}


def test_a_hold_of_the_round_holds_all_its_bets(house: House) -> None:
    held_round(house, seat=None, wager="")
    assert figures() == {"mispaid_minor": 0, "held_minor": 11_000 + 20_000 + 39_000}


def test_more_than_owed_is_mispaid_under_a_hold_too(house: House) -> None:
    held_round(house, seat=1, wager="main", short=-700)
    assert figures() == {"mispaid_minor": 700, "held_minor": 0}


def test_the_day_says_it_on_its_page_over_the_api_and_in_its_signed_report(
    house: House, place: Path
) -> None:
    held_round(house, seat=3, wager="", short=500)
    run = reconcile(house)
    auditor, day = ApiPerson(house, "auditor"), run.day.isoformat()
    totals = auditor.get(f"days/{day}")["totals"]
    assert (totals["mispaid_minor"], totals["held_minor"]) == (-500, 39_000)
    page = auditor.client.get(f"/audit/days/{day}/").content.decode()
    assert "Owed, held in dispute" in page
    assert "390" in page.split("Owed, held in dispute")[1].split("</dd>")[0]
    sessions = page.split("Sessions of the day")[1].split("</table>")[0]
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", sessions)
    shown = dict(zip(cells[: len(cells) // 2], map(amount, cells[len(cells) // 2 :]), strict=True))
    assert shown["Held apart"] == -TableSession.objects.get().disputed_minor != 0
    parts = ("Opener", "Bank as handed", "Held apart", "Moved late")
    assert sum(shown[part] for part in parts) == shown["Tray"], "every part of the tray is there"
    folder = place / "days" / day / "run-1"
    report = json.loads((folder / "report.json").read_text())
    assert report["totals"]["held_minor"] == 39_000
    command = [sys.executable, "-I", str(VERIFIER), str(folder), str(public_path(place / "key"))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def amount(cell: str) -> int:
    """Return what a cell shows, in minor units; 0 for a dash."""
    text = re.sub(r"<[^>]*>|,", "", cell).replace("\u2212", "-")
    return round(float(text) * 100) if re.fullmatch(r"[+-]?[\d.]+", text) else 0


def test_a_run_from_before_does_not_know_it(house: House, clone_db: CloneDatabase) -> None:
    run = reconcile(house)
    with unguarded(clone_db.admin_url, "settlements_daycheck") as admin:
        admin.execute("UPDATE settlements_daycheck SET figures = figures - 'held_minor'")
    auditor, day = ApiPerson(house, "auditor"), run.day.isoformat()
    assert auditor.get(f"days/{day}")["totals"]["held_minor"] is None
    page = auditor.client.get(f"/audit/days/{day}/").content.decode()
    assert "–" in page.split("Owed, held in dispute")[1].split("</dd>")[0]


def test_a_session_that_is_played_in_is_read_as_of_one_instant(house: House) -> None:
    """A dispute that is opened between two reads of a check is in all of them or in none."""
    name = held_round(house, seat=3, wager="main")
    late = Disputed(2, "He says nine.", 1, "main")
    opened: list[None] = []

    def after_the_first_read(
        execute: Callable[..., object], sql: str, params: object, many: bool, context: object
    ) -> object:
        result = execute(sql, params, many, context)
        if '"tables_tablesession"' in sql and not opened:
            opened.append(others.submit(_open_elsewhere, house, name, late).result())
        return result

    with ThreadPoolExecutor(1) as others, connection.execute_wrapper(after_the_first_read):
        found = examine("session", "T1/S1", day=house.now.date())
    assert (len(opened), [each.code for each in found.problems]) == (1, ["day.session_overrun"])
    assert TableSession.objects.get().disputed_minor == 39_000 + 10_000
    assert found.figures["disputed_minor"] == 39_000


def _open_elsewhere(house: House, name: RoundName, disputed: Disputed) -> None:
    try:
        open_dispute(name=name, disputed=disputed, by=house.acting("supervisor"))
    finally:
        connection.close()
