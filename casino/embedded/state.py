"""What the database and the static files of this checkout are made from, as hashes.

A start that finds the hash of the last one has nothing to prepare. It must not look at data.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from casino.embedded.binaries import wheel_versions

CHECKOUT = Path(__file__).resolve().parents[2]
_APPS = ("audit", "casino", "settlements", "tables")
_ALWAYS = ("requirements/run.txt", "casino/settings.py", "casino/config.py")


def schema_state() -> str:
    """A hash of everything that decides what a migrated database looks like."""
    sources = [*(CHECKOUT / "deploy").rglob("*.sql"), *(CHECKOUT / "casino/embedded").glob("*.py")]
    sources += _below("migrations", suffixes=(".py", ".sql"))
    return _hash(sources)


def static_state() -> str:
    """A hash of everything that decides what the collected static files look like."""
    return _hash(_below("static", suffixes=None))


def _below(folder: str, *, suffixes: tuple[str, ...] | None) -> list[Path]:
    found = (path for app in _APPS for path in (CHECKOUT / app).rglob(f"{folder}/**/*"))
    return [p for p in found if p.is_file() and (suffixes is None or p.suffix in suffixes)]


def _hash(sources: Iterable[Path]) -> str:
    digest = hashlib.sha256(wheel_versions().encode())
    for path in sorted({*sources, *(CHECKOUT / name for name in _ALWAYS)}):
        digest.update(str(path.relative_to(CHECKOUT)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
