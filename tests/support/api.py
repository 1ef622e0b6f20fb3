"""The API as a client sees it: one signed-on person, with or without a tablet in hand."""

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client

from casino.people.middleware import TOKEN_HEADER
from tests.factories.house import PASSWORDS, PINS, STAFF, House
from tests.support.described import faults_of_answer

Json = dict[str, Any]  # documents of the API


class Refused(AssertionError):
    """An answer that the test did not expect: its status and problem."""


class ApiPerson:
    """A person who signed on through the API."""

    def __init__(self, house: House, name: str, *, table: str | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.headers: dict[str, str] = {}
        if table is not None:
            self.headers[TOKEN_HEADER] = house.tokens[table]
        _number, badge, role = STAFF[name]
        secret = PINS[name] if table is not None else PASSWORDS[name]
        self.headers["X-CSRFToken"] = self.get("sign-on")["csrf_token"]
        body = {"badge": badge, "secret": secret, "role": role}
        self.headers["X-CSRFToken"] = self.post("sign-on", body, expect=200)["csrf_token"]

    def send(
        self, method: str, path: str, body: object = None, *, raw: bytes | None = None
    ) -> tuple[int, Json]:
        """Send one request; return its status and document."""
        data = raw if raw is not None else json.dumps({} if body is None else body).encode()
        answer = self.client.generic(
            method,
            f"/api/v1/{path}",
            data if method != "GET" else b"",
            content_type="application/json",
            headers=self.headers,
        )
        document = json.loads(answer.content) if answer.content else {}
        faults = faults_of_answer(
            method,
            answer.wsgi_request.path,
            status=answer.status_code,
            content_type=answer.headers.get("Content-Type", ""),
            document=document,
        )
        assert not faults, faults
        return answer.status_code, document

    def get(self, path: str) -> Json:
        """Read a document."""
        return self._expect("GET", path, None, (200,))

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, expect: int = 201) -> Json:
        """Write, and expect it to be accepted."""
        return self._expect("POST", path, body, (expect,))

    def put(self, path: str, body: Mapping[str, Any], *, expect: int = 201) -> Json:
        """State a set, and expect it to be accepted."""
        return self._expect("PUT", path, body, (expect,))

    def write(self, method: str, path: str, body: Mapping[str, Any]) -> Json:
        """Write by whichever method, and expect it to be accepted."""
        return self._expect(method, path, body, (201,))

    def refused(
        self, method: str, path: str, body: object = None, *, raw: bytes | None = None
    ) -> Json:
        """Send what must be refused; return the problem, which is complete."""
        status, problem = self.send(method, path, body, raw=raw)
        assert 400 <= status < 500, (status, problem)
        assert {"type", "title", "status", "detail", "code"} <= problem.keys()
        assert problem["status"] == status
        return problem

    def _expect(
        self, method: str, path: str, body: Mapping[str, Any] | None, statuses: tuple[int, ...]
    ) -> Json:
        status, document = self.send(method, path, body)
        if status not in statuses:
            raise Refused(f"{method} {path}: {status} {document}")
        return document
