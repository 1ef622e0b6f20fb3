"""Who signs a correction: in the window, above the limit, after it; never the dealer, never one."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from audit.log.models import Entry
from audit.log.rows import Actor, Row
from audit.log.services import append, service
from casino.people.errors import (
    RoleNotAllowedError,
    SignatureRoleError,
    SignatureSamePersonError,
    SignatureSecretError,
)
from casino.people.models import Role, Signature
from casino.people.services import SignerInput
from settlements.errors import (
    CameraReferenceError,
    CorrectionSignersError,
    NobodyInChargeError,
)
from settlements.models import Settlement
from settlements.selectors.authority import Authority, authority_for
from settlements.selectors.bill import correction_bill
from settlements.services.corrections import correct_round
from tables.models import Round
from tables.selectors.round_read import RoundName, read_round
from tables.services.cards import KeyedCard, deal_cards
from tests.factories.house import NOW, House, bet, build_house, key, open_floor, open_round
from tests.settlements.correcting import (
    TWO,
    WITH_MANAGER,
    correct,
    dealt,
    grant_to_dealer,
    hire,
    misread,
    put_in_charge,
    sign,
)

# The bill of `misread()` is worth 65,500.
LIMIT = {"correction_limit_minor": 65_500}
LATE = (sign("manager"), sign("watcher", camera="C7 14:05:20"))
S, S2 = TWO
M, M2 = sign("manager"), sign("manager_2")
V = sign("watcher", camera="C7 14:05:20")
Build = Callable[..., House]


@pytest.fixture
def build(db: None) -> Build:
    """Build a house with an open table under procedures, and with enough people to sign."""

    def built(**procedures: object) -> House:
        house = build_house(procedures=procedures)
        open_floor(house)
        hire(house)
        return house

    return built


def next_first_card(house: House) -> RoundName:
    """Let the next round begin: its first card ends the window."""
    name = open_round(house)
    bet(house, name, {2: {"main": 10_000}})
    key(house, name, {1: "4S"})
    return name


def refused(house: House, name: RoundName, *signers: SignerInput, minutes: float = 0) -> None:
    before = Entry.objects.count()
    with pytest.raises(CorrectionSignersError):
        correct(house, name, misread(), *signers, minutes=minutes)
    assert Entry.objects.count() == before
    assert not Settlement.objects.filter(kind="corrected").exists()


def authority(name: RoundName, *, amount_minor: int = 0, minutes: float = 0) -> Authority:
    now = NOW + timedelta(minutes=minutes)
    return authority_for(read_round(name), amount_minor=amount_minor, now=now)


@pytest.mark.parametrize("signers", [(S, S2), (S2, S), (S, M), (M, S)])
def test_in_the_window_a_supervisor_and_a_second_or_a_manager(
    build: Build, signers: tuple[SignerInput, ...]
) -> None:
    house = build(**LIMIT)
    correct(house, dealt(house), misread(), *signers)
    assert Settlement.objects.filter(kind="corrected").count() == 1


@pytest.mark.parametrize(
    "signers",
    [(S,), (M,), (M, M2), (M, V), (S, V), (V, M), (S, S2, M)],
    ids=lambda signers: "+".join(each.role for each in signers),
)
def test_in_the_window_no_others(build: Build, signers: tuple[SignerInput, ...]) -> None:
    house = build()
    put_in_charge(house)
    refused(house, dealt(house), *signers)


def test_above_the_limit_one_of_them_is_a_manager(build: Build) -> None:
    house = build(correction_limit_minor=65_499)
    name = dealt(house)
    assert authority(name, amount_minor=65_500).over_limit
    refused(house, name, *TWO)
    refused(house, name, M, M2)
    correct(house, name, misread(), *WITH_MANAGER)


def test_the_limit_is_not_passed_by_netting(build: Build) -> None:
    house = build(correction_limit_minor=53_500)
    name = dealt(house)
    assert correction_bill(name, misread()).to_move_minor == 53_500
    refused(house, name, *TWO)


def test_the_first_card_of_the_next_round_ends_the_window(build: Build) -> None:
    house = build()
    name = dealt(house)
    open_round(house)
    assert not authority(name).late
    following = RoundName("T1", 1, 2)
    bet(house, following, {2: {"main": 10_000}})
    assert not authority(name).late
    key(house, following, {1: "4S"})
    assert authority(name).late
    put_in_charge(house)
    for signers in (TWO, WITH_MANAGER, (S, V), (M, M2), (M2, V), (M, V, S), (V,)):
        refused(house, name, *signers)
    correct(house, name, misread(), *LATE)
    signature = Signature.objects.latest("id")
    assert (signature.role, signature.camera_reference) == ("surveillance", "C7 14:05:20")


def test_a_first_card_that_was_taken_back_left_the_shoe_all_the_same(build: Build) -> None:
    house = build()
    name = dealt(house)
    following = next_first_card(house)
    by = house.acting("dealer", table="T1")
    deal_cards(name=following, cards=[KeyedCard(draw=1, revision=2, face=None)], by=by)
    assert authority(name).late


def test_a_later_round_dealt_on_paper_ends_the_window(build: Build) -> None:
    house = build()
    name = dealt(house)
    await_round(name)
    assert authority(name).late


@service
def await_round(name: RoundName) -> None:
    """Reserve the number of a round that was dealt on paper and is not keyed yet."""
    read = read_round(name)
    values = {
        "key": f"{name.table}/{name.shoe}/{name.number + 1}",
        "table": read.table,
        "session": read.session,
        "shoe": read.shoe,
        "number": name.number + 1,
        "stage": "awaited",
        "source": "paper",
        "gaming_day": read.gaming_day,
        "dealer": read.dealer,
        "ruleset": read.ruleset_ref,
        "opened_at": NOW,
    }
    append(
        stream=name.stream,
        action="round.awaited",
        subject=name.key,
        actor=Actor(key="1003", name="supervisor", role="supervisor"),
        new_heads=[Row(Round, values)],
    )


def test_minutes_are_those_of_the_procedure(build: Build) -> None:
    house = build(correction_window="minutes", correction_minutes=20)
    name = dealt(house)
    next_first_card(house)
    assert not authority(name, minutes=20).late
    assert authority(name, minutes=20.01).late
    put_in_charge(house)
    refused(house, name, *TWO, minutes=21)
    refused(house, name, *WITH_MANAGER, minutes=21)
    correct(house, name, misread(), *TWO, minutes=19)


def test_a_shift_is_the_time_of_one_manager_in_charge(build: Build) -> None:
    house = build(correction_window="shift")
    name = dealt(house)
    assert authority(name).late  # nobody was in charge when the round ended
    put_in_charge(house)
    assert not authority(name, minutes=300).late
    put_in_charge(house, "manager_2", minutes=300)
    assert not authority(name, minutes=299).late
    assert authority(name, minutes=301).late
    refused(house, name, *TWO, minutes=301)
    refused(house, name, *LATE, minutes=301)  # the manager who was in charge before
    correct(house, name, misread(), M2, V, minutes=301)


def test_late_without_a_manager_in_charge_names_what_is_missing(build: Build) -> None:
    house = build()
    name = dealt(house)
    next_first_card(house)
    with pytest.raises(NobodyInChargeError):
        correct(house, name, misread(), *LATE)


@pytest.mark.parametrize("camera", [None, "", "  "])
def test_surveillance_names_the_camera(build: Build, camera: str | None) -> None:
    house = build()
    name = dealt(house)
    next_first_card(house)
    put_in_charge(house)
    with pytest.raises(CameraReferenceError):
        correct(house, name, misread(), sign("manager"), sign("watcher", camera=camera))


def test_the_dealer_of_the_round_never_signs(build: Build) -> None:
    house = build()
    name = dealt(house)
    grant_to_dealer(house, Role.SUPERVISOR)
    refused(house, name, sign("dealer", Role.SUPERVISOR), sign("supervisor"))
    correct(house, name, misread(), *TWO)


def test_one_person_with_two_roles_cannot_sign_twice(build: Build) -> None:
    house = build()
    name = dealt(house)
    with pytest.raises(SignatureSamePersonError):
        correct(house, name, misread(), sign("both", Role.SUPERVISOR), sign("both", Role.MANAGER))
    assert not Settlement.objects.filter(kind="corrected").exists()


def test_a_secret_is_asked_each_time(build: Build) -> None:
    house = build()
    name = dealt(house)
    correct(house, name, misread(), *TWO)
    for wrong in ("", "000000"):
        with pytest.raises(SignatureSecretError):
            correct(house, name, misread(9, "3C"), S, sign("supervisor_2", secret=wrong))
    with pytest.raises(SignatureRoleError):
        correct(house, name, misread(9, "3C"), S, sign("supervisor_2", Role.MANAGER))
    assert Settlement.objects.filter(kind="corrected").count() == 1


@pytest.mark.parametrize("name", ["dealer", "auditor", "cashier", "surveillance", "administrator"])
def test_who_does_not_correct_is_refused_before_a_secret_is_tried(build: Build, name: str) -> None:
    house = build()
    round_ = dealt(house)
    before = Entry.objects.count()
    with pytest.raises(RoleNotAllowedError):
        correct_round(
            name=round_,
            correction=misread(),
            bill_hash=correction_bill(round_, misread()).hash,
            signers=[sign("supervisor", secret="000000")],
            by=house.acting(name),
        )
    assert Entry.objects.count() == before
    assert Round.objects.get().final_revision == 1
