"""The stylesheets: colours and sizes are named in one file, and every pair can be read."""

import re
from itertools import product
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "casino/web/static/casino/css"
TOKENS = (FOLDER / "tokens.css").read_text(encoding="utf-8")
OTHERS = sorted(path for path in FOLDER.glob("*.css") if path.name != "tokens.css")

_COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|lab|lch)a?\(", re.IGNORECASE)
_LENGTH = re.compile(r"(?<![\w-])\d*\.?\d+(?:px|rem|pt|mm|cm|in)\b")
_RULE = re.compile(r"@(?:media|container)[^{]*\{|@page\s*\{(?:[^{}]|\{[^}]*\})*\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PAIR = re.compile(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")

GROUNDS = ("ground", "surface", "raised")
TEXTS = ("ink", "ink-2", "accent", "win", "lose", "push", "void", "held", "late", "alarm")
MEANINGS = ("win", "lose", "push", "void", "held", "late", "alarm")


def palette(scheme: int) -> dict[str, str]:
    """Return every colour of a scheme by name: 0 is light, 1 dark."""
    first = TOKENS.split(":root[data-suits")[0]
    return {name: only or (light, dark)[scheme] for name, light, dark, only in _PAIR.findall(first)}


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_only_the_tokens_name_a_colour_or_a_length(path: Path) -> None:
    text = _RULE.sub("{", _COMMENT.sub("", path.read_text(encoding="utf-8")))
    assert _COLOUR.findall(text) == []
    assert _LENGTH.findall(text) == []


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_every_token_that_is_used_exists(path: Path) -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", path.read_text(encoding="utf-8")))
    assert used <= set(re.findall(r"--([\w-]+):", TOKENS))


def test_every_token_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.css"))
    unused = set(re.findall(r"--([\w-]+):", TOKENS)) - set(re.findall(r"var\(--([\w-]+)\)", text))
    assert unused == set()


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), list(product(TEXTS, GROUNDS)))
def test_text_meets_aa_on_every_ground(text: str, ground: str, scheme: int) -> None:
    colours = palette(scheme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_quiet_text_meets_aa_where_it_stands(scheme: int) -> None:
    colours = palette(scheme)
    for ground in ("ground", "surface"):
        assert contrast(colours["ink-3"], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("meaning", MEANINGS)
def test_a_meaning_can_be_read_on_its_own_tint(meaning: str, scheme: int) -> None:
    colours = palette(scheme)
    soft = colours[f"{meaning}-soft"]
    assert contrast(colours[meaning], soft) >= 4.5
    assert contrast(colours["ink"], soft) >= 7


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("fill", ["accent", "held", "alarm"])
def test_text_on_a_filled_part_meets_aa(fill: str, scheme: int) -> None:
    colours = palette(scheme)
    assert contrast(colours[f"{fill}-ink"], colours[fill]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_tablets_primary_text_meets_aaa(scheme: int) -> None:
    colours = palette(scheme)
    for ground in (*GROUNDS, "accent-soft", "raised-2"):
        assert contrast(colours["ink"], colours[ground]) >= 7


def test_suits_can_be_read_on_paper_and_lines_can_be_seen() -> None:
    for scheme in (0, 1):
        colours = palette(scheme)
        for suit in "shdc":
            assert contrast(colours[f"suit-{suit}"], colours["paper"]) >= 4.5
        for ground in ("ground", "surface"):
            assert contrast(colours["line-strong"], colours[ground]) >= 3
            assert contrast(colours["focus"], colours[ground]) >= 3


def test_four_colour_suits_can_be_told_apart_and_read_on_paper_and_in_a_sentence() -> None:
    four = TOKENS.split(':root[data-suits="four"] {')[1].split("}")[0]
    for scheme in (0, 1):
        pairs = {n: only or (light, dark)[scheme] for n, light, dark, only in _PAIR.findall(four)}
        colours = palette(scheme) | pairs
        assert len({colours[f"suit-{suit}"] for suit in "shdc"}) == 4
        for suit in "dc":
            assert contrast(colours[f"suit-{suit}"], colours["paper"]) >= 4.5
            for ground in GROUNDS:
                assert contrast(colours[f"named-{suit}"], colours[ground]) >= 4.5


def test_there_are_five_sizes_and_two_weights() -> None:
    assert set(re.findall(r"--text-(\w+):", TOKENS)) == {"1", "2", "3", "4", "5"}
    assert len(re.findall(r"--weight[\w-]*:", TOKENS)) == 2
