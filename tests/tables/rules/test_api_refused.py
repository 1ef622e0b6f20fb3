"""What the API of rules does not take: a stable code each, and nothing is written."""

import pytest

from tests.support.api import ApiPerson
from tests.support.records import nothing_recorded
from tests.tables.rules.api import DRAFTS, Json, begun, draft, signed


def changed(**what: object) -> Json:
    """A draft of which one member is something else."""
    return {**draft(), **what}


STOP = {"version": 1, "reason": "No."}
BAD: list[tuple[str, str, str, Json, str, str]] = [
    ("no kind", "POST", DRAFTS, changed(kind="dice"), "rules.kind", ""),
    ("no game", "POST", DRAFTS, changed(game="baccarat"), "rules.kind", ""),
    ("kind of a number", "POST", DRAFTS, changed(kind=1), "request.fields", "field.not_text"),
    ("no name", "POST", DRAFTS, changed(name=""), "request.fields", "field.blank"),
    ("spaces", "POST", DRAFTS, changed(name="  "), "rules.name", ""),
    ("long name", "POST", DRAFTS, changed(name="x" * 81), "request.fields", "text.too_long"),
    ("options of a list", "POST", DRAFTS, changed(options=[]), "request.fields",
     "field.not_an_object"),
    ("options of nothing", "POST", DRAFTS, changed(options=None), "request.fields", "field.null"),
    ("unknown member", "POST", DRAFTS, changed(state="published"), "request.fields",
     "field.unknown"),
    ("day of words", "POST", DRAFTS, changed(effective_day="soon"), "request.fields",
     "field.invalid"),
    ("day of a number", "POST", DRAFTS, changed(effective_day=20990101), "request.fields",
     "field.invalid"),
    ("week", "POST", DRAFTS, changed(effective_day="2099-W01-1"), "request.fields",
     "field.invalid"),
    ("no such day", "POST", DRAFTS, changed(effective_day="2099-02-30"), "request.fields",
     "field.invalid"),
    ("past day", "POST", DRAFTS, changed(effective_day="2026-01-01"), "rules.effective_day", ""),
    ("unknown draft", "POST", f"{DRAFTS}/R-99/submit", {"version": 1}, "rules.no_draft", ""),
    ("huge draft", "PUT", f"{DRAFTS}/{'9' * 400}",
     {"version": 1, "name": "N", "options": {}}, "rules.no_draft", ""),
    ("version 0", "POST", f"{DRAFTS}/R-1/submit", {"version": 0}, "request.fields",
     "field.min_value"),
    ("version of text", "POST", f"{DRAFTS}/R-1/submit", {"version": "1"}, "request.fields",
     "field.not_an_integer"),
    ("huge version", "POST", f"{DRAFTS}/R-1/submit", {"version": 2**31}, "request.fields",
     "field.max_value"),
    ("no reason", "POST", f"{DRAFTS}/R-1/discard", {**STOP, "reason": ""}, "request.fields",
     "field.blank"),
    ("long reason", "POST", f"{DRAFTS}/R-1/discard", {**STOP, "reason": "x" * 501},
     "request.fields", "text.too_long"),
    ("return of a draft", "POST", f"{DRAFTS}/R-1/return", STOP, "rules.draft_state", ""),
    ("approval of a draft", "POST", f"{DRAFTS}/R-1/approve",
     {"version": 1, "signers": signed("manager_2")}, "rules.draft_state", ""),
    ("five signers", "POST", f"{DRAFTS}/R-1/approve",
     {"version": 1, "signers": signed("manager_2") * 5}, "request.fields", "field.max_length"),
    ("unknown hash", "POST", f"rulesets/{'0' * 64}/retire", {"reason": "No."}, "rules.missing", ""),
    ("state", "GET", f"{DRAFTS}?state=lost", {}, "rules.draft_filter", ""),
    ("limit", "GET", f"{DRAFTS}?limit=0", {}, "request.page", ""),
    ("kind", "GET", "rulesets?kind=dice", {}, "rules.kind", ""),
    ("preview of a kind", "POST", "rulesets/preview",
     {"kind": "dice", "game": "lucky-9", "options": {}}, "rules.kind", ""),
    ("terms of nothing", "POST", "tables/T1/terms", {}, "request.fields", "field.required"),
    ("terms at no table", "POST", "tables/T99/terms",
     {"ruleset": "0", "procedures": "0", "limits": "0", "reason": "x"}, "table.missing", ""),
    ("terms that nobody published", "POST", "tables/T1/terms",
     {"ruleset": "0", "procedures": "0", "limits": "0", "reason": "x"}, "terms.refused",
     "terms.unknown"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "fault"), [b[1:] for b in BAD], ids=[b[0] for b in BAD]
)
def test_bad_input_is_refused_and_writes_nothing(
    manager: ApiPerson, method: str, path: str, body: Json, code: str, fault: str
) -> None:
    begun(manager)
    with nothing_recorded():
        problem = manager.refused(method, path, body)
    assert problem["code"] == code, problem
    assert problem["detail"]
    if fault:
        assert fault in {each["code"] for each in problem["faults"]}, problem


def test_a_number_with_a_point_has_no_canonical_form(manager: ApiPerson) -> None:
    raw = b'{"kind": "ruleset", "game": "lucky-9", "name": "N", "options": {"decks": 1.5}}'
    with nothing_recorded():
        problem = manager.refused("POST", DRAFTS, raw=raw)
    assert (problem["status"], problem["code"]) == (422, "chain.body")
    raw = b'{"game": "lucky-9", "options": {"decks": 1.5}}'
    status, seen = manager.send("POST", "rulesets/preview", raw=raw)
    assert (status, seen["hash"], seen["comparison"]) == (200, None, None)
    assert ("option_value", "options.decks") in {
        (each["code"], each["where"]) for each in seen["faults"]
    }
