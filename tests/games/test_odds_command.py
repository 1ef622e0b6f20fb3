"""`manage.py odds`: tables for people, JSON for programs, every fault on standard error."""

import json
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from tables.games.odds_document import decimal_text


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("odds", *arguments, stdout=out)
    return out.getvalue()


def run_json(*arguments: str) -> dict[str, Any]:  # Any: JSON
    document = json.loads(run(*arguments, "--format", "json"), parse_float=refuse)
    assert isinstance(document, dict)
    return document


def refuse(text: str) -> object:
    raise AssertionError(f"{text} is a float")


def refused(*arguments: str) -> list[str]:
    err = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("odds", *arguments, stdout=StringIO(), stderr=err)
    assert ended.value.code == 1
    return err.getvalue().splitlines()


def test_the_table_names_fractions_and_percentages() -> None:
    lines = run("--game", "poker-lucky-9").splitlines()
    head = "poker-lucky-9, ruleset 34b40b9df4dc3b6dd043f28cd02b1c1cd060cb4d48e9707c0e44df2e717db55f"
    assert lines[:2] == [head, "416 cards left"]
    rows = [line.split() for line in lines]
    assert ["main", "win", "trio", "3/2", "0.5397%", "180145216/33376056861"] in rows
    assert ["tie", "win", "tie", "no", "price", "0.2253%", "375980369/166880284305"] in rows
    assert ["pair", "17.8313%", "7.4699%", "12.387", "to", "1", "8.363385", "74/415"] in rows
    assert ["tie", "closed", "0.2253%", "442.854", "to", "1"] in rows
    assert ["pair", "jacks", "0.000100305", "219724032/2190557503225"] in rows
    assert lines[-1].startswith("Edges are those of the exact odds")


def test_json_holds_every_figure_twice_and_no_float() -> None:
    options = {"tie_odds": [300, 1]}
    document = run_json(
        "--game", "poker-lucky-9", "--options", json.dumps(options), "--stakes", '{"main": 10000}'
    )
    assert document["cards"] == 416
    assert document["remaining"]["A"] == 32
    by_name = {wager["wager"]: wager for wager in document["wagers"]}
    assert by_name["pair"]["house_edge"] == {"fraction": "74/415", "decimal": "0.178313253012"}
    assert by_name["tie"]["outcomes"][0]["profit"] == {
        "fraction": "300",
        "decimal": "300.000000000000",
    }
    assert len(document["covariance"]) == 16
    assert len(document["joint"]) == 15
    assert document["bank_result"]["kept_by_rounding"]["fraction"] == "0"
    assert document["bank_result"]["chances"][0]["bank_minor"] == -15000


def test_remaining_cards() -> None:
    document = run_json("--game", "lucky-9", "--remaining", '{"9": 4, "8S": 1, "K": 3}')
    assert document["cards"] == 8
    assert document["remaining"]["8"] == 1
    assert document["remaining"]["2"] == 0


def test_two_seats() -> None:
    lines = run("--game", "lucky-9-social", "--seats").splitlines()
    assert lines[-2].startswith("covariance of two seats")
    assert lines[-1].split() == ["main", "main", "0.329614600", "7813498177/23704951725"]


def test_elective_draws() -> None:
    policy = ["--seat-draws", "0-4", "--bank-draws", "0-3,5", "--bank-draws-after-stand", "none"]
    small = ["--remaining", '{"9": 2, "4": 3, "K": 3, "2": 2, "6": 1}']
    lines = run("--game", "lucky-9-social", *policy, *small, "--best-draws").splitlines()
    assert lines[2:5] == [
        "seat: draw on 0-4",
        "bank after a draw: draw on 0-3, 5",
        "bank after a stand: stand on all",
    ]
    assert sum(line.startswith("best draws of the ") for line in lines) == 3
    assert sum(line.startswith("draws neither can better") for line in lines) == 2
    document = run_json("--game", "lucky-9-social", *policy, *small, "--best-draws")
    assert set(document["best_draws"]) == {"seat", "bank", "bank against one seat"}
    hands = document["best_draws"]["seat"]["hands"]
    assert {"hand", "after", "stand", "draw", "draws"} == set(hands[0])
    assert set(document["neither_can_better"]) == {"any number of seats", "one seat"}


def test_stakes_in_the_table() -> None:
    lines = run("--game", "lucky-9", "--stakes", '{"main": 100}').splitlines()
    assert "bank expects -2.7284 at the exact odds," in lines


STAKES = ("--stakes", '{"main": 5}')


def test_the_result_over_many_rounds() -> None:
    told = ("--game", "poker-lucky-9", "--stakes", '{"main": 10000}', "--rounds", "1000")
    one = json.loads(run(*told, "--format", "json"))["over_rounds"]
    edge = Fraction(one["expected"]["fraction"]) / 10000
    assert round(float(edge), 4) == 0.0127
    assert one["mean_minor"] == f"{float(edge) * 10_000_000:.2f}"
    assert [point["deviations"] for point in one["curve"]] == list(range(-3, 4))
    assert one["curve"][3] == {
        "deviations": 0,
        "bank_minor": one["mean_minor"],
        "below": "0.500000",
    }
    five = json.loads(run(*told, "--at-seats", "5", "--format", "json"))["over_rounds"]
    assert Fraction(five["expected"]["fraction"]) == 5 * edge * 10000
    # Seats lose and win together: more than five times the variance of one.
    assert Fraction(five["variance"]["fraction"]) > 5 * Fraction(one["variance"]["fraction"])
    lines = run(*told, "--at-seats", "5").splitlines()
    assert "over 1000 rounds of 5 seats the bank expects" in " ".join(lines)


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["--game", "lucky-9", "--options", '{"decks": 9, "x": 1}'], "option_value unknown_option"),
        (["--game", "lucky-9", "--options", "{"], "json.syntax"),
        (["--game", "lucky-9", "--options", "[]"], "odds.not_an_object"),
        (["--game", "lucky-9", "--remaining", '{"A": 2, "?": 1}'], "odds.unknown_card"),
        (["--game", "lucky-9", "--remaining", '{"A": 1.5}'], "odds.bad_count"),
        (["--game", "lucky-9", "--remaining", '{"A": 4}'], "odds.too_few_cards"),
        (
            ["--game", "lucky-9", "--remaining", '{"K": 4, "A": 4}', "--seats"],
            "odds.full_shoe_only",
        ),
        (["--game", "lucky-9", "--stakes", '{"main": 1e3}'], "odds.bad_stake"),
        (["--game", "lucky-9", "--rounds", "10"], "odds.no_stakes"),
        (["--game", "lucky-9", "--stakes", '{"main": 5}', "--rounds", "0"], "odds.bad_number"),
        (
            ["--game", "lucky-9", "--stakes", '{"main": 5}', "--rounds", "9", "--at-seats", "9"],
            "odds.bad_number",
        ),
        (
            ["--game", "lucky-9", "--remaining", '{"K": 4, "A": 4}', *STAKES, "--rounds", "9"],
            "odds.full_shoe_only",
        ),
        (["--game", "lucky-9", "--seat-draws", "0-5"], "odds.not_elective"),
        (["--game", "lucky-9", "--best-draws"], "odds.not_elective"),
        (["--game", "lucky-9-social", "--seat-draws", "low"], "odds.bad_policy"),
        (["--game", "lucky-9-social", "--seat-draws", "5-0"], "odds.bad_policy"),
        (["--game", "lucky-9-social", "--bank-draws", "0-"], "odds.bad_policy"),
        (["--game", "lucky-9-social", "--bank-draws", "0-9"], "odds.bad_policy"),
    ],
)
def test_every_fault_on_standard_error(arguments: list[str], codes: str) -> None:
    lines = refused(*arguments)
    found = {line.partition(" at ")[0].partition(": ")[0] for line in lines}
    assert found == set(codes.split())


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        ("1/3", 4, "0.3333"),
        ("-1/3", 4, "-0.3333"),
        ("2/3", 0, "1"),
        ("1/8", 2, "0.12"),
        ("-5", 2, "-5.00"),
        ("-1/1000", 2, "0.00"),
    ],
)
def test_decimals_are_rounded_in_whole_numbers(number: str, places: int, text: str) -> None:
    assert decimal_text(Fraction(number), places=places) == text
