"""The project contains what it cites: every clause on a line, every fault code, every option."""

import re
from pathlib import Path

from tables.games import GAMES
from tables.games.options import Group

ROOT = Path(__file__).parents[2]
RULES = "".join(path.read_text() for path in sorted((ROOT / "docs/rules").glob("*.md")))
FORMAT = (ROOT / "docs/round-document.md").read_text()
SOURCES = {path: path.read_text() for path in (ROOT / "tables/games").glob("*.py")}


def test_every_clause_that_the_engine_cites_is_in_the_rules() -> None:
    cited = {
        clause
        for text in SOURCES.values()
        for clause in re.findall(r"\b([ABC][1-9][0-9]?)\b(?!S)", text)
    }

    written = set(re.findall(r"^\*\*([ABC]\d+)\*\*", RULES, flags=re.MULTILINE))
    assert cited - written == set()
    assert {f"A{n}" for n in range(1, 35)} <= written
    assert {f"B{n}" for n in range(1, 27)} <= written
    assert {f"C{n}" for n in range(1, 15)} <= written


def test_every_event_is_in_the_rules() -> None:
    written = {int(number) for number in re.findall(r"^\| (\d+) \|", RULES, flags=re.MULTILINE)}

    assert written == set(range(1, 34))


def test_every_option_and_value_is_in_the_format() -> None:
    for game in GAMES.values():
        for name, form in game.schema.members.items():
            assert f"`{name}`" in FORMAT
            for value in getattr(form, "values", ()):
                assert f'"{value}"' in FORMAT
            if isinstance(form, Group):
                assert all(f'"{member}"' in FORMAT for member in form.members)


def test_every_fault_code_of_a_document_is_in_the_format() -> None:
    reading = [text for path, text in SOURCES.items() if path.stem not in NOT_OF_DOCUMENTS]
    codes = {
        code
        for text in reading
        for code in re.findall(r'(?:Fault\(\s*|code: str = |code = )"([a-z_]+)"', text)
    }

    assert codes >= {"card_count", "unknown_field", "draw_missing"}
    assert {code for code in codes if f"`{code}`" not in FORMAT} == set()


# These report to services and pages, not in documents.
NOT_OF_DOCUMENTS = (
    "settling",
    "contradictions",
    "procedures",
    "limits",
    "rule_warnings",
    "wagering",
    "dealing",
)
