"""What a new secret must be like, and that codes and tokens are what they say."""

import pytest
from django.contrib.auth.hashers import identify_hasher
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from casino.kernel.errors import DomainError
from casino.people import hashing


@pytest.mark.parametrize("pin", ["4829", "48291", "482915", "13579246", "112358", "900000"])
def test_a_pin_of_four_to_eight_digits_passes(pin: str) -> None:
    hashing.check_new_pin(pin)


@pytest.mark.parametrize("pin", ["", "482", "482915731", "48a9", "４８２９１５", "48 29", "-4829"])
def test_anything_else_is_no_pin(pin: str) -> None:
    with pytest.raises(DomainError) as caught:
        hashing.check_new_pin(pin)
    assert caught.value.code == "secret.pin_format"


@pytest.mark.parametrize(
    "pin", ["0000", "111111", "123456", "654321", "890123", "4321", "121212", "123123", "4848"]
)
def test_repeats_and_runs_are_refused(pin: str) -> None:
    with pytest.raises(DomainError) as caught:
        hashing.check_new_pin(pin)
    assert caught.value.code == "secret.pin_trivial"


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("elevenchars", "secret.password_short"),
        ("x" * 5 + "y" * 124, "secret.password_long"),
        ("pokerlucky99", "secret.password_common"),
        ("PokerLucky99", "secret.password_common"),
        ("passwordpassword", "secret.password_common"),
        ("aaaaaaaaaaaaaaaa", "secret.password_common"),
        ("123qweasdzxc", "secret.password_common"),
        ("dela-cruz1001", "secret.password_common"),
    ],
)
def test_short_long_common_and_own_words_are_refused(password: str, code: str) -> None:
    with pytest.raises(DomainError) as caught:
        hashing.check_new_password(password, own_words=("dela", "cruz", "1001"))
    assert caught.value.code == code


@pytest.mark.parametrize(
    "password",
    ["a tray of chips", "Zq7!vR2#kL9p", "ü" * 3 + " schöne Karten", "n" + "m1" * 31 + "x"],
)
def test_twelve_to_sixty_four_characters_of_any_kind_pass(password: str) -> None:
    hashing.check_new_password(password, own_words=("dela", "cruz", "1001"))


def test_the_product_hashes_with_argon2id(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    encoded = hashing.hash_secret("482915")
    assert encoded.startswith("argon2$argon2id$")
    assert identify_hasher(encoded).algorithm == "argon2"
    assert hashing.check_secret("482915", encoded)
    assert not hashing.check_secret("482916", encoded)


def test_no_secret_matches_where_none_was_set() -> None:
    assert not hashing.check_secret("", "")
    assert not hashing.check_secret("482915", "")


def test_composed_and_decomposed_letters_are_one_secret() -> None:
    assert hashing.clean_secret("cafe\u0301 au lait") == hashing.clean_secret("caf\u00e9 au lait")


@given(st.text(alphabet="abcdefghijkmnpqrstuvwxyz23456789- ", min_size=1, max_size=20))
def test_case_and_separators_of_a_code_do_not_count(text: str) -> None:
    bare = text.replace("-", "").replace(" ", "")
    assert hashing.hash_code(text.upper()) == hashing.hash_code(bare)


def test_codes_and_tokens_do_not_repeat() -> None:
    assert len({hashing.new_code() for _ in range(500)}) == 500
    token = hashing.new_token()
    assert len(token) == 43  # 256 bits in base64
    assert len(hashing.hash_token(token)) == 32
