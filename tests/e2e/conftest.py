"""The whole product for a browser: web server, worker and beat as processes, on one database.

The house has nine tables: T1 is open with a shoe ready, the others are closed. A test takes a
table of its own; whoever signs on is signed off elsewhere, as everywhere.
"""

import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.plugin import DjangoDbBlocker

from audit.log.keys import generate_key
from casino.embedded.binaries import usable_binaries
from casino.embedded.folder import Folder, open_folder, shared_store
from casino.embedded.process import Child, start_child
from casino.embedded.state import CHECKOUT
from casino.embedded.valkey import ValkeyServer
from casino.people.middleware import device_cookie_name
from tests.e2e.glass import Glass
from tests.factories.house import PASSWORDS, PINS, STAFF, House, open_floor
from tests.support.browser import Ear, chromium
from tests.support.database import CloneDatabase
from tests.support.floors import PreparedFloor, cloned_floor
from tests.support.worker import start_worker

_PATIENCE_S = 60
TABLET = {"width": 1280, "height": 800}
DESK = {"width": 1680, "height": 1050}


@dataclass(frozen=True, slots=True)
class Site:
    """Where the product is served, and the house in it, as of now."""

    url: str
    house: House
    database: CloneDatabase


@dataclass
class Visitor:
    """One browser of its own: cookies, a page, and what the page complained about."""

    site: Site
    context: BrowserContext
    page: Page
    ear: Ear = field(default_factory=Ear)

    def go(self, path: str) -> Page:
        """Open a page of the site."""
        self.page.goto(f"{self.site.url}{path}")
        return self.page

    def press(self, words: str) -> None:
        """Press the button or link of the page's content that says so."""
        within = self.page.locator("#content")
        button = within.locator(f'button:text-is("{words}")')
        button.or_(within.locator(f'a:text-is("{words}")')).first.click()

    def sign_on(self, name: str, *, with_pin: bool = False) -> None:
        """Sign on with badge and secret."""
        self.go("/sign-on/")
        self.page.fill('input[name="badge"]', STAFF[name][1])
        self.page.fill('input[name="secret"]', PINS[name] if with_pin else PASSWORDS[name])
        self.page.click('#content button[type="submit"]')
        self.page.wait_for_url(lambda url: "/sign-on" not in url)

    def hold_tablet(self, table: str) -> None:
        """Be the enrolled tablet of a table."""
        token = self.site.house.tokens[table]
        self.context.add_cookies(
            [{"name": device_cookie_name(), "value": token, "url": self.site.url}]
        )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, headless. Its loop lives in this thread, where the tests also ask the database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        with chromium() as started:
            yield started


@pytest.fixture(scope="session")
def site(
    prepared_floor: PreparedFloor,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """The product, served; the tests' own connection leads to the same database."""
    folder = tmp_path_factory.mktemp("e2e")
    children: list[Child] = []
    with (
        tempfile.TemporaryDirectory(prefix="casino-tests-") as servers,
        django_db_blocker.unblock(),
        cloned_floor(prepared_floor) as floor,
    ):
        broker = _broker(open_folder(Path(servers)))
        broker.start()
        try:
            environment = _environment(floor.database, broker, folder=folder)
            port = _free_port()
            children.append(_start_web(environment, port=port, folder=folder))
            children.append(start_worker(environment, log=folder / "worker.log"))
            url = f"http://127.0.0.1:{port}"
            _wait_until_served(url)
            house = replace(floor.house, now=timezone.now())
            yield Site(url=url, house=house, database=floor.database)
        finally:
            for child in children:
                child.kill()
            broker.stop()


@pytest.fixture
def visitors(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Make browsers of the test's own; a page that wrote an error or a warning fails the test."""
    made: list[Visitor] = []

    def make(
        *, size: Mapping[str, int] = DESK, scheme: str = "light", scripts: bool = True
    ) -> Visitor:
        context = browser.new_context(
            java_script_enabled=scripts,
            viewport=dict(size),  # type: ignore[arg-type]  # a plain dict
            color_scheme=scheme,  # type: ignore[arg-type]  # a plain string
        )
        context.set_default_timeout(15_000)
        visitor = Visitor(site=site, context=context, page=context.new_page())
        visitor.ear.listen(visitor.page)
        made.append(visitor)
        return visitor

    yield make
    for visitor in made:
        visitor.context.close()
    for visitor in made:
        assert visitor.ear.trouble == []


@pytest.fixture
def glass_at(site: Site, visitors: Callable[..., Visitor]) -> Callable[[str], Glass]:
    """Open a closed table, ready its shoe, and stand at its glass as the dealer."""

    def stand(table: str) -> Glass:
        open_floor(site.house, table)
        dealer = visitors(size=TABLET, scheme="dark")
        dealer.hold_tablet(table)
        dealer.sign_on("dealer", with_pin=True)
        glass = Glass(dealer.page)
        glass.asks_for("Ready for the first round of this shoe")
        return glass

    return stand


def _broker(folder: Folder) -> ValkeyServer:
    return ValkeyServer(folder, usable_binaries(account=folder.account, store=shared_store()))


def _environment(database: CloneDatabase, broker: ValkeyServer, *, folder: Path) -> dict[str, str]:
    key = folder / "checkpoint.key"
    generate_key(key, name="tests.invalid/casino-log")
    checkpoints = folder / "checkpoints"
    checkpoints.mkdir()
    return {
        **database.environment(),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        # One-time codes are kept under it: those of the tests count in the product too.
        "SECRET_KEY": settings.SECRET_KEY,
        "HTTPS": "false",
        "REDIS_URL": broker.url,
        "CHECKPOINT_KEY_FILE": str(key),
        "CHECKPOINT_FOLDER": str(checkpoints),
        "SWEEP_S": "1",
    }


def _start_web(environment: Mapping[str, str], *, port: int, folder: Path) -> Child:
    return start_child(
        [
            *(sys.executable, "-m", "granian", "casino.wsgi:application", "--interface", "wsgi"),
            *("--host", "127.0.0.1", "--port", str(port), "--http", "1", "--no-ws"),
            *("--workers", "1", "--blocking-threads", "2", "--log-level", "warning"),
        ],
        name="web",
        folder=CHECKOUT,
        environment=environment,
        log=folder / "web.log",
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_served(url: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(f"{url}/health/ready", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (OSError, urllib.error.URLError):
            assert time.monotonic() < deadline, "the web server does not answer"
        time.sleep(0.1)
