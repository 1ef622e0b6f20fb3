"""The folder that embedded services keep everything in: data, sockets, logs and secrets.

Run by root it lies in /var/lib, because the servers' account must reach its data; run by anybody
else in the checkout's `.data`. Either way only its owner reads it, and secrets are 0600.
"""

import fcntl
import hashlib
import json
import os
import secrets
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from casino.embedded.account import Account, server_account
from casino.embedded.errors import EmbeddedError

# A Unix socket's path has 107 bytes; PostgreSQL adds ".s.PGSQL.5432" and a lock's suffix.
_SOCKET_FOLDER_MAX = 80


@dataclass(frozen=True, slots=True)
class Folder:
    """One installation of embedded services."""

    path: Path
    account: Account

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data."""
        return self.path / "postgres"

    @property
    def sockets(self) -> Path:
        """The folder of both sockets; under /tmp where the path would be too long for one."""
        inside = self.path / "run"
        if len(os.fsencode(inside)) <= _SOCKET_FOLDER_MAX:
            return inside
        mark = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"casino-{os.geteuid()}-{mark}"

    @property
    def logs(self) -> Path:
        """The folder of the services' own output."""
        return self.path / "logs"

    def prepare(self) -> None:
        """Make the folders, each as private as its use allows."""
        self.path.mkdir(parents=True, exist_ok=True)
        if self.account.dropped:
            _require_passage(self.path)
        # The servers' account passes through, but lists nothing.
        self.path.chmod(0o711 if self.account.dropped else 0o700)
        self._make_sockets()
        self.logs.mkdir(exist_ok=True)
        self.logs.chmod(0o700)

    def _make_sockets(self) -> None:
        """Make the sockets' folder. Under /tmp anybody may have laid something in its place: ask
        before anything of it is changed. Raises EmbeddedError.
        """
        try:
            self.sockets.mkdir(mode=0o700)
        except FileExistsError as error:
            found = self.sockets.lstat()
            # Ours is what a start made that was killed before it gave the folder away.
            ours = found.st_uid in (self.account.uid, os.geteuid())
            if not stat.S_ISDIR(found.st_mode) or not ours:
                raise EmbeddedError(f"{self.sockets} belongs to somebody else.") from error
        self.account.own(self.sockets, mode=0o700)

    def secret(self, name: str) -> str:
        """A secret of this installation, generated on first use and kept in a 0600 file."""
        found = self._secrets()
        if name not in found:
            found[name] = secrets.token_urlsafe(32)
            write_private(self.path / "secrets.json", json.dumps(found, indent=1))
        return found[name]

    def remembers(self, name: str, state: str) -> bool:
        """Whether `remember` was last told this state."""
        path = self.path / f"{name}.state"
        return path.exists() and path.read_text() == state

    def remember(self, name: str, state: str) -> None:
        """Keep what was prepared, so that the next start need not do it again."""
        write_private(self.path / f"{name}.state", state)

    def lock(self) -> IO[bytes]:
        """Hold this folder for one supervisor; raises EmbeddedError when another one has it."""
        handle = (self.path / "lock").open("ab")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            handle.close()
            raise EmbeddedError(f"It is running already (folder {self.path}).") from error
        return handle

    def _secrets(self) -> dict[str, str]:
        path = self.path / "secrets.json"
        if not path.exists():
            return {}
        stored: Mapping[str, str] = json.loads(path.read_text())
        return dict(stored)


def _require_passage(path: Path) -> None:
    """Refuse a folder that an account of no privileges cannot reach. Raises EmbeddedError."""
    for parent in path.parents:
        if not parent.stat().st_mode & 0o001:
            raise EmbeddedError(
                f"The servers do not run as root and cannot pass through {parent}. "
                "Set DATA_FOLDER to a place that every account can reach."
            )


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read at any moment, whole or not at all."""
    part = path.with_name(path.name + ".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    part.rename(path)


def default_folder(checkout: Path) -> Path:
    """Where the demo of this checkout keeps its data when DATA_FOLDER does not say."""
    if os.geteuid() != 0:
        return checkout / ".data"
    mark = hashlib.sha256(os.fsencode(checkout.resolve())).hexdigest()[:8]
    return shared_store() / f"demo-{mark}"


def shared_store() -> Path:
    """Where this account keeps what several checkouts share: programs and test templates."""
    if os.geteuid() == 0:
        return Path("/var/lib/casino-embedded")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "casino-embedded"


def open_folder(path: Path) -> Folder:
    """The folder, prepared, with the account that its servers run as."""
    folder = Folder(path.resolve(), server_account())
    folder.prepare()
    return folder
