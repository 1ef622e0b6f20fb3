"""The canonical form: what it writes, what it refuses, and another implementation beside it."""

import json
import unicodedata

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from audit.chain import BodyError, canonical, read_canonical
from audit.chain.canonical import DEPTH_MAX, INTEGER_MAX


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({}, b"{}"),
        ({"b": 1, "a": [True, False, None]}, b'{"a":[true,false,null],"b":1}'),
        ({"Z": 1, "a": 2, "A": 3}, b'{"A":3,"Z":1,"a":2}'),
        ("Pe\u00f1a \u20ac \U0001f0a1", '"Pe\u00f1a \u20ac \U0001f0a1"'.encode()),
        ('quote " backslash \\ slash /', b'"quote \\" backslash \\\\ slash /"'),
        ("\x01\b\t\n\f\r\x1f\x7f", b'"\\u0001\\b\\t\\n\\f\\r\\u001f\x7f"'),
        (INTEGER_MAX, b"9007199254740991"),
        (-INTEGER_MAX, b"-9007199254740991"),
        ((1, "x"), b'[1,"x"]'),
    ],
)
def test_each_value_has_one_form(value: object, written: bytes) -> None:
    assert canonical(value) == written


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"a": {"b": [1, 1.0]}}, "$.a.b[1]"),
        ({"a": float("nan")}, "$.a"),
        ({"a": 2**53}, "$.a"),
        ({"a": -(2**53)}, "$.a"),
        ({"na\u00efve": 1}, "$"),
        ({1: "x"}, "$"),
        ({"a\0": 1}, "$"),
        ({"a": "nul \0"}, "$.a"),
        ({"a": "lone \ud800"}, "$.a"),
        ({"a": unicodedata.normalize("NFD", "Pe\u00f1a")}, "$.a"),
        ({"a": b"bytes"}, "$.a"),
        ({"a": {1, 2}}, "$.a"),
        ({"a": object()}, "$.a"),
    ],
)
def test_what_has_no_single_form_is_refused_with_its_place(value: object, where: str) -> None:
    with pytest.raises(BodyError) as caught:
        canonical(value)
    assert caught.value.data["where"] == where


def test_a_choice_is_written_as_its_plain_value() -> None:
    from django.db.models import IntegerChoices, TextChoices

    class Side(TextChoices):
        DEALER = "dealer"

    class Number(IntegerChoices):
        ONE = 1

    assert canonical({"side": Side.DEALER, "n": Number.ONE}) == b'{"n":1,"side":"dealer"}'


@pytest.mark.parametrize("text", ["1.5", "see 2.5, or 7e3]", ".5}", "e+16,"])
def test_text_that_looks_like_a_number_is_text(text: str) -> None:
    assert read_canonical(canonical({"a": text})) == {"a": text}


def test_depth_is_limited() -> None:
    value: object = 1
    for _ in range(DEPTH_MAX):
        value = [value]
    assert canonical(value)
    with pytest.raises(BodyError):
        canonical([value])


@pytest.mark.parametrize("kind", ["object", "list", "both"])
@pytest.mark.parametrize("beside", ["1", '""', '"}"', '"]},{["', '"x","}","{"'])
def test_reading_refuses_what_writing_does_at_the_same_depth(kind: str, beside: str) -> None:
    """Brackets in a text before, within and after each level hide none."""

    def nested(levels: int) -> bytes:
        text = "1"
        for level in range(levels):
            in_list = kind == "list" or (kind == "both" and level % 2)
            text = f"[{beside},{text},{beside}]" if in_list else f'{{"a":{text},"b":[{beside}]}}'
        return f'{{"a":{text}}}'.encode()

    accepted = []
    for levels in (*range(DEPTH_MAX + 2), 2 * DEPTH_MAX, 200):
        try:
            accepted.append(canonical(json.loads(nested(levels))) == nested(levels))
            read_canonical(nested(levels))
        except BodyError:
            accepted.append(False)
            with pytest.raises(BodyError, match="nested deeper"):
                read_canonical(nested(levels))
    assert accepted == sorted(accepted, reverse=True), "the shallow ones and no others"
    assert accepted[: DEPTH_MAX - 2] == [True] * (DEPTH_MAX - 2)
    assert accepted[-1] is False


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b'{"a":1.0}',
        b'{"a":-2.5}',
        b"[1.5]",
        b'{"a":[0.25,1]}',
        b'{"a":1e16}',
        b'{"a":1.5e300}',
        b'{"a":1.5e-10,"b":1}',
        b"1.5",
        b"1e16",
        b"100000000000000000000",
        b'{"a":1e2}',
        b'{"a":-0}',
        b'{"a":01}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":9007199254740992}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
        b'{"a":"\\u0000"}',
        b'{"a":"\\u001F"}',
        b'{"a":"\\ud800"}',
        '{"na\u00efve":1}'.encode(),
        '{"a":"Pen\u0303a"}'.encode(),
        b'{"a":"Pe\\u00f1a"}',
        b'{"a":"\xff"}',
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":1}\n',
        b'{"a":1}x',
        b"",
        b"[" * 100_000,
    ],
)
def test_reading_refuses_every_other_spelling(body: bytes) -> None:
    with pytest.raises(BodyError):
        read_canonical(body)


_text = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).map(
    lambda text: unicodedata.normalize("NFC", text)
)
_keys = st.text(st.characters(min_codepoint=1, max_codepoint=127))
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)


@given(_values)
def test_another_implementation_of_rfc_8785_writes_the_same(value: object) -> None:
    written = canonical(value)
    assert written == rfc8785.dumps(value)  # type: ignore[arg-type]  # any JSON value
    assert read_canonical(written) == value


@given(_values, st.data())
def test_one_changed_byte_is_another_value_or_refused(value: object, data: st.DataObject) -> None:
    written = canonical(value)
    position = data.draw(st.integers(0, len(written) - 1))
    changed = bytearray(written)
    changed[position] ^= 1 << data.draw(st.integers(0, 7))
    try:
        read = read_canonical(bytes(changed))
    except BodyError:
        return
    assert json.dumps(read) != json.dumps(value)
