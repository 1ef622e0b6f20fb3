"""Voiding a dealt round: stakes back, cards stay dealt, two people sign (event 26, A20)."""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from audit.chain import canonical
from casino.outbox.handlers import drain
from casino.people.models import Role, Signature
from casino.people.services import grant_role
from settlements.models import CheckResult, Payout, Settlement
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause, Voided, VoidSeen, void_bill, void_round
from tables.models import Round, Shoe, TableSession
from tables.selectors.round_read import RoundName
from tests.factories.house import House, bet, key, open_round, settle_part, signer, void_as_shown
from tests.support.records import body_of, last_entry, refused
from tests.tables.terms import T, preparing, sign, sign_until_burn, under_terms

WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700, "jacks": 500}}
STAKES = 32200
# Seat 3 has a pair in its first two, seat 1 has none.
FACES = ["2H", "8S", "5S", "7C", "8D", "3D", "KD", "3C", "QC"]
STAGES = {"first_lap": 1, "second_lap": 6, "pair_settled": 6, "third_lap": 7, "opened": 9}


def dealt(house: House, stage: str, *, table: str = "T1") -> RoundName:
    """A round that stands in a stage of the round document."""
    name = open_round(house, table=table)
    bet(house, name, WAGERS)
    cards = STAGES[stage]
    key(house, name, dict(enumerate(FACES[: min(cards, 6)], start=1)))
    if stage in ("pair_settled", "third_lap", "opened"):
        settle_part(house, name, "sweep")
        if cards > 6:
            key(house, name, dict(enumerate(FACES[6:cards], start=7)))
    return name


def void(
    house: House,
    name: RoundName,
    *,
    first_two: bool | tuple[int, ...] = False,
    names: Sequence[str] = ("supervisor", "manager"),
    event: int = 26,
) -> Voided:
    return void_as_shown(
        name=name,
        cause=VoidCause(event=event, first_two=first_two, note="a card fell"),
        signers=[signer(each) for each in names],
        by=house.acting("supervisor"),
    )


def void_seen(house: House, name: RoundName, seen: VoidSeen, *, out: int | None = None) -> Voided:
    """Void a round under what two people say they saw."""
    return void_round(
        name=name,
        cause=VoidCause(event=26, first_two=False, note="x", cards_out=out),
        seen=seen,
        signers=[signer("supervisor"), signer("manager")],
        by=house.acting("supervisor"),
    )


def session(table: str = "T1") -> TableSession:
    return TableSession.objects.get(key=f"{table}/S1")


def lines(part: str, revision: int) -> list[tuple[int, str, str, int]]:
    """What was written of a part in a revision."""
    kept = Payout.objects.filter(part=part, revision=revision).order_by("seat", "id")
    return [(paid.seat, paid.wager, paid.outcome, paid.owed_minor) for paid in kept]


OPEN_WAGERS = [(1, "main", "void", 10000), (3, "main", "void", 20000), (3, "jacks", "void", 500)]
PAIRS_VOID = [(1, "pair", "void", 1000), (3, "pair", "void", 700)]
PAIRS_STAND = [(1, "pair", "lose", 0), (3, "pair", "win", 7700)]


@pytest.mark.parametrize("stage", ["first_lap", "second_lap"])
def test_before_the_sweep_every_wager_goes_back(floor: House, stage: str) -> None:
    name = dealt(floor, stage)
    preview = void_bill(name, first_two=False)
    done = void(floor, name)
    assert done.stage == stage
    assert done.lines == preview.lines
    assert sorted(lines("final", 1)) == sorted(OPEN_WAGERS + PAIRS_VOID)
    assert not Settlement.objects.filter(part="sweep").exists()
    over = Round.objects.get(key=name.key)
    assert (over.stage, over.final_revision, over.sweep_revision) == ("voided", 1, 0)
    assert over.ended_at == floor.now
    assert Shoe.objects.get(key="T1/1").cards_dealt == STAGES[stage], "its cards stay dealt"
    now = session()
    assert (now.rounds_settled, now.handle_minor, now.bank_owed_minor) == (0, 0, 0)


@pytest.mark.parametrize("stage", ["pair_settled", "third_lap", "opened"])
def test_after_the_sweep_the_pair_wagers_stand(floor: House, stage: str) -> None:
    name = dealt(floor, stage)
    assert void(floor, name).stage == stage
    assert lines("final", 1) == OPEN_WAGERS
    assert lines("sweep", 1) == PAIRS_STAND
    assert not Settlement.objects.filter(part="sweep", revision=2).exists()
    now = session()
    assert (now.handle_minor, now.bank_owed_minor, now.bank_handed_minor) == (1700, -6000, -6000)


@pytest.mark.parametrize("stage", ["pair_settled", "third_lap", "opened"])
@pytest.mark.parametrize("first_two", [True, (1, 3)])
def test_a_fault_in_the_first_two_cards_takes_the_pair_wagers_back(
    floor: House, stage: str, first_two: bool | tuple[int, ...]
) -> None:
    name = dealt(floor, stage)
    void(floor, name, first_two=first_two)
    assert lines("sweep", 1) == PAIRS_STAND, "the old revision stays"
    assert lines("sweep", 2) == PAIRS_VOID
    assert lines("final", 1) == OPEN_WAGERS
    again = Settlement.objects.get(part="sweep", revision=2)
    assert (again.kind, again.void_seats) == ("voided", [1, 3])
    now = session()
    assert (now.handle_minor, now.bank_owed_minor, now.bank_handed_minor) == (0, 0, 0)
    assert Round.objects.get(key=name.key).sweep_revision == 2


def test_a_fault_at_one_seat_takes_back_that_seats_pair_wager(floor: House) -> None:
    name = dealt(floor, "third_lap")
    void(floor, name, first_two=(3,))
    assert lines("sweep", 2) == [(1, "pair", "lose", 0), (3, "pair", "void", 700)]
    now = session()
    assert (now.handle_minor, now.bank_owed_minor) == (1000, 1000)


def test_a_ruleset_may_reverse_what_was_swept(floor: House) -> None:
    under_terms(floor, options={"pair_bet_on_void": "reversed"})
    preparing(floor)
    sign_until_burn(floor)
    sign(floor, "burn", burned=["?"])
    name = dealt(floor, "third_lap", table=T)
    void(floor, name)
    assert lines("sweep", 2) == PAIRS_VOID
    assert session(T).bank_owed_minor == 0


def test_what_was_handed_over_at_a_sweep_that_stands_in_part_is_kept(floor: House) -> None:
    """Seat 1's losing pair bet was left by mistake; only seat 3's is taken back."""
    name = dealt(floor, "second_lap")
    by = floor.acting("dealer", table="T1")
    settle_round(name=name, part="sweep", revision=1, handed={(1, "pair"): 1000}, by=by)
    assert session().bank_handed_minor == session().bank_owed_minor - 1000
    void(floor, name, first_two=(3,))
    kept = Payout.objects.get(part="sweep", revision=2, seat=1)
    assert (kept.owed_minor, kept.handed_minor) == (0, 1000)
    now = session()
    assert (now.bank_owed_minor, now.bank_handed_minor) == (1000, 0)


def test_the_signatures_cover_what_goes_back(floor: House) -> None:
    name = dealt(floor, "third_lap")
    void(floor, name)
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject, entry.actor) == ("round.voided", name.key, "1003")
    data = body_of(entry)["data"]
    assert data == {
        "act": "round.void",
        "round": name.key,
        "event": 26,
        "first_two": [],
        "stage": "third_lap",
        "note": "a card fell",
        "returned_minor": data["returned_minor"],
        "cards_out": 7,
    }
    digest = sha256(canonical(data)).digest()
    signed = Signature.objects.filter(purpose="round.void", subject=name.key).order_by("id")
    assert [(each.staff.number, each.role) for each in signed] == [
        ("1003", "supervisor"),
        ("1004", "manager"),
    ]
    assert all(bytes(each.content_hash) == digest for each in signed)
    assert all(each.entry == entry for each in signed)
    assert Settlement.objects.get(part="final").signed_hash == digest.hex()


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ([], "void.signers"),
        (["supervisor"], "void.signers"),
        (["manager"], "void.signers"),
        (["dealer", "manager"], "void.signers"),
        (["dealer", "supervisor", "manager"], "void.signers"),
        (["supervisor", "supervisor"], "signature.same_person"),
        (["supervisor", "manager", "manager"], "signature.same_person"),
    ],
)
def test_a_supervisor_and_a_manager_sign(floor: House, names: list[str], code: str) -> None:
    name = dealt(floor, "first_lap")
    with refused(code):
        void(floor, name, names=names)


def test_who_signs_holds_the_role_and_enters_the_secret(floor: House) -> None:
    name = dealt(floor, "first_lap")
    cause = VoidCause(event=26, first_two=False, note="x")
    for wrong, code in (
        (signer("manager", secret="1111"), "signature.secret_wrong"),
        (signer("dealer_2", role="manager"), "signature.role_not_held"),
        (signer("supervisor", role="manager"), "signature.role_not_held"),
    ):
        with refused(code):
            void_as_shown(
                name=name,
                cause=cause,
                signers=[signer("supervisor"), wrong],
                by=floor.acting("supervisor"),
            )


def test_the_dealer_of_the_round_does_not_sign_for_it(floor: House) -> None:
    """Also not in another role that the same person holds."""
    admin = floor.acting("administrator")
    grant_role("1001", role=Role.SUPERVISOR, by=admin.person, origin=admin.origin)
    name = dealt(floor, "first_lap")
    for manager in ("manager", "supervisor"):
        with refused("void.signers"):
            void_as_shown(
                name=name,
                cause=VoidCause(event=26, first_two=False, note="x"),
                signers=[signer("dealer", role="supervisor"), signer(manager)],
                by=floor.acting("supervisor"),
            )


@pytest.mark.parametrize("who", ["dealer", "cashier", "auditor", "surveillance"])
def test_who_may_not_void(floor: House, who: str) -> None:
    name = dealt(floor, "first_lap")
    with refused("role.not_allowed"):
        void_as_shown(
            name=name,
            cause=VoidCause(event=26, first_two=False, note="x"),
            signers=[signer("supervisor"), signer("manager")],
            by=floor.acting(who),
        )


def test_nobody_signs_for_a_sum_that_was_not_seen(floor: House) -> None:
    """The sweep came between reading and signing: the conflict says what goes back now."""
    name = dealt(floor, "second_lap")
    seen = void_bill(name, first_two=False).seen
    assert seen == VoidSeen("second_lap", STAKES)
    settle_part(floor, name, "sweep")
    before = Settlement.objects.count(), Signature.objects.count()
    with refused("void.changed") as caught:
        void_seen(floor, name, seen)
    now = {"round": name.key, "stage": "pair_settled", "returned_minor": 38200}
    assert caught.value.data == now
    assert (Settlement.objects.count(), Signature.objects.count()) == before
    with refused("void.changed"):
        void_seen(floor, name, VoidSeen("pair_settled", STAKES))
    done = void_seen(floor, name, VoidSeen("pair_settled", 38200), out=6)
    assert body_of(last_entry("table/T1"))["data"]["returned_minor"] == 38200
    assert sum(line.returned_minor for line in done.lines) == 30500 + 7700


def test_the_same_sum_at_another_stage_was_not_seen(floor: House) -> None:
    """A pair that won 10 to 1 beside one that lost as much: the sum alone cannot tell."""
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 100}})
    key(floor, name, dict(enumerate(FACES[:6], start=1)))
    seen = void_bill(name, first_two=False).seen
    settle_part(floor, name, "sweep")
    after = void_bill(name, first_two=False).seen
    assert seen.returned_minor == after.returned_minor == 31100
    with refused("void.changed"):
        void_seen(floor, name, seen)


@pytest.mark.parametrize("event", [0, 1, 7, 17, 18, 32, 34])
def test_a_void_names_a_cause_of_the_list(floor: House, event: int) -> None:
    name = dealt(floor, "first_lap")
    with refused("void.reason"):
        void(floor, name, event=event)


@pytest.mark.parametrize("seats", [(2,), (1, 4), (0,)])
def test_a_fault_is_at_a_seat_that_had_a_hand(floor: House, seats: tuple[int, ...]) -> None:
    name = dealt(floor, "third_lap")
    with refused("void.seats") as caught:
        void(floor, name, first_two=seats)
    assert caught.value.data["seats"] == [1, 3]


def test_a_round_is_voided_once_and_not_before_its_first_card(floor: House) -> None:
    name = open_round(floor)
    bet(floor, name, WAGERS)
    with refused("round.stage"):
        void(floor, name)
    key(floor, name, {1: "2H"})
    void(floor, name)
    with refused("round.over"):
        void(floor, name)
    with refused("round.over"):
        void_bill(name, first_two=False)
    assert open_round(floor).number == 2, "play goes on with the next number"


def test_the_second_engine_agrees_with_every_void(floor: House) -> None:
    for stage in STAGES:
        void(floor, dealt(floor, stage))
    for first_two in (True, (1,), (3,)):
        void(floor, dealt(floor, "third_lap"), first_two=first_two)
    while drain():
        pass
    assert CheckResult.objects.count() == Settlement.objects.count()
    assert set(CheckResult.objects.values_list("agrees", flat=True)) == {True}
