"""The pages of people, without a script: the door, own secrets, enrolment, administration."""

import re
from typing import Any

import pytest
from django.test import Client

from casino.people import selectors
from casino.people.models import Device, Role, SignOn, Staff
from tests.factories.people import People, last_entry, last_entry_id

# The test client's answers are made at run time: Any.
CODE = re.compile(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}")


def text(answer: Any, status: int = 200) -> str:
    """Return a page's text after a look at its status."""
    assert answer.status_code == status, answer.content.decode()[:2000]
    assert answer["Content-Type"].startswith("text/html")
    page: str = answer.content.decode()
    assert "style=" not in page
    assert "<script>" not in page
    assert not re.search(r'\son[a-z]+="', page)
    return page


def one_time_code(page: str) -> str:
    found = CODE.search(page)
    assert found is not None
    return found.group()


class TestDoor:
    def test_a_stranger_is_led_to_the_door(self, people: People) -> None:
        answer = Client().get("/admin/")
        assert (answer.status_code, answer["Location"]) == (302, "/sign-on/?next=%2Fadmin%2F")
        assert Client().get("/")["Location"] == "/sign-on/"
        page = text(Client().get("/sign-on/?next=/admin/"))
        assert 'name="next" value="/admin/"' in page
        assert 'type="password"' in page
        assert 'autocomplete="current-password"' in page

    def test_an_htmx_fragment_is_led_there_as_a_whole(self, people: People) -> None:
        answer = Client().get("/admin/", headers={"HX-Request": "true"})
        assert (answer.status_code, answer["HX-Redirect"]) == (401, "/sign-on/")

    def test_who_was_signed_off_in_a_form_is_told_and_led_back(self, people: People) -> None:
        client = Client()
        sent = {"badge": "B-1000", "secret": "administrators keep codes"}
        client.post("/sign-on/", sent)
        Client().post("/sign-on/", sent)  # elsewhere, which ends the first
        form = {"Referer": "http://testserver/admin/devices/?after=2"}
        answer = client.post("/admin/devices/", headers=form)
        door = "/sign-on/?next=%2Fadmin%2Fdevices%2F%3Fafter%3D2&unsaved=1"
        assert (answer.status_code, answer["Location"]) == (302, door)
        page = text(client.get(door))
        assert "What you typed last was not saved." in page
        assert 'name="next" value="/admin/devices/?after=2"' in page
        shown = {"HX-Request": "true", "HX-Current-URL": "http://testserver/admin/"}
        answer = client.get("/admin/", headers=shown)
        assert answer["HX-Redirect"] == "/sign-on/?next=%2Fadmin%2F"
        assert "not saved" not in text(client.get(answer["HX-Redirect"]))
        for elsewhere in ("http://evil.example/admin/", "http://[", ""):
            answer = client.post("/admin/devices/", headers={"Referer": elsewhere})
            assert answer["Location"] == "/sign-on/?unsaved=1"

    def test_who_signs_on_is_led_where_he_wanted_or_to_his_work(self, people: People) -> None:
        sent = {"badge": "B-1000", "secret": "administrators keep codes"}
        assert Client().post("/sign-on/", sent)["Location"] == "/admin/"
        answer = Client().post("/sign-on/", {**sent, "next": "/admin/devices/"})
        assert answer["Location"] == "/admin/devices/"
        for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
            assert Client().post("/sign-on/", {**sent, "next": elsewhere})["Location"] == "/admin/"
        assert SignOn.objects.get().role == Role.ADMINISTRATOR

    def test_a_wrong_secret_is_422_and_shows_nothing_of_it(self, people: People) -> None:
        badge = people.manager.badge
        page = text(Client().post("/sign-on/", {"badge": badge, "secret": "not my secret"}), 422)
        assert "Badge and secret do not belong together." in page
        assert "not my secret" not in page
        unknown = text(Client().post("/sign-on/", {"badge": "B-9", "secret": "not my secret"}), 422)
        bare = re.compile(r'value="[^"]*"')
        assert bare.sub("", page) == bare.sub("", unknown)

    @pytest.mark.parametrize(
        "sent",
        [
            {},
            {"badge": "B-1"},
            {"badge": "B\x00", "secret": "x"},
            {"badge": "b" * 99, "secret": "x"},
        ],
    )
    def test_what_cannot_be_a_badge_writes_nothing(
        self, people: People, sent: dict[str, str]
    ) -> None:
        before = last_entry_id()
        text(Client().post("/sign-on/", sent), 422)
        assert last_entry_id() == before

    def test_who_must_wait_is_told_so(self, people: People) -> None:
        for _ in range(10):
            text(Client().post("/sign-on/", {"badge": "B-9", "secret": "wrong"}), 422)
        page = text(Client().post("/sign-on/", {"badge": "B-9", "secret": "wrong"}), 429)
        assert "Too many wrong tries" in page

    def test_a_tablet_says_where_it_stands_and_asks_for_a_pin(self, people: People) -> None:
        client = Client(headers={"X-Device-Token": people.token("T1")})
        page = text(client.get("/sign-on/"))
        assert "Table T1, tablet D1" in page
        assert 'inputmode="numeric"' in page
        dealer = people.dealer
        answer = client.post("/sign-on/", {"badge": dealer.badge, "secret": dealer.pin})
        assert answer["Location"] == "/table/"

    def test_who_holds_two_roles_chooses_on_a_page(self, people: People) -> None:
        client = Client()
        both = people.both
        sent = {"badge": both.badge, "secret": both.password, "next": "/audit/"}
        answer = client.post("/sign-on/", sent)
        assert answer["Location"] == "/sign-on/role/?next=%2Faudit%2F"
        assert not SignOn.objects.exists()
        page = text(client.get(answer["Location"]))
        assert 'value="manager"' in page
        assert 'value="supervisor"' in page
        assert 'value="auditor"' not in page
        text(client.post("/sign-on/role/", {"role": "auditor"}), 422)
        text(client.post("/sign-on/role/", {}), 422)
        answer = client.post("/sign-on/role/", {"role": "manager", "next": "/audit/"})
        assert answer["Location"] == "/audit/"
        assert SignOn.objects.get().role == Role.MANAGER

    def test_a_role_is_chosen_soon_and_by_who_was_recognised(self, people: People) -> None:
        assert Client().get("/sign-on/role/")["Location"] == "/sign-on/"
        client = Client()
        both = people.both
        client.post("/sign-on/", {"badge": both.badge, "secret": both.password})
        session = client.session
        session["sign_on_pending"] = {**session["sign_on_pending"], "until": 0}
        session.save()
        answer = client.post("/sign-on/role/", {"role": "manager"})
        assert answer["Location"] == "/sign-on/"
        assert not SignOn.objects.exists()

    def test_signing_off_leads_to_the_door(self, people: People) -> None:
        client = people.client("manager")
        assert client.get("/sign-off/").status_code == 405
        assert client.post("/sign-off/")["Location"] == "/sign-on/"
        assert last_entry().action == "staff.signed_off"
        assert client.post("/sign-off/")["Location"] == "/sign-on/"

    def test_who_was_signed_off_is_told_so(self, people: People) -> None:
        client = people.client("manager")
        SignOn.objects.all().delete()
        assert "Your last sign-on has ended" in text(client.get("/sign-on/"))

    def test_a_role_without_a_part_of_the_site_has_a_page(self, people: People) -> None:
        client = people.client("counter")
        assert "You are signed on as counter" in text(client.get("/"))

    def test_forms_need_the_token_of_the_page(self, people: People) -> None:
        client = Client(enforce_csrf_checks=True)
        sent = {"badge": "B-1000", "secret": "administrators keep codes"}
        assert client.post("/sign-on/", sent).status_code == 403
        assert not SignOn.objects.exists()
        page = text(client.get("/sign-on/"))
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found is not None
        answer = client.post("/sign-on/", {**sent, "csrfmiddlewaretoken": found.group(1)})
        assert answer.status_code == 302


class TestOwnSecret:
    def test_a_person_sets_the_own_pin(self, people: People) -> None:
        admin = people.client("administrator")
        people.create("manager")
        code = one_time_code(text(admin.post("/admin/staff/2004/code/", {"purpose": "pin"})))
        sent = {"badge": "B-2004", "code": code, "secret": "583017", "again": "583017"}
        page = text(Client().post("/own-secret/", {**sent, "again": "583018"}), 422)
        assert "The two entries differ" in page
        page = text(Client().post("/own-secret/", {**sent, "secret": "1234", "again": "1234"}), 422)
        assert "too easy to guess" in page
        page = text(Client().post("/own-secret/", sent))
        assert "Your PIN is set" in page
        assert "583017" not in page
        text(Client().post("/own-secret/", sent), 422)
        text(Client().get("/own-secret/"))

    def test_the_code_is_shown_once(self, people: People) -> None:
        admin = people.client("administrator")
        people.create("manager")
        text(admin.post("/admin/staff/2004/code/", {"purpose": "pin"}))
        assert CODE.search(text(admin.get("/admin/staff/2004/"))) is None
        text(admin.post("/admin/staff/2004/code/", {"purpose": "badge"}), 422)


class TestEnrolment:
    def test_a_browser_becomes_the_tablet_of_a_table(self, people: People) -> None:
        admin = people.client("administrator")
        sent = {"number": "D7", "name": "Tablet 7", "kind": "tablet", "table": "T7"}
        code = one_time_code(text(admin.post("/admin/devices/", sent)))
        tablet = Client()
        text(tablet.post("/enrol/", {"code": "AAAA-BBBB-CCCC"}), 422)
        answer: Any = tablet.post("/enrol/", {"code": code})
        assert "This is device D7" in text(answer)
        cookie = answer.cookies["device"]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
        assert cookie.value not in answer.content.decode()
        assert "Table T7, tablet D7" in text(tablet.get("/sign-on/"))
        dealer = people.dealer
        answer = tablet.post("/sign-on/", {"badge": dealer.badge, "secret": dealer.pin})
        assert answer.status_code == 302
        assert tablet.get("/api/v1/me").json()["table"] == "T7"
        text(tablet.post("/enrol/", {"code": code}), 422)
        assert "This is device D7 already" in text(tablet.get("/enrol/"))


class TestAdministration:
    def test_a_member_of_staff_is_created_and_given_a_role(self, people: People) -> None:
        admin = people.client("administrator")
        sent = {"number": "3001", "badge": "B-3001", "name": "Ana <b>dela</b> Cruz"}
        answer = admin.post("/admin/", sent)
        assert answer["Location"] == "/admin/staff/3001/"
        page = text(admin.get("/admin/staff/3001/"))
        assert "Ana &lt;b&gt;dela&lt;/b&gt; Cruz" in page
        answer = admin.post("/admin/staff/3001/roles/dealer/", {"grant": ""})
        assert answer["Location"] == "/admin/staff/3001/"
        assert selectors.staff_line("3001").roles == (Role.DEALER,)
        assert "Withdraw dealer" in text(admin.get("/admin/staff/3001/"))
        admin.post("/admin/staff/3001/roles/dealer/", {"withdraw": ""})
        assert selectors.staff_line("3001").roles == ()
        assert "3001" in text(admin.get("/admin/"))

    def test_a_form_that_fails_is_422_and_writes_nothing(self, people: People) -> None:
        admin = people.client("administrator")
        before = (last_entry_id(), Staff.objects.count(), Device.objects.count())
        page = text(admin.post("/admin/", {"number": "1000", "badge": "B-1", "name": "A"}), 422)
        assert "has been used already" in page
        text(admin.post("/admin/", {"number": "3001"}), 422)
        text(admin.post("/admin/devices/", {"number": "D 1", "name": "x", "kind": "tablet"}), 422)
        text(admin.post("/admin/devices/", {"number": "D1", "name": "x", "kind": "phone"}), 422)
        text(admin.post("/admin/staff/1000/badge/", {"badge": "B 1"}), 422)
        text(admin.post("/admin/staff/1000/badge/", {}), 422)
        assert (last_entry_id(), Staff.objects.count(), Device.objects.count()) == before

    def test_what_is_refused_is_said_on_a_page(self, people: People) -> None:
        admin = people.client("administrator")
        people.create("manager")
        page = text(admin.post("/admin/staff/1000/roles/manager/", {"grant": ""}), 403)
        assert "You cannot change your own roles" in page
        text(admin.post("/admin/staff/2004/roles/manager/", {"grant": ""}), 409)
        text(admin.post("/admin/staff/1000/deactivate/"), 403)
        text(admin.get("/admin/staff/9999/"), 404)
        text(admin.get("/admin/staff/%00/"), 404)
        text(admin.get("/admin/devices/D9/"), 404)
        text(admin.get("/admin/?after=%00"))

    def test_access_badge_and_session_change(self, people: People) -> None:
        admin = people.client("administrator")
        manager = people.client("manager")
        assert "on as manager" in text(admin.get("/admin/staff/2004/"))
        admin.post("/admin/staff/2004/end-sign-on/")
        assert manager.get("/pit/", follow=False).status_code in (302, 404)
        assert not SignOn.objects.filter(staff__number="2004").exists()
        admin.post("/admin/staff/2004/badge/", {"badge": "B-7"})
        admin.post("/admin/staff/2004/deactivate/")
        page = text(admin.get("/admin/staff/2004/"))
        assert "B-7" in page
        assert "Let in again" in page
        admin.post("/admin/staff/2004/reactivate/")
        assert selectors.staff_line("2004").active

    def test_a_device_is_bound_coded_and_revoked(self, people: People) -> None:
        admin = people.client("administrator")
        people.token("T1", number="D1")
        assert "T1" in text(admin.get("/admin/devices/D1/"))
        answer = admin.post("/admin/devices/D1/", {"table": "T2"})
        assert answer["Location"] == "/admin/devices/D1/"
        assert Device.objects.get().table_code == "T2"
        text(admin.post("/admin/devices/D1/", {"table": "T 2"}), 422)
        one_time_code(text(admin.post("/admin/devices/D1/code/")))
        admin.post("/admin/devices/D1/revocation/")
        assert not Device.objects.get().active
        assert "revoked" in text(admin.get("/admin/devices/D1/"))
        text(admin.post("/admin/devices/D1/code/"), 409)

    @pytest.mark.parametrize("name", sorted(set(Role.values) - {"administrator"}))
    def test_nobody_else_gets_in(self, people: People, name: str) -> None:
        client = people.client(name)
        before = last_entry_id()
        pages = [("get", "/admin/"), ("get", "/admin/staff/1000/"), ("get", "/admin/devices/")]
        acts = ("badge/", "code/", "roles/manager/", "deactivate/", "reactivate/", "end-sign-on/")
        pages += [("post", f"/admin/staff/1000/{act}") for act in acts]
        pages += [("post", f"/admin/devices/D1/{act}") for act in ("", "code/", "revocation/")]
        pages += [("post", "/admin/"), ("post", "/admin/devices/"), ("get", "/admin/devices/D1/")]
        for method, path in pages:
            page = text(getattr(client, method)(path), 403)
            assert "may not do this" in page
        assert last_entry_id() == before

    @pytest.mark.parametrize("members", [1, 3])
    def test_lists_take_the_same_queries_however_long(
        self, people: People, members: int, django_assert_num_queries: Any
    ) -> None:
        admin = people.client("administrator")
        for n in range(members):
            people.token(f"T{n}", number=f"D{n}")
        for name in ("dealer", "manager", "auditor")[:members]:
            getattr(people, name)
        with django_assert_num_queries(3):
            text(admin.get("/admin/"))
        with django_assert_num_queries(2):
            text(admin.get("/admin/devices/"))
