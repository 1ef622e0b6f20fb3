"""Workers for the comparison of the two engines: as many processes as a small machine has cores."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest


@pytest.fixture(scope="session")
def workers() -> Iterator[ProcessPoolExecutor]:
    """Two processes that start fresh, without Django."""
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        yield pool
