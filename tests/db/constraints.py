"""For every named rule of a row of the floor or of settlements, a row that breaks it.

`BROKEN` holds the rows that must be stated; for the rules that come by the dozen the row follows
from the name and the shape of the constraint.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg

_CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, contype::text, pg_get_constraintdef(oid)
  FROM pg_constraint
 WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'u', 'x')
   AND conrelid::regclass::text ~ '^(tables|settlements)_'
UNION ALL
SELECT conrelid::regclass::text, conname, 'f', pg_get_constraintdef(oid) FROM pg_constraint
 WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND NOT condeferrable
   AND conrelid::regclass::text ~ '^(tables|settlements)_'
UNION ALL
SELECT indrelid::regclass::text, indexrelid::regclass::text, 'i', pg_get_indexdef(indexrelid)
  FROM pg_index
 WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text ~ '^(tables|settlements)_'
   AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
 ORDER BY 1, 2
"""
_NOT_NEGATIVE = re.compile(r"CHECK \(\((\w+) >= 0\)\)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One constraint as the database has it."""

    table: str
    name: str
    kind: str
    text: str


def rules(url: str) -> list[Rule]:
    """Every constraint of the two apps but for primary and foreign keys and NOT NULL."""
    with psycopg.connect(url) as connection:
        return [Rule(*row) for row in connection.execute(_CONSTRAINTS).fetchall()]


def broken_by(rule: Rule, *, alone: bool) -> Mapping[str, object] | None:
    """What to change in a copy of a row so that it breaks this rule; None when nobody has said.

    `alone` tells that the rule is the only unique one of its table: then a copy breaks it.
    """
    if (rule.table, rule.name) in BROKEN:
        return BROKEN[rule.table, rule.name]
    if found := _NOT_NEGATIVE.fullmatch(rule.text):
        return {found[1]: -1}
    if rule.name.endswith("_revision_from_1"):
        return {"revision": 0}
    if rule.name.endswith("_revision_linear"):
        return {"revision": 99}
    if rule.kind == "u" and alone:
        return {}
    return None


# What breaks the one always breaks the other, which the database looks at first.
_BESIDE = {"rule_standing_state_known": "rule_standing_reason_of_retirement"}


def broken_too(rule: Rule, other: Rule) -> bool:
    """Whether a row that breaks `rule` may be refused by another rule: by a stricter one, say."""
    column = _NOT_NEGATIVE.fullmatch(rule.text)
    stricter = column is not None and re.search(rf"\b{column[1]}\b", other.text) is not None
    return rule == other or _BESIDE.get(rule.name) == other.name or stricter


_OVER: Mapping[str, object] = {"stage": "settled"}
_CLOSED: Mapping[str, object] = {"state": "closed", "closer_minor": 1}
_ENDED: Mapping[str, object] = {"state": "ended"}

BROKEN: Mapping[tuple[str, str], Mapping[str, object]] = {
    ("settlements_checkresult", "settlements_checkresult_of_settlement"): {"revision": 77},
    ("settlements_dayrun", "settlements_dayrun_key_key"): {"number": 99, "state": "done"},
    ("settlements_dayrun", "day_run_number_per_day"): {"key": "X", "state": "done"},
    ("settlements_dayrun", "one_day_run_at_a_time"): {"key": "X", "number": 99},
    ("settlements_payout", "payout_amounts_not_negative"): {"handed_minor": -1, "seat": 9},
    ("settlements_payout", "payout_cuts_not_negative"): {"breakage_denominator": 0, "seat": 9},
    ("settlements_payout", "payout_money_conserved"): {"bank_minor": 1, "seat": 9},
    ("settlements_payout", "payout_odds_only_when_won"): {"outcome": "lose", "seat": 9},
    ("settlements_payout", "settlements_payout_of_settlement"): {"revision": 77},
    ("settlements_settlement", "settlement_given_back_known"): {"given_back": "some"},
    ("settlements_settlement", "settlement_handle_not_negative"): {"handle_minor": -1},
    ("tables_card", "card_face_known_form"): {"face": "1S"},
    ("tables_count", "count_total_not_negative"): {"total_minor": -1},
    ("tables_departure", "departure_hand_has_place"): {"use": "hand"},
    ("tables_disputehold", "dispute_amount_not_negative"): {"disputed_minor": -1},
    ("tables_disputehold", "dispute_apart_of_result"): {"apart_minor": 1},
    ("tables_disputehold", "dispute_released_has_outcome"): {"state": "released"},
    ("tables_disputehold", "dispute_number_per_table"): {"key": "X"},
    ("tables_disputehold", "tables_disputehold_key_key"): {"number": 99},
    ("tables_housesettings", "house_settings_cut_over_hour"): {"cut_over_hour": 24},
    ("tables_irregularity", "irregularity_event_known"): {"event": 34},
    ("tables_round", "round_dealt_has_limits"): {"stage": "first_lap", "limits_id": None},
    ("tables_round", "one_round_in_play_per_table"): {"key": "X", "number": 99},
    ("tables_round", "round_number_per_shoe"): {"key": "X", **_OVER},
    ("tables_round", "tables_round_key_key"): {"number": 99, **_OVER},
    ("tables_ruledraft", "rule_draft_in_approval_has_hash"): {
        "state": "in_approval",
        "content_hash": "",
    },
    ("tables_ruledraft", "rule_draft_kind_known"): {"kind": "song"},
    ("tables_ruledraft", "rule_draft_state_known"): {"state": "sung", "content_hash": "x"},
    ("tables_ruledraft", "rule_draft_stream_rulesets"): {"stream": "table/T1"},
    ("tables_ruledraft", "rule_draft_version"): {"version": 0},
    ("tables_ruledraft", "tables_ruledraft_number_key"): {"serial": 99},
    ("tables_ruledraft", "tables_ruledraft_serial_key"): {"number": "X"},
    ("tables_rulestanding", "rule_standing_reason_of_retirement"): {"state": "retired"},
    ("tables_rulestanding", "rule_standing_state_known"): {"state": "sung"},
    **{
        ("tables_seatwagers", f"seat_wagers_{kind}_positive"): {f"{kind}_minor": 0}
        for kind in ("main", "tie", "pair", "jacks")
    },
    ("tables_seatwagers", "seat_wagers_seat_range"): {"seat": 10},
    ("tables_shoe", "one_shoe_in_use_per_table"): {"key": "X", "number": 99},
    ("tables_shoe", "shoe_number_per_table"): {"key": "X", **_ENDED},
    ("tables_shoe", "tables_shoe_key_key"): {"number": 99, **_ENDED},
    ("tables_table", "table_seats_range"): {"seats": 10},
    ("tables_tablesession", "session_open_needs_opener"): {"opener_minor": None},
    ("tables_tablesession", "session_closed_needs_closer"): {"state": "closed"},
    ("tables_tablesession", "one_open_session_per_table"): {"key": "X", "number": 99},
    ("tables_tablesession", "session_number_per_table"): {"key": "X", **_CLOSED},
    ("tables_tablesession", "tables_tablesession_key_key"): {"number": 99, **_CLOSED},
}
