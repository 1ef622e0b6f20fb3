"""A house with enough managers for the life of rules: one drafts, two others approve."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

import pytest

from audit.log.rows import Ref
from casino.people.models import Role, SecretKind, Staff
from casino.people.person import Origin, Person
from casino.people.services import (
    SignerInput,
    create_staff,
    grant_role,
    issue_code,
    set_own_secret,
)
from tables.acting import Acting
from tables.models import RuleDraft, RuleKind
from tables.rule_errors import DraftStateError
from tables.selectors.rule_content import default_options
from tables.services.rule_approval import approve_rules
from tables.services.rule_life import DraftStep, draft_rules, redraft_rules, submit_rules
from tests.factories.house import House, signer

# Number and PIN; `both` is a supervisor and a manager.
MORE: Mapping[str, tuple[str, str, tuple[Role, ...]]] = {
    "manager_2": ("1204", "907316", (Role.MANAGER,)),
    "manager_3": ("1205", "351908", (Role.MANAGER,)),
    "both": ("1208", "819264", (Role.SUPERVISOR, Role.MANAGER)),
}
ORIGIN = Origin(address="192.0.2.7")
TODAY = date(2026, 3, 1)  # the gaming day of the factories' clock


@dataclass(frozen=True, slots=True)
class Managers:
    """The house, and its managers by name."""

    house: House
    more: Mapping[str, Ref]

    def acting(self, name: str, *, role: str | None = None) -> Acting:
        """A person as they act in a browser."""
        if name not in MORE:
            return self.house.acting(name, role=role)
        person = Person(self.more[name], name, role or Role.MANAGER)
        return Acting(person=person, origin=ORIGIN, now=self.house.now)

    def at(self, *, minutes: float) -> "Managers":
        """The same house later."""
        return replace(self, house=self.house.at(minutes=minutes))


def sign(name: str, *, role: str | None = None, secret: str | None = None) -> SignerInput:
    """What a person enters to sign."""
    if name not in MORE:
        return signer(name, role=role, secret=secret)
    number, pin, roles = MORE[name]
    return SignerInput(
        badge=f"B{number}", secret=pin if secret is None else secret, role=role or roles[-1]
    )


def hire_managers(house: House) -> Managers:
    """Let the other managers in."""
    admin = Person(house.staff["administrator"], "administrator", Role.ADMINISTRATOR)
    for name, (number, pin, roles) in MORE.items():
        create_staff(number=number, badge=f"B{number}", name=name, by=admin, origin=ORIGIN)
        for role in roles:
            grant_role(number, role=role, by=admin, origin=ORIGIN)
        code = issue_code(number, purpose=SecretKind.PIN, by=admin, origin=ORIGIN, now=house.now)
        set_own_secret(badge=f"B{number}", code=code, secret=pin, origin=ORIGIN, now=house.now)
    refs = {
        name: Ref(Staff.objects.get(number=number).pk, number)
        for name, (number, _pin, _roles) in MORE.items()
    }
    return Managers(house, refs)


def options_of(
    game: str = "poker-lucky-9", *, kind: str = RuleKind.RULESET, **changed: object
) -> dict[str, object]:
    """Every option at its default, but for those named."""
    return default_options(kind, game) | changed


def drafted(
    managers: Managers,
    options: Mapping[str, object],
    *,
    kind: str = RuleKind.RULESET,
    game: str = "poker-lucky-9",
    name: str = "New rules",
    effective_day: date | None = None,
) -> DraftStep:
    """Draft as the manager."""
    return draft_rules(
        kind=kind,
        game=game,
        name=name,
        options=options,
        effective_day=effective_day,
        by=managers.acting("manager"),
    )


def submitted(
    managers: Managers,
    options: Mapping[str, object],
    *,
    kind: str = RuleKind.RULESET,
    game: str = "poker-lucky-9",
    effective_day: date | None = None,
) -> DraftStep:
    """Draft as the manager and put up for approval."""
    step = drafted(managers, options, kind=kind, game=game, effective_day=effective_day)
    return submit_rules(
        number=step.draft.number, version=step.draft.version, by=managers.acting("manager")
    )


def approve(managers: Managers, step: DraftStep, *names: str) -> DraftStep:
    """Approve as these people, with one call."""
    return approve_rules(
        number=step.draft.number,
        version=step.draft.version,
        signers=[sign(name) for name in names],
        by=managers.acting("manager"),
    )


def published(
    managers: Managers,
    options: Mapping[str, object],
    *,
    kind: str = RuleKind.RULESET,
    game: str = "poker-lucky-9",
    effective_day: date | None = None,
) -> str:
    """Bring rules through their whole life up to publication; return their hash."""
    step = submitted(managers, options, kind=kind, game=game, effective_day=effective_day)
    return approve(managers, step, "manager_2", "manager_3").draft.content_hash


def redrafted_after(managers: Managers) -> None:
    """Try to write every draft that was published once more; each must refuse."""
    for draft in RuleDraft.objects.filter(state=RuleDraft.State.PUBLISHED):
        with pytest.raises(DraftStateError):
            redraft_rules(
                number=draft.number,
                version=draft.version,
                name="Changed",
                options=options_of(tie_odds=[8, 1]),
                by=managers.acting("manager"),
            )
