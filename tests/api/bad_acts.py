"""What must not come in when money moves, chips are counted and shoes are prepared or ended."""

from typing import Any

from tests.api.bad_input import Case, round_of
from tests.factories.house import PINS, STAFF

Json = dict[str, Any]  # Any: documents


def signatures(*names: str, **changed: str) -> list[Json]:
    """Signatures as the API takes them, the last one with something changed."""
    signed: list[Json] = [
        {"badge": STAFF[name][1], "secret": PINS[name], "role": str(STAFF[name][2])}
        for name in names
    ]
    signed[-1] |= changed
    return signed


def settling(name: str, body: object, code: str, fault: str = "", **kw: Any) -> Case:
    """A settlement of T3, which shows down; Any: further members of the case."""
    path = f"{round_of(kw.pop('table', 'T3'))}/settlements"
    return Case(name, path, code, body, fault=fault, **kw)


def handing(name: str, line: Json, code: str, fault: str = "", **kw: Any) -> Case:
    """One amount handed over at the settlement of T3; Any: further members of the case."""
    handed = {"seat": 1, "wager": "main", "handed_minor": 0, **line}
    body = {"part": "final", "revision": 1, "handed": [handed]}
    return settling(f"handed over {name}", body, code, fault, **kw)


def voiding(name: str, body: Json, code: str, fault: str = "", **kw: Any) -> Case:
    """A void of T3, which shows down; Any: further members of the case."""
    table = kw.pop("table", "T3")
    kw = {"who": "supervisor", "at": None, **kw}
    sent = {
        "event": 26,
        "note": "dropped",
        "stage": "opened",
        "returned_minor": 10000,
        "signers": signatures("supervisor", "manager"),
        **body,
    }
    return Case(f"void {name}", f"{round_of(table)}/void", code, sent, fault=fault, **kw)


MONEY = [
    settling("not due", {"part": "final", "revision": 1}, "settlement.not_due", table="T2",
             status=409, says="Expected: showdown"),
    settling("no sweep due", {"part": "sweep", "revision": 1}, "settlement.not_due", status=409),
    settling("a correction by the way", {"part": "final", "revision": 2}, "round.over", table="T4",
             status=409, says="Only a correction"),
    settling("a skipped revision", {"part": "final", "revision": 2}, "revision.beyond",
             status=409, says="the next one is 1"),
    settling("revision 0", {"part": "final", "revision": 0}, "request.fields", "field.min_value",
             says="greater than or equal to 1"),
    settling("unknown part", {"part": "half", "revision": 1}, "request.fields",
             "field.invalid_choice", says="not a valid choice"),
    settling("other amounts", {"part": "final", "revision": 1, "handed": [
        {"seat": 1, "wager": "main", "handed_minor": 1}]}, "settlement.conflict", table="T4",
        status=409, says="handed over otherwise"),
    handing("for a wager that is not there", {"wager": "pair"}, "settlement.handed_refused",
            says="wagers of this part"),
    handing("on another seat", {"seat": 2}, "settlement.handed_refused", says="of this part"),
    handing("on no seat", {"seat": 0}, "request.fields", "field.min_value", says="equal to 1"),
    handing("below zero", {"handed_minor": -1}, "request.fields", "field.min_value", says="to 0"),
    handing("as text", {"handed_minor": "19500"}, "request.fields", "field.not_an_integer"),
    handing("as truth", {"handed_minor": True}, "request.fields", "field.not_an_integer"),
    handing("beyond all money", {"handed_minor": 10**12 + 1}, "settlement.handed_refused",
            says="of this part"),
    settling("one wager twice", {"part": "final", "revision": 1, "handed": [
        {"seat": 1, "wager": "main", "handed_minor": 1},
        {"seat": 1, "wager": "main", "handed_minor": 777}]}, "request.fields", "field.twice",
        says="once"),
    handing("of 2^53", {"handed_minor": 2**53}, "request.fields", "field.too_large"),
    voiding("for no event", {"event": 20}, "void.reason", says="one of the events"),
    voiding("for an event beyond the list", {"event": 34}, "request.fields", "field.max_value",
            says="33"),
    voiding("without what was seen", {"stage": None, "returned_minor": None}, "request.fields",
            "field.null", says="null"),
    voiding("for another sum", {"returned_minor": 9999}, "void.changed", status=409,
            says="Look at what goes back now"),
    voiding("for a sum as text", {"returned_minor": "10000"}, "request.fields",
            "field.not_an_integer"),
    voiding("by one", {"signers": signatures("supervisor")}, "void.signers",
            says="a supervisor and a manager"),
    voiding("by nobody", {"signers": []}, "request.fields", "field.empty", says="empty"),
    voiding("by five", {"signers": signatures("supervisor", "manager") * 3}, "request.fields",
            "field.max_length", says="no more than 4"),
    voiding("by the dealer", {"signers": signatures("dealer", "manager")}, "void.signers",
            says="a supervisor and a manager"),
    voiding("by one person twice", {"signers": signatures("supervisor", "supervisor")},
            "signature.same_person", status=403, says="two different people"),
    voiding("in a role not held", {"signers": signatures("supervisor", "dealer_2", role="manager")},
            "signature.role_not_held", status=403, says="does not hold the role manager"),
    voiding("with a wrong secret", {"signers": signatures("supervisor", "manager", secret="1357")},
            "signature.secret_wrong", status=403, says="Signature 2"),
    voiding("with a stranger's badge", {"signers": signatures("supervisor", "manager", badge="B")},
            "signature.secret_wrong", status=403, says="Signature 2"),
    voiding("in no role of the house", {"signers": signatures("supervisor", "manager", role="H")},
            "request.fields", "field.invalid_choice", says="not a valid choice"),
    voiding("of a settled round", {}, "round.over", table="T4", status=409, says="Only a correct"),
    voiding("before the first card", {}, "round.stage", table="T1", status=409, says="expected"),
    voiding("of seats that had no hand", {"first_two_seats": [5]}, "void.seats",
            says="Expected seats"),
]  # fmt: skip


def counting(name: str, body: Json, code: str, fault: str = "", **kw: Any) -> Case:
    """A count for the session of T2, which is open; Any: further members of the case."""
    sent = {"kind": "closer", "revision": 1, "pieces": {"500": 1}, **body}
    return Case(f"count {name}", "tables/T2/sessions/1/counts", code, sent, fault=fault, **kw)


def preparing(name: str, body: Json, code: str, fault: str = "", **kw: Any) -> Case:
    """A step of the shoe of T2, which is ready; Any: further members of the case."""
    sent = {"step": "check", "signers": signatures("dealer", "supervisor"), **body}
    path = "tables/T2/shoes/1/steps"
    return Case(f"shoe step {name}", path, code, sent, fault=fault, **kw)


def burning(name: str, body: Json, code: str, fault: str = "", **kw: Any) -> Case:
    """A burn at T4, between two rounds; Any: further members of the case."""
    kw = {"who": "supervisor", "at": None, **kw}
    path = f"tables/{kw.pop('table', 'T4')}/shoes/1/burns"
    sent = {"event": 2, "faces": ["2S"], "reason": "exposed", **body}
    return Case(f"burn {name}", path, code, sent, fault=fault, **kw)


def ending(name: str, stub: object, code: str, fault: str = "", **kw: Any) -> Case:
    """The end of the shoe of T4; Any: further members of the case."""
    kw = {"who": "supervisor", "at": None, **kw}
    path = f"tables/{kw.pop('table', 'T4')}/shoes/1/end"
    return Case(f"stub {name}", path, code, {"stub_cards": stub}, fault=fault, **kw)


FLOOR = [
    counting("of a table that plays", {}, "session.state", status=409, says="expected closing"),
    counting("of no kind", {"kind": "fill"}, "request.fields", "field.invalid_choice",
             says="not a valid choice"),
    counting("of no pieces", {"pieces": {}}, "request.fields", "field.empty", says="empty"),
    counting("below zero", {"pieces": {"500": -1}}, "request.fields", "field.min_value", says="0"),
    counting("as text", {"pieces": {"500": "1"}}, "request.fields", "field.not_an_integer"),
    counting("of halves", {"pieces": {"500": 0.5}}, "request.fields", "field.not_an_integer"),
    preparing("of a shoe in use", {"signers": signatures("dealer", "manager")}, "shoe.state",
              status=409, says="expected preparing"),
    preparing("unknown", {"step": "cutting"}, "request.fields", "field.invalid_choice", says="cho"),
    preparing("by one", {"signers": signatures("dealer")}, "shoe.signers", says="two people"),
    preparing("by the cage", {"step": "shuffle", "signers": signatures("dealer", role="cashier")},
              "signature.role_not_held", status=403, says="does not hold"),
    burning("out of its turn", {"event": 4}, "burn.beyond", status=409, says="The next one is 2"),
    burning("that says otherwise", {"event": 1}, "burn.conflict", status=409, says="otherwise"),
    burning("without its number", {"event": None}, "request.fields", "field.null", says="null"),
    burning("of an unknown card", {"faces": ["1S"]}, "burn.refused"),
    burning("of a rank", {"faces": ["A"]}, "burn.refused"),
    burning("of twelve", {"faces": ["2S"] * 12}, "burn.refused", says="1 to 11"),
    burning("of none", {"faces": []}, "request.fields", "field.empty", says="empty"),
    burning("without a reason", {"reason": ""}, "request.fields", "field.blank", says="blank"),
    burning("in a round", {}, "round.in_play", table="T2", status=409, says="still in play"),
    ending("below zero", -1, "request.fields", "field.min_value", says="0"),
    ending("beyond the shoe", 417, "stub.refused", says="0 to 416"),
    ending("as text", "200", "request.fields", "field.not_an_integer"),
    ending("in a round", 200, "round.in_play", table="T2", status=409, says="still in play"),
    Case("a second session", "tables/T2/sessions", "session.already_open", status=409,
         who="supervisor", at=None, says="already has session"),
    Case("a second shoe", "tables/T2/shoes", "shoe.in_use", status=409, says="End it first"),
    Case("a second round", "tables/T2/shoes/1/rounds", "round.in_play", status=409, says="still"),
    Case("a round at a closed table", "tables/T6/shoes/1/rounds", "session.state", status=409,
         says="expected open"),
    Case("a shoe at a closed table", "tables/T6/shoes", "session.state", status=409,
         says="expected open"),
    Case("closing in a round", "tables/T2/sessions/1/start-closing", "session.not_quiet",
         status=409, who="supervisor", at=None, says="End round T2/1/1"),
    Case("calling off a dealt round", f"{round_of('T2')}/call-off", "round.dealt", status=409,
         says="supervisor and a manager"),
    Case("calling off twice", f"{round_of('T4')}/call-off", "round.dealt", status=409, says="void"),
]  # fmt: skip
