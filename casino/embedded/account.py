"""Which operating system account the servers run as.

PostgreSQL refuses to run as root. Started by root, the servers run as a system account made for
them, or as `nobody` where none can be made; otherwise as whoever started them.
"""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ACCOUNT_NAME = "casino-embedded"


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
    # Two first starts at once may both try; the loser finds the account that the winner made.
    subprocess.run(
        [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/bin/false", name],
        check=False,
        capture_output=True,
    )
    return _find(name)
