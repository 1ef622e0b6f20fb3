"""A house in which rounds are corrected: a second supervisor and manager, and who holds both roles.

Everything through the services. The round of the tests is dealt in `dealt`.
"""

from collections.abc import Mapping
from datetime import timedelta

from audit.log.rows import Ref
from casino.outbox.handlers import drain
from casino.people.models import Role, SecretKind, Staff
from casino.people.person import Origin, Person
from casino.people.services import (
    SignerInput,
    assign_manager_in_charge,
    create_staff,
    grant_role,
    issue_code,
    set_own_secret,
)
from settlements.correction import Bill, CorrectedCard, Correction
from settlements.lines import WagerName
from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from settlements.services.corrections import Corrected, correct_round
from tables.models import TableSession
from tables.selectors.round_read import RoundName
from tests.factories.house import House, play_round, signer

WAGERS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700, "jacks": 500}}
HANDS = {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "JD", "JC"]}
# Draws: 1 2H, 2 8S, 3 5S (House), 4 7C, 5 8D, 6 JD (House), 7 KD, 8 3C, 9 JC (House).
HOUSE_THIRD, SEAT_3_SECOND = 9, 5

_MORE: Mapping[str, tuple[str, str, tuple[Role, ...]]] = {
    "supervisor_2": ("1103", "648205", (Role.SUPERVISOR,)),
    "manager_2": ("1104", "907316", (Role.MANAGER,)),
    "watcher": ("1106", "350981", (Role.SURVEILLANCE,)),
    "both": ("1108", "819264", (Role.SUPERVISOR, Role.MANAGER)),
}
_ORIGIN = Origin(address="192.0.2.9")


def hire(house: House) -> None:
    """Let the people in who are missing for two signatures."""
    admin = Person(house.staff["administrator"], "administrator", Role.ADMINISTRATOR)
    for name, (number, pin, roles) in _MORE.items():
        create_staff(number=number, badge=f"B{number}", name=name, by=admin, origin=_ORIGIN)
        for role in roles:
            grant_role(number, role=role, by=admin, origin=_ORIGIN)
        code = issue_code(number, purpose=SecretKind.PIN, by=admin, origin=_ORIGIN, now=house.now)
        set_own_secret(badge=f"B{number}", code=code, secret=pin, origin=_ORIGIN, now=house.now)


def grant_to_dealer(house: House, role: Role) -> None:
    """Let the round's dealer hold another role as well."""
    admin = Person(house.staff["administrator"], "administrator", Role.ADMINISTRATOR)
    grant_role(house.staff["dealer"].key, role=role, by=admin, origin=_ORIGIN)


def sign(
    name: str, role: Role | None = None, *, camera: str | None = None, secret: str | None = None
) -> SignerInput:
    """What a person enters to sign a correction."""
    if name not in _MORE:
        made = signer(name, role=role)
    else:
        number, pin, roles = _MORE[name]
        made = SignerInput(badge=f"B{number}", secret=pin, role=role or roles[0])
    return SignerInput(
        badge=made.badge,
        secret=made.secret if secret is None else secret,
        role=made.role,
        camera_reference=camera,
    )


TWO = (sign("supervisor"), sign("supervisor_2"))
WITH_MANAGER = (sign("supervisor"), sign("manager"))


def put_in_charge(house: House, name: str = "manager", *, minutes: int = 0) -> None:
    """Put one of the two managers in charge of the shift."""
    number = house.staff["manager"].key if name == "manager" else _MORE[name][0]
    ref = Ref(Staff.objects.get(number=number).pk, number)
    assign_manager_in_charge(
        number,
        from_at=None,
        signers=[sign("manager"), sign("manager_2")],
        by=Person(ref, name, Role.MANAGER),
        origin=_ORIGIN,
        now=house.now + timedelta(minutes=minutes),
    )


def dealt(house: House) -> RoundName:
    """Deal and settle the round of the tests: the House's pair of jacks takes both main wagers."""
    return play_round(house, WAGERS, HANDS)


def misread(
    draw: int = HOUSE_THIRD, face: str = "2C", *, moved: bool = True, as_seen: bool = False
) -> Correction:
    """A misread card (event 21)."""
    return Correction(
        event=21,
        reason="the camera shows another card",
        moved=moved,
        cards=(CorrectedCard(draw, face, as_seen),),
    )


def mispaid(
    handed: Mapping[WagerName, int], *, moved: bool, wagers: Mapping[int, Mapping[str, int]] = {}
) -> Correction:
    """Amounts that were handed over, and wagers that were keyed wrongly (event 22)."""
    return Correction(
        event=22, reason="counted on the layout", moved=moved, handed=handed, wagers=wagers
    )


def correct(
    house: House,
    name: RoundName,
    correction: Correction,
    *signers: SignerInput,
    bill: Bill | None = None,
    minutes: float = 0,
) -> Corrected:
    """Sign a correction; by default two supervisors, the bill as it is now."""
    return correct_round(
        name=name,
        correction=correction,
        bill_hash=(bill or correction_bill(name, correction)).hash,
        signers=signers or TWO,
        by=house.at(minutes=minutes).acting("supervisor"),
    )


def session() -> TableSession:
    """The one session of the house."""
    return TableSession.objects.get()


def sums(name: RoundName, part: str, revision: int) -> tuple[int, int, int]:
    """Handle and bank results of one settlement in minor units."""
    settled = Settlement.objects.get(round__key=name.key, part=part, revision=revision)
    return settled.handle_minor, settled.bank_owed_minor, settled.bank_handed_minor


def check_all() -> None:
    """Do what the worker does until nothing waits."""
    while drain():
        pass
