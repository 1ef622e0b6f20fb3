"""Who rules: each letter of a procedure is one signature of a different person in that role."""

import pytest

from casino.people.models import Role
from settlements.services.irregularities import record_irregularity
from tables.irregularities import EVENTS, Procedure
from tables.services.disputes import Disputed, open_dispute
from tests.factories.house import House
from tests.settlements.correcting import grant_to_dealer, hire, sign
from tests.support.records import refused
from tests.tables.irregularities.ruling import DEAL, TOLD_ALL, begin, case, rule, signed

WAYS = [
    pytest.param(event.number, way, id=f"{event.number}-{way.code}")
    for event in EVENTS.values()
    for way in event.procedures.values()
    if not way.elsewhere
]


def test_the_list_is_that_of_the_rules() -> None:
    assert sorted(EVENTS) == list(range(1, 34))
    for event in EVENTS.values():
        for way in event.procedures.values():
            letters = way.signers(in_round=True)
            assert letters or way.elsewhere
            assert len(set(letters)) == len(letters)
            if way.voids_round:
                assert "S" in letters
                assert {"M", "H"} & set(letters)
            if way.shoe == "voided":
                assert {"M", "H"} <= set(letters)


@pytest.mark.parametrize(("event", "way"), WAYS)
def test_any_other_authority_is_refused(house: House, event: int, way: Procedure) -> None:
    name = begin(house, cards=DEAL[:4])
    right = "".join(way.authority)
    others = {letter for letter in "DSMHV" if letter not in right}
    wrong = {"", *others, *(f"{right}{letter}" for letter in others)}
    wrong |= {right.replace(letter, "") for letter in right}
    # Whoever is in charge is a manager too, and may stand for M where H is not asked for.
    wrong -= {right, right.replace("M", "H")} if "H" not in right else {right}
    made = case(house, event, way.code, name=name, told=TOLD_ALL)
    for letters in sorted(wrong):
        with refused("irregularity.signers"):
            record_irregularity(case=made, signers=signed(letters), by=house.acting("supervisor"))


def test_one_person_does_not_sign_for_two_letters(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 26, "void", name=name)
    both = [sign("both", Role.SUPERVISOR), sign("both", Role.MANAGER)]
    with refused("signature.same_person"):
        record_irregularity(case=made, signers=both, by=house.acting("supervisor"))


def test_the_rounds_dealer_never_rules(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    grant_to_dealer(house, Role.SUPERVISOR)
    made = case(house, 3, "stays", name=name)
    with refused("irregularity.signers"):
        record_irregularity(
            case=made,
            signers=[sign("dealer", Role.SUPERVISOR)],
            by=house.acting("dealer", table="T1"),
        )


def test_surveillance_names_the_camera(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 11, "keep", name=name)
    with refused("irregularity.camera_reference"):
        record_irregularity(
            case=made, signers=[sign("supervisor"), sign("watcher")], by=house.acting("supervisor")
        )


def test_without_a_manager_in_charge_nobody_signs_as_one(floor: House) -> None:
    hire(floor)
    name = begin(floor, cards=DEAL[:4])
    with refused("irregularity.nobody_in_charge"):
        rule(floor, 32, "void", "SH", name=name)


def test_another_manager_is_not_the_one_in_charge(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 32, "void", name=name)
    with refused("irregularity.signers"):
        record_irregularity(
            case=made,
            signers=[sign("supervisor"), sign("manager_2")],
            by=house.acting("supervisor"),
        )


@pytest.mark.parametrize("name", ["cashier", "surveillance", "auditor"])
def test_who_has_no_part_in_it_does_not_record(house: House, name: str) -> None:
    round_ = begin(house, cards=DEAL[:4])
    with refused("role.not_allowed"):
        rule(house, 3, "stays", "S", name=round_, by=name)
    with refused("role.not_allowed"):
        open_dispute(name=round_, disputed=Disputed(1, "He says so."), by=house.acting(name))


def test_a_dealer_reports_at_the_tablet_of_the_table(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    made = case(house, 3, "stays", name=name)
    for by in (house.acting("dealer"), house.acting("dealer", table="T2")):
        with refused("device.other_table"):
            record_irregularity(case=made, signers=signed("S"), by=by)
    record_irregularity(case=made, signers=signed("S"), by=house.acting("dealer", table="T1"))


def test_the_regulator_is_told_where_the_list_says_so(house: House) -> None:
    name = begin(house, cards=DEAL[:4])
    with refused("irregularity.regulator"):
        rule(house, 15, "void", "SMH", name=name)
