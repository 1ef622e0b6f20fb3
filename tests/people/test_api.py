"""The people API: each call's answer, row and entry, and what its failing twin leaves."""

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from audit.log.models import Entry
from casino.people.models import Device, Role, SignOn, Staff
from tests.factories.people import People, last_entry, last_entry_id

JSON = "application/json"


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    """Send JSON; `Any` because the test client's answers are made at run time."""
    call = getattr(client, method)
    if body is None:
        return call(f"/api/v1/{path}") if method == "get" else _bare(call, path)
    return call(f"/api/v1/{path}", body, content_type=JSON)


def _bare(call: Any, path: str, **headers: str) -> Any:
    """Send a write without a body; the test client would make up a form."""
    return call(f"/api/v1/{path}", b"", content_type=JSON, headers=headers)


def problem(answer: Any, status: int) -> str:
    """Return the code of a problem, after a look at its form."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "code", "faults", "data"}
    assert (told["type"], told["status"]) == (f"/problems/{told['code']}", status)
    return str(told["code"])


class TestSignOn:
    def test_a_person_is_told_who_and_where_he_is(self, people: People) -> None:
        client = Client(headers={"X-Device-Token": people.token()})
        dealer = people.dealer
        answer = send(client, "post", "sign-on", {"badge": dealer.badge, "secret": dealer.pin})
        told = answer.json()
        assert answer.status_code == 200
        assert len(told.pop("csrf_token")) == 64
        assert told == {
            "number": "2001",
            "name": "dealer",
            "role": "dealer",
            "device": "D1",
            "table": "T1",
        }
        cookie = answer.cookies["session"]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")

    def test_unknown_and_known_get_equal_answers(self, people: People) -> None:
        badge = people.manager.badge
        known = send(Client(), "post", "sign-on", {"badge": badge, "secret": "x" * 12})
        unknown = send(Client(), "post", "sign-on", {"badge": "B-9", "secret": "x" * 12})
        assert problem(known, 403) == "sign_on.refused"
        assert known.content == unknown.content
        assert "session" not in known.cookies

    def test_the_session_gets_a_new_id(self, people: People) -> None:
        client = people.client("manager")
        planted = client.cookies["session"].value
        manager = people.manager
        send(client, "post", "sign-on", {"badge": manager.badge, "secret": manager.password})
        assert client.cookies["session"].value != planted
        assert not Session.objects.filter(session_key=planted).exists()

    def test_who_holds_two_roles_names_one(self, people: People) -> None:
        both = people.both
        sent = {"badge": both.badge, "secret": both.password}
        answer = send(Client(), "post", "sign-on", sent)
        assert problem(answer, 422) == "sign_on.role_needed"
        assert answer.json()["data"] == {"roles": ["manager", "supervisor"]}
        answer = send(Client(), "post", "sign-on", {**sent, "role": "manager"})
        assert answer.json()["role"] == "manager"
        answer = send(Client(), "post", "sign-on", {**sent, "role": "auditor"})
        assert problem(answer, 403) == "sign_on.role_not_held"

    def test_a_refused_role_leaves_no_session_behind(self, people: People) -> None:
        both = people.both
        before = Session.objects.count()
        sent = {"badge": both.badge, "secret": both.password, "role": "auditor"}
        send(Client(), "post", "sign-on", sent)
        assert (Session.objects.count(), SignOn.objects.count()) == (before, 0)

    def test_who_must_wait_is_told_how_long(self, people: People) -> None:
        for _ in range(10):
            send(Client(), "post", "sign-on", {"badge": "B-9", "secret": "wrong"})
        answer = send(Client(), "post", "sign-on", {"badge": "B-9", "secret": "wrong"})
        assert problem(answer, 429) == "sign_on.slow_down"
        assert int(answer["Retry-After"]) == answer.json()["data"]["retry_after"] >= 1

    def test_a_browser_needs_the_token_of_the_page(self, people: People) -> None:
        client = Client(enforce_csrf_checks=True)
        manager = people.manager
        sent = {"badge": manager.badge, "secret": manager.password}
        before = last_entry_id()
        assert problem(send(client, "post", "sign-on", sent), 403) == "csrf.failed"
        assert last_entry_id() == before
        token = send(client, "get", "sign-on").json()["csrf_token"]
        answer = client.post(
            "/api/v1/sign-on", sent, content_type=JSON, headers={"X-CSRFToken": token}
        )
        assert answer.status_code == 200
        assert problem(send(client, "post", "sign-off"), 403) == "csrf.failed"
        token = answer.json()["csrf_token"]
        answer = _bare(client.post, "sign-off", **{"X-CSRFToken": token})
        assert answer.status_code == 204


def test_signing_off_ends_the_session(people: People) -> None:
    client = people.client("auditor")
    assert send(client, "post", "sign-off").status_code == 204
    assert last_entry().action == "staff.signed_off"
    assert problem(send(client, "get", "me"), 401) == "session.missing"


def test_a_code_sets_the_own_secret_without_a_session(people: People) -> None:
    admin = people.client("administrator")
    people.create("manager")
    answer = send(admin, "post", "staff/2004/codes", {"purpose": "pin"})
    assert answer.status_code == 201
    sent = {"badge": "B-2004", "code": answer.json()["code"], "secret": "583017"}
    weak = send(Client(), "post", "own-secret", {**sent, "secret": "123456"})
    assert problem(weak, 422) == "secret.pin_trivial"
    answer = send(Client(), "post", "own-secret", sent)
    assert (answer.status_code, answer.json()) == (200, {"purpose": "pin"})
    assert problem(send(Client(), "post", "own-secret", sent), 403) == "code.refused"


class TestStaff:
    def test_a_member_of_staff_is_created_with_roles(self, people: People) -> None:
        admin = people.client("administrator")
        sent = {"number": "3001", "badge": "B-3001", "name": "Ana dela Cruz"}
        answer = send(admin, "post", "staff", sent)
        assert answer.status_code == 201
        told = answer.json()
        assert told == {
            **sent,
            "active": True,
            "roles": [],
            "has_pin": False,
            "has_password": False,
            "signed_on_as": None,
        }
        entry = last_entry()
        assert (entry.action, entry.actor) == ("staff.created", "1000")
        answer = send(admin, "put", "staff/3001/roles/dealer")
        assert answer.json()["roles"] == ["dealer"]
        assert problem(send(admin, "put", "staff/3001/roles/dealer"), 409) == "role.unchanged"
        assert problem(send(admin, "put", "staff/3001/roles/owner"), 422) == "role.unknown"
        assert send(admin, "delete", "staff/3001/roles/dealer").json()["roles"] == []
        assert problem(send(admin, "put", "staff/1000/roles/dealer"), 403) == "role.own"

    def test_a_second_one_with_the_number_is_a_conflict(self, people: People) -> None:
        admin = people.client("administrator")
        sent = {"number": "1000", "badge": "B-3001", "name": "Ana"}
        before = (Staff.objects.count(), last_entry_id())
        assert problem(send(admin, "post", "staff", sent), 409) == "staff.taken"
        assert (Staff.objects.count(), last_entry_id()) == before

    def test_badge_and_access_change(self, people: People) -> None:
        admin = people.client("administrator")
        people.create("manager")
        assert send(admin, "put", "staff/2004/badge", {"badge": "B-7"}).json()["badge"] == "B-7"
        assert send(admin, "delete", "staff/2004/active").json()["active"] is False
        assert send(admin, "put", "staff/2004/active").json()["active"] is True
        assert problem(send(admin, "delete", "staff/1000/active"), 403) == "staff.own"

    def test_a_session_is_ended(self, people: People) -> None:
        admin = people.client("administrator")
        manager = people.client("manager")
        assert send(admin, "get", "staff/2004").json()["signed_on_as"] == "manager"
        assert send(admin, "delete", "staff/2004/sign-on").status_code == 204
        assert problem(send(manager, "get", "me"), 401) == "session.ended"

    def test_the_list_comes_in_pages(self, people: People) -> None:
        admin = people.client("administrator")
        people.create("dealer", "manager")
        first = send(admin, "get", "staff?limit=2").json()
        assert [item["number"] for item in first["items"]] == ["1000", "2001"]
        assert first["next"] == "2001"
        second = send(admin, "get", "staff?limit=2&after=2001").json()
        assert [item["number"] for item in second["items"]] == ["2004"]
        assert second["next"] is None
        for bad in ("0", "201", "1e2", "-1", "x", "", "٣"):
            assert problem(send(admin, "get", f"staff?limit={bad}"), 422) == "request.page"
        assert problem(send(admin, "get", "staff?after=%00"), 422) == "text.nul"

    @pytest.mark.parametrize("number", ["9999", "%ED%A0%80", "' or 1=1", "a" * 300])
    def test_an_unknown_number_is_missing(self, people: People, number: str) -> None:
        admin = people.client("administrator")
        for method, path, body in (
            ("get", "", None),
            ("put", "/badge", {"badge": "B-7"}),
            ("put", "/active", None),
            ("delete", "/active", None),
            ("put", "/roles/dealer", None),
            ("post", "/codes", {"purpose": "pin"}),
            ("delete", "/sign-on", None),
        ):
            answer = send(admin, method, f"staff/{number}{path}", body)
            assert problem(answer, 404) == "staff.unknown"


class TestDevices:
    def test_a_tablet_is_enrolled_bound_and_revoked(self, people: People) -> None:
        admin = people.client("administrator")
        sent = {"number": "D7", "name": "Tablet 7", "kind": "tablet", "table": "T7"}
        answer = send(admin, "post", "devices", sent)
        assert answer.status_code == 201
        claim = {"code": answer.json()["code"]}
        answer = send(Client(), "post", "device-claims", claim)
        assert answer.status_code == 201
        told = answer.json()
        token = told.pop("token")
        assert told == {"number": "D7", "kind": "tablet", "table": "T7"}
        assert problem(send(Client(), "post", "device-claims", claim), 403) == "code.refused"
        listed = send(admin, "get", "devices").json()
        assert listed["items"] == [{**sent, "active": True, "enrolled": True}]
        assert token not in str(listed)
        answer = send(admin, "put", "devices/D7/binding", {"table": "T8"})
        assert answer.json()["table"] == "T8"
        assert send(admin, "put", "devices/D7/binding", {"table": None}).json()["table"] is None
        assert send(admin, "post", "devices/D7/codes").status_code == 201
        assert send(admin, "delete", "devices/D7").json()["active"] is False
        assert problem(send(admin, "post", "devices/D7/codes"), 409) == "device.revoked"
        assert problem(send(admin, "post", "devices/D9/codes"), 404) == "device.unknown"

    def test_an_integration_reads_and_never_writes(self, people: People) -> None:
        token = people.token(None, number="I1", kind=Device.Kind.INTEGRATION)
        client = Client(headers={"X-Device-Token": token})
        before = last_entry_id()
        assert problem(send(client, "post", "staff", {}), 403) == "device.read_only"
        assert problem(send(client, "post", "sign-off"), 403) == "device.read_only"
        # Reads of people are for people: an integration is no person.
        assert problem(send(client, "get", "staff"), 401) == "session.missing"
        assert last_entry_id() == before

    def test_a_tablet_alone_is_nobody(self, people: People) -> None:
        client = Client(headers={"X-Device-Token": people.token()})
        assert problem(send(client, "get", "me"), 401) == "session.missing"
        assert problem(send(client, "post", "sign-off"), 401) == "session.missing"


# Every address under /api/v1/ that this app answers, and which roles get through.
ADMINISTRATOR = {Role.ADMINISTRATOR}
READERS = {Role.ADMINISTRATOR, Role.MANAGER, Role.SURVEILLANCE, Role.AUDITOR, Role.REGULATOR}
IN_CHARGE_READERS = {
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.SURVEILLANCE,
    Role.AUDITOR,
    Role.REGULATOR,
}
RIGHTS: tuple[tuple[str, str, Any, set[Role]], ...] = (
    ("get", "me", None, set(Role)),
    ("get", "staff", None, READERS),
    ("post", "staff", {"number": "2004", "badge": "x", "name": "x"}, ADMINISTRATOR),
    ("get", "staff/2004", None, READERS),
    ("put", "staff/2004/badge", {"badge": "B-1000"}, ADMINISTRATOR),
    ("put", "staff/9999/active", None, ADMINISTRATOR),
    ("delete", "staff/9999/active", None, ADMINISTRATOR),
    ("put", "staff/9999/roles/dealer", None, ADMINISTRATOR),
    ("delete", "staff/9999/roles/dealer", None, ADMINISTRATOR),
    ("post", "staff/9999/codes", {"purpose": "pin"}, ADMINISTRATOR),
    ("delete", "staff/9999/sign-on", None, ADMINISTRATOR),
    ("get", "devices", None, READERS | {Role.SUPERVISOR}),
    ("post", "devices", {"number": "/", "name": "x", "kind": "tablet"}, ADMINISTRATOR),
    ("post", "devices/D9/codes", None, ADMINISTRATOR),
    ("put", "devices/D9/binding", {"table": "T1"}, ADMINISTRATOR),
    ("delete", "devices/D9", None, ADMINISTRATOR),
    ("get", "manager-in-charge", None, IN_CHARGE_READERS),
    ("post", "manager-in-charge", {}, {Role.MANAGER}),
)
CAST = tuple(sorted(Role.values))


@pytest.mark.parametrize("name", CAST)
def test_each_role_gets_what_its_rights_say(people: People, name: str) -> None:
    people.create("manager")  # the one whom the addresses name
    client = people.client(name)
    before = Entry.objects.count()
    for method, path, body, allowed in RIGHTS:
        answer = send(client, method, path, body)
        through = answer.status_code != 403
        assert through == (name in allowed), (method, path, answer.content)
        if not through:
            assert problem(answer, 403) == "role.not_allowed"
    assert Entry.objects.count() == before


def test_nobody_gets_through_without_a_session(people: People) -> None:
    for method, path, body, _ in (*RIGHTS, ("post", "sign-off", None, None)):
        answer = send(Client(), method, path, body)
        assert problem(answer, 401) == "session.missing"
        assert answer["WWW-Authenticate"].startswith("Session")


def test_rights_name_every_address(db: None) -> None:
    """A new address without a row fails here."""
    from casino.people.api.urls import urlpatterns

    open_to_all = {"sign-on", "sign-off", "own-secret", "device-claims"}
    patterns = {str(entry.pattern) for entry in urlpatterns} - open_to_all
    named = set()
    for _, path, _, _ in RIGHTS:
        parts = path.split("/")
        for place, name in ((1, "number"), (3, "role")):
            if len(parts) > place:
                parts[place] = f"<str:{name}>"
        named.add("/".join(parts))
    assert named == patterns
