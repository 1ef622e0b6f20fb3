"""A table's terms over the API: what its sign states, what others would mean, setting them."""

from tables.models import RuleKind, Shoe
from tests.support.api import ApiPerson
from tests.tables.rules.api import TIE, Json
from tests.tables.rules.managers import Managers, options_of, published


def terms_of(manager: ApiPerson, table: str = "T1") -> Json:
    """The hashes that a table deals under."""
    read = manager.get(f"tables/{table}/terms")
    return {kind: read[kind]["hash"] for kind in RuleKind.values}


def test_terms_are_read_checked_and_set(managers: Managers, manager: ApiPerson) -> None:
    new = published(managers, options_of(**TIE))
    read = manager.get("tables/T1/terms")
    assert (read["game"], read["revision"], read["shoe"]) == ("poker-lucky-9", 1, None)
    now = terms_of(manager)
    checked = manager.post("tables/T1/terms/check", {**now, "ruleset": new}, expect=200)
    (change,) = checked["changes"]
    assert [each["path"] for each in change["comparison"]["changes"]] == ["tie_odds"]
    assert "edge_over_limit" in {each["code"] for each in checked["warnings"]}
    assert manager.post("tables/T1/terms/check", now, expect=200)["same"] is True
    body = {**now, "ruleset": new, "reason": "Guests ask."}
    step = manager.post("tables/T1/terms", body)
    assert ([*step], step["receipt"]["stream"]) == (["receipt"], "table/T1")
    after = manager.get("tables/T1/terms")
    assert (after["revision"], after["ruleset"]["hash"]) == (2, new)
    # The shoe in use is dealt to its end under the ruleset that it is pinned to.
    assert after["shoe"] == {"key": "T1/1", "ruleset": now["ruleset"]}
    assert Shoe.objects.get(key="T1/1").ruleset.hash == now["ruleset"]
    tie = [each for each in after["odds"]["wagers"] if each["wager"] == "tie"]
    assert tie[0]["house_edge"] is not None
    problem = manager.refused("POST", "tables/T1/terms", body)
    assert (problem["status"], problem["code"]) == (409, "terms.same")
    back = {**now, "reason": "As it was."}
    problem = manager.refused("POST", "tables/T1/terms", {**back, "revision": 1})
    assert (problem["status"], problem["code"]) == (409, "terms.changed")
    assert problem["data"] == {"table": "T1", "revision": 2}
    manager.post("tables/T1/terms", {**back, "revision": 2})
    assert manager.get("tables/T1/terms")["revision"] == 3


def test_all_that_is_wrong_with_terms_comes_at_once(managers: Managers, manager: ApiPerson) -> None:
    lucky = published(managers, options_of("lucky-9"), game="lucky-9")
    lucky_procedures = published(
        managers,
        options_of("lucky-9", kind=RuleKind.PROCEDURES),
        kind=RuleKind.PROCEDURES,
        game="lucky-9",
    )
    retire = {"reason": "Not wanted."}
    manager.post(f"rulesets/{lucky_procedures}/retire", retire)
    wrong = {"ruleset": lucky, "procedures": lucky_procedures, "limits": "0" * 64}
    checked = manager.post("tables/T1/terms/check", wrong, expect=200)
    problem = manager.refused("POST", "tables/T1/terms", {**wrong, "reason": "No."})
    assert problem["code"] == "terms.refused"
    found = [(each["code"], each["where"]) for each in problem["faults"]]
    assert found == [(each["code"], each["where"]) for each in checked["faults"]]
    assert found == [("terms.retired", "procedures"), ("terms.unknown", "limits")]


def test_limits_in_force_are_not_retired(manager: ApiPerson) -> None:
    hash_ = terms_of(manager)["limits"]
    problem = manager.refused("POST", f"rulesets/{hash_}/retire", {"reason": "No."})
    assert (problem["status"], problem["code"]) == (409, "rules.in_force")
