"""The bytes of the log, pure: canonical form, hash of an entry, signed checkpoints.

docs/log-format.md describes the same for other languages. Nothing here knows Django, a clock or a
database; a stand-alone verifier can import it alone.
"""

from audit.chain.canonical import BodyError, canonical, read_canonical
from audit.chain.entries import START, entry_hash

__all__ = ["START", "BodyError", "canonical", "entry_hash", "read_canonical"]
