"""The proof of one subject: its stretch of a stream, read again where it is shown."""

import json

import psycopg
import pytest

from audit.log.replay import replay_log
from audit.log.subject import prove_subject
from audit.log.verify import verify_log
from tests.log.people import populate
from tests.support.database import CloneDatabase

pytestmark = pytest.mark.usefixtures("clone_db")


def named(subject: str = "S1") -> list[tuple[str, str]]:
    """Code and place of what a subject's proof finds."""
    proof = prove_subject(subject, stream="people")
    assert proof is not None
    return [(problem.code, problem.where) for problem in proof.problems]


def test_a_body_without_a_canonical_form_is_named_and_ends_no_check(
    clone_db: CloneDatabase,
) -> None:
    """The database takes what the application's role writes; nobody may stumble over it later."""
    populate()
    row: object = 1
    for _ in range(17):
        row = {"a": row}
    said = {"facts": [{"kind": "role_grant", "row": row}], "heads": [], "data": {}}
    who = {"actor": {"key": "S9", "name": "Ana"}, "role": "dealer", "device": None, "request": ""}
    body = json.dumps(
        said | who | {"v": 1, "action": "test.noted", "subject": "S1"},
        separators=(",", ":"),
        sort_keys=True,
    )
    with psycopg.connect(clone_db.app_url) as raw:
        raw.execute(
            "INSERT INTO log_entry (stream, body, action, subject, actor, role, request_id)"
            " VALUES ('people', %s, 'test.noted', 'S1', 'S9', 'dealer', '')",
            [body.encode()],
        )
    expected = [("entry.body", "entry people 7")]
    for report in (verify_log(place=None, limit=9), replay_log(limit=9)):
        assert [(problem.code, problem.where) for problem in report.problems] == expected
        assert "nested deeper" in report.problems[0].detail
    assert named() == expected
