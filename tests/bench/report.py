"""How a bench says what it measured: medians of interleaved runs, rates, percentiles, ratios."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

Clock = Callable[[], float]

RUNS = int(os.environ.get("BENCH_RUNS", "5"))


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: how many things were done in how many seconds, and how long each request took."""

    things: int
    seconds: float
    latencies: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Things a second."""
        return self.things / self.seconds


def say(line: str = "") -> None:
    """Print a line of the bench."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def interleaved(works: Mapping[str, Callable[[], Measured]]) -> dict[str, list[Measured]]:
    """Run all works in turn, several times over."""
    found: dict[str, list[Measured]] = {name: [] for name in works}
    for _ in range(RUNS):
        for name, work in works.items():
            found[name].append(work())
    return found


def rate_of(runs: Sequence[Measured]) -> float:
    """The median rate of the runs."""
    return median(run.rate for run in runs)


def milliseconds(runs: Sequence[Measured], part: float) -> float:
    """The median over runs of a percentile of the latencies, in milliseconds."""
    return 1000 * median(percentile(run.latencies, part) for run in runs)


def seconds_of(work: Callable[[], object], *, clock: Clock = perf_counter) -> float:
    """How long one run takes; on `process_time`, how much of one core."""
    start = clock()
    work()
    return clock() - start


def medians(
    works: Mapping[str, Callable[[], object]], *, runs: int, clock: Clock = perf_counter
) -> dict[str, float]:
    """The median seconds of each work, runs taken in turn."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            times[name].append(seconds_of(work, clock=clock))
    return {name: median(taken) for name, taken in times.items()}


def met(value: float, *, aim: float, at_most: bool = False) -> str:
    """Say whether an aim is met."""
    is_met = value <= aim if at_most else value >= aim
    return f"aim {'at most ' if at_most else ''}{aim:g}: {'met' if is_met else 'not met'}"
