"""What tests of the pages of rules share."""

from tables.selectors.floor import read_table
from tests.support.pages import Page, text_of


def says(page: Page, *words: str, status: int = 200) -> str:
    """Expect a page to say all of this; return its text."""
    assert page.status_code == status, text_of(page)
    text = text_of(page)
    for each in words:
        assert each in text, (each, text)
    return text


def chosen(**changed: str) -> dict[str, str]:
    """The terms of T1 as the form sends them."""
    terms = read_table("T1").require_terms()
    now = {
        "ruleset": terms.ruleset.key,
        "procedures": terms.procedures.key,
        "limits": terms.limits.key,
    }
    return {**now, **changed}
