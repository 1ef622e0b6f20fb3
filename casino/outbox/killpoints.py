"""Places where a test may kill the worker: proof that no line of it is special.

`reach` does nothing unless the setting KILL_POINT names the place; then the whole process group of
the worker, its parent and its siblings included, gets SIGKILL. Only tests set it.
"""

import os
import signal

from casino.config import config


def reach(point: str) -> None:
    """Pass a named place of the work."""
    if config().kill_point == point:
        os.killpg(os.getpgrp(), signal.SIGKILL)
