"""What the written draw of a staffed bank costs (C5): on the sign, in warnings, of a shoe."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from tables.games import load_limits, load_procedures, load_ruleset
from tables.games.odds import round_odds
from tables.games.odds_elective_draw import draw_policy
from tables.games.rule_warnings import RuleWarning
from tables.models import RuleKind
from tables.selectors.odds import odds_of
from tables.selectors.rule_check import check_rules, terms_warnings
from tables.selectors.shoe_odds import read_shoe, shoe_odds
from tests.support.pages import PagePerson, text_of
from tests.tables.games.playing import GameTable
from tests.tables.rules.managers import TODAY, options_of
from tests.tables.rules.pages import says

SOCIAL = "lucky-9-social"
STAFFED: dict[str, object] = {"bank": "house", "banker_rotation": "fixed"}
NewTable = Callable[..., GameTable]


def warned(policy: int, *, odds: list[int], **procedures: object) -> list[RuleWarning]:
    """What a table is warned of that draws up to this total at this price."""
    written = {**STAFFED, "house_draw_policy": f"draw_0_to_{policy}", **procedures}
    return list(
        terms_warnings(
            ruleset=load_ruleset(SOCIAL, {"odds": odds}),
            procedures=load_procedures(SOCIAL, written),
            limits=load_limits(SOCIAL, {"bank_cover_minor": 100}),
        )
    )


@pytest.mark.parametrize(
    ("policy", "edge"),
    [(0, "-11.4"), (1, None), (4, None), (5, None), (6, "-1.3"), (7, "-4.7"), (8, "-10.0")],
)
def test_a_draw_that_costs_the_house_is_warned_of(policy: int, edge: str | None) -> None:
    ruleset = load_ruleset(SOCIAL, {})
    bank = draw_policy(bank=range(policy + 1))
    exact = round_odds(ruleset, policy=bank).wagers["main"].house_edge
    assert exact is not None
    found = warned(policy, odds=[1, 1])
    if edge is None:
        assert (exact < 0) == bool(found)
        return
    assert f"{float(exact) * 100:.1f}" == edge
    (warning,) = found
    assert (warning.code, warning.where, warning.clause) == (
        "favours_guest",
        "procedures.house_draw_policy",
        "C5",
    )
    assert warning.figures == {"edge": -exact}


def test_where_a_player_banks_the_written_draw_counts_for_nothing() -> None:
    assert warned(8, odds=[1, 1], bank="players") == []


def test_a_price_that_favours_the_guest_is_the_price_s_to_answer_for() -> None:
    (warning,) = warned(8, odds=[2, 1])
    assert (warning.where, warning.clause) == ("options.odds", "C9")


@pytest.mark.parametrize("policy", [5, 7])
def test_the_sign_states_the_edge_of_the_bank_s_own_draw(new_table: NewTable, policy: int) -> None:
    written = {**STAFFED, "house_draw_policy": f"draw_0_to_{policy}"}
    house = new_table("home", procedures=written).house
    edge = {5: "0.00%", 7: "−4.67%"}[policy]
    text = says(
        PagePerson(house, "cashier").get("/tables/T1/sign/"),
        edge,
        "Who banks the house",
        f"The House draws on 0 to {policy}; stands above",
        "The edge holds where seats draw on 0 to 5.",
    )
    assert "The bank moves" not in text
    read = PagePerson(house, "manager").get("/api/v1/tables/T1/terms").json()
    bank = draw_policy(bank=range(policy + 1))
    assert read["odds"]["policy"] == bank.describe()
    # The ruleset alone knows no bank's rule: its page says by which draws its odds hold.
    assert "The bank: draw on 0-5" in text_of(
        PagePerson(house, "auditor").get(f"/rulesets/{house.ruleset.key}/")
    )


def test_the_sign_says_where_a_player_banks(new_table: NewTable) -> None:
    house = new_table("home").house
    text = says(
        PagePerson(house, "cashier").get("/tables/T1/sign/"),
        "Who banks a seat: the players",
        # The deal runs anticlockwise, and so does the bank (C10).
        "The bank moves after each round, to the next seat in the direction of dealing",
        "The edge holds where bank and seats draw on 0 to 5.",
    )
    assert "The House draws on" not in text


def test_what_is_left_in_a_shoe_is_played_by_the_bank_s_own_draw(new_table: NewTable) -> None:
    written = {**STAFFED, "house_draw_policy": "draw_0_to_8", "deal_from": "shoe", "burn": "none"}
    written["cut_card_depth"] = 40  # within its one deck
    table = new_table("home", procedures=written)
    ruleset, bank = load_ruleset(SOCIAL, {}), draw_policy(bank=range(9))
    found = shoe_odds(read_shoe("T1", shoe=1))
    assert table.view["shoe"] is not None
    assert found.full.wagers == round_odds(ruleset, policy=bank).wagers
    assert found.odds.wagers == round_odds(ruleset, found.unseen, policy=bank).wagers
    assert found.full.wagers["main"].house_edge != odds_of(ruleset).wagers["main"].house_edge


def test_a_draft_of_procedures_is_warned_at_the_prices_that_tables_deal(
    new_table: NewTable,
) -> None:
    house = new_table("home", options={"odds": [9, 10]}).house
    eight = options_of(SOCIAL, kind=RuleKind.PROCEDURES, house_draw_policy="draw_0_to_8")
    check = check_rules(RuleKind.PROCEDURES, SOCIAL, eight, day=TODAY)
    (each,) = [each for each in check.warnings if each.warning.code == "favours_guest"]
    assert (each.under, each.tables) == (house.ruleset.key, ("T1",))
    ruleset = load_ruleset(SOCIAL, {"odds": [9, 10]})
    edge = round_odds(ruleset, policy=draw_policy(bank=range(9))).wagers["main"].house_edge
    assert edge is not None
    assert each.warning.figures == {"edge": -edge}
    assert Fraction(-1, 10) < edge < 0
    five = options_of(SOCIAL, kind=RuleKind.PROCEDURES)
    assert not check_rules(RuleKind.PROCEDURES, SOCIAL, five, day=TODAY).warnings
