"""The check of a round by the second engine: through the outbox, once, with its findings."""

import json

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from audit.findings.models import Finding
from audit.findings.selectors import sentence
from audit.log.models import Entry
from casino.outbox.errors import LeaseLostError
from casino.outbox.handlers import drain
from casino.outbox.leases import Lease, claim
from casino.outbox.models import OutboxItem
from casino.outbox.services import outbox_row
from settlements import checks
from settlements.bulk.version import ENGINE_VERSION
from settlements.errors import CheckSubjectError
from settlements.models import CheckResult
from settlements.selectors.checks import ROUND_CHECK, CheckState, check_state
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause
from tables.selectors.round_read import RoundName
from tables.services.cards import KeyedCard, deal_cards
from tests.factories.house import (
    House,
    bet,
    build_house,
    key,
    open_floor,
    open_round,
    play_round,
    settle_part,
    signer,
    void_as_shown,
)
from tests.support.database import CloneDatabase

WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700, "jacks": 500}}
HANDS = {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "JD", "JC"]}


def test_a_settled_round_is_checked_part_by_part(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    waiting = check_state(name.key)
    assert waiting.state == CheckState.WAITING
    assert waiting.checked_at is None
    assert drain() == 2
    results = CheckResult.objects.order_by("id").values_list(
        "part", "revision", "check_name", "engine_version", "agrees", "lines", "differences"
    )
    assert list(results) == [
        ("sweep", 1, "second_engine", ENGINE_VERSION, True, 2, []),
        ("final", 1, "second_engine", ENGINE_VERSION, True, 3, []),
    ]
    checked = check_state(name.key)
    assert checked.state == CheckState.AGREES
    assert checked.checked_at == Entry.objects.filter(stream="jobs").latest("seq").at
    assert not OutboxItem.objects.exists()
    assert not Finding.objects.exists()


def test_the_entry_names_the_job_and_the_round(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    drain()
    entry = Entry.objects.filter(stream="jobs").earliest("seq")
    body = json.loads(bytes(entry.body))
    assert (entry.action, entry.subject) == ("round.checked", name.key)
    assert (entry.actor, entry.role) == ("system:round-check", "system")
    assert body["facts"][0]["kind"] == "check_result"
    assert body["facts"][0]["row"]["round"] == name.key


def test_a_round_without_settlements_needs_no_check(house: House) -> None:
    name = open_round(house)
    assert check_state(name.key).state == CheckState.NOT_NEEDED
    assert check_state("T1/9/9").parts == ()


def test_the_same_work_again_stores_nothing(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    drain()
    entries = Entry.objects.count()
    _ask_again(name, part="final")
    assert drain() == 1
    assert CheckResult.objects.count() == 2
    assert Entry.objects.count() == entries
    assert not OutboxItem.objects.exists()


def test_a_lost_lease_stores_nothing(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    (lease,) = claim([ROUND_CHECK], limit=1)
    OutboxItem.objects.filter(pk=lease.id).update(lease_number=lease.number + 1)
    with pytest.raises(LeaseLostError), transaction.atomic():
        checks.check_part(lease)
    assert not CheckResult.objects.exists()
    assert not Entry.objects.filter(stream="jobs").exists()
    assert check_state(name.key).state == CheckState.WAITING


FORGED: list[dict[str, object]] = [
    {},
    {"round": "T1/1/1", "part": "final", "revision": 2},
    {"round": "T9/1/1", "part": "final", "revision": 1},
    {"round": "T1/1/1", "part": "all", "revision": 1},
    {"round": "T1/1/1", "part": "final", "revision": True},
    {"round": "T1/1/1", "part": "final", "revision": "1"},
    {"round": ["T1/1/1"], "part": "final", "revision": 1},
]


def test_forged_work_settles_nothing(house: House) -> None:
    play_round(house, WAGERS, HANDS)
    for payload in FORGED:
        with pytest.raises(CheckSubjectError):
            checks.check_part(Lease(0, ROUND_CHECK, "x", payload, 1, 1))
    assert not CheckResult.objects.exists()


def test_work_that_names_nothing_is_parked_in_the_end(clone_db: CloneDatabase) -> None:
    house = build_house()
    open_floor(house)
    name = play_round(house, WAGERS, HANDS)
    OutboxItem.objects.all().delete()
    _ask_again(name, part="final", revision=7)
    for _attempt in range(5):
        OutboxItem.objects.update(due_at=None)
        drain()
    item = OutboxItem.objects.get()
    assert item.parked_at is not None
    assert "check.subject_missing" in item.last_error


def test_a_parked_check_shows(house: House) -> None:
    name = play_round(house, WAGERS, HANDS)
    item = OutboxItem.objects.get(key=f"{name.key}/final/1")
    OutboxItem.objects.filter(pk=item.pk).update(parked_at=item.created_at)
    drain()
    state = check_state(name.key)
    assert state.state == CheckState.PARKED
    assert {part.part: part.state for part in state.parts} == {
        "sweep": CheckState.AGREES,
        "final": CheckState.PARKED,
    }


def test_a_mispay_is_a_finding_and_not_a_disagreement(house: House) -> None:
    name = open_round(house)
    bet(house, name, {2: {"main": 10000}})
    faces = ["2H", "5S", "7C", "3D", "KD", "QC"]
    key(house, name, dict(enumerate(faces, start=1)))
    settle_round(
        name=name,
        part="final",
        revision=1,
        handed={(2, "main"): 19000},
        by=house.acting("dealer", table="T1"),
    )
    drain()
    assert CheckResult.objects.get().agrees
    finding = Finding.objects.get()
    assert (finding.kind, finding.subject_key, finding.table_code) == (
        "payout.mispaid",
        name.key,
        "T1",
    )
    assert sentence(finding) == ("Round T1/1/1, seat 2, main: 195 was owed and 190 handed over.")
    assert finding.raised_by == "system:round-check"


VOIDS: list[tuple[list[str], bool, bool | tuple[int, ...]]] = [
    (["2H"], False, False),
    (["2H", "8S", "5S", "7C", "8D"], False, True),
    (["2H", "8S", "5S", "7C", "8D", "JD"], False, True),
    (["2H", "8S", "5S", "7C", "8D", "JD"], True, False),
    (["2H", "8S", "5S", "7C", "8D", "JD"], True, True),
    (["2H", "8S", "5S", "7C", "8D", "JD", "KD"], True, (3,)),
    (["2H", "8S", "5S", "7C", "8D", "JD", "KD", "3C", "JC"], True, (1,)),
    (["2H", "8S", "5S", "7C", "8D", "JD", "KD", "3C", "?"], True, False),
]


def test_voids_are_checked_too(house: House) -> None:
    for faces, swept, touched in VOIDS:
        name = _void(house, faces, swept=swept, touched=touched)
        drain()
        checked = check_state(name.key)
        reversed_sweep = {("sweep", 2)} if swept and touched else set()
        expected = {("final", 1)} | ({("sweep", 1)} if swept else set()) | reversed_sweep
        assert {(part.part, part.revision) for part in checked.parts} == expected, faces
        assert [part.differences for part in checked.parts] == [()] * len(expected), faces
        assert checked.state == CheckState.AGREES
    assert not Finding.objects.exists()


def test_undone_and_corrected_keys_do_not_count(house: House) -> None:
    name = open_round(house)
    bet(house, name, {2: {"main": 10000, "jacks": 300}})
    bet(house, name, {2: {"main": 30000}}, revision=2)
    key(house, name, {1: "9S"})
    undone = KeyedCard(draw=1, revision=2, face=None)
    deal_cards(name=name, cards=[undone], by=house.acting("dealer", table="T1"))
    key(house, name, {1: "2H"}, revision=3)
    key(house, name, dict(enumerate(["5S", "7C", "3D", "KD", "QC"], start=2)))
    settle_part(house, name, "final")
    drain()
    assert check_state(name.key).state == CheckState.AGREES


def test_a_check_takes_a_fixed_number_of_queries(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_round(house, WAGERS, HANDS)
    play_round(house, WAGERS, HANDS)
    for lease in claim([ROUND_CHECK], limit=4):
        # Four reads of facts; savepoint, lock, look, entry and result, done, savepoint.
        with django_assert_num_queries(10):
            checks.check_part(lease)


def _void(
    house: House, faces: list[str], *, swept: bool, touched: bool | tuple[int, ...]
) -> RoundName:
    name = open_round(house)
    bet(house, name, WAGERS)
    draws = list(enumerate(faces, start=1))
    key(house, name, dict(draws[:6]))
    if swept:
        settle_part(house, name, "sweep")
    if draws[6:]:
        key(house, name, dict(draws[6:]))
    void_as_shown(
        name=name,
        cause=VoidCause(event=26, first_two=touched, note="A drink over the cards."),
        signers=[signer("supervisor"), signer("manager")],
        by=house.acting("supervisor"),
    )
    return name


def _ask_again(name: RoundName, *, part: str, revision: int = 1) -> None:
    row = outbox_row(
        ROUND_CHECK,
        key=f"{name.key}/{part}/{revision}",
        payload={"round": name.key, "part": part, "revision": revision},
    )
    OutboxItem.objects.create(**row.values)
