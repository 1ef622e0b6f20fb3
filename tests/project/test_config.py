import os
import string
import subprocess
import sys
from typing import get_args

import pytest
from pydantic import ValidationError

from casino.config import Config, MissingSettingError, RoleName, database, split
from casino.embedded.state import CHECKOUT
from casino.kernel.money import Currency
from casino.people.models import Role

SECRETS = {
    "SECRET_KEY": string.ascii_letters,
    "DATABASE_URL": "postgresql://casino_app:p%40ss@/casino?host=%2Frun",
    "REDIS_URL": "redis://localhost",
    "LOG_NAME": "house.invalid/log",
    "CHECKPOINT_KEY_FILE": "/keys/key",
    "CHECKPOINT_FOLDER": "/outside",
    "CLIENT_ADDRESS_HEADER": "X-Forwarded-For",
}


def _set(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name in (*SECRETS, "PORT", "HTTPS", "CURRENCY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, **SECRETS, PORT="8080", CURRENCY="JPY", CURRENCY_EXPONENT="0")
    settings = Config()
    settings.require_service()
    assert (settings.port, settings.house_currency) == (8080, Currency("JPY", 0))
    assert "p%40ss" not in repr(settings)


def test_every_missing_secret_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, REDIS_URL="redis://localhost")
    with pytest.raises(MissingSettingError) as caught:
        Config().require_service()
    for name in SECRETS.keys() - {"REDIS_URL"}:
        assert name in str(caught.value)
    assert "REDIS_URL" not in str(caught.value)


def test_a_value_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, PORT="99999", CURRENCY="pesos")
    with pytest.raises(ValidationError) as caught:
        Config()
    assert {str(error["loc"][0]).lower() for error in caught.value.errors()} == {"port", "currency"}


def test_a_site_without_a_proxy_needs_no_header_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, **(SECRETS | {"CLIENT_ADDRESS_HEADER": ""}), HTTPS="false")
    Config().require_service()


def test_who_signs_on_is_set_in_the_environment() -> None:
    done = _manage(
        "diffsettings",
        CLIENT_ADDRESS_HEADER="X-Real-IP",
        SIGN_ON_IDLE_MINUTES='{"dealer": 45}',
        SIGN_ON_LONGEST_MINUTES='{"auditor": 60, "cashier": 720}',
    )
    lines = done.stdout.splitlines()
    assert "CLIENT_ADDRESS_HEADER = 'X-Real-IP'  ###" in lines
    assert "SIGN_ON_IDLE_MINUTES = {'dealer': 45}  ###" in lines
    assert "SIGN_ON_LONGEST_MINUTES = {'auditor': 60, 'cashier': 720}  ###" in lines


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLIENT_ADDRESS_HEADER", "X_FORWARDED_FOR"),
        ("CLIENT_ADDRESS_HEADER", "X-Forwarded-For, X-Real-IP"),
        ("SIGN_ON_IDLE_MINUTES", '{"dealer": 0}'),
        ("SIGN_ON_IDLE_MINUTES", '{"dealer": 121}'),
        ("SIGN_ON_IDLE_MINUTES", '{"croupier": 5}'),
        ("SIGN_ON_LONGEST_MINUTES", '{"dealer": 721}'),
    ],
)
def test_what_does_not_fit_of_a_sign_on_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as caught:
        Config()
    assert {str(error["loc"][0]).upper() for error in caught.value.errors()} == {name}


def test_every_role_may_have_its_own_times() -> None:
    assert set(get_args(RoleName)) == set(Role.values)


def test_an_address_becomes_djangos_description() -> None:
    described = database(SECRETS["DATABASE_URL"] + "&sslmode=require", lock_timeout_ms=1500)
    assert described["ENGINE"] == "django.db.backends.postgresql"
    assert (described["NAME"], described["USER"]) == ("casino", "casino_app")
    assert (described["PASSWORD"], described["HOST"]) == ("p@ss", "/run")
    assert described["OPTIONS"] == {
        "sslmode": "require",
        "options": "-c lock_timeout=1500 -c plan_cache_mode=force_generic_plan",
        "prepare_threshold": 0,
    }


def test_options_of_an_address_stay() -> None:
    described = database("postgresql:///x?options=-c%20work_mem%3D8MB", lock_timeout_ms=1)
    options = "-c work_mem=8MB -c lock_timeout=1 -c plan_cache_mode=force_generic_plan"
    assert described["OPTIONS"] == {"options": options, "prepare_threshold": 0}


def test_lists() -> None:
    assert split(" a, b ,,c") == ["a", "b", "c"]


def _manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"], **environment},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_without_a_database_runs_anywhere() -> None:
    done = _manage("settle")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_product_passes_djangos_own_check_of_a_deployment() -> None:
    done = _manage("check", "--deploy", "--fail-level", "WARNING", **SECRETS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("program", ["casino.wsgi", "celery-worker", "celery-beat"])
def test_nothing_serves_without_its_secrets(program: str) -> None:
    arguments = {
        "casino.wsgi": ["-c", "import casino.wsgi"],
        "celery-worker": ["-m", "celery", "-A", "casino.celery", "worker", "-P", "solo"],
        "celery-beat": ["-m", "celery", "-A", "casino.celery", "beat", "--pidfile="],
    }[program]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert "Set SECRET_KEY, DATABASE_URL, REDIS_URL" in done.stderr
