"""Every page, rendered: nothing inline, nothing from elsewhere, landmarks and words in place."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django import forms
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from casino.web.frame import sections_for
from tests.architecture.files import text_files
from tests.web.conftest import page_html, request_as
from tests.web.samples import PAGES

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(path for path in text_files() if path.suffix == ".html")
SCRIPTS = ROOT / "casino/web/static/casino/js"
NAMES = sorted(PAGES)


class Reader(HTMLParser):
    """Collects what a policy forbids and what a reader needs."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.sources: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.tokens = 0
        self.labels: set[str] = set()
        self.inputs: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.inline += [f"{tag} {n}" for n in values if n == "style" or n.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in values):
            self.inline.append(tag)
        self.sources += [v for n, v in values.items() if n in ("src", "href", "action") and v]
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "form":
            self.forms.append(values)
        if tag == "label":
            self.labels.add(values.get("for", ""))
        if values.get("name") == "csrfmiddlewaretoken":
            self.tokens += 1
        elif tag in ("input", "select", "textarea") and values.get("type") != "hidden":
            self.inputs.append(values.get("id", ""))


def read(name: str) -> Reader:
    """Render a sample page and read it."""
    reader = Reader()
    reader.feed(page_html(name))
    return reader


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_nothing_inline_and_nothing_from_another_host(name: str) -> None:
    page = read(name)
    assert page.inline == []
    assert [source for source in page.sources if "//" in source] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_file_a_page_names_exists(name: str) -> None:
    files = {source.split("#")[0] for source in read(name).sources if "/static/" in source}
    assert files
    for source in files:
        assert finders.find(source.removeprefix("/static/")), source


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_one_main_one_heading_and_no_id_twice(name: str) -> None:
    page = read(name)
    assert page.tags.count("main") == 1
    assert page.tags.count("h1") == 1
    assert len(set(page.ids)) == len(page.ids)
    assert "{{" not in page_html(name)
    assert "{%" not in page_html(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_form_that_changes_something_carries_its_token(name: str) -> None:
    page = read(name)
    posts = [form for form in page.forms if form.get("method") == "post"]
    assert page.tokens == len(posts)


@pytest.mark.parametrize("name", ["count", "end", "prepare"])
def test_every_field_has_a_label(name: str) -> None:
    page = read(name)
    assert page.inputs
    assert {field for field in page.inputs if field} <= page.labels


def test_unknown_figures_are_dashes_and_never_zero() -> None:
    closed = page_html("board").split('id="tile-T5"')[1]
    assert "not known" in closed
    assert not re.search(r">0<", closed.split("<svg")[0])


def test_the_board_answers_its_refresh_with_its_inside_alone() -> None:
    template, context = PAGES["board"]
    whole = render_to_string(template, context(), request=request_as("supervisor"))
    inside = render_to_string("tables/_board.html", context(), request=request_as("supervisor"))
    assert inside.lstrip().startswith('<div class="board" id="board"')
    assert "<html" not in inside
    assert 'hx-swap="steady"' in whole


def test_a_proof_says_what_when_and_up_to_where_or_that_there_is_none() -> None:
    template, context = PAGES["round"]
    verified = page_html("round")
    assert "Entries 1031 to 1058" in verified
    assert "checkpoint" in verified
    values = context()
    values["proof"].state = "waiting"
    waiting = render_to_string(template, values, request=request_as("auditor"))
    assert "Not verified yet" in waiting
    assert "#verified" not in waiting.split('id="proof"')[1].split("</section>")[0].split("chip")[0]
    values["proof"].state, values["proof"].problem = "broken", "Entry 1040 has another hash."
    broken = render_to_string(template, values, request=request_as("auditor"))
    assert "Entry 1040 has another hash." in broken


def test_superseded_cards_stakes_and_settlements_stay_on_the_page() -> None:
    page = page_html("round")
    assert page.count('class="card-was"') == 1
    assert "Final, revision 1, superseded" in page
    assert "data-struck" in page


def test_a_round_without_a_settlement_says_what_will_stand_there() -> None:
    template, context = PAGES["round"]
    values = {**context(), "lines": [], "totals": None, "checks": [], "superseded": []}
    page = render_to_string(template, values, request=request_as("auditor"))
    assert "Nothing is settled yet" in page
    assert "No check has run yet" in page


@pytest.mark.parametrize(
    ("role", "paths"),
    [
        ("dealer", ["/table/"]),
        (
            "supervisor",
            ["/pit/", "/irregularities/", "/disputes/", "/audit/findings/", "/rulesets/"],
        ),
        (
            "manager",
            [
                "/pit/",
                "/irregularities/",
                "/disputes/",
                "/audit/findings/",
                "/audit/days/",
                "/rulesets/",
                "/in-charge/",
            ],
        ),
        ("cashier", ["/pit/"]),
        (
            "auditor",
            [
                "/pit/",
                "/irregularities/",
                "/disputes/",
                "/audit/findings/",
                "/audit/days/",
                "/rulesets/",
            ],
        ),
        ("administrator", ["/admin/"]),
        ("", []),
    ],
)
def test_the_bar_shows_the_sections_of_a_role(role: str, paths: list[str]) -> None:
    assert [link.path for link in sections_for(role, path="/")] == paths


def test_the_current_section_is_marked() -> None:
    for path, current in (
        ("/audit/findings/F-1/", "/audit/findings/"),
        ("/audit/days/2026-03-01/", "/audit/days/"),
        ("/rulesets/drafts/R-1/", "/rulesets/"),
        ("/disputes/T1/1/", "/disputes/"),
        ("/tables/T1/", "/pit/"),
        ("/pit/P1/", "/pit/"),
    ):
        links = sections_for("auditor", path=path)
        assert [link.path for link in links if link.is_current] == [current]


def test_a_failure_page_needs_no_context_at_all() -> None:
    for code in ("400", "403", "403_csrf", "404", "405", "500"):
        assert "To the start" in render_to_string(f"{code}.html")


def test_a_refused_field_says_what_is_wrong_and_is_marked() -> None:
    from casino.web.forms import HouseRenderer

    class Asked(forms.Form):
        stage = forms.ChoiceField(choices=[("opened", "Showdown")])
        hands = forms.MultipleChoiceField(
            choices=[("1", "Seat 1")], widget=forms.CheckboxSelectMultiple
        )

    form = Asked({"stage": "never"}, renderer=HouseRenderer())
    drawn = str(form)
    assert 'class="field"' in drawn
    assert 'class="errorlist"' in drawn
    assert 'aria-invalid="true"' in drawn
    assert "<legend>" in drawn


def test_every_word_that_a_script_says_is_on_the_page_and_none_is_left_over() -> None:
    holder = (ROOT / "tables/templates/tables/_table_words.html").read_text(encoding="utf-8")
    words = set(re.findall(r'data-word="(\w+)"', holder))
    said: set[str] = set()
    for path in (SCRIPTS / "table").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'say\(\s*"(\w+)"', text))
        for inner in re.findall(r"say\(([^()\"]*\?[^()]*)\)", text):
            said |= set(re.findall(r'"(\w+)"', inner))
        for prefix in re.findall(r"say\(`(\w+)_\$\{", text):
            family = {word for word in words if word.startswith(f"{prefix}_")}
            assert family, prefix
            said |= family
    assert said == words


def test_scripts_have_no_way_around_the_policy() -> None:
    for path in SCRIPTS.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        for bad in (
            "eval(",
            "new Function",
            "innerHTML",
            ".style.",
            "document.write",
            "http://",
            "https://",
        ):
            if path.name == "api_docs.js" or (bad.startswith("http") and "w3.org/2000/svg" in text):
                continue
            assert bad not in text, (path.name, bad)


@pytest.mark.parametrize("cookies", [{"scheme": "dark", "hand": "left", "suits": "four"}, {}])
def test_choices_stand_on_the_root_before_anything_is_drawn(cookies: dict[str, str]) -> None:
    root = page_html("glass", cookies=cookies).split(">")[1]
    assert f'data-scheme="{cookies.get("scheme", "")}"' in root
    assert f'data-hand="{cookies.get("hand", "right")}"' in root
    assert f'data-suits="{cookies.get("suits", "two")}"' in root
    assert 'data-face="tablet"' in root


def test_an_unknown_choice_counts_as_none() -> None:
    assert 'data-scheme=""' in page_html("board", cookies={"scheme": '"><script>'})


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_heading_of_a_table_says_something(path: Path) -> None:
    assert re.findall(r"<th\b[^>]*>\s*</th>", path.read_text(encoding="utf-8")) == []


def test_what_is_printed_says_what_it_is_of() -> None:
    """What the administration prints is of now; everything else names its period or its thing."""
    silent = [
        path.name
        for path in TEMPLATES
        if 'extends "base.html"' in (text := path.read_text(encoding="utf-8"))
        and "{% block period %}" not in text
        and "people" not in path.parts
    ]
    assert silent == []


def test_what_became_of_both_counts_is_said_to_who_does_not_see_the_page() -> None:
    """The sentence comes and goes with a refresh; the paragraph that holds it stays."""
    assert re.search(r'<p role="status"[^>]*>\s*Neither sees the other', page_html("count"))
