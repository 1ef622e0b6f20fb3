"""What comes in is taken for what it is, or refused with a stable code; never a 500."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.urls("tests.api.plumbing_urls")

JSON = "application/json"


def post(raw: bytes | str, *, path: str = "echo", content_type: str = JSON) -> Any:
    """Post a body as it stands; `Any` because the client's answers are made at run time."""
    return Client().post(f"/api/{path}", raw, content_type=content_type)


def told(answer: Any, status: int) -> dict[str, Any]:
    """Return a problem after a look at its form."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "code", "faults", "data"}
    assert (problem["type"], problem["status"]) == (f"/problems/{problem['code']}", status)
    assert problem["detail"]
    return problem


def faults(body: object) -> list[tuple[str, str]]:
    """Return code and place of each fault of a body of the wrong form."""
    problem = told(post(json.dumps(body)), 422)
    assert problem["code"] == "request.fields"
    assert all(fault["detail"] for fault in problem["faults"])
    return sorted((fault["code"], fault["where"]) for fault in problem["faults"])


def test_a_good_body_is_taken_as_it_is() -> None:
    body = {
        "stake": 2**53 - 1,
        "name": " café ",
        "kind": "tie",
        "as_seen": False,
        "cards": [{"draw": 1, "face": "AS"}],
    }
    answer = post(json.dumps(body))
    assert (answer.status_code, answer.json()) == (200, body)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", "json.syntax"),
        (b"", None),
        (b"{'a': 1}", "json.syntax"),
        (b'{"stake": 1} x', "json.syntax"),
        (b'{"stake": 1, "stake": 1}', "json.duplicate_key"),
        (b'{"cards": [{"draw": 1, "draw": 2}]}', "json.duplicate_key"),
        (b'{"stake": NaN}', "json.number"),
        (b'{"stake": Infinity}', "json.number"),
        (b'{"stake": -Infinity}', "json.number"),
        (b'{"stake": ' + b"9" * 5000 + b"}", "json.number"),
        (b'{"name": "a\\u0000b"}', "text.nul"),
        (b'{"name": "a\\ud800b"}', "text.surrogate"),
        (b'{"a\\udfff": 1}', "text.surrogate"),
        (b'{"name": "\xff"}', "json.encoding"),
        ('{"stake": 1}'.encode("utf-16"), "json.encoding"),
        (b"[" * 200 + b"]" * 200, "json.depth"),
        (b"[" * 30000 + b"]" * 30000, "json.depth"),
    ],
)
def test_what_is_not_strict_json_is_refused(raw: bytes, code: str | None) -> None:
    if code is None:
        assert post(raw).status_code == 200
    else:
        assert told(post(raw), 422)["code"] == code


@pytest.mark.parametrize("raw", [b"[]", b"1", b'"text"', b"null", b"true", b"1.5"])
def test_a_body_is_an_object(raw: bytes) -> None:
    problem = told(post(raw), 422)
    assert problem["code"] == "request.fields"
    assert problem["faults"]


@pytest.mark.parametrize(
    ("stake", "code"),
    [
        ("100", "field.not_an_integer"),
        (True, "field.not_an_integer"),
        ([1], "field.not_an_integer"),
        ({}, "field.not_an_integer"),
        (None, "field.null"),
        (0, "field.min_value"),
        (-100, "field.min_value"),
        (2**53, "field.too_large"),
        (-(2**53), "field.too_large"),
    ],
)
def test_an_integer_is_an_integer(stake: object, code: str) -> None:
    assert faults({"stake": stake}) == [(code, "/stake")]


@pytest.mark.parametrize("literal", ["1e4", "1.0", "100.5", "1E2", "-0.0"])
def test_a_point_or_an_exponent_is_no_integer(literal: str) -> None:
    problem = told(post(f'{{"stake": {literal}}}'), 422)
    assert [fault["code"] for fault in problem["faults"]] == ["field.not_an_integer"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"name": 1}, [("field.not_text", "/name")]),
        ({"name": True}, [("field.not_text", "/name")]),
        ({"name": ["a"]}, [("field.not_text", "/name")]),
        ({"name": ""}, [("field.blank", "/name")]),
        ({"name": "ninechars"}, [("text.too_long", "/name")]),
        ({"kind": "jacks"}, [("field.invalid_choice", "/kind")]),
        ({"kind": 1}, [("field.invalid_choice", "/kind")]),
        ({"kind": ["main"]}, [("field.invalid_choice", "/kind")]),
        ({"as_seen": "true"}, [("field.not_a_boolean", "/as_seen")]),
        ({"as_seen": 1}, [("field.not_a_boolean", "/as_seen")]),
        ({"steak": 1}, [("field.unknown", "/steak")]),
        ({"a/b~c": 1}, [("field.unknown", "/a~1b~0c")]),
        ({"cards": {}}, [("field.not_a_list", "/cards")]),
        ({"cards": [1]}, [("field.invalid", "/cards/0")]),
        (
            {"stake": 0, "steak": 1, "cards": [{"draw": 1, "face": "AS"}, {"draw": 19}]},
            [
                ("field.max_value", "/cards/1/draw"),
                ("field.min_value", "/stake"),
                ("field.required", "/cards/1/face"),
                ("field.unknown", "/steak"),
            ],
        ),
    ],
)
def test_every_fault_is_named_with_its_place(body: object, found: list[tuple[str, str]]) -> None:
    assert faults(body) == found


def test_length_is_counted_after_normalisation() -> None:
    answer = post(json.dumps({"name": "e\u0301" * 8}))
    assert answer.json() == {"name": "\u00e9" * 8}


def test_a_point_is_no_text_no_choice_and_no_truth() -> None:
    for name in ("name", "kind", "as_seen"):
        assert told(post(f'{{"{name}": 1.5}}'), 422)["faults"][0]["where"] == f"/{name}"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-seq",
        "",
        "nonsense",
    ],
)
def test_another_content_type_is_refused(content_type: str) -> None:
    problem = told(post(b'{"stake": 1}', content_type=content_type), 415)
    assert problem["code"] == "request.media_type"
    assert "application/json" in problem["detail"]


def test_a_body_of_no_stated_length_is_refused() -> None:
    answer = Client().generic(
        "POST",
        "/api/echo",
        b'{"stake": 1',
        content_type="text/plain",
        CONTENT_LENGTH="",
        HTTP_TRANSFER_ENCODING="chunked",
    )
    assert told(answer, 411)["code"] == "request.length"


def test_a_charset_beside_json_does_not_matter() -> None:
    assert post(b'{"stake": 1}', content_type="application/json; charset=utf-8").status_code == 200


def test_a_body_over_the_cap_is_refused() -> None:
    limit = 64 * 1024
    filling = limit - len(b'{"name": ""}')
    assert told(post(b'{"name": "' + b"x" * filling + b'"}'), 422)["code"] == "request.fields"
    problem = told(post(b'{"name": "' + b"x" * (filling + 1) + b'"}'), 413)
    assert (problem["code"], problem["data"]) == ("request.too_large", {"limit": limit})
    assert told(post(b"x" * 3_000_000), 413)["code"] == "request.too_large"


def test_a_view_may_set_its_own_cap() -> None:
    assert post(b'{"stake": 123456789}', path="narrow").status_code == 200
    assert told(post(b'{"stake": 1234567890}', path="narrow"), 413)["data"] == {"limit": 20}


@given(st.binary(max_size=200))
def test_no_bytes_break_it(raw: bytes) -> None:
    answer = post(raw)
    assert answer.status_code in (200, 422), answer.content


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["stake", "name", "kind", "as_seen", "cards", "draw", "face", "x", ""]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_no_document_breaks_it(document: object) -> None:
    answer = post(json.dumps(document).encode(errors="surrogatepass"))
    assert answer.status_code in (200, 422), answer.content
    if answer.status_code == 422:
        assert "." in told(answer, 422)["code"]
