"""The life of rules over the API: the same services, codes and revisions as the pages have."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Procedures, RuleApproval, RuleDraft, RuleKind, RuleStanding
from tests.support.api import ApiPerson
from tests.support.records import nothing_recorded
from tests.tables.rules.api import DRAFTS, TIE, Json, begun, draft, put_up, signed
from tests.tables.rules.managers import Managers, options_of

CHANGED: dict[str, Json] = {
    RuleKind.RULESET: TIE,
    RuleKind.PROCEDURES: {"cut_card_depth": 60},
    RuleKind.LIMITS: {"bank_cover_minor": 5_000_000},
}


@pytest.mark.parametrize("kind", RuleKind.values)
def test_rules_from_draft_to_retirement(manager: ApiPerson, kind: str) -> None:
    step = manager.post(DRAFTS, draft(kind, **CHANGED[kind]))
    assert step["receipt"]["stream"] == "rulesets"
    number = step["draft"]["number"]
    read = manager.get(f"{DRAFTS}/{number}")
    assert (read["state"], read["version"], read["drafters"]) == ("draft", 1, ["1004"])
    assert (read["faults"], read["signs"]) == ([], None)
    assert read["options"] == options_of(kind=kind, **CHANGED[kind])
    step = manager.post(f"{DRAFTS}/{number}/submit", {"version": 1})
    assert step["draft"]["state"] == "in_approval"
    signs = manager.get(f"{DRAFTS}/{number}")["signs"]
    assert (signs["act"], signs["content"]) == ("rules.approved", step["draft"]["content_hash"])
    body = {"version": 1, "signers": signed("manager_2")}
    step = manager.post(f"{DRAFTS}/{number}/approve", body)
    assert (step["draft"]["state"], step["draft"]["approvals_missing"]) == ("in_approval", 1)
    assert [each["number"] for each in step["draft"]["approvals"]] == ["1204"]
    body = {"version": 1, "signers": signed("manager_3")}
    step = manager.post(f"{DRAFTS}/{number}/approve", body)
    assert (step["draft"]["state"], step["draft"]["approvals_missing"]) == ("published", 0)
    hash_ = step["draft"]["content_hash"]
    listed = manager.get(f"rulesets?kind={kind}")["items"][0]
    assert (listed["hash"], listed["kind"], listed["draft"]) == (hash_, kind, number)
    rules = manager.get(f"rulesets/{hash_}")
    assert (rules["state"], rules["options"]) == ("published", read["options"])
    step = manager.post(f"rulesets/{hash_}/retire", {"reason": "Not wanted."})
    assert step["rules"]["state"] == "retired"
    problem = manager.refused("POST", f"rulesets/{hash_}/retire", {"reason": "Again."})
    assert (problem["status"], problem["code"]) == (409, "rules.not_published")


def test_rules_are_scheduled_and_their_end_too(manager: ApiPerson) -> None:
    sent = {**draft(**TIE), "effective_day": "2099-01-01"}
    number = manager.post(DRAFTS, sent)["draft"]["number"]
    manager.post(f"{DRAFTS}/{number}/submit", {"version": 1})
    body = {"version": 1, "signers": signed("manager_2", "both")}
    hash_ = manager.post(f"{DRAFTS}/{number}/approve", body)["draft"]["content_hash"]
    rules = manager.get(f"rulesets/{hash_}")
    assert (rules["state"], rules["effective_day"]) == ("scheduled", "2099-01-01")
    house = str(Procedures.objects.values_list("hash", flat=True).get())
    end = {"reason": "Replaced.", "effective_day": "2099-02-01"}
    line = manager.post(f"rulesets/{house}/retire", end)["rules"]
    assert (line["state"], line["changes_to"]) == ("published", "retired")
    assert line["changes_day"] == "2099-02-01"


def test_a_draft_shows_what_it_would_change_and_by_how_much(manager: ApiPerson) -> None:
    number = begun(manager, jacks_odds=[12, 1], **TIE)
    read = manager.get(f"{DRAFTS}/{number}")
    changes = {
        each["path"]: (each["before"], each["after"]) for each in read["comparison"]["changes"]
    }
    assert changes == {"jacks_odds": ([11, 1], [12, 1]), "tie_odds": (None, [300, 1])}
    edges = {each["wager"]: each for each in read["comparison"]["edges"]}
    assert edges["jacks"]["before"]["fraction"] == "20793/124085"
    assert edges["jacks"]["after"]["fraction"] == "2812/28635"
    assert edges["tie"]["before"] is None
    (over,) = [each for each in read["warnings"] if each["code"] == "edge_over_limit"]
    assert over["figures"]["edge"]["fraction"] == "7672884748/23840040615"
    assert read["odds"]["game"] == "poker-lucky-9"
    base = read["comparison"]["against"]
    same = manager.get(f"{DRAFTS}/{number}?against={base}")["comparison"]
    assert same == read["comparison"]
    problem = manager.refused("GET", f"{DRAFTS}/{number}?against={'0' * 64}")
    assert problem["code"] == "rules.missing"


def test_everything_wrong_is_said_at_once(manager: ApiPerson) -> None:
    wrong = {"decks": 9, "kicker_by": "suit", "colour": "red", "tie_odds": [0, 1]}
    sent = {**draft(), "options": wrong}
    number = manager.post(DRAFTS, sent)["draft"]["number"]
    problem = manager.refused("POST", f"{DRAFTS}/{number}/submit", {"version": 1})
    assert (problem["status"], problem["code"]) == (422, "rules.faulty")
    found = {(each["code"], each["where"]) for each in problem["faults"]}
    assert found >= {
        ("option_value", "options.decks"),
        ("option_value", "options.kicker_by"),
        ("option_value", "options.tie_odds"),
        ("unknown_option", "options.colour"),
        ("missing", "options.jacks_scope"),
    }
    read = manager.get(f"{DRAFTS}/{number}")
    assert {(each["code"], each["where"]) for each in read["faults"]} == found
    assert (read["odds"], read["warnings"]) == (None, [])


def test_whoever_writes_means_the_version_that_was_read(manager: ApiPerson) -> None:
    number = begun(manager)
    anew = {"version": 1, "name": "Other", "options": options_of(**TIE)}
    assert manager.put(f"{DRAFTS}/{number}", anew)["draft"]["version"] == 2
    stop = {"version": 1, "reason": "No."}
    for method, path, body in (
        ("PUT", f"{DRAFTS}/{number}", anew),
        ("POST", f"{DRAFTS}/{number}/submit", {"version": 1}),
        ("POST", f"{DRAFTS}/{number}/discard", stop),
    ):
        with nothing_recorded():
            problem = manager.refused(method, path, body)
        assert (problem["status"], problem["code"]) == (409, "rules.draft_changed")
        assert problem["data"]["version"] == 2
    manager.post(f"{DRAFTS}/{number}/submit", {"version": 2})
    back = manager.post(f"{DRAFTS}/{number}/return", {"version": 2, "reason": "Too high."})
    assert (back["draft"]["state"], back["draft"]["version"]) == ("draft", 3)
    gone = manager.post(f"{DRAFTS}/{number}/discard", {"version": 3, "reason": "Not wanted."})
    assert gone["draft"]["state"] == "discarded"
    problem = manager.refused("PUT", f"{DRAFTS}/{number}", {**anew, "version": 3})
    assert (problem["status"], problem["code"]) == (409, "rules.draft_state")


def test_a_write_that_is_sent_again_is_one_write(manager: ApiPerson) -> None:
    manager.headers["Idempotency-Key"] = "k-1"
    first = manager.post(DRAFTS, draft())
    assert manager.post(DRAFTS, draft()) == first
    problem = manager.refused("POST", DRAFTS, draft(**TIE))
    assert problem["code"] == "idempotency.reused"
    assert RuleDraft.objects.count() == 1
    submit = f"{DRAFTS}/{first['draft']['number']}/submit"
    # What was refused stored no answer: it is refused again for what it is.
    problem = manager.refused("POST", submit, {"version": 1})
    assert (problem["status"], problem["code"]) == (409, "rules.published")
    del manager.headers["Idempotency-Key"]
    number = begun(manager, **TIE)
    manager.headers["Idempotency-Key"] = "k-2"
    path = f"{DRAFTS}/{number}/submit"
    assert manager.post(path, {"version": 1}) == manager.post(path, {"version": 1})


@pytest.mark.parametrize(
    ("signers", "status", "code"),
    [
        (signed("manager"), 403, "rules.approver_drafted"),
        (signed("manager_2", "manager"), 403, "rules.approver_drafted"),
        (signed("manager_2", "manager_2"), 403, "signature.same_person"),
        (signed("supervisor"), 403, "rules.approval_signers"),
        (signed("manager_2", "manager_3", "both"), 403, "rules.approval_signers"),
        (signed("manager_2", secret="000000"), 403, "signature.secret_wrong"),
        ([{**signed("supervisor")[0], "role": "manager"}], 403, "signature.role_not_held"),
        ([], 422, "request.fields"),
    ],
)
def test_who_does_not_approve(
    manager: ApiPerson, signers: list[Json], status: int, code: str
) -> None:
    number = put_up(manager, **TIE)
    body = {"version": 1, "signers": signers}
    problem = manager.refused("POST", f"{DRAFTS}/{number}/approve", body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert not RuleApproval.objects.exists()
    assert manager.get(f"{DRAFTS}/{number}")["state"] == "in_approval"


def test_nobody_approves_twice_nor_another_version(manager: ApiPerson) -> None:
    number = put_up(manager, **TIE)
    body = {"version": 1, "signers": signed("manager_2")}
    first = manager.post(f"{DRAFTS}/{number}/approve", body)
    again = manager.post(f"{DRAFTS}/{number}/approve", body, expect=200)
    assert (first["done_before"], again) == (False, {**first, "done_before": True})
    both = {"version": 1, "signers": signed("manager_2", "manager_3")}
    problem = manager.refused("POST", f"{DRAFTS}/{number}/approve", both)
    assert (problem["status"], problem["code"]) == (409, "rules.approved_already")
    other = {"version": 2, "signers": signed("manager_3")}
    problem = manager.refused("POST", f"{DRAFTS}/{number}/approve", other)
    assert (problem["status"], problem["code"]) == (409, "rules.draft_changed")


@pytest.mark.parametrize("kind", RuleKind.values)
def test_a_preview_is_of_any_kind(manager: ApiPerson, kind: str) -> None:
    sent = {**draft(kind, **CHANGED[kind])}
    del sent["name"]
    with nothing_recorded():
        seen = manager.post("rulesets/preview", sent, expect=200)
    (change,) = seen["comparison"]["changes"]
    assert {change["path"]: change["after"]} == CHANGED[kind]
    assert (seen["odds"] is not None) == (kind == RuleKind.RULESET)
    assert (seen["faults"], len(seen["hash"])) == ([], 64)


def test_a_preset_is_a_draft_that_goes_up(manager: ApiPerson) -> None:
    presets = manager.get("rulesets/presets")["presets"]
    assert [each["name"] for each in presets] == [
        "PAGCOR Poker Lucky 9",
        "Lucky 9",
        "Super 9",
        "Fixed bank",
        "Three-card forced draw",
        "Multi-deck",
        "Straight (no bonus hands)",
        "Home profile",
    ]
    for preset in presets:
        for kind, options in (
            ("ruleset", preset["options"]),
            ("procedures", preset["procedures"]),
        ):
            sent = {"kind": kind, "game": preset["game"], "name": preset["name"]}
            number = manager.post(DRAFTS, {**sent, "options": options})["draft"]["number"]
            assert manager.get(f"{DRAFTS}/{number}")["faults"] == []


def statements(call: Callable[[], object]) -> int:
    """How many statements a call takes."""
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured.captured_queries)


def test_lists_take_the_same_statements_whatever_their_length(manager: ApiPerson) -> None:
    put_up(manager, **TIE)
    taken: list[tuple[int, ...]] = []
    for rows in (1, 3):
        while RuleDraft.objects.count() < rows:
            begun(manager, decks=6 + RuleDraft.objects.count())
        assert len(manager.get(DRAFTS)["items"]) == rows
        taken.append(
            (
                statements(lambda: manager.get(DRAFTS)),
                statements(lambda: manager.get("rulesets")),
                statements(lambda: manager.get(f"{DRAFTS}/R-1")),
                statements(lambda: manager.get("tables/T1/terms")),
            )
        )
    # One for who stands behind the request; the gaming day is one wherever rules are read.
    assert taken == [(3, 3, 6, 5)] * 2
    first = manager.get(f"{DRAFTS}?limit=2")
    assert ([each["number"] for each in first["items"]], first["next"]) == (["R-3", "R-2"], "R-2")
    rest = manager.get(f"{DRAFTS}?limit=2&after=R-2")
    assert ([each["number"] for each in rest["items"]], rest["next"]) == (["R-1"], None)
    waiting = manager.get(f"{DRAFTS}?state=in_approval")["items"]
    assert [each["number"] for each in waiting] == ["R-1"]
    assert len(manager.get(f"{DRAFTS}?state=open")["items"]) == 3


def test_what_a_table_reads_is_what_its_auditor_reads(managers: Managers) -> None:
    dealer = ApiPerson(managers.house, "dealer", table="T1")
    auditor = ApiPerson(managers.house, "auditor")
    assert dealer.get("tables/T1/terms") == auditor.get("tables/T1/terms")
    problem = dealer.refused("GET", DRAFTS)
    assert (problem["status"], problem["code"]) == (403, "role.not_allowed")
    problem = auditor.refused("POST", DRAFTS, draft())
    assert (problem["status"], problem["code"]) == (403, "role.not_allowed")
    assert not RuleStanding.objects.filter(state="retired").exists()
