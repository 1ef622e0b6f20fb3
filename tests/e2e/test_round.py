"""A round from the door to the auditor, in browsers: five seats, eighteen cards, sweep, payouts."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Request, expect

from casino.people.models import Device, Role
from casino.people.person import Origin, Person
from casino.people.services import enrol_device
from casino.web.templatetags.money import money_text
from settlements.models import Payout, Settlement
from tables.games import settle
from tables.games.values import Part
from tables.selectors.round_read import RoundName, read_round
from tests.e2e.conftest import TABLET, Site, Visitor
from tests.e2e.glass import Glass
from tests.factories.house import PINS, STAFF, House

pytestmark = pytest.mark.browser

Visitors = Callable[..., Visitor]
WAGERS = {seat: {"main": 100_000, "pair": 10_000, "jacks": 10_000} for seat in range(1, 6)}
FIRST_TWO_LAPS = ["KS", "7D", "9H", "2C", "JD", "5S", "KH", "2S", "4C", "TD", "8H", "JS"]
THIRD_LAP = ["9D", "7C", "AC", "6H", "3S", "JC"]
PIECES = {"1000000": 20, "100000": 100, "10000": 200}


def test_a_round_from_the_door_to_the_auditor(site: Site, visitors: Visitors) -> None:
    dealer, supervisor = visitors(size=TABLET, scheme="dark"), visitors(scheme="dark")
    enrol(dealer, code_for_a_tablet(site.house, table="T2"))
    dealer.sign_on("dealer", with_pin=True)
    expect(dealer.page).to_have_url(f"{site.url}/table/")
    glass = Glass(dealer.page)
    glass.asks_for("The table is closed")

    supervisor.sign_on("supervisor")
    open_the_table(dealer, supervisor, table="T2")
    prepare_the_shoe(supervisor, table="T2")
    glass.asks_for("Ready for the first round of this shoe")

    board = visitors(scheme="dark")
    board.sign_on("surveillance")
    asked: list[Request] = []
    board.page.on("request", lambda request: asked.append(request))
    board.go("/pit/P1/")
    tile = board.page.locator("#tile-T2")
    expect(tile).to_contain_text("between rounds")

    name = RoundName("T2", 1, 1)
    glass.go_on()
    glass.bet(WAGERS)
    expect(tile).to_contain_text("Round 1")
    glass.asks_for("Seat 1, first card")
    glass.tap_cards(FIRST_TWO_LAPS[:6])
    glass.key_cards(FIRST_TWO_LAPS[6:])
    glass.asks_for("Sweep the pair wagers")
    assert glass.totals() == owed(name, "sweep")
    glass.go_on()
    glass.asks_for("Seat 1, third card")
    glass.tap_cards(THIRD_LAP)
    glass.asks_for("Pay the round")
    assert glass.totals() == owed(name, "final")
    glass.go_on()
    glass.asks_for("Round 1 is settled")
    glass.strip("saved")
    assert paid_as_owed(name) == 15
    glass.go_on()
    glass.asks_for("Seat 1: wagers")
    expect(tile).to_contain_text("Round 2")
    expect(tile.locator(".tile-result")).to_contain_text(result_text(name))

    assert {by_itself(request) for request in asked if request.url.endswith("/pit/P1/")} == {
        "page",
        "background",
    }
    audit(visitors(), name=name)


def code_for_a_tablet(house: House, *, table: str) -> str:
    """Enrol a further tablet of a table; return the code that is typed on it."""
    admin = Person(staff=house.staff["administrator"], name="admin", role=Role.ADMINISTRATOR)
    return enrol_device(
        number=f"D-{table}",
        name=f"Second tablet {table}",
        kind=Device.Kind.TABLET,
        table_code=table,
        by=admin,
        origin=Origin(address="127.0.0.1"),
        now=timezone.now(),
    )


def enrol(dealer: Visitor, code: str) -> None:
    """Make a browser the tablet."""
    dealer.go("/enrol/").fill('input[name="code"]', code)
    dealer.press("Enrol tablet")
    expect(dealer.page.locator("h1")).to_have_text("This is device D-T2")


def open_the_table(dealer: Visitor, supervisor: Visitor, *, table: str) -> None:
    """Both count, each alone; the table opens when both counts agree."""
    supervisor.go(f"/tables/{table}/")
    supervisor.press("Open table")
    count(supervisor, then="counted")
    counts = supervisor.page.locator("#counts")
    expect(counts).to_contain_text("not counted")
    expect(counts.locator("button")).to_have_count(0)
    dealer.page.click('[data-key="count"]')
    count(dealer, then="agreed")
    dealer.press("Back")
    # The supervisor's page looks again by itself.
    counts.locator('button:text-is("Open table")').click()
    expect(supervisor.page.locator("h1")).to_contain_text("no shoe")


def count(person: Visitor, *, then: str) -> None:
    """Key the tray's pieces and sign; the own count is then in a state."""
    for chip, pieces in PIECES.items():
        person.page.fill(f'input[name="pieces_{chip}"]', str(pieces))
    expect(person.page.locator("[data-total]")).to_have_text("320,000")
    person.press("Sign count")
    expect(person.page.locator("#counts")).to_contain_text(then)


def prepare_the_shoe(supervisor: Visitor, *, table: str) -> None:
    """Shuffle, check, cut and burn, each signed."""
    supervisor.go(f"/tables/{table}/")
    supervisor.press("Prepare shoe")
    supervisor.press("Start shoe")
    for step, roles in (("shuffle", 1), ("check", 2), ("cut", 1), ("burn", 1)):
        for n, name in enumerate(("dealer", "supervisor")[:roles], start=1):
            supervisor.page.fill(f'input[name="signer{n}-badge"]', STAFF[name][1])
            supervisor.page.fill(f'input[name="signer{n}-secret"]', PINS[name])
        if step == "burn":
            supervisor.page.fill('input[name="burned"]', "?")
        supervisor.press(f"Sign {step}")
    expect(supervisor.page.locator("h1")).to_contain_text("in use")


def owed(name: RoundName, part: Part) -> dict[int, str]:
    """What the engine says goes back to each seat, as the glass writes it."""
    read = read_round(name)
    totals: dict[int, int] = {}
    for line in settle(read.ruleset, read.state(), part).lines:
        totals[line.seat] = totals.get(line.seat, 0) + line.returned_minor
    assert len(totals) == 5
    return {seat: money_text(total) for seat, total in totals.items()}


def paid_as_owed(name: RoundName) -> int:
    """Every payout was handed over as owed; return how many there are."""
    payouts = list(Payout.objects.filter(round__key=name.key))
    assert all(payout.handed_minor == payout.owed_minor for payout in payouts)
    return len(payouts)


def result_text(name: RoundName) -> str:
    """What the bank gained in a round, without its sign."""
    gained = Settlement.objects.filter(round__key=name.key)
    return money_text(abs(sum(settlement.bank_handed_minor for settlement in gained)))


def by_itself(request: Request) -> str:
    """Whether a page was opened by a person, or asks again by itself and says so."""
    if request.is_navigation_request():
        return "page"
    return "background" if request.headers.get("x-background") else "unsaid"


def audit(auditor: Visitor, *, name: RoundName) -> None:
    """The auditor goes from the board to the round: it verifies, and both engines agree."""
    auditor.sign_on("auditor")
    auditor.go("/pit/P1/")
    auditor.page.click("#tile-T2 h2 a")
    auditor.page.click(f'#content a[href="/tables/{name.table}/shoes/{name.shoe}/"]')
    auditor.page.click(f'#content a[href$="/rounds/{name.number}/"]')
    page = auditor.page
    expect(page.locator("h1")).to_contain_text("settled")
    proof = page.locator("#proof")
    expect(proof.locator(".proof b")).to_have_text("Verified")
    for _attempt in range(20):
        if proof.locator('.chip:has-text("agrees")').count() == 2:
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(proof.locator('.chip:has-text("agrees")')).to_have_count(2)
    expect(page.locator(".lay-card")).to_have_count(18)
    expect(page.locator(".timeline li")).not_to_have_count(0)
