"""One table of what must not come in: what is sent where, and the code that answers it.

`fault` is the code of one of the faults where the problem has several; `says` is a part of the
sentence (the problem's or the fault's) that tells what was expected.
"""

import json
from dataclasses import dataclass
from typing import Any

BODY_BYTES_MAX = 64 * 1024
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Case:
    """One request that must be refused."""

    name: str
    path: str
    code: str
    body: Any = None  # whatever JSON can hold
    raw: bytes | None = None
    method: str = "POST"
    status: int = 422
    fault: str = ""
    says: str = "xpected"
    who: str = "dealer"
    at: str | None = ""  # the tablet's table; "" is the one of the path, None no tablet
    content_type: str = JSON

    @property
    def table(self) -> str | None:
        """The table whose tablet is in hand."""
        return self.path.split("/")[1] if self.at == "" else self.at


def round_of(table: str, number: int = 1) -> str:
    """The address of a round of a table's first shoe."""
    return f"tables/{table}/shoes/1/rounds/{number}"


def card(name: str, draw: object, face: object, code: str, fault: str = "", **kw: Any) -> Case:
    """A card for the round of T2, where draw 2 is next; Any: further members of the case."""
    table, number = kw.pop("table", "T2"), kw.pop("number", 1)
    keyed = {"draw": draw, "revision": 1, "face": face, **kw.pop("more", {})}
    path = f"{round_of(table, number)}/cards"
    return Case(name, path, code, {"cards": [keyed]}, fault=fault, **kw)


def wager(name: str, wagers: object, code: str, fault: str = "", **kw: Any) -> Case:
    """Wagers for seat 2 of T1, which is betting; Any: further members of the case."""
    table, seat, revision = kw.pop("table", "T1"), kw.pop("seat", 2), kw.pop("revision", 1)
    path = f"{round_of(table)}/seats/{seat}/wagers"
    body = {"revision": revision, "wagers": wagers}
    return Case(name, path, code, body, method="PUT", fault=fault, **kw)


def stake(name: str, value: object, fault: str, code: str = "request.fields", **kw: Any) -> Case:
    """A main stake that is none."""
    return wager(f"stake {name}", {"main": value}, code, fault, **kw)


def raw(name: str, text: bytes, code: str, **kw: Any) -> Case:
    """Bytes for the cards of T2 that are not the JSON we read; Any: members of the case."""
    return Case(name, f"{round_of('T2')}/cards", code, raw=text, **kw)


CARDS = [
    card("unknown card", 2, "1S", "cards.refused", "card.unknown", says='e.g. "AS"'),
    card("lower case", 2, "as", "cards.refused", "card.unknown"),
    card("suit first", 2, "SA", "cards.refused", "card.unknown"),
    card("a rank where a suit is kept", 2, "A", "cards.refused", "card.detail"),
    card("face of spaces", 2, "  ", "cards.refused", "card.unknown"),
    card("empty face", 2, "", "request.fields", "field.blank", says="blank"),
    card("long face", 2, "AS" * 5, "request.fields", "text.too_long", says="at most 8"),
    card("face as a number", 2, 7, "request.fields", "field.not_text"),
    card("unseen face unconfirmed", 2, "?", "cards.refused", "card.face_unknown"),
    card(
        "one copy too many",
        2,
        "7H",
        "card.one_too_many",
        "card.one_too_many",
        table="T5",
        number=2,
        status=409,
        says="confirm",
    ),
    card("card to an empty seat", 2, "2S", "cards.refused", "card.empty_seat", more={"hand": 2}),
    card("card to another hand", 2, "2S", "cards.refused", "card.wrong_hand", more={"hand": 0}),
    card("out of turn", 4, "2S", "cards.refused", "card.out_of_turn", says="expected draw 2"),
    card("too many", 10, "2S", "cards.refused", "card.no_such_draw", says="1 to 9"),
    card("draw -1", -1, "2S", "request.fields", "field.min_value", says="greater than or equal"),
    card("draw 0, nothing carried over", 0, "2S", "cards.refused", says="xpected"),
    card("draw 100", 100, "2S", "request.fields", "field.max_value", says="less than or equal"),
    card("draw as text", "2", "2S", "request.fields", "field.not_an_integer"),
    card("revision 0", 2, "2S", "request.fields", "field.min_value", more={"revision": 0}, says=""),
    card("a skipped revision", 2, "2S", "revision.beyond", status=409, says="next one is 1",
         more={"revision": 2}),
    card("other card", 1, "3H", "card.conflict", status=409, says="'2H'"),
    card("no truth", 2, "2S", "request.fields", "field.not_a_boolean", more={"as_seen": 1}),
    card("hand 10", 2, "2S", "request.fields", "field.max_value", more={"hand": 10}, says="9"),
    *(
        card(f"time {claimed}", 2, "2S", "request.fields", "field.not_an_instant",
             more={"claimed_at": claimed}, says="with Z or +hh:mm")
        for claimed in ("yesterday", "2026-03-01", "2026-03-01T22:05:00", "2026-03-01 22:05Z", 5)
    ),
    card("time before all clocks", 2, "2S", "request.fields", "field.out_of_range",
         more={"claimed_at": "0001-01-01T00:00:00Z"}, says="1970"),
    card("time that no zone can show", 2, "2S", "request.fields", "field.out_of_range",
         more={"claimed_at": "9999-12-31T23:59:59Z"}, says="9999"),
    card("unknown member", 2, "2S", "request.fields", "field.unknown", more={"seat": 1},
         says="one of"),
    card("after the last card", 7, "2S", "cards.refused", "card.after_end", table="T3"),
    card("after the end", 7, "2S", "round.stage", table="T4", status=409, says="expected"),
    card("undo after the end", 6, None, "round.stage", table="T4", status=409,
         more={"revision": 2}, says="expected"),
    card("undo not of the last", 2, None, "card.not_last", table="T3", status=409,
         more={"revision": 2}, says="Take back draw 6 first"),
    card("third card before the sweep", 5, "QC", "cards.refused", "card.sweep_first", table="T7"),
    card("no wager", 1, "2S", "round.no_wagers", table="T8", status=409, says="No seat"),
    Case("no cards", f"{round_of('T2')}/cards", "request.fields", {"cards": []},
         fault="field.empty", says="empty"),
    Case("33 cards", f"{round_of('T2')}/cards", "request.fields",
         {"cards": [{"draw": n + 2, "revision": 1, "face": "2S"} for n in range(33)]},
         fault="field.max_length", says="no more than 32"),
    Case("one draw twice", f"{round_of('T2')}/cards", "cards.refused",
         {"cards": [{"draw": 2, "revision": 1, "face": face} for face in ("2S", "3S")]},
         fault="card.twice"),
    Case("no member cards", f"{round_of('T2')}/cards", "request.fields", {},
         fault="field.required", says="required"),
    Case("good and bad cards", f"{round_of('T2')}/cards", "cards.refused",
         {"cards": [{"draw": 2, "revision": 1, "face": "2S"},
                    {"draw": 3, "revision": 1, "face": "1S"}]}, fault="card.unknown"),
]  # fmt: skip

WAGERS = [
    wager("after the first card", {"main": 10000}, "round.betting_closed", table="T2", status=409,
          says="closed"),
    wager("under", {"main": 500}, "wagers.refused", "wager.below_min", says="at least 1000"),
    wager("over", {"main": 1_000_500}, "wagers.refused", "wager.above_max", says="at most 1000000"),
    wager("off the step", {"main": 1250}, "wagers.refused", "wager.off_step", says="multiple of"),
    wager("unknown kind", {"main": 1000, "insurance": 100}, "wagers.refused",
          "wager.unknown_kind", says="one of the wagers"),
    wager("closed tie", {"main": 1000, "tie": 100}, "wagers.refused", "wager.closed",
          says="no price"),
    wager("side wager without main", {"pair": 100}, "wagers.refused", "wager.needs_main",
          says="a main wager"),
    wager("over the aggregate", {"main": 1000, "jacks": 100_001}, "wagers.refused",
          "wager.over_aggregate", says="at most 1100000"),
    wager("seat 0", {"main": 1000}, "wagers.refused", "seat.unknown", seat=0, says="1 to 5"),
    wager("seat 6", {"main": 1000}, "wagers.refused", "seat.unknown", seat=6, says="1 to 5"),
    wager("seat 9", {"main": 1000}, "wagers.refused", "seat.unknown", seat=9, says="1 to 5"),
    wager("nothing on seat 9", {}, "wagers.refused", "seat.unknown", seat=9, says="1 to 5"),
    wager("seat beyond any", {"main": 1000}, "wagers.refused", "seat.unknown", seat=10**30,
          says="1 to 5"),
    wager("skipped revision", {"main": 1000}, "revision.beyond", revision=3, status=409, says="1"),
    wager("other wagers", {"main": 5000}, "wagers.conflict", seat=1, status=409, says="other"),
    wager("nine kinds", {f"k{n}": 1 for n in range(9)}, "request.fields", "field.too_many",
          says="at most 8 kinds"),
    wager("wagers as a list", [1000], "request.fields", "field.not_a_dict"),
    stake("negative", -1000, "wager.stake", "wagers.refused", says="1 to"),
    stake("zero", 0, "wager.stake", "wagers.refused", says="1 to"),
    stake("of text", "1000", "field.not_an_integer"),
    stake("true", True, "field.not_an_integer"),
    stake("null", None, "field.null", says="null"),
    stake("of a list", [1000], "field.not_an_integer"),
    stake("2^53", 2**53, "field.too_large", says="9007199254740991"),
    stake("of 300 digits", 10**300, "field.too_large", says="9007199254740991"),
    *(
        Case(f"stake {text}", f"{round_of('T1')}/seats/2/wagers", "request.fields", method="PUT",
             raw=b'{"revision": 1, "wagers": {"main": ' + text.encode() + b"}}",
             fault="field.not_an_integer")
        for text in ("1e4", "1000.0", "1000.5", "1E4", "-0.0")
    ),
]  # fmt: skip

_NAME = b'{"cards": [{"draw": 2, "revision": 1, "face": "%s"}]}'
BYTES = [
    raw("broken JSON", b'{"cards": [', "json.syntax", says="one JSON document"),
    raw("no JSON", b"cards=2S", "json.syntax", says="one JSON document"),
    raw("two documents", b"{} {}", "json.syntax", says="one JSON document"),
    raw("duplicate keys", b'{"cards": [], "cards": []}', "json.duplicate_key", says="once"),
    raw("inner duplicate keys", b'{"cards": [{"draw": 2, "draw": 3}]}', "json.duplicate_key"),
    raw("NUL", _NAME % b"A\\u0000", "text.nul", says="U+0000"),
    raw("lone surrogate", _NAME % b"\\ud800", "text.surrogate", says="lone surrogates"),
    raw("NaN", b'{"cards": NaN}', "json.number", says="NaN"),
    raw("Infinity", b'{"cards": -Infinity}', "json.number"),
    raw("a number of 500 digits", b'{"cards": ' + b"9" * 500 + b"}", "json.number"),
    raw("not UTF-8", _NAME % b"\xff", "json.encoding", says="UTF-8"),
    raw("UTF-16", '{"cards": []}'.encode("utf-16"), "json.encoding"),
    raw("too deep", b"[" * 100 + b"]" * 100, "json.depth", says="levels"),
    raw("a list", b"[]", "request.fields", says="dictionary"),
    raw("null", b"null", "request.fields", says="No data provided"),
    raw("over the cap", b'{"cards": "' + b"x" * BODY_BYTES_MAX + b'"}', "request.too_large",
        status=413, says="65536 bytes"),
    raw("a form", b"cards=2S", "request.media_type", status=415, says="application/json",
        content_type="application/x-www-form-urlencoded"),
    raw("plain text", b'{"cards": []}', "request.media_type", status=415, says="application/json",
        content_type="text/plain"),
]  # fmt: skip

_CARDS = {"cards": [{"draw": 2, "revision": 1, "face": "2S"}]}
_WAGERS = {"revision": 1, "wagers": {"main": 1000}}
_HUGE = 10**30


def missing(name: str, path: str, code: str, **kw: Any) -> Case:
    """An address that names what is not there; Any: members of the case."""
    kw = {"at": "T1", "status": 404, "says": "There is no", **kw}
    return Case(f"{kw.get('method', 'POST')} {name}", path, code, **kw)


UNKNOWN = [
    missing("table", "tables/T99/round", "table.missing", method="GET"),
    missing("table with NUL", "tables/T%00/round", "request.address", method="GET", says="nothing"),
    missing("long table", f"tables/{'T' * 400}/round", "table.missing", method="GET"),
    missing("odd table", "tables/%C3%A9%F0%9F%83%8F/round", "table.missing", method="GET"),
    missing("cards of no table", f"{round_of('T99')}/cards", "stream.missing", body=_CARDS),
    missing("cards of a table with NUL", f"{round_of('T%00')}/cards", "request.address",
            body=_CARDS, says="nothing"),
    missing("cards of no shoe", "tables/T1/shoes/9/rounds/1/cards", "round.missing", body=_CARDS),
    missing("cards of no round", f"{round_of('T1', 99)}/cards", "round.missing", body=_CARDS),
    missing("cards of a huge round", f"{round_of('T1', _HUGE)}/cards", "round.missing",
            body=_CARDS),
    missing("wagers of no table", f"{round_of('T99')}/seats/1/wagers", "stream.missing",
            body=_WAGERS, method="PUT"),
    missing("wagers of no round", f"{round_of('T1', 99)}/seats/1/wagers", "round.missing",
            body=_WAGERS, method="PUT"),
    missing("settlement of no round", f"{round_of('T1', 99)}/settlements", "round.missing",
            body={"part": "final", "revision": 1}),
    missing("settlement at no table", f"{round_of('T99')}/settlements", "stream.missing",
            body={"part": "final", "revision": 1}),
    missing("call-off of no round", f"{round_of('T1', 99)}/call-off", "round.missing"),
    missing("call-off at no table", f"{round_of('T99')}/call-off", "stream.missing"),
    missing("betting at no shoe", "tables/T1/shoes/99/rounds", "shoe.missing"),
    missing("betting at a huge shoe", f"tables/T1/shoes/{_HUGE}/rounds", "shoe.missing"),
    missing("cut card of no shoe", "tables/T1/shoes/99/cut-card", "shoe.missing"),
    missing("end of no shoe", "tables/T1/shoes/99/end", "shoe.missing", body={"stub_cards": 1},
            who="supervisor", at=None),
    missing("end of a huge shoe", f"tables/T1/shoes/{_HUGE}/end", "shoe.missing",
            body={"stub_cards": 1}, who="supervisor", at=None),
    missing("end at no table", "tables/T99/shoes/1/end", "stream.missing", body={"stub_cards": 1},
            who="supervisor", at=None),
    missing("session at no table", "tables/T99/sessions", "stream.missing", who="supervisor",
            at=None),
    missing("session at a table with NUL", "tables/T%00/sessions", "request.address",
            who="supervisor", at=None, says="nothing"),
    missing("opening of no session", "tables/T1/sessions/99/open", "session.unknown",
            who="supervisor", at=None),
    missing("opening of a huge session", f"tables/T1/sessions/{_HUGE}/open", "session.unknown",
            who="supervisor", at=None),
    missing("count of no session", "tables/T1/sessions/99/counts", "session.unknown",
            body={"kind": "opener", "revision": 1, "pieces": {"500": 1}}),
    missing("shoe at no table", "tables/T99/shoes", "stream.missing", who="supervisor", at=None),
    missing("address", "tables/T1/rounds", "request.address", says="nothing at this address"),
    missing("seat -1", f"{round_of('T1')}/seats/-1/wagers", "request.address", method="PUT",
            body=_WAGERS, says="nothing at this address"),
    Case("wrong method", f"{round_of('T1')}/cards", "request.method", method="PUT", status=405,
         body=_CARDS, says="Expected one of: POST"),
]  # fmt: skip


def body_bytes(case: Case) -> bytes:
    """The bytes that a case sends."""
    if case.raw is not None:
        return case.raw
    return b"" if case.method == "GET" else json.dumps(case.body or {}).encode()
