"""Which entry two people signed: how a service knows a signed act that is sent again."""

from casino.people.models import Signature
from tables.selectors.round_read import RoundName


def entry_signed(name: RoundName, *, purpose: str, content_hash: bytes) -> int | None:
    """Return the id of the entry of a round that was signed over this content, if there is one."""
    found = Signature.objects.filter(
        entry__subject=name.key, purpose=purpose, subject=name.key, content_hash=content_hash
    )
    return found.values_list("entry_id", flat=True).first()
