"""`make run`: everything that the product needs, on one machine, from one command.

Without DATABASE_URL it runs the demo: embedded PostgreSQL and Valkey, generated secrets, a demo
house, one shoe dealt through the public API. With DATABASE_URL it runs the product on the servers
of its environment, and stops at once when a setting is missing.

    python -m casino.run                  serve until Ctrl-C
    python -m casino.run manage COMMAND   a management command with the settings of the demo
"""

import ctypes
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from casino.config import Config, MissingSettingError, config, reveal
from casino.embedded.binaries import usable_binaries
from casino.embedded.database import migrate
from casino.embedded.errors import EmbeddedError
from casino.embedded.folder import Folder, default_folder, open_folder, shared_store
from casino.embedded.postgres import PostgresServer
from casino.embedded.process import Child, start_child
from casino.embedded.state import CHECKOUT, schema_state, static_state
from casino.embedded.valkey import ValkeyServer
from casino.supervisor import Process, StopRequested, Supervisor, SupervisorError, stop_signals

_DATABASE = "casino"
_DEMO_LOG_NAME = "demo.invalid/casino-log"
_WEB_PATIENCE_S = 60.0
_PR_SET_PDEATHSIG = 1


class StartError(RuntimeError):
    """The start failed; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What is to be run: the environment of all processes, and the folder of their logs."""

    settings: Config
    environment: Mapping[str, str]
    logs: Path
    is_demo: bool

    def command(self, *arguments: str) -> list[str]:
        """A management command as a process."""
        return [sys.executable, str(CHECKOUT / "manage.py"), *arguments]

    def manage(self, *arguments: str) -> str:
        """Run a management command to its end and return what it printed. Raises StartError."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=CHECKOUT,
            env=dict(self.environment),
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            text = (done.stdout + done.stderr)[-4000:]
            raise StartError(f"manage.py {' '.join(arguments)} failed:\n{text}")
        return done.stdout


def main(arguments: list[str]) -> int:
    """Serve, or run one command with the demo's settings; returns the exit status."""
    if arguments[:1] == ["manage"]:
        return _manage(arguments[1:])
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    supervisor = Supervisor(say=_say)
    with stop_signals():
        try:
            _end_with_make()
            _serve(supervisor)
        except StopRequested:
            _say("ending")
        except (StartError, EmbeddedError, MissingSettingError, SupervisorError) as error:
            print(f"\n{error}", file=sys.stderr, flush=True)
            return 1
        finally:
            supervisor.stop()
    return 0


def _serve(supervisor: Supervisor) -> None:
    began = time.monotonic()
    settings = config()
    _require_free_port(settings)
    if settings.database_url:
        settings.require_service()
        installation = _product(settings)
        installation.manage("check_database")
        installation.manage("collectstatic", "--no-input", "-v", "0")
    else:
        installation = _demo(settings, supervisor)
    supervisor.start(Process("web", lambda: _web(installation)))
    _wait_for_web(settings, supervisor)
    _say(f"the site answers after {time.monotonic() - began:.1f} s")
    sign_ins = installation.manage("demo") if installation.is_demo else ""
    supervisor.start(
        Process("worker", lambda: _worker(installation)),
        Process("jobs", lambda: _jobs(installation)),
        Process("beat", lambda: _beat(installation)),
    )
    print(_addresses(settings) + sign_ins, flush=True)
    if installation.is_demo:
        _deal(installation, supervisor)
    print("Ctrl-C ends everything.", flush=True)
    supervisor.watch()


def _product(settings: Config) -> Installation:
    """The servers of the environment; migrations where the owner's address is given."""
    if settings.database_owner_url:
        _say("migrations")
        migrate(reveal(settings.database_owner_url))
    # The owner's address is for migrations alone: no serving process gets it.
    environment = {k: v for k, v in os.environ.items() if k.upper() != "DATABASE_OWNER_URL"}
    logs = CHECKOUT / ".data" / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    return Installation(settings, environment, logs, is_demo=False)


def _demo(settings: Config, supervisor: Supervisor) -> Installation:
    """Embedded servers, brought to the state of this checkout."""
    folder = open_folder(settings.data_folder or default_folder(CHECKOUT))
    supervisor.kept.append(folder.lock())
    _say(f"embedded PostgreSQL and Valkey in {folder.path}")
    binaries = usable_binaries(account=folder.account, store=shared_store())
    postgres, valkey = PostgresServer(folder, binaries), ValkeyServer(folder, binaries)
    supervisor.start(postgres, valkey)
    schema = schema_state()
    if not folder.remembers("schema", schema):
        _say("roles and migrations")
        postgres.prepare(_DATABASE)
        folder.remember("schema", schema)
    installation = Installation(
        settings, demo_environment(settings, folder, postgres, valkey), folder.logs, is_demo=True
    )
    # The demo is made with the house of its environment: only another one has to be looked at.
    house = f"{settings.house_name} {settings.currency} {settings.currency_exponent}"
    if not folder.remembers("house", house):
        installation.manage("check_database")
        folder.remember("house", house)
    static = static_state()
    if not folder.remembers("static", static):
        installation.manage("collectstatic", "--no-input", "--clear", "-v", "0")
        folder.remember("static", static)
    return installation


def demo_environment(
    settings: Config, folder: Folder, postgres: PostgresServer, valkey: ValkeyServer
) -> dict[str, str]:
    """The settings of the demo: what the environment states stays, the rest is generated."""
    from audit.log.keys import generate_key

    key = folder.path / "checkpoint.key"
    log_name = settings.log_name or _DEMO_LOG_NAME
    if not key.exists():
        generate_key(key, name=log_name)
    checkpoints = folder.path / "checkpoints"
    checkpoints.mkdir(mode=0o700, exist_ok=True)
    generated = {
        "LOG_NAME": log_name,
        "SECRET_KEY": folder.secret("secret_key"),
        "REDIS_URL": valkey.url,
        "CHECKPOINT_KEY_FILE": str(key),
        "CHECKPOINT_FOLDER": str(checkpoints),
        "STATIC_FOLDER": str(folder.path / "static"),
        "HTTPS": "false",
        "DATA_FOLDER": str(folder.path),
    }
    stated = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
    return generated | stated | {"DATABASE_URL": postgres.addresses(_DATABASE).app}


def _web(installation: Installation) -> Child:
    settings = installation.settings
    return _child(
        installation,
        "web",
        [
            *(sys.executable, "-m", "granian", "casino.wsgi:application", "--interface", "wsgi"),
            *("--host", settings.bind, "--port", str(settings.port), "--http", "1", "--no-ws"),
            *("--workers", str(settings.web_workers), "--blocking-threads", "1"),
            *("--respawn-failed-workers", "--workers-kill-timeout", "5", "--log-level", "warning"),
        ],
    )


def _worker(installation: Installation) -> Child:
    """The worker of the outbox: follow-up work, some of which takes minutes."""
    processes = str(installation.settings.job_processes)
    return _celery_worker(installation, "worker", "-Q", "outbox", "--concurrency", processes)


def _jobs(installation: Installation) -> Child:
    """The worker of beat's own jobs: checkpoints and the turn of the day wait behind nothing."""
    return _celery_worker(installation, "jobs", "-Q", "jobs", "--pool", "solo")


def _celery_worker(installation: Installation, name: str, *options: str) -> Child:
    return _child(
        installation,
        name,
        [
            *(sys.executable, "-m", "celery", "-A", "casino.celery", "worker", *options),
            *("--without-gossip", "--without-mingle", "--loglevel", "WARNING"),
        ],
    )


def _beat(installation: Installation) -> Child:
    return _child(
        installation,
        "beat",
        [
            *(sys.executable, "-m", "celery", "-A", "casino.celery", "beat"),
            *("--pidfile=", "--loglevel", "WARNING"),
        ],
    )


def _child(installation: Installation, name: str, command: list[str]) -> Child:
    return start_child(
        command,
        name=name,
        folder=CHECKOUT,
        environment=installation.environment,
        log=installation.logs / f"{name}.log",
    )


def _deal(installation: Installation, supervisor: Supervisor) -> None:
    """Deal one whole shoe through the public API, once, with a progress line."""
    dealer = start_child(
        installation.command("simulate", "--first-only", "--url", _url(installation.settings)),
        name="simulate",
        folder=CHECKOUT,
        environment=installation.environment,
    )
    try:
        supervisor.watch(until=lambda: not dealer.is_running())
    finally:
        dealer.stop()
    if dealer.popen.returncode != 0:
        _say("the shoe was not dealt to its end; the site goes on")


def _manage(arguments: list[str]) -> int:
    """Run a management command on the demo that is running."""
    settings = config()
    folder = open_folder(settings.data_folder or default_folder(CHECKOUT))
    binaries = usable_binaries(account=folder.account, store=shared_store())
    postgres, valkey = PostgresServer(folder, binaries), ValkeyServer(folder, binaries)
    if not valkey.socket.exists():
        print("The demo is not running: start it with `make run`.", file=sys.stderr)
        return 1
    environment = demo_environment(settings, folder, postgres, valkey)
    command = [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
    status = subprocess.run(command, env=environment, check=False).returncode
    if "set_house" in arguments:
        folder.remember("house", "")  # the next start looks whether its environment still fits
    return status


def _require_free_port(settings: Config) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.bind, settings.port))
        except OSError as error:
            raise StartError(
                f"Port {settings.port} on {settings.bind} cannot be used ({error.strerror}). "
                "Set PORT to a free one."
            ) from error


def _wait_for_web(settings: Config, supervisor: Supervisor) -> None:
    deadline = time.monotonic() + _WEB_PATIENCE_S

    def answers() -> bool:
        if time.monotonic() > deadline:
            raise StartError("The web server does not answer; see web.log in the folder of logs.")
        try:
            with urllib.request.urlopen(f"{_url(settings)}/health/ready", timeout=5) as response:
                return bool(response.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    supervisor.watch(until=answers)


def _url(settings: Config) -> str:
    host = "127.0.0.1" if settings.bind in ("0.0.0.0", "127.0.0.1") else settings.bind
    return f"http://{host}:{settings.port}"


def _addresses(settings: Config) -> str:
    url = _url(settings)
    return f"""
  {url}/            sign on
  {url}/table/      the dealer's tablet
  {url}/pit/        the pit
  {url}/audit/      the auditor's desk
  {url}/api/docs/   the API
"""


def _end_with_make() -> None:
    """End when the `make` that started us is killed: nobody could end us otherwise."""
    if sys.platform.startswith("linux") and "MAKELEVEL" in os.environ:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, 15, 0, 0, 0)


def _say(text: str) -> None:
    print(f"[casino] {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
