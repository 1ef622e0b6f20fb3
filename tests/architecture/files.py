"""The project's own files, as the architecture tests read them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("audit", "casino", "deploy", "settlements", "tables", "tests")
_SKIPPED = {".git", ".venv", ".data", "__pycache__", "staticfiles", ".hypothesis", "test-results"}
_TEXT = {".py", ".sql", ".md", ".toml", ".txt", ".in", ".html", ".css", ".js", ".sh", ".yaml", ""}


@cache
def text_files() -> tuple[Path, ...]:
    """Every text file of the project."""
    return tuple(sorted(_walk(ROOT)))


def python_files(*, migrations: bool = False) -> Iterator[Path]:
    """Every Python module of the project."""
    for path in text_files():
        inside = path.relative_to(ROOT).parts
        if path.suffix == ".py" and (migrations or "migrations" not in inside):
            yield path


@cache
def tree(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def name(path: Path) -> str:
    """A file's name as a message shows it."""
    return str(path.relative_to(ROOT))


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _SKIPPED or path.name.endswith("_cache"):
            continue
        if path.is_dir():
            yield from _walk(path)
        elif path.suffix in _TEXT:
            yield path
