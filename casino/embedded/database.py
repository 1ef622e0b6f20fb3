"""Make the product's database: roles and grants as superuser, migrations as the owner.

The same file `deploy/roles.sql` serves here and in production. The product itself never holds the
superuser's address.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from casino.embedded.errors import EmbeddedError
from casino.embedded.state import CHECKOUT

OWNER_ROLE = "casino_owner"
APP_ROLE = "casino_app"


def apply_roles(admin_url: str) -> None:
    """Run `deploy/roles.sql` in a database: makes the roles, then grants by declaration."""
    script = (CHECKOUT / "deploy" / "roles.sql").read_text()
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute(script.encode())


def set_passwords(admin_url: str, passwords: Mapping[str, str]) -> None:
    """Set the passwords of roles that exist."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        for role, password in passwords.items():
            connection.execute(
                sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(password)
                )
            )


def create_database(admin_url: str, name: str) -> None:
    """Make an empty database if it is missing. `apply_roles` then gives it to the owner."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if found.fetchone() is None:
            connection.execute(
                sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(
                    sql.Identifier(name)
                )
            )


def migrate(owner_url: str) -> None:
    """Run all migrations as the owner, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--database=owner", "--no-input", "-v", "0"],
        cwd=CHECKOUT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "DATABASE_URL": owner_url,
            "DATABASE_OWNER_URL": owner_url,
            "SECRET_KEY": "migrations sign nothing",
        },
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise EmbeddedError("Migrations failed:\n" + (done.stdout + done.stderr)[-4000:])


@dataclass(frozen=True, slots=True)
class Addresses:
    """How the superuser, the owner and the application reach one database."""

    admin: str
    owner: str
    app: str


def prepare_database(addresses: Addresses, *, name: str, passwords: Mapping[str, str]) -> None:
    """Bring a database to the state of this checkout; doing it again changes nothing.

    The superuser's address may lead to another database of the same server while this one is
    missing, so it is made from there.
    """
    create_database(_with_database(addresses.admin, "postgres"), name)
    apply_roles(addresses.admin)
    set_passwords(addresses.admin, passwords)
    migrate(addresses.owner)
    apply_roles(addresses.admin)


def _with_database(url: str, name: str) -> str:
    return make_conninfo(url, dbname=name)
