"""The reader's choices: kept in cookies, never a way to somewhere else."""

import re

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from casino.web.views import choose
from tests.web.conftest import page_html


def test_a_choice_is_kept_and_leads_back() -> None:
    request = RequestFactory().post("/choices/", {"scheme": "dark", "next": "/pit/P1/"})
    answer = choose(request)
    assert (answer.status_code, answer["Location"]) == (302, "/pit/P1/")
    assert answer.cookies["scheme"].value == "dark"
    assert answer.cookies["scheme"]["samesite"] == "Lax"
    assert "hand" not in answer.cookies


@pytest.mark.parametrize(("now", "other"), [("", "four"), ("two", "four"), ("four", "two")])
def test_a_page_offers_the_suits_that_it_does_not_show(now: str, other: str) -> None:
    html = page_html("round", cookies={"suits": now})
    assert re.findall(r'name="suits" value="(\w+)"', html) == [other]
    answer = choose(RequestFactory().post("/choices/", {"suits": other, "next": "/pit/P1/"}))
    assert {name: kept.value for name, kept in answer.cookies.items()} == {"suits": other}


@pytest.mark.parametrize("name", ["round", "glass", "404"])
@pytest.mark.parametrize(
    ("house", "chosen", "shown"),
    [("four", "", "four"), ("four", "two", "two"), ("two", "", "two"), ("two", "four", "four")],
)
def test_the_house_s_suits_stand_until_a_browser_chooses(
    settings: Settings, name: str, house: str, chosen: str, shown: str
) -> None:
    settings.SUIT_COLOURS = house
    html = page_html(name, cookies={"suits": chosen} if chosen else {})
    assert f'data-suits="{shown}"' in html
    if name == "round":
        assert f'name="suits" value="{"two" if shown == "four" else "four"}"' in html
    if name == "glass":
        pressed = "true" if shown == "four" else "false"
        assert re.search(rf'id="suits" aria-pressed="{pressed}"', html)


def test_an_unknown_choice_is_not_kept() -> None:
    answer = choose(RequestFactory().post("/choices/", {"scheme": "pink", "hand": "left"}))
    assert set(answer.cookies) == {"hand"}


@pytest.mark.parametrize("back", ["https://evil.test/", "//evil.test", "javascript:alert(1)"])
def test_it_leads_nowhere_else(back: str) -> None:
    answer = choose(RequestFactory().post("/choices/", {"scheme": "dark", "next": back}))
    assert answer["Location"] == "/"


def test_reading_changes_nothing() -> None:
    assert choose(RequestFactory().get("/choices/")).status_code == 405
