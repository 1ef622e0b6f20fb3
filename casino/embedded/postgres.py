"""An embedded PostgreSQL server: made once, started as a child, reached over a Unix socket.

scram-sha-256 with generated passwords, no TCP, fsync on, UTF-8 with the builtin collation C.UTF-8,
which sorts the same on every machine.
"""

import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

from casino.embedded.binaries import Binaries
from casino.embedded.database import APP_ROLE, OWNER_ROLE, Addresses, prepare_database
from casino.embedded.errors import EmbeddedError
from casino.embedded.folder import Folder, write_private
from casino.embedded.process import Child, start_child

SUPERUSER = "postgres"
_START_PATIENCE_S = 60.0


class PostgresServer:
    """A cluster in `folder`, run with `binaries`."""

    def __init__(self, folder: Folder, binaries: Binaries) -> None:
        self.folder = folder
        self.binaries = binaries
        self.child: Child | None = None

    @property
    def exists(self) -> bool:
        """Whether the cluster was made."""
        return (self.folder.postgres / "PG_VERSION").exists()

    def create(self) -> None:
        """Make the cluster, with a generated password for its superuser."""
        account = self.folder.account
        # initdb reads the password from a file that its account can read, for a moment.
        password_file = self.folder.sockets / "password"
        write_private(password_file, self.password(SUPERUSER))
        account.own(password_file, mode=0o600)
        account.folder(self.folder.postgres)
        try:
            done = subprocess.run(
                [
                    self.binaries.program("initdb"),
                    *("-D", str(self.folder.postgres), "-U", SUPERUSER),
                    *("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                    *("--locale=C", "--auth=scram-sha-256", f"--pwfile={password_file}"),
                ],
                check=False,
                capture_output=True,
                text=True,
                cwd="/",
                user=account.uid if account.dropped else None,
                group=account.gid if account.dropped else None,
                extra_groups=[] if account.dropped else None,
            )
        finally:
            password_file.unlink()
        if done.returncode != 0:
            raise EmbeddedError(f"PostgreSQL's initdb failed: {done.stderr.strip()}")
        with (self.folder.postgres / "postgresql.conf").open("a") as settings:
            settings.write(_settings(self.folder.sockets))
        hba = self.folder.postgres / "pg_hba.conf"
        hba.write_text(
            "# Unix socket only; every role with its password.\nlocal all all scram-sha-256\n"
        )

    def start(self, *, options: Sequence[str] = ()) -> None:
        """Start the server and wait until it answers; make the cluster first if there is none."""
        if not self.exists:
            self.create()
        self.child = start_child(
            [
                self.binaries.program("postgres"),
                *("-D", str(self.folder.postgres)),
                # On the command line, because a copied cluster lies in another folder.
                *("-k", str(self.folder.sockets)),
                *options,
            ],
            name="postgres",
            end_signal=signal.SIGINT,  # "fast": sessions are ended, nothing is lost.
            account=self.folder.account,
            folder=Path("/"),
            log=self.folder.logs / "postgres.log",
        )
        self._wait(self.child)

    def stop(self) -> None:
        """Stop the server cleanly."""
        if self.child is not None:
            self.child.stop(patience_s=30)
            self.child = None

    def url(self, role: str, *, database: str) -> str:
        """The libpq address of a database for a role of this cluster."""
        password = self.password(role)
        host = quote(str(self.folder.sockets), safe="")
        return f"postgresql://{role}:{quote(password, safe='')}@/{database}?host={host}"

    def password(self, role: str) -> str:
        """The generated password of a role."""
        return self.folder.secret(f"postgres_{role}")

    def admin_url(self, *, database: str = "postgres") -> str:
        """The superuser's address: for set-up and tests, never for the product."""
        return self.url(SUPERUSER, database=database)

    def addresses(self, database: str) -> Addresses:
        """How the three roles reach a database of this cluster."""
        return Addresses(
            admin=self.admin_url(database=database),
            owner=self.url(OWNER_ROLE, database=database),
            app=self.url(APP_ROLE, database=database),
        )

    def prepare(self, database: str) -> Addresses:
        """Bring a database of this cluster to the state of this checkout."""
        addresses = self.addresses(database)
        passwords = {role: self.password(role) for role in (OWNER_ROLE, APP_ROLE)}
        prepare_database(addresses, name=database, passwords=passwords)
        return addresses

    def _wait(self, child: Child) -> None:
        deadline = time.monotonic() + _START_PATIENCE_S
        url = self.admin_url()
        while time.monotonic() < deadline:
            with suppress(psycopg.OperationalError):
                psycopg.connect(url, connect_timeout=5).close()
                return
            if not child.is_running():
                break
            time.sleep(0.05)
        child.stop()
        log = (self.folder.logs / "postgres.log").read_text(errors="replace")
        raise EmbeddedError("PostgreSQL did not start:\n" + log[-2000:])


def _settings(sockets: Path) -> str:
    return f"""
# Embedded: reached over a Unix socket alone.
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
max_connections = 100
"""
