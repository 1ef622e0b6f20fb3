"""The one typed place where settings are read from the environment.

docs/configuration.md lists every name for people. Nothing else in the product reads `os.environ`
for a setting. Reading never fails for lack of a secret, so that commands without a database
(`settle`, `odds`) run anywhere; what serves calls `require_service` and stops when one is missing.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal
from unicodedata import normalize

from psycopg.conninfo import conninfo_to_dict
from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from casino.kernel.money import Currency

# No sign-on lasts longer: the cookie that it hangs on does not.
LONGEST_MINUTES_MAX = 12 * 60
IDLE_MINUTES_MAX = 2 * 60

# The roles of `casino.people`, which needs settings before it can be imported.
RoleName = Literal[
    "dealer",
    "supervisor",
    "manager",
    "cashier",
    "counter",
    "surveillance",
    "auditor",
    "regulator",
    "administrator",
]


# As the log keeps it, or the two would never be the same.
HouseName = Annotated[str, AfterValidator(lambda name: normalize("NFC", name).strip())]


class MissingSettingError(RuntimeError):
    """The environment lacks settings without which the product must not serve."""


class Config(BaseSettings):
    """Settings from the environment. Names are upper case there: `PORT`, `DATABASE_URL`, ..."""

    model_config = SettingsConfigDict(case_sensitive=False, extra="ignore", frozen=True)

    # Secrets and addresses: no defaults.
    secret_key: SecretStr | None = None
    database_url: SecretStr | None = None
    database_owner_url: SecretStr | None = None
    redis_url: SecretStr | None = None

    # The web server.
    port: int = Field(default=8000, ge=1, le=65535)
    bind: str = "127.0.0.1"
    allowed_hosts: str = "localhost,127.0.0.1,[::1]"
    trusted_origins: str = ""
    https: bool = True
    static_folder: Path | None = None
    web_workers: int = Field(default=2, ge=1, le=64)
    job_processes: int = Field(default=2, ge=1, le=64)

    # Who signs on. Without a header nothing that a caller can write is believed of its address.
    client_address_header: str = Field(default="", pattern=r"^([A-Za-z][A-Za-z0-9-]{0,63})?$")
    sign_on_idle_minutes: dict[RoleName, Annotated[int, Field(ge=1, le=IDLE_MINUTES_MAX)]] = {}
    sign_on_longest_minutes: dict[
        RoleName, Annotated[int, Field(ge=1, le=LONGEST_MINUTES_MAX)]
    ] = {}

    # The house.
    house_name: HouseName = "Demo House"
    currency: str = Field(default="PHP", pattern=r"^[A-Z]{3}$")
    currency_exponent: int = Field(default=2, ge=0, le=4)
    suit_colours: Literal["two", "four"] = "two"

    # The log's signed checkpoints.
    log_name: str = Field(default="", pattern=r"^[^\s+]*$")
    checkpoint_key_file: Path | None = None
    checkpoint_folder: Path | None = None

    # Waiting for a lock, in milliseconds; after that the caller is told to retry.
    lock_timeout_ms: int = Field(default=3000, ge=100, le=60_000)

    # Seconds between two sweeps of the outbox by beat.
    sweep_s: float = Field(default=5.0, ge=0.1, le=60)

    # A named place at which a test has the worker killed; see casino.outbox.killpoints.
    kill_point: str = ""

    # Embedded services for the demo: the folder that holds everything they keep.
    data_folder: Path | None = None

    @property
    def house_currency(self) -> Currency:
        """The house's one currency."""
        return Currency(self.currency, self.currency_exponent)

    def require_service(self) -> None:
        """Stop unless everything needed to serve is set. Raises MissingSettingError naming all."""
        needed: dict[str, object] = {
            "SECRET_KEY": self.secret_key,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "LOG_NAME": self.log_name,
            "CHECKPOINT_KEY_FILE": self.checkpoint_key_file,
            "CHECKPOINT_FOLDER": self.checkpoint_folder,
        }
        if self.https:
            # TLS ends at a proxy: without its word all browsers would share one address, and ten
            # wrong tries at one of them would keep everybody from signing on.
            needed["CLIENT_ADDRESS_HEADER"] = self.client_address_header
        missing = [name for name, value in needed.items() if not value]
        if missing:
            raise MissingSettingError(
                f"Set {', '.join(missing)} in the environment (docs/configuration.md)."
            )


@cache
def config() -> Config:
    """The settings of this process, read once."""
    return Config()


def reveal(secret: SecretStr | None) -> str:
    """The text of a secret, empty when it is not set."""
    return secret.get_secret_value() if secret else ""


def split(text: str) -> list[str]:
    """A comma-separated setting as a list."""
    return [item.strip() for item in text.split(",") if item.strip()]


def database(url: str, *, lock_timeout_ms: int) -> Mapping[str, object]:
    """Django's description of the PostgreSQL database at a libpq address.

    Without an address, the backend that refuses any use: a command that needs no database runs.
    """
    if not url:
        return {"ENGINE": "django.db.backends.dummy"}
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    # One plan for each prepared statement, whatever its parameters (decisions/0015).
    ours = f"-c lock_timeout={lock_timeout_ms} -c plan_cache_mode=force_generic_plan"
    options = f"{parts.pop('options', '')} {ours}".strip()
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", ""),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        # For `audit.log.prepared` alone: Django's own cursors prepare nothing.
        "OPTIONS": {**parts, "options": options, "prepare_threshold": 0},
    }
