import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import DomainError
from casino.kernel.text import clean_text


def test_look_alikes_become_equal() -> None:
    assert clean_text("Jose\u0301") == clean_text("Jos\u00e9") == "Jos\u00e9"


@pytest.mark.parametrize(
    ("text", "code"),
    [("a\x00b", "text.nul"), ("\ud800", "text.surrogate"), ("x" * 11, "text.too_long")],
)
def test_refused(text: str, code: str) -> None:
    with pytest.raises(DomainError) as caught:
        clean_text(text, max_length=10)
    assert caught.value.code == code


def test_length_counts_after_normalisation() -> None:
    assert clean_text("e\u0301" * 10, max_length=10) == "é" * 10


@given(st.text())
def test_idempotent(text: str) -> None:
    try:
        once = clean_text(text)
    except DomainError:
        return
    assert clean_text(once) == once
