"""Sorting more than fits in memory: runs in temporary files, merged while they are read."""

import heapq
import json
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Self

RUN_ITEMS = 100_000


class Sorter:
    """Takes (kind, key, number, payload) and yields them sorted by kind, bytes of key, number."""

    def __init__(self, run_items: int = RUN_ITEMS) -> None:
        self._run_items = run_items
        self._items: list[tuple[str, bytes, int, str]] = []
        self._runs: list[IO[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for run in self._runs:
            run.close()

    def add(self, kind: str, key: str, number: int, payload: str) -> None:
        """Take one item; numbers are unique."""
        self._items.append((kind, key.encode(), number, payload))
        if len(self._items) >= self._run_items:
            self._spill()

    def sorted(self) -> Iterator[tuple[str, str, str]]:
        """Yield (kind, key, payload) in order."""
        self._items.sort()
        for kind, key, _, payload in heapq.merge(self._items, *map(_read, self._runs)):
            yield kind, key.decode(), payload

    def _spill(self) -> None:
        self._items.sort()
        run = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  closed on exit
        self._runs.append(run)
        for kind, key, number, payload in self._items:
            run.write(json.dumps([kind, key.decode(), number, payload]))
            run.write("\n")
        self._items.clear()


def _read(run: IO[str]) -> Iterator[tuple[str, bytes, int, str]]:
    run.seek(0)
    for line in run:
        kind, key, number, payload = json.loads(line)
        yield kind, key.encode(), number, payload
