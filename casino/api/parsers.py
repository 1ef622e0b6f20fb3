"""Reading of request bodies: JSON, strictly, up to a stated size."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from casino.api.errors import BodyTooLargeError
from casino.kernel.jsonio import loads

BODY_BYTES_MAX = 64 * 1024


# "Any" below is what DRF itself declares for streams, contexts and parsed data.


class StrictJSONParser(BaseParser):
    """Read one JSON document; a view may set `body_bytes_max` to take more or less.

    Raises BodyTooLargeError, and the Invalid errors of `casino.kernel.jsonio`.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        view = (parser_context or {}).get("view")
        limit: int = getattr(view, "body_bytes_max", BODY_BYTES_MAX)
        raw: bytes = stream.read(limit + 1)
        if len(raw) > limit:
            raise BodyTooLargeError(limit=limit)
        return loads(raw)
