"""The documents lead to each other: none is lost, and a decision keeps its number and its date."""

import re

from tests.architecture.files import ROOT

_DECISIONS = sorted((ROOT / "docs/decisions").glob("0*.md"))


def test_the_readme_names_every_document() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    documents = [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]
    assert [each for each in documents if f"({each})" not in readme] == []


def test_a_decision_has_one_number_a_date_and_says_what_became_of_it() -> None:
    numbers = [path.name[:4] for path in _DECISIONS]
    assert len(set(numbers)) == len(numbers)
    for path in _DECISIONS[1:]:
        title, _empty, state = path.read_text(encoding="utf-8").splitlines()[:3]
        assert title.startswith(f"# {path.name[:4]} "), path.name
        assert re.match(r"20\d\d-\d\d(-\d\d)?\. ", state), path.name


def test_a_decision_that_is_superseded_and_the_later_one_name_each_other() -> None:
    said = {path.name[:4]: path.read_text(encoding="utf-8") for path in _DECISIONS[1:]}
    for number, text in said.items():
        for later in re.findall(r"Superseded by (\d{4})", text):
            assert f"Supersedes {number}" in said[later]
        for earlier in re.findall(r"Supersedes (\d{4})", text):
            assert f"Superseded by {number}" in said[earlier]
