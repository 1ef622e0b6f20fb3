"""Which operating system account the servers run as.

PostgreSQL refuses to run as root. Started by root, the servers run as a system account made for
them, or as `nobody` where none can be made; otherwise as whoever started them.
"""

import os
import pwd
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ACCOUNT_NAME = "casino-embedded"
# What useradd ends with when another one holds the files of accounts or of groups.
_LOCKED = (1, 10)
_TRIES, _PAUSE_S = 50, 0.1


@dataclass(frozen=True, slots=True)
class Account:
    """The ids that a server runs under; `dropped` when they are not our own."""

    uid: int
    gid: int
    dropped: bool

    def own(self, path: Path, *, mode: int) -> None:
        """Give `path` to this account with exactly this mode."""
        path.chmod(mode)
        if self.dropped:
            os.chown(path, self.uid, self.gid)

    def folder(self, path: Path, *, mode: int = 0o700) -> Path:
        """Make the folder if it is missing, and give it to this account."""
        path.mkdir(parents=True, exist_ok=True)
        self.own(path, mode=mode)
        return path


def server_account() -> Account:
    """The account for servers; made on first use when we are root."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), dropped=False)
    entry = _find(ACCOUNT_NAME) or _make(ACCOUNT_NAME) or pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid, dropped=True)


def _find(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _make(name: str) -> pwd.struct_passwd | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    command = [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/bin/false"]
    # Two first starts at once may both try; the one that finds the files locked waits for what the
    # other made.
    for _ in range(_TRIES):
        done = subprocess.run([*command, name], check=False, capture_output=True)
        found = _find(name)
        if found or done.returncode not in _LOCKED:
            return found
        time.sleep(_PAUSE_S)
    return None
