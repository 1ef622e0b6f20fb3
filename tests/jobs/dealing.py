"""Rounds to be checked, and workers to check them that a test may kill."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from casino.embedded.process import Child
from casino.outbox.models import OutboxItem
from settlements.models import CheckResult, Settlement
from tables.selectors.round_read import RoundName
from tests.factories.house import House, play_round
from tests.support.worker import start_worker

LEASE_S = 5.0
SWEEP_S = 3.0
SHOE = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8
Result = tuple[str, str, int, bool]


@dataclass
class Dealing:
    """Deals rounds of one seat out of one shuffled shoe: six cards and two settlements each."""

    house: House
    shoe: list[str] = field(default_factory=lambda: random.Random(5).sample(SHOE, len(SHOE)))

    def round(self) -> RoundName:
        """Deal and settle one round."""
        hands = {hand: [self.shoe.pop() for _lap in range(3)] for hand in (2, 0)}
        return play_round(self.house, {2: {"main": 10000, "pair": 500}}, hands)


@dataclass
class Workers:
    """Starts worker processes as `make run` does."""

    environment: Mapping[str, str]
    folder: Path
    started: list[Child]

    def start(self, *, sweep_s: float = SWEEP_S, kill_point: str = "", idle: bool = False) -> Child:
        """Start a worker; `idle` keeps it from sweeping, so that it works for the bell alone."""
        extra = {"SWEEP_S": str(sweep_s), "KILL_POINT": kill_point}
        log = self.folder / f"worker-{len(self.started)}.log"
        child = start_worker({**self.environment, **extra}, log=log, sweep=not idle)
        self.started.append(child)
        return child

    def wait_ready(self, child: Child) -> None:
        """Wait until the worker listens."""
        log = self.folder / f"worker-{self.started.index(child)}.log"
        wait(lambda: "ready." in log.read_text(errors="replace"))


def wait(condition: Callable[[], bool], *, seconds: float = 60) -> float:
    """Wait for something; return when it was seen (monotonic seconds)."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "nothing happened in time"
        time.sleep(0.05)
    return time.monotonic()


def all_done() -> bool:
    """Whether no work waits."""
    return not OutboxItem.objects.exists()


def assert_checked_once() -> None:
    """Every settlement has exactly one result, and every result one settlement."""
    settled = Settlement.objects.values_list("round__key", "part", "revision")
    checked = CheckResult.objects.values_list("round__key", "part", "revision")
    assert sorted(checked) == sorted(settled)
    assert not CheckResult.objects.filter(agrees=False).exists()
