"""The sign of a table as guests read it: what is taken, what is paid, what the house keeps."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from tables.games import GAMES, PRESETS, load_ruleset
from tables.games.odds import round_odds
from tables.games.odds_document import percent_text
from tables.selectors.floor import read_table
from tables.selectors.odds import odds_of
from tables.selectors.rule_content import default_options
from tables.selectors.table_sign import TableSign, table_sign
from tables.selectors.terms_check import terms_now
from tables.services.house import publish_limits, publish_ruleset
from tables.services.rule_life import retire_rules
from tables.services.terms import assign_terms
from tables.web.sign_words import sign_context
from tests.factories.games import add_table
from tests.factories.house import SET_UP, set_terms
from tests.games.option_values import values_of
from tests.support.pages import Page, PagePerson
from tests.tables.rules.managers import TODAY, Managers, options_of, published
from tests.tables.rules.pages import chosen, says
from tests.tables.terms import GAME, under_terms


def sign_of(managers: Managers, table: str) -> Page:
    """A table's sign as the cage sees it."""
    return PagePerson(managers.house, "cashier").get(f"/tables/{table}/sign/")


@pytest.mark.parametrize("after", [0, 2])
def test_the_sign_of_retired_rules_says_from_when_they_stood(
    managers: Managers, after: int
) -> None:
    """Their shoes are dealt to their end, and the day of their retirement is no beginning."""
    by, off = managers.acting("manager"), TODAY + timedelta(days=after)
    hash_ = published(managers, options_of(tie_odds=[300, 1]))
    standing = terms_now(read_table("T2").terms)
    assert standing is not None
    terms = replace(standing, ruleset=hash_)
    assign_terms(table="T2", terms=terms, reason="New.", by=by)
    retire_rules(hash_=hash_, reason="Over.", effective_day=off, by=by)
    for day in (TODAY, off):
        context = sign_context(table_sign("T2", day=day))
        assert (context["hash"], context["effective_day"]) == (hash_, TODAY)


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


@pytest.mark.parametrize("kind", ["ruleset", "procedures"])
def test_a_sign_says_on_paper_that_it_holds_from_the_next_shoe(
    managers: Managers, kind: str
) -> None:
    changed: dict[str, object] = (
        {"tie_odds": [300, 1]} if kind == "ruleset" else {"cut_card_depth": 60}
    )
    new = published(managers, default_options(kind, GAME) | changed, kind=kind)
    manager = PagePerson(managers.house, "manager")
    before = says(sign_of(managers, "T1"), "Set for this table")
    assert "next shoe" not in before
    manager = PagePerson(managers.house, "manager")
    manager.post("/tables/T1/terms/", {**chosen(**{kind: new}), "reason": "Guests ask."})
    page = sign_of(managers, "T1")
    says(page, "Holds from the next shoe. Shoe T1/1 is dealt to its end", ", from the next shoe")
    sign = page.content.decode().partition('<article class="sign">')[2].partition("</article>")[0]
    assert "Holds from the next shoe." in sign
    assert "no-print" not in sign


# A number, a price, an amount: what is none of them is one of the values of its option.
OTHER: Mapping[str, object] = {
    "decks": 7,
    "main_odds.trio": [7, 2],
    "main_odds.pair": [7, 2],
    "main_odds.lucky9": [7, 2],
    "pair_odds": [7, 2],
    "jacks_odds": [7, 2],
    "tie_odds": [7, 2],
    "colon.odds": [7, 2],
    "colon.nine_odds": [7, 2],
    "odds": [7, 2],
    "commission": [7, 100],
    "rounding.unit_minor": 25,
    "max_payout_minor": {"main": 700},
}


@pytest.mark.parametrize("preset", ["pagcor-poker-lucky-9", "lucky-9", "home"])
def test_every_option_that_moves_money_is_on_the_sign(managers: Managers, preset: str) -> None:
    """No two rulesets that settle otherwise have the same sign, hash and edge aside."""
    add_table(managers.house, code="G1", preset=preset)
    sign = table_sign("G1", day=TODAY)
    game = sign.ruleset.game
    plain = said(sign)
    walked = list(values_of(GAMES[game].schema, ""))
    assert len(walked) > 4
    for path, value in walked:
        options = changed_options(path, OTHER[path] if value is ... else value)
        ruleset = load_ruleset(game, options)
        other = replace(sign, ruleset=ruleset, odds=odds_of(ruleset))
        assert said(other) != plain, (path, value)


def said(sign: TableSign) -> tuple[object, ...]:
    """What a sign says of prices and rules."""
    found = sign_context(sign)
    rows = [{name: value for name, value in row.items() if name != "edge"} for row in found["rows"]]
    return rows, found["posted"], found["rounding"], found["decks"]


def changed_options(path: str, value: object) -> dict[str, object]:
    """Options that say one thing otherwise."""
    outer, _dot, inner = path.partition(".")
    return {outer: {inner: value}} if inner else {outer: value}


@pytest.mark.parametrize(
    ("forced", "words"),
    [
        ("off", "Third card 0 to 5 must draw, 6 and 7 stand"),
        ("to_7", "Third card 0 to 7 must draw"),
        ("all", "Third card every hand must draw, none is a natural"),
    ],
)
def test_one_line_says_who_draws(managers: Managers, forced: str, words: str) -> None:
    house = add_table(managers.house, code="G1", preset="forced-draw")
    ruleset = publish_ruleset(
        game="lucky-9", name="Draw", options={"forced_draw": forced}, by=SET_UP
    )
    terms = read_table("G1").require_terms()
    set_terms(
        table="G1",
        ruleset=ruleset,
        procedures=terms.procedures,
        limits=terms.limits,
    )
    text = says(PagePerson(house, "cashier").get("/tables/G1/sign/"), words)
    for other in ("Forced third card", "draw too", "Draw 0 to 5"):
        assert other not in text
    assert ("A natural" in text) == (forced != "all")


def test_the_cover_of_the_bank_is_a_limit_on_the_sign(managers: Managers) -> None:
    house = add_table(managers.house, code="G1", preset="fixed-bank")
    says(PagePerson(house, "cashier").get("/tables/G1/sign/"), "The bank covers not stated")
    terms = read_table("G1").require_terms()
    cover = {"bank_cover_minor": 1_234_500}
    set_terms(
        table="G1",
        ruleset=terms.ruleset,
        procedures=terms.procedures,
        limits=publish_limits(game="lucky-9", options=cover, by=SET_UP),
    )
    says(PagePerson(house, "cashier").get("/tables/G1/sign/"), "The bank covers 12,345")
    assert "The bank covers" not in says(sign_of(managers, "T2"), "House edge")
