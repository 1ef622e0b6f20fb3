"""Who may call what: by person, role and device of the request."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from audit.log.rows import Ref
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.permissions import may_hold, require_reader, require_role
from casino.people.person import DeviceOnRequest, Origin, Person, actor_of, person_of

DEALER = Person(staff=Ref(1, "2001"), name="dealer", role=Role.DEALER)
TABLET = DeviceOnRequest(Ref(7, "D1"), "tablet", "T1")
INTEGRATION = DeviceOnRequest(Ref(8, "I1"), "integration", None)


def request(
    person: Person | None = None, device: DeviceOnRequest | None = None, *, ended: bool = False
) -> HttpRequest:
    made = RequestFactory().get("/")
    made.person = person  # type: ignore[attr-defined]  # as the middleware does
    made.origin = Origin(address="", device=device, request_id="r1")  # type: ignore[attr-defined]  # as the middleware
    made.session_ended = ended  # type: ignore[attr-defined]  # as the middleware
    return made


def code(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(DomainError) as caught:
        call(*arguments)
    return caught.value.code


def test_a_person_is_signed_on_and_still_so() -> None:
    assert person_of(request(DEALER, TABLET)) == DEALER
    assert code(person_of, request(None, TABLET)) == "session.missing"
    assert code(person_of, request(None, TABLET, ended=True)) == "session.ended"


def test_a_role_is_one_of_those_named() -> None:
    require_role(DEALER, Role.SUPERVISOR, Role.DEALER)
    assert code(require_role, DEALER, Role.SUPERVISOR) == "role.not_allowed"
    assert code(require_role, DEALER) == "role.not_allowed"


def test_an_integration_reads_and_a_person_by_role() -> None:
    require_reader(request(None, INTEGRATION), Role.AUDITOR)
    require_reader(request(DEALER), Role.DEALER)
    assert code(require_reader, request(DEALER), Role.AUDITOR) == "role.not_allowed"
    assert code(require_reader, request(DEALER, INTEGRATION), Role.AUDITOR) == "role.not_allowed"
    assert code(require_reader, request(None, TABLET), Role.AUDITOR) == "session.missing"


def test_the_actor_names_person_role_and_request() -> None:
    actor = actor_of(request(DEALER))
    assert (actor.key, actor.role, actor.device, actor.request_id) == ("2001", "dealer", None, "r1")
    assert code(person_of, request()) == "session.missing"


@pytest.mark.parametrize(
    ("role", "held", "may"),
    [
        (Role.DEALER, (), True),
        (Role.ADMINISTRATOR, (), True),
        (Role.MANAGER, (Role.SUPERVISOR,), True),
        (Role.ADMINISTRATOR, (Role.SUPERVISOR,), False),
        (Role.CASHIER, (Role.ADMINISTRATOR,), False),
    ],
)
def test_who_administers_holds_no_other_role(role: Role, held: tuple[Role, ...], may: bool) -> None:
    assert may_hold(role, held=held) == may
