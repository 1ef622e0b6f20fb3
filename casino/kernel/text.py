"""Text at the door: one normal form, and nothing that a log line or a database cannot hold.

Two strings that look alike hash alike only in one normal form, so every text that comes in passes
`clean_text` before it is stored or logged. It must not translate, trim or fold case.
"""

import unicodedata

from casino.kernel.errors import Invalid


class TextNulError(Invalid):
    """Text must not hold the character NUL, which PostgreSQL cannot store."""

    code = "text.nul"
    message = "Expected text without the character U+0000."


class TextSurrogateError(Invalid):
    """Text must not hold a lone surrogate, which has no UTF-8 form and so no hash."""

    code = "text.surrogate"
    message = "Expected text without lone surrogates (U+D800 to U+DFFF)."


class TextLengthError(Invalid):
    """Text must not be longer than its place allows, in characters after normalisation."""

    code = "text.too_long"
    message = "Expected at most {limit} characters."


def check_characters(value: str) -> None:
    """Refuse NUL and lone surrogates; raises TextNulError, TextSurrogateError."""
    if "\x00" in value:
        raise TextNulError
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise TextSurrogateError from error


def clean_text(value: str, *, max_length: int = 500) -> str:
    """Return `value` in NFC; refuse NUL, lone surrogates and what is longer than `max_length`.

    Raises TextNulError, TextSurrogateError, TextLengthError. Idempotent.
    """
    # Normalising first would spend time on a text that is far too long.
    if len(value) > 4 * max_length:
        raise TextLengthError(limit=max_length)
    check_characters(value)
    normal = unicodedata.normalize("NFC", value)
    if len(normal) > max_length:
        raise TextLengthError(limit=max_length)
    return normal
