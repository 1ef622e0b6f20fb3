"""Secrets as hashes, and what a new secret must be like. No secret leaves this module in clear.

PINs and passwords are hashed slowly (Argon2id, by Django's hashers); one-time codes and device
tokens are long and random, so a fast hash of them tells nothing.
"""

import hashlib
import re
import secrets
from functools import cache
from itertools import pairwise

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.crypto import constant_time_compare, salted_hmac

from casino.kernel.text import clean_text
from casino.people.errors import (
    PasswordCommonError,
    PasswordLongError,
    PasswordShortError,
    PinFormatError,
    PinTrivialError,
)

_ALGORITHM = "argon2"

PIN = re.compile(r"[0-9]{4,8}", re.ASCII)
PASSWORD_CHARACTERS_MIN = 12
PASSWORD_CHARACTERS_MAX = 128

# No letters or digits that one reads as another when the code is read out.
_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_CHARACTERS = 12

# What people in this trade would try first; the long list is Django's.
_OWN_COMMON = frozenset(
    {
        "pokerlucky99",
        "pokerlucky999",
        "pokerlucky123",
        "lucky9lucky9",
        "luckylucky99",
        "casinocasino",
        "casino123456",
        "casino1234567",
        "blackjack123",
        "blackjack2121",
        "baccarat1234",
        "baccaratbaccarat",
        "jackpot12345",
        "jackpotjackpot",
        "passwordpassword",
        "password1234",
        "password12345",
        "password123456",
        "welcome12345",
        "welcomewelcome",
        "letmeinletmein",
        "administrator",
        "administrator1",
        "changemechangeme",
        "correcthorsebatterystaple",
        "manilamanila",
        "supervisor123",
        "qwertyuiop123",
        "123456789012",
        "1234567890123",
        "12345678901234",
        "qwertyqwerty",
        "iloveyou1234",
    }
)


def looks_like_pin(secret: str) -> bool:
    """Tell a PIN from a password by its form alone."""
    return PIN.fullmatch(secret) is not None


def check_new_pin(pin: str) -> None:
    """Refuse a PIN that is malformed or easy. Raises PinFormatError, PinTrivialError."""
    if not looks_like_pin(pin):
        raise PinFormatError
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    run_or_repeat = len(steps) == 1 and steps <= {0, 1, 9}
    if run_or_repeat or _repeats(pin):
        raise PinTrivialError


def check_new_password(password: str, *, own_words: tuple[str, ...] = ()) -> None:
    """Refuse a short, overlong or common password, or one around the person's own words.

    No rule of composition. Raises PasswordShortError, PasswordLongError, PasswordCommonError.
    """
    if len(password) < PASSWORD_CHARACTERS_MIN:
        raise PasswordShortError(limit=PASSWORD_CHARACTERS_MIN)
    if len(password) > PASSWORD_CHARACTERS_MAX:
        raise PasswordLongError(limit=PASSWORD_CHARACTERS_MAX)
    folded = password.casefold()
    rest = folded
    for word in own_words:
        if len(word) > 2:
            rest = rest.replace(word.casefold(), "")
    # What is left besides name, number and badge must still be worth something.
    if folded in _OWN_COMMON or _repeats(folded) or len(rest) < PASSWORD_CHARACTERS_MIN // 2:
        raise PasswordCommonError
    try:
        _common().validate(password)
    except ValidationError as error:
        raise PasswordCommonError from error


def clean_secret(secret: str) -> str:
    """Bring a secret to one normal form, so that another keyboard types the same one."""
    return clean_text(secret, max_length=PASSWORD_CHARACTERS_MAX)


def hash_secret(secret: str) -> str:
    """Hash a PIN or password with Argon2id, at the cost that PASSWORD_HASHERS sets for it."""
    return make_password(secret, hasher=_ALGORITHM)


def check_secret(secret: str, encoded: str) -> bool:
    """Compare in constant work: against a hash that nothing matches where there is none."""
    known = encoded != ""
    return check_password(secret, encoded if known else _nobody(), preferred=_ALGORITHM) and known


def new_code() -> str:
    """Make a one-time code that can be read out: three groups of four, about 59 bits."""
    characters = [secrets.choice(_CODE_ALPHABET) for _ in range(_CODE_CHARACTERS)]
    return "-".join("".join(characters[at : at + 4]) for at in range(0, _CODE_CHARACTERS, 4))


def hash_code(code: str) -> bytes:
    """Hash a one-time code with the installation's key; case and separators do not count."""
    bare = "".join(character for character in code.upper() if character.isalnum())
    return salted_hmac("casino.people.code", bare, algorithm="sha256").digest()


def new_token() -> str:
    """Make a device's token: 256 random bits."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """Hash a device's token."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def same_bytes(one: bytes | memoryview, other: bytes | memoryview) -> bool:
    """Compare two hashes in constant time."""
    return constant_time_compare(bytes(one), bytes(other))


def _repeats(text: str) -> bool:
    """Whether a text is one short piece over and over: 111111, 121212, 123123."""
    return len(text) > 1 and text in (text + text)[1:-1]


@cache
def _nobody() -> str:
    return hash_secret(secrets.token_urlsafe(32))


@cache
def _common() -> CommonPasswordValidator:
    return CommonPasswordValidator()
