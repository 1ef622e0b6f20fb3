"""Every page of the site and everybody: only who may, gets in (trust S1)."""

import pytest
from django.db import transaction
from django.test import Client

from tests.api.rights import (
    ADMINISTRATORS,
    ANYBODY,
    API,
    AUDITOR,
    CASHIER,
    DEALERS,
    FLOOR,
    INTEGRATION,
    MANAGER,
    NOBODY,
    OVERSIGHT,
    SIGNED_ON,
    SUPERVISOR_HERE,
    SURVEILLANCE,
    addresses,
)

ALL = ANYBODY | {INTEGRATION}
ROUNDS = DEALERS | FLOOR | OVERSIGHT
BOARD = FLOOR | OVERSIGHT | {CASHIER}
# These lead everybody to the door, or on from it.
AT_THE_DOOR = {"sign-on/", "sign-on/role/", "sign-off/"}
_NO_HASH = "0" * 64
_IRREGULARITIES = "tables/<str:code>/irregularities/"
_ROUND = "tables/<str:code>/shoes/<int:shoe>/rounds/<int:number>/"

# Address as the site names it; an example of it; who may open it.
PAGES: dict[str, tuple[str, frozenset[str]]] = {
    "": ("", SIGNED_ON),
    "health/alive": ("health/alive", ALL),
    "health/ready": ("health/ready", ALL),
    "api/schema/": ("api/schema/", ALL),
    "api/docs/": ("api/docs/", ALL),
    "^api/(?P<rest>.*)$": ("api/nothing", ALL),
    "choices/": ("choices/", ALL),
    "sign-on/": ("sign-on/", ALL),
    "sign-on/role/": ("sign-on/role/", ALL),
    "sign-off/": ("sign-off/", ALL),
    "own-secret/": ("own-secret/", ALL),
    "enrol/": ("enrol/", ALL),
    "admin/": ("admin/", ADMINISTRATORS),
    "admin/staff/<str:number>/": ("admin/staff/1002/", ADMINISTRATORS),
    "admin/staff/<str:number>/badge/": ("admin/staff/1002/badge/", ADMINISTRATORS),
    "admin/staff/<str:number>/code/": ("admin/staff/1002/code/", ADMINISTRATORS),
    "admin/staff/<str:number>/roles/<str:role>/": (
        "admin/staff/1002/roles/counter/",
        ADMINISTRATORS,
    ),
    "^admin/staff/(?P<number>[^/]+)/(?P<act>deactivate|reactivate|end-sign-on)/$": (
        "admin/staff/1002/deactivate/",
        ADMINISTRATORS,
    ),
    "admin/devices/": ("admin/devices/", ADMINISTRATORS),
    "admin/devices/<str:number>/": ("admin/devices/D8/", ADMINISTRATORS),
    "admin/devices/<str:number>/code/": ("admin/devices/D8/code/", ADMINISTRATORS),
    "admin/devices/<str:number>/revocation/": ("admin/devices/D8/revocation/", ADMINISTRATORS),
    "audit/": ("audit/", ALL),  # leads to the list of findings, which is kept
    "audit/findings/": ("audit/findings/", FLOOR | OVERSIGHT),
    "audit/findings/<str:number>/": ("audit/findings/F-1/", FLOOR | OVERSIGHT),
    "audit/days/": ("audit/days/", OVERSIGHT | {MANAGER}),
    "audit/days/<str:text>/": ("audit/days/2026-03-01/", OVERSIGHT | {MANAGER}),
    "audit/days/<str:text>/<int:number>/": ("audit/days/2026-03-01/1/", OVERSIGHT | {MANAGER}),
    "audit/days/<str:text>/<int:number>/<str:name>": (
        "audit/days/2026-03-01/1/log.jsonl",
        OVERSIGHT | {MANAGER},
    ),
    "audit/days/<str:text>/reconcile/": (
        "audit/days/2026-03-01/reconcile/",
        frozenset({MANAGER, AUDITOR}),
    ),
    "audit/work/": ("audit/work/", OVERSIGHT | {MANAGER}),
    "audit/work/again/": ("audit/work/again/", frozenset({MANAGER, AUDITOR})),
    "table/": ("table/", DEALERS | {SUPERVISOR_HERE}),
    "pit/": ("pit/", BOARD),
    "pit/<str:code>/": ("pit/P1/", BOARD),
    "tables/<str:code>/": ("tables/T1/", ROUNDS | {CASHIER}),
    "tables/<str:code>/start/": ("tables/T6/start/", FLOOR),
    "tables/<str:code>/start-closing/": ("tables/T1/start-closing/", FLOOR),
    "tables/<str:code>/counts/<str:kind>/": ("tables/T1/counts/closer/", DEALERS | FLOOR),
    "tables/<str:code>/counts/<str:kind>/agreed/": ("tables/T1/counts/closer/agreed/", FLOOR),
    "tables/<str:code>/prepare-shoe/": ("tables/T1/prepare-shoe/", DEALERS | FLOOR),
    "tables/<str:code>/shoes/<int:number>/": ("tables/T1/shoes/1/", ROUNDS),
    "tables/<str:code>/shoes/<int:number>/end/": ("tables/T1/shoes/1/end/", FLOOR),
    _ROUND: ("tables/T1/shoes/1/rounds/1/", ROUNDS),
    "tables/<str:code>/paper/": ("tables/T1/paper/", ROUNDS),
    f"{_ROUND}sheet/": ("tables/T1/shoes/1/rounds/1/sheet/", DEALERS | FLOOR),
    f"{_ROUND}sheet/check/": ("tables/T1/shoes/1/rounds/1/sheet/check/", DEALERS | FLOOR),
    f"{_ROUND}sheet/copies/": ("tables/T1/shoes/1/rounds/1/sheet/copies/", FLOOR | OVERSIGHT),
    f"{_ROUND}sheet/anew/": ("tables/T1/shoes/1/rounds/1/sheet/anew/", FLOOR),
    f"{_ROUND}correct/": ("tables/T1/shoes/1/rounds/1/correct/", FLOOR),
    "irregularities/": ("irregularities/", ROUNDS),
    f"{_IRREGULARITIES}record/": ("tables/T1/irregularities/record/", FLOOR),
    f"{_IRREGULARITIES}record/<int:event>/<str:procedure>/": (
        "tables/T1/irregularities/record/3/stays/",
        FLOOR,
    ),
    f"{_IRREGULARITIES}<int:number>/": ("tables/T1/irregularities/1/", ROUNDS),
    f"{_IRREGULARITIES}<int:number>/amend/": ("tables/T1/irregularities/1/amend/", FLOOR),
    "tables/<str:code>/shoes/<int:number>/void-rounds/": (
        "tables/T1/shoes/1/void-rounds/",
        ROUNDS,
    ),
    f"{_ROUND}dispute/": ("tables/T1/shoes/1/rounds/1/dispute/", FLOOR),
    "tables/<str:code>/dispute/": ("tables/T1/dispute/", FLOOR),
    "disputes/": ("disputes/", FLOOR | OVERSIGHT),
    "disputes/<str:code>/<int:number>/": ("disputes/T1/1/", FLOOR | OVERSIGHT),
    "disputes/<str:code>/<int:number>/file/": ("disputes/T1/1/file/", FLOOR),
    "disputes/<str:code>/<int:number>/ruling/": ("disputes/T1/1/ruling/", FLOOR),
    "in-charge/": ("in-charge/", frozenset({MANAGER})),
    "rulesets/": ("rulesets/", ROUNDS | {CASHIER}),
    "rulesets/<str:hash>/": (f"rulesets/{_NO_HASH}/", ROUNDS | {CASHIER}),
    "rulesets/<str:hash>/slow-odds/": (f"rulesets/{_NO_HASH}/slow-odds/", FLOOR | OVERSIGHT),
    "rulesets/<str:hash>/retire/": (f"rulesets/{_NO_HASH}/retire/", frozenset({MANAGER})),
    "rulesets/drafts/": ("rulesets/drafts/", frozenset({MANAGER})),
    "rulesets/drafts/<str:number>/": ("rulesets/drafts/R-1/", OVERSIGHT | {MANAGER}),
    **{
        f"rulesets/drafts/<str:number>/{act}/": (
            f"rulesets/drafts/R-1/{act}/",
            frozenset({MANAGER}),
        )
        for act in ("edit", "submit", "approve")
    },
    "rulesets/drafts/<str:number>/stop/<str:act>/": (
        "rulesets/drafts/R-1/stop/return/",
        frozenset({MANAGER}),
    ),
    "tables/<str:code>/terms/": ("tables/T1/terms/", frozenset({MANAGER})),
    "tables/<str:code>/sign/": ("tables/T1/sign/", ROUNDS | {CASHIER}),
    # Of a shoe that is still in play (control 4.22).
    "tables/<str:code>/shoes/<int:number>/odds/": (
        "tables/T1/shoes/1/odds/",
        frozenset({SURVEILLANCE, AUDITOR}),
    ),
}


def test_every_page_has_a_row() -> None:
    pages = {pattern for pattern, _view in addresses() if not pattern.startswith(API)}
    assert pages - PAGES.keys() == set(), "say above who may open this page"
    assert PAGES.keys() - pages == set(), "this page is gone; so should be its row"


@pytest.mark.parametrize("pattern", PAGES)
def test_only_who_may_gets_in(everybody: dict[str, Client], pattern: str) -> None:
    path, allowed = PAGES[pattern]
    wrong = {}
    for who, client in everybody.items():
        if pattern == "api/schema/" and who not in (NOBODY, AUDITOR):
            continue  # a second for each, and it asks nobody who he is
        answers = [opened(client, method, path) for method in ("GET", "POST")]
        assert max(status for status, _where in answers) < 500, (who, answers)
        assert {status for status, _where in answers} != {405}
        refused = [
            status in (401, 403, 405)
            or (status == 302 and where.startswith("/sign-on/") and pattern not in AT_THE_DOOR)
            for status, where in answers
        ]
        if all(refused) == (who in allowed):
            wrong[who] = answers
    assert wrong == {}


def opened(client: Client, method: str, path: str) -> tuple[int, str]:
    """Open a page and undo what that did; answer with the status and where it leads."""
    cookies = client.cookies.output(header="")
    with transaction.atomic():
        answer = client.generic(method, f"/{path}", b"")
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.load(cookies)
    return answer.status_code, answer.headers.get("Location", "")
