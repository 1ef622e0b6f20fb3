"""Every named rule of a row refuses the row that breaks it, whoever writes it."""

from collections.abc import Mapping

import psycopg
import pytest

from tests.db.constraints import Rule, broken_by, broken_too, rules
from tests.db.rows import Writer, writing
from tests.support.floors import FloorClone


def alone(rule: Rule, among: list[Rule]) -> bool:
    """Whether no other rule of the table wants anything to be unique."""
    unique = [each for each in among if each.table == rule.table and each.kind in ("u", "i")]
    return unique == [rule]


def in_play(writer: Writer, rule: Rule) -> int | None:
    """The row whose copy breaks a rule of "only one": the one that is open."""
    wanted = {
        "one_round_in_play_per_table": "SELECT id FROM tables_round WHERE stage = 'first_lap'",
        "one_shoe_in_use_per_table": "SELECT id FROM tables_shoe WHERE state = 'ready'",
        "payout_odds_only_when_won": "SELECT id FROM settlements_payout WHERE outcome = 'win'",
    }
    if rule.name not in wanted:
        return None
    row = writer.connection.execute(wanted[rule.name]).fetchone()
    assert row is not None
    return int(row[0])


def test_every_rule_has_a_row_that_breaks_it(played: FloorClone) -> None:
    found = rules(played.database.app_url)
    silent = [rule.name for rule in found if broken_by(rule, alone=alone(rule, found)) is None]
    assert silent == [], "say in tests/db/constraints.py which row breaks these"
    assert len(found) > 100


def test_every_rule_refuses_the_row_that_breaks_it(played: FloorClone) -> None:
    found = rules(played.database.app_url)
    wrong = []
    with writing(played.database.app_url) as writer:
        for rule in found:
            changed = broken_by(rule, alone=alone(rule, found))
            assert changed is not None
            broke = broken(writer, rule, changed)
            by = [each for each in found if (each.table, each.name) == (rule.table, broke)]
            if not any(broken_too(rule, each) for each in by):
                wrong.append(f"{rule.table}.{rule.name}: {broke or 'the row was taken'}")
    assert not wrong, "\n".join(wrong)


def broken(writer: Writer, rule: Rule, changed: Mapping[str, object]) -> str | None:
    """Write the row and take it back; answer with the rule that refused it."""
    with writer.connection.transaction(force_rollback=True):
        like = in_play(writer, rule) or writer.base(rule.table)
        try:
            with writer.connection.transaction():
                writer.copy(rule.table, changed, like=like)
        except psycopg.errors.IntegrityError as error:
            return error.diag.constraint_name
    return None


@pytest.mark.parametrize("table", ["tables_card", "settlements_payout", "tables_seatwagers"])
def test_a_fact_refers_to_rows_that_exist(played: FloorClone, table: str) -> None:
    with writing(played.database.app_url) as writer:
        base = writer.base(table)
        writer.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            writer.copy(table, {"round_id": 10**9, "revision": 1}, like=base)


@pytest.mark.parametrize(
    "changed",
    [
        {"owed_minor": 19501},
        {"stake_minor": 10001},
        {"commission_minor": 1},
        {"extra_owed_minor": 1},
        {"bank_minor": 0},
    ],
)
def test_every_minor_unit_of_a_payout_has_a_place(
    played: FloorClone, changed: dict[str, int]
) -> None:
    """Bank, player and commission sum to zero, whichever figure is changed (trust R13)."""
    with writing(played.database.app_url) as writer:
        base = writer.base("settlements_payout")
        with pytest.raises(psycopg.errors.CheckViolation) as caught:
            writer.copy("settlements_payout", {"seat": 9, **changed}, like=base)
        assert caught.value.diag.constraint_name == "payout_money_conserved"


@pytest.mark.parametrize(
    "changed",
    [
        {"odds_numerator": None, "odds_denominator": None},
        {"odds_numerator": None},
        {"odds_denominator": None},
        {"odds_denominator": 0},
        {"outcome": "lose"},
        {"outcome": "push", "odds_denominator": None},
        {"outcome": "void", "odds_numerator": None},
    ],
)
def test_a_win_states_its_odds_and_nothing_else_does(
    played: FloorClone, changed: dict[str, object]
) -> None:
    with writing(played.database.app_url) as writer:
        row = writer.connection.execute(
            "SELECT id FROM settlements_payout WHERE outcome = 'win'"
        ).fetchone()
        assert row is not None
        with pytest.raises(psycopg.errors.CheckViolation) as caught:
            writer.copy("settlements_payout", {"seat": 9, **changed}, like=row[0])
        assert caught.value.diag.constraint_name == "payout_odds_only_when_won"


def test_a_correct_copy_is_taken(played: FloorClone) -> None:
    """The writer itself writes rows that the rules accept, or the tests above prove nothing."""
    with writing(played.database.app_url) as writer:
        writer.copy("tables_card", {"draw": 99})
        writer.copy("settlements_payout", {"seat": 9})
        writer.copy("tables_round", {"key": "X", "number": 99, "stage": "settled"})
        writer.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
