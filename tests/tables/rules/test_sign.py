"""The sign of a table as guests read it: what is taken, what is paid, what the house keeps."""

from collections.abc import Mapping

import pytest

from tables.games import PRESETS, load_ruleset
from tables.games.odds import round_odds
from tables.games.rule_warnings import percent_text
from tables.selectors.floor import read_table
from tests.factories.games import add_table
from tests.support.pages import Page, PagePerson
from tests.tables.rules.managers import Managers, options_of, published
from tests.tables.rules.pages import chosen, says
from tests.tables.terms import under_terms


def sign_of(managers: Managers, table: str) -> Page:
    """A table's sign as the cage sees it."""
    return PagePerson(managers.house, "cashier").get(f"/tables/{table}/sign/")


def test_the_sign_of_poker_lucky_9(managers: Managers) -> None:
    limits = {
        "min": {"main": 10_000, "pair": 1_000, "jacks": 1_000},
        "max": {"main": 500_000, "pair": 50_000},
        "step": {"main": 2_000},
        "aggregate": {"jacks": 1_100_000},
    }
    under_terms(managers.house, limits=limits)
    text = says(
        sign_of(managers, "T2"),
        "Poker Lucky 9",
        "8 decks",
        "No tie bet",
        "three of a kind 1.5 to 1",
        "a pair 1 to 1",
        "Lucky 9 count 0.95 to 1",
        "10 to 1",
        "11 to 1",
        "100",  # minimum, in whole units
        "5,000",
        "no maximum",
        "All wagers of a round together win at most 11,000",
        "1.27%",
        "17.83%",
        "16.76%",
        "Ruleset hash",
    )
    terms = read_table("T2").require_terms()
    assert terms.ruleset.key in text
    assert terms.limits.key in text


@pytest.mark.parametrize("scope", ["hand_order", "same_rank_trio", "pair_only"])
def test_the_sign_says_which_jacks_win(managers: Managers, scope: str) -> None:
    under_terms(managers.house, options={"jacks_scope": scope, "tie_odds": [300, 1]})
    edge = round_odds(load_ruleset("poker-lucky-9", {"jacks_scope": scope})).wagers["jacks"]
    assert edge.house_edge is not None
    said = {
        "hand_order": "a pair of J, Q, K or A, or any three of a kind",
        "same_rank_trio": "a pair or three of a kind of J, Q, K or A",
        "pair_only": "exactly a pair of J, Q, K or A",
    }
    text = says(sign_of(managers, "T2"), percent_text(edge.house_edge, places=2), "300 to 1")
    assert "seat and House tie" in text
    assert "No tie bet" not in text
    assert said[scope] in text, text


@pytest.mark.parametrize("preset", [code for code in PRESETS if code != "pagcor-poker-lucky-9"])
def test_the_sign_of_every_other_preset(managers: Managers, preset: str) -> None:
    house = add_table(managers.house, code="G1", preset=preset)
    text = says(PagePerson(house, "cashier").get("/tables/G1/sign/"), "1 to 1", "House edge")
    known = PRESETS[preset]
    ruleset = load_ruleset(known.game, known.options)
    edge = round_odds(ruleset).wagers["main"].house_edge
    assert edge is not None
    assert percent_text(abs(edge), places=2) in text
    assert ruleset.hash in text
    colon = ruleset.options.get("colon")
    pays = isinstance(colon, Mapping) and colon["enabled"]
    assert ("Colon Nine" in text) == bool(pays)
    assert "No tie bet" not in text  # no table of this game ever has one


def test_a_sign_holds_from_the_next_shoe(managers: Managers) -> None:
    new = published(managers, options_of(tie_odds=[300, 1]))
    manager = PagePerson(managers.house, "manager")
    manager.post("/tables/T1/terms/", {**chosen(ruleset=new), "reason": "Guests ask."})
    says(sign_of(managers, "T1"), "Shoe T1/1 is dealt to its end under other rules.", new)
