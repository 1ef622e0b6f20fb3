"""The name under which results of the second engine are kept.

It changes with every change of what the engine computes, and only then: a result is stored once for
each version, and one of an older version is never overwritten.
"""

from typing import Final

ENGINE_VERSION: Final = "bulk-2"
