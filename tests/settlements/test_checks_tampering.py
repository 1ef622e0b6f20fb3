"""What was changed behind the log, as only the superuser can: each is found, nothing else is."""

from collections.abc import Mapping, Sequence

import psycopg
from django.db import connection

from audit.findings.models import Finding
from audit.log.models import Entry
from casino.outbox.handlers import drain
from settlements.models import CheckResult, Settlement
from settlements.selectors.checks import CheckState, check_state
from tables.selectors.round_read import RoundName
from tests.factories.house import build_house, open_floor, play_round
from tests.support.database import CloneDatabase

WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700, "jacks": 500}}
Hands = Mapping[int, Sequence[str]]
HANDS = {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "JD", "JC"]}
GUARDED = (
    "settlements_payout",
    "settlements_settlement",
    "tables_card",
    "tables_seatwagers",
    "tables_round",
    "tables_ruleset",
)
PLUS_ONE = (
    "owed_minor = owed_minor + 1, handed_minor = handed_minor + 1, bank_minor = bank_minor - 1"
)
# A statement without its choice of a round, which rows, and a field of the difference it makes.
TAMPERED: list[tuple[str, str, str]] = [
    (f"update settlements_payout set {PLUS_ONE}", "wager = 'main' and seat = 1", "owed_minor"),
    ("update settlements_payout set outcome = 'push'", "outcome = 'lose'", "outcome"),
    ("update settlements_payout set seat = 2", "wager = 'main' and seat = 1", "line"),
    ("update settlements_payout set wager = 'tie'", "wager = 'jacks'", "line"),
    ("delete from settlements_payout", "wager = 'jacks'", "line"),
    ("update settlements_payout set bank = 'seat 2'", "wager = 'jacks'", "bank"),
    ("update settlements_settlement set bank_owed_minor = 1", "part = 'final'", "bank_owed_minor"),
    ("update settlements_settlement set bank_handed_minor = 1", "true", "bank_handed_minor"),
    ("update settlements_settlement set handle_minor = 1", "part = 'final'", "handle_minor"),
    ("update tables_card set face = '9H'", "draw = 9", "outcome"),
    ("update tables_seatwagers set main_minor = 5", "seat = 1", "stake_minor"),
    ("update tables_round set gaming_day = gaming_day + 1", "true", "gaming_day"),
    ("update tables_round set live_seats = '{1}'", "true", "live_seats"),
    ("update tables_round set number = 99", "true", "key"),
]


def test_every_change_is_found_and_nothing_else(clone_db: CloneDatabase) -> None:
    house = build_house()
    open_floor(house)
    clean = play_round(house, WAGERS, HANDS)
    names = [
        play_round(house, WAGERS, in_other_suits(HANDS, by=n)) for n in range(1, len(TAMPERED) + 1)
    ]
    for name, (change, rows, _field) in zip(names, TAMPERED, strict=True):
        column = "id" if "tables_round" in change else "round_id"
        of_round = f"{column} = (select id from tables_round where key = %(round)s)"
        _as_superuser(clone_db, f"{change} where {rows} and {of_round}", name=name)
    drain()
    assert check_state(clean.key).state == CheckState.AGREES
    for name, (change, _rows, field) in zip(names, TAMPERED, strict=True):
        assert check_state(name.key).state == CheckState.DIFFERS, change
        result = CheckResult.objects.get(agrees=False, part="final", round__key=name.key)
        assert field in {difference["field"] for difference in result.differences}, change
    found = Finding.objects.filter(kind="round.engines_disagree")
    assert set(found.values_list("subject_key", flat=True)) == {name.key for name in names}
    assert set(found.values_list("severity", flat=True)) == {"alarm"}


def test_a_changed_ruleset_is_found(clone_db: CloneDatabase) -> None:
    house = build_house()
    open_floor(house)
    name = play_round(house, WAGERS, HANDS)
    change = "update tables_ruleset set options = jsonb_set(options, '{jacks_odds}', '[12, 1]')"
    _as_superuser(clone_db, change, name=name)
    drain()
    differences = [found for part in check_state(name.key).parts for found in part.differences]
    assert "ruleset_of_options" in {difference["field"] for difference in differences}


def test_what_was_keyed_after_a_settlement_is_not_held_against_it(clone_db: CloneDatabase) -> None:
    """A correction leaves the revision that it supersedes as right as it was."""
    house = build_house()
    open_floor(house)
    name = play_round(house, WAGERS, HANDS)
    settled = Entry.objects.get(pk=Settlement.objects.latest("id").entry_id)
    connection.close()
    with psycopg.connect(clone_db.admin_url) as admin:
        admin.execute(
            "with e as (insert into log_entry"
            " (stream, body, action, subject, actor, role, request_id)"
            " values (%s, '{}', 'card.corrected', %s, 'S1', 'supervisor', '') returning id)"
            " insert into tables_card"
            " (round_id, shoe_id, draw, revision, face, as_seen, entry_id)"
            " select round_id, shoe_id, draw, 2, 'AS', false, e.id from tables_card, e"
            " where draw = 1",
            [settled.stream, name.key],
        )
    drain()
    assert check_state(name.key).state == CheckState.AGREES


def in_other_suits(hands: Hands, *, by: int) -> Hands:
    """Turn every suit by some places, so that no card is dealt more often than there are copies."""
    return {
        hand: [face[0] + "SHDC"[("SHDC".index(face[1]) + by) % 4] for face in faces]
        for hand, faces in hands.items()
    }


def _as_superuser(database: CloneDatabase, change: str, *, name: RoundName) -> None:
    """Take every guard off, change what was recorded, and put the guards back."""
    connection.close()
    with psycopg.connect(database.admin_url) as admin:
        guards = admin.execute(
            "select tgrelid::regclass::text, tgname from pg_trigger"
            " where not tgisinternal and tgenabled = 'A' and tgrelid::regclass::text = any(%s)",
            [list(GUARDED)],
        ).fetchall()
        for table, guard in guards:
            admin.execute(f"alter table {table} disable trigger {guard}")
        assert admin.execute(change, {"round": name.key}).rowcount > 0
        for table, guard in guards:
            admin.execute(f"alter table {table} enable always trigger {guard}")
