"""The page of documentation says of every event what the catalogue says."""

import re
from pathlib import Path

import pytest

from settlements.web.irregularities.words import GROUPS
from tables.irregularities import EVENTS, CardEffect, Event, Letter, ShoeEffect, WagerEffect

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/irregularities.md").read_text()
SECTIONS = {
    int(number): text
    for number, text in re.findall(
        r"^### Event (\d+): (.*?)(?=^### |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL
    )
}


def rows(section: str) -> dict[str, list[str]]:
    """The rows of a section's table by procedure, each as its cells."""
    lines = re.findall(r"^\| `([a-z_]+)` \|(.*)\|$", section, flags=re.MULTILINE)
    return {code: [cell.strip() for cell in rest.split("|")] for code, rest in lines}


def test_every_event_is_written_down_and_no_other() -> None:
    assert SECTIONS.keys() == EVENTS.keys()


@pytest.mark.parametrize("event", EVENTS.values(), ids=lambda event: str(event.number))
def test_every_procedure_says_who_signs_and_what_it_does(event: Event) -> None:
    section = SECTIONS[event.number]
    assert section.lower().startswith(event.name.lower())
    written = rows(section)
    assert written.keys() == event.procedures.keys()
    for way in event.procedures.values():
        name, who, wagers, cards, shoe, house, _states = written[way.code]
        assert name == way.name
        if way.elsewhere:
            assert way.elsewhere in who
            continue
        letters = " + ".join(way.authority)
        between = f"; between rounds {' + '.join(way.between)}" if way.between else ""
        assert who == letters + between + ("; R is told" if way.regulator else "")
        assert (wagers, cards, shoe) == (f"`{way.wagers}`", f"`{way.card}`", f"`{way.shoe}`")
        option = f"`{way.option[0]}` {', '.join(way.option[1])}" if way.option else ""
        assert house == option


def test_every_effect_and_letter_is_explained() -> None:
    for effect in (*WagerEffect, *CardEffect, *ShoeEffect):
        assert re.search(rf"^\| `{effect}` \| \S", PAGE, flags=re.MULTILINE), effect
    for letter in Letter:
        assert re.search(rf"^\| {letter} \| \S", PAGE, flags=re.MULTILINE), letter


def test_the_page_is_linked_and_the_choice_offers_every_event() -> None:
    assert "docs/irregularities.md" in (ROOT / "README.md").read_text()
    assert "(../irregularities.md)" in (ROOT / "docs/rules/irregularities.md").read_text()
    offered = [number for _name, members in GROUPS for number in members]
    assert sorted(offered) == sorted(EVENTS)
