import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import DomainError
from casino.kernel.jsonio import FloatLiteral, loads


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "json.syntax"),
        (b"{", "json.syntax"),
        (b"1 2", "json.syntax"),
        (b"[01]", "json.syntax"),
        (b"\xef\xbb\xbf1", "json.syntax"),
        (b'{"a":1,"b":2,"a":1}', "json.duplicate_key"),
        (b'[{"\\ud800":1,"\\ud800":2}]', "json.duplicate_key"),
        (b"NaN", "json.number"),
        (b"[-Infinity]", "json.number"),
        (b"9" * 5000, "json.number"),
        (b'"\xff"', "json.encoding"),
        ('"é"'.encode("utf-16"), "json.encoding"),
        (b'"\\u0000"', "text.nul"),
        (b'{"\\u0000":1}', "text.nul"),
        (b'["\\ud800"]', "text.surrogate"),
        (b"[" * 65 + b"]" * 65, "json.depth"),
        (b"[" * 200_000, "json.depth"),
    ],
)
def test_refused(raw: bytes, code: str) -> None:
    with pytest.raises(DomainError) as caught:
        loads(raw)
    assert caught.value.code == code
    assert caught.value.detail.encode()


def test_a_number_with_point_or_exponent_is_not_an_integer() -> None:
    assert loads(b"[1, 1.0, 1e4, -5, true]") == [
        1,
        FloatLiteral("1.0"),
        FloatLiteral("1e4"),
        -5,
        True,
    ]
    with pytest.raises(ValueError, match="invalid literal"):
        int(str(FloatLiteral("1")))


def test_a_surrogate_pair_is_one_character() -> None:
    assert loads(b'"\\ud83c\\udca1"') == "\U0001f0a1"


documents = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abcé"), inner),
    max_leaves=20,
)


@given(documents)
def test_what_is_read_is_what_was_written(document: object) -> None:
    raw = json.dumps(document, ensure_ascii=False).encode()
    if "\\u0000" not in raw.decode():
        assert loads(raw) == document


@given(st.binary(max_size=60))
def test_never_another_exception(raw: bytes) -> None:
    try:
        loads(raw)
    except DomainError as error:
        assert error.status == 422
