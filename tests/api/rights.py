"""Who may do what over the API: one row for every address and method, and people of every kind.

An address without a row fails the test, so whoever adds one says here who may use it.
"""

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import URLResolver, get_resolver

from audit.log.rows import Ref
from casino.people import services
from casino.people.middleware import TOKEN_HEADER
from casino.people.models import Device, Role, SecretKind, Staff
from casino.people.person import Origin, Person
from tests.api.bad_acts import signatures
from tests.factories.house import PASSWORDS, PINS, STAFF, House

Json = dict[str, Any]  # Any: documents
API = "api/v1/"

# Who is at which door: name, tablet of which table, signed on or not.
NOBODY = "nobody"
TABLET_ALONE = "a tablet alone"
INTEGRATION = "an integration"
DEALER = "the dealer"  # of the round in play, at the tablet of the table
DEALER_ELSEWHERE = "a dealer at another table"
DEALER_NEXT = "another dealer at the table"
SUPERVISOR_HERE = "a supervisor at the tablet"
SUPERVISOR = "a supervisor"
MANAGER = "a manager"
CASHIER = "a cashier"
COUNTER = "a counter"
SURVEILLANCE = "surveillance"
AUDITOR = "an auditor"
REGULATOR = "the regulator"
ADMINISTRATOR = "the administrator"

# Name of the person, and the tablet in hand, or None: one tablet has one person.
PEOPLE: dict[str, tuple[str, str | None]] = {
    DEALER: ("dealer", "D1"),
    DEALER_ELSEWHERE: ("dealer_2", "D2"),
    DEALER_NEXT: ("dealer_3", "D11"),
    SUPERVISOR_HERE: ("supervisor_2", "D12"),
    SUPERVISOR: ("supervisor", None),
    MANAGER: ("manager", None),
    CASHIER: ("cashier", None),
    COUNTER: ("counter", None),
    SURVEILLANCE: ("surveillance", None),
    AUDITOR: ("auditor", None),
    REGULATOR: ("regulator", None),
    ADMINISTRATOR: ("administrator", None),
}
STRANGERS = frozenset({NOBODY, TABLET_ALONE})
SIGNED_ON = frozenset(PEOPLE)
ANYBODY = SIGNED_ON | STRANGERS
DEALERS = frozenset({DEALER, DEALER_ELSEWHERE, DEALER_NEXT})
SUPERVISORS = frozenset({SUPERVISOR, SUPERVISOR_HERE})
FLOOR = SUPERVISORS | {MANAGER}
# Who keys in the round in play, and who may act at the table at all.
AT_ROUND = frozenset({DEALER, SUPERVISOR_HERE})
AT_TABLE = AT_ROUND | {DEALER_NEXT}
COUNTS = AT_TABLE | FLOOR
OVERSIGHT = frozenset({SURVEILLANCE, AUDITOR, REGULATOR})
ADMINISTRATORS = frozenset({ADMINISTRATOR})
READS_STAFF = OVERSIGHT | {ADMINISTRATOR, MANAGER}

# Codes that say "not you", "not here" or "not so"; others concern what was sent or the state.
DENIALS = frozenset(
    {
        "session.missing",
        "session.ended",
        "role.not_allowed",
        "device.read_only",
        "device.other_table",
        "device.not_enrolled",
        "round.other_dealer",
        "count.side",
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """One address and method: who may, an example of the address, and a body of the right form."""

    pattern: str
    method: str
    allowed: frozenset[str]
    path: str
    body: Json | None = None


_ROUND = "tables/<str:table>/shoes/<int:shoe>/rounds/<int:number>"
_R1 = "tables/T1/shoes/1/rounds/1"
_NO_HASH = "0" * 64
_NOTE: Json = {"n": 1, "text": "Counted again."}
_CORRECTION: Json = {"event": 22, "reason": "mispaid", "moved": False}
_SHEET: Json = {"sheet": {"end": "called_off", "dealer": "1001", "seats": []}}
_TOLD: Json = {"seen": "x", "ruling": "x"}
_CASE: Json = {
    "number": 1,
    "event": 11,
    "procedure": "x",
    "happened_at": "2026-03-01T13:00:00Z",
} | _TOLD
_SIGNED: Json = {"signers": signatures("supervisor", "manager")}

ROWS = [
    Row("sign-on", "GET", ANYBODY | {INTEGRATION}, "sign-on"),
    Row("sign-on", "POST", ANYBODY | {INTEGRATION}, "sign-on",
        {"badge": STAFF["auditor"][1], "secret": PASSWORDS["auditor"]}),
    Row("sign-off", "POST", SIGNED_ON, "sign-off"),
    Row("me", "GET", SIGNED_ON, "me"),
    Row("own-secret", "POST", ANYBODY | {INTEGRATION}, "own-secret",
        {"badge": STAFF["auditor"][1], "code": "AAAA-BBBB-CCCC", "secret": "something longer"}),
    Row("device-claims", "POST", ANYBODY | {INTEGRATION}, "device-claims",
        {"code": "AAAA-BBBB-CCCC"}),
    Row("staff", "GET", READS_STAFF, "staff"),
    Row("staff", "POST", ADMINISTRATORS, "staff",
        {"number": "7001", "badge": "B7001", "name": "New"}),
    Row("staff/<str:number>", "GET", READS_STAFF, "staff/1001"),
    Row("staff/<str:number>/badge", "PUT", ADMINISTRATORS, "staff/1001/badge", {"badge": "B9"}),
    Row("staff/<str:number>/active", "PUT", ADMINISTRATORS, "staff/1002/active"),
    Row("staff/<str:number>/active", "DELETE", ADMINISTRATORS, "staff/1002/active"),
    Row("staff/<str:number>/roles/<str:role>", "PUT", ADMINISTRATORS, "staff/1002/roles/counter"),
    Row("staff/<str:number>/roles/<str:role>", "DELETE", ADMINISTRATORS,
        "staff/1002/roles/dealer"),
    Row("staff/<str:number>/codes", "POST", ADMINISTRATORS, "staff/1002/codes",
        {"purpose": "pin"}),
    Row("staff/<str:number>/sign-on", "DELETE", ADMINISTRATORS, "staff/1002/sign-on"),
    Row("devices", "GET", READS_STAFF | SUPERVISORS, "devices"),
    Row("devices", "POST", ADMINISTRATORS, "devices",
        {"number": "D77", "name": "Tablet", "kind": "tablet", "table": "T1"}),
    Row("devices/<str:number>", "DELETE", ADMINISTRATORS, "devices/D8"),
    Row("devices/<str:number>/codes", "POST", ADMINISTRATORS, "devices/D8/codes"),
    Row("devices/<str:number>/binding", "PUT", ADMINISTRATORS, "devices/D8/binding",
        {"table": None}),
    Row("manager-in-charge", "GET", FLOOR | OVERSIGHT, "manager-in-charge"),
    Row("manager-in-charge", "POST", frozenset({MANAGER}), "manager-in-charge",
        {"number": "1004", "signers": [{"badge": "B1004", "secret": PINS["manager"]}] * 2}),
    Row("findings", "GET", FLOOR | OVERSIGHT, "findings"),
    Row("findings/<str:number>", "GET", FLOOR | OVERSIGHT, "findings/F-1"),
    Row("findings/<str:number>/answer", "POST", FLOOR, "findings/F-1/answer", _NOTE),
    *(
        Row(f"findings/<str:number>/{act}", "POST", frozenset({AUDITOR}), f"findings/F-1/{act}",
            _NOTE)
        for act in ("return", "accept", "close")
    ),
    Row("days", "GET", OVERSIGHT | {MANAGER, INTEGRATION}, "days"),
    Row("days/<str:text>", "GET", OVERSIGHT | {MANAGER, INTEGRATION}, "days/2026-03-01"),
    Row("days/<str:text>/runs", "POST", frozenset({MANAGER, AUDITOR}), "days/2026-03-01/runs"),
    Row("rulesets", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION}, "rulesets"),
    # A hash that nobody published: who may ask is told before the odds are worked out.
    Row("rulesets/<str:hash>", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION},
        f"rulesets/{_NO_HASH}"),
    Row("rulesets/<str:hash>/odds", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION},
        f"rulesets/{_NO_HASH}/odds"),
    Row("rulesets/<str:hash>/odds/slow", "POST", FLOOR | OVERSIGHT,
        f"rulesets/{_NO_HASH}/odds/slow"),
    Row("rulesets/<str:hash>/odds/result", "POST", DEALERS | FLOOR | OVERSIGHT | {CASHIER},
        f"rulesets/{_NO_HASH}/odds/result", {"stakes": {"main": 100}, "rounds": 10}),
    Row("rulesets/preview", "POST", FLOOR | OVERSIGHT, "rulesets/preview",
        {"game": "nothing", "options": {}}),
    Row("rulesets/presets", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION},
        "rulesets/presets"),
    Row("rulesets/<str:hash>/retire", "POST", frozenset({MANAGER}), f"rulesets/{_NO_HASH}/retire",
        {"reason": "Not wanted."}),
    Row("rulesets/drafts", "GET", OVERSIGHT | {MANAGER}, "rulesets/drafts"),
    Row("rulesets/drafts", "POST", frozenset({MANAGER}), "rulesets/drafts",
        {"kind": "ruleset", "game": "lucky-9", "name": "New", "options": {}}),
    Row("rulesets/drafts/<str:number>", "GET", OVERSIGHT | {MANAGER}, "rulesets/drafts/R-1"),
    Row("rulesets/drafts/<str:number>", "PUT", frozenset({MANAGER}), "rulesets/drafts/R-1",
        {"version": 1, "name": "New", "options": {}}),
    Row("rulesets/drafts/<str:number>/submit", "POST", frozenset({MANAGER}),
        "rulesets/drafts/R-1/submit", {"version": 1}),
    Row("rulesets/drafts/<str:number>/approve", "POST", frozenset({MANAGER}),
        "rulesets/drafts/R-1/approve", {"version": 1, "signers": signatures("manager")}),
    *(
        Row(f"rulesets/drafts/<str:number>/{act}", "POST", frozenset({MANAGER}),
            f"rulesets/drafts/R-1/{act}", {"version": 1, "reason": "Not wanted."})
        for act in ("return", "discard")
    ),
    Row("tables/<str:table>/terms", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION},
        "tables/T1/terms"),
    Row("tables/<str:table>/terms", "POST", frozenset({MANAGER}), "tables/T1/terms",
        {"ruleset": _NO_HASH, "procedures": _NO_HASH, "limits": _NO_HASH, "reason": "Guests ask."}),
    Row("tables/<str:table>/terms/check", "POST", frozenset({MANAGER}), "tables/T1/terms/check",
        {"ruleset": _NO_HASH, "procedures": _NO_HASH, "limits": _NO_HASH}),
    # Of a shoe that is still in play (control 4.22).
    Row("tables/<str:table>/shoes/<int:shoe>/odds", "GET", frozenset({SURVEILLANCE, AUDITOR}),
        "tables/T1/shoes/1/odds"),
    Row("tables/<str:table>/shoes/<int:shoe>/shuffle", "POST", AT_TABLE,
        "tables/T1/shoes/1/shuffle"),
    Row("irregularity-events", "GET", DEALERS | FLOOR | OVERSIGHT | {INTEGRATION},
        "irregularity-events"),
    Row("tables/<str:table>/irregularities", "GET", DEALERS | FLOOR | OVERSIGHT | {INTEGRATION},
        "tables/T1/irregularities"),
    Row("tables/<str:table>/irregularities", "POST", AT_TABLE | FLOOR,
        "tables/T1/irregularities",
        {**_CASE, **_SIGNED, "foreseen_hash": "0" * 64}),
    Row("tables/<str:table>/irregularities/foreseen", "POST", AT_TABLE | FLOOR,
        "tables/T1/irregularities/foreseen", _CASE),
    Row("tables/<str:table>/irregularities/<int:number>", "GET",
        DEALERS | FLOOR | OVERSIGHT | {INTEGRATION}, "tables/T1/irregularities/1"),
    Row("tables/<str:table>/irregularities/<int:number>/amendments", "POST", FLOOR,
        "tables/T1/irregularities/1/amendments", {"revision": 2, **_TOLD}),
    Row("tables/<str:table>/shoes/<int:shoe>/void-rounds", "GET",
        DEALERS | FLOOR | OVERSIGHT | {INTEGRATION}, "tables/T1/shoes/1/void-rounds"),
    Row("tables/<str:table>/shoes/<int:shoe>/void-rounds", "POST", frozenset({MANAGER}),
        "tables/T1/shoes/1/void-rounds",
        {"decision": "stand", "note": "x", "regulator_told": "x", "bill_hash": "0" * 64,
         **_SIGNED}),
    Row("tables/<str:table>/shoes/<int:shoe>/void-rounds/bill", "POST", FLOOR | OVERSIGHT,
        "tables/T1/shoes/1/void-rounds/bill",
        {"decision": "stand", "note": "x", "regulator_told": "x"}),
    Row("tables/<str:table>/disputes", "GET", DEALERS | FLOOR | OVERSIGHT | {INTEGRATION},
        "tables/T1/disputes"),
    Row("tables/<str:table>/disputes", "POST", AT_TABLE | FLOOR, "tables/T1/disputes",
        {"number": 1, "shoe": 1, "round": 1, "seen": "x"}),
    Row("tables/<str:table>/disputes/<int:number>", "GET", FLOOR | OVERSIGHT | {INTEGRATION},
        "tables/T1/disputes/1"),
    Row("tables/<str:table>/disputes/<int:number>/release", "POST", FLOOR,
        "tables/T1/disputes/1/release", {"outcome": "house", "ruling": "x", **_SIGNED}),
    Row("tables/<str:table>/disputes/<int:number>/file", "POST", FLOOR,
        "tables/T1/disputes/1/file",
        {"revision": 1, "patron": "x", "contact": "x", "narrative": "x"}),
    Row("tables", "GET", DEALERS | FLOOR | OVERSIGHT | {CASHIER, INTEGRATION}, "tables"),
    Row("tables/<str:table>/round", "GET", DEALERS | FLOOR | OVERSIGHT | {INTEGRATION},
        "tables/T1/round"),
    Row("tables/<str:table>/sessions", "POST", FLOOR, "tables/T6/sessions"),
    Row("tables/<str:table>/sessions/<int:session>/counts", "POST", COUNTS,
        "tables/T1/sessions/1/counts", {"kind": "closer", "revision": 1, "pieces": {"500": 1}}),
    *(
        Row(f"tables/<str:table>/sessions/<int:session>/{act}", "POST", FLOOR,
            f"tables/T1/sessions/1/{act}")
        for act in ("open", "start-closing", "close")
    ),
    Row("tables/<str:table>/shoes", "POST", AT_TABLE | FLOOR, "tables/T1/shoes"),
    Row("tables/<str:table>/shoes/<int:shoe>/steps", "POST", AT_TABLE | FLOOR,
        "tables/T1/shoes/1/steps", {"step": "check", "signers": signatures("dealer", "manager")}),
    Row("tables/<str:table>/shoes/<int:shoe>/burns", "GET",
        DEALERS | FLOOR | OVERSIGHT | {INTEGRATION}, "tables/T1/shoes/1/burns"),
    Row("tables/<str:table>/shoes/<int:shoe>/burns", "POST", FLOOR, "tables/T1/shoes/1/burns",
        {"event": 2, "faces": ["2S"], "reason": "exposed"}),
    Row("tables/<str:table>/shoes/<int:shoe>/cut-card", "POST", AT_TABLE,
        "tables/T1/shoes/1/cut-card"),
    Row("tables/<str:table>/shoes/<int:shoe>/end", "POST", FLOOR, "tables/T1/shoes/1/end",
        {"stub_cards": 1}),
    Row("tables/<str:table>/shoes/<int:shoe>/rounds", "POST", AT_TABLE,
        "tables/T1/shoes/1/rounds"),
    Row("tables/<str:table>/awaited", "GET", DEALERS | FLOOR | OVERSIGHT | {INTEGRATION},
        "tables/T1/awaited"),
    Row("tables/<str:table>/shoes/<int:shoe>/awaited", "POST", AT_TABLE | FLOOR,
        "tables/T1/shoes/1/awaited", {"rounds": 1, "after": 1}),
    Row(f"{_ROUND}/sheet", "GET", DEALERS | FLOOR | OVERSIGHT, f"{_R1}/sheet"),
    Row(f"{_ROUND}/sheet", "POST", AT_TABLE | FLOOR, f"{_R1}/sheet",
        {"copy": "first", "revision": 1, **_SHEET, "dealt_at": "2026-03-01T13:00:00Z"}),
    Row(f"{_ROUND}/sheet/check", "POST", AT_TABLE | FLOOR, f"{_R1}/sheet/check",
        {**_SHEET, "dealt_at": "2026-03-01T13:00:00Z"}),
    Row(f"{_ROUND}/sheet/held", "POST", AT_TABLE, f"{_R1}/sheet/held",
        {"revision": 1, **_SHEET, "claimed_at": "2026-03-01T13:00:00Z"}),
    Row(f"{_ROUND}/sheet/agreement", "POST", FLOOR, f"{_R1}/sheet/agreement",
        {"keep": "first", "note": "read again", "signers": signatures("manager")}),
    Row(f"{_ROUND}/seats/<int:seat>/wagers", "PUT", AT_ROUND, f"{_R1}/seats/2/wagers",
        {"revision": 1, "wagers": {"main": 1000}}),
    Row(f"{_ROUND}/cards", "POST", AT_ROUND, f"{_R1}/cards",
        {"cards": [{"draw": 1, "revision": 1, "face": "2S"}]}),
    Row(f"{_ROUND}/decisions", "POST", AT_ROUND, f"{_R1}/decisions",
        {"hand": 1, "revision": 1, "choice": "hit"}),
    Row(f"{_ROUND}/call-off", "POST", AT_ROUND, f"{_R1}/call-off"),
    Row(f"{_ROUND}/settlements", "POST", AT_ROUND, f"{_R1}/settlements",
        {"part": "final", "revision": 1}),
    Row(f"{_ROUND}/void", "POST", FLOOR, f"{_R1}/void",
        {"event": 26, "note": "dropped", "stage": "opened", "returned_minor": 1000, **_SIGNED}),
    Row(f"{_ROUND}/void/bill", "POST", FLOOR | OVERSIGHT, f"{_R1}/void/bill"),
    Row(f"{_ROUND}/corrections", "GET", FLOOR | OVERSIGHT | {INTEGRATION},
        f"{_R1}/corrections"),
    Row(f"{_ROUND}/corrections", "POST", FLOOR, f"{_R1}/corrections",
        {**_CORRECTION, **_SIGNED, "bill_hash": "0" * 64}),
    Row(f"{_ROUND}/corrections/bill", "POST", FLOOR | OVERSIGHT, f"{_R1}/corrections/bill",
        _CORRECTION),
]  # fmt: skip


def doors() -> set[tuple[str, str]]:
    """Every address and method of the API, read from the site's own list of addresses."""
    found = set()
    for pattern, callback in addresses():
        view = getattr(callback, "view_class", None)
        if pattern.startswith(API) and view is not None:
            found |= {
                (pattern.removeprefix(API), name.upper())
                for name in ("get", "post", "put", "patch", "delete")
                if hasattr(view, name)
            }
    return found


def addresses() -> list[tuple[str, object]]:
    """Every address of the site with its view."""
    return _within(get_resolver(), "")


def _within(resolver: URLResolver, prefix: str) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for item in resolver.url_patterns:
        text = prefix + str(item.pattern)
        found += _within(item, text) if isinstance(item, URLResolver) else [(text, item.callback)]
    return found


def hire_the_rest(house: House) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Let the house have everybody of PEOPLE, two more tablets at T1, and an integration.

    Answers with badge and password by name, and the tokens of the devices.
    """
    number, badge, _role = STAFF["administrator"]
    origin = Origin(address="127.0.0.1")
    admin = Person(
        staff=Ref(Staff.objects.get(number=number).pk, number),
        name="administrator",
        role=Role.ADMINISTRATOR,
    )
    known = {name: (STAFF[name][1], secret) for name, secret in PASSWORDS.items()}
    known |= {name: (STAFF[name][1], PINS[name]) for name in ("dealer", "dealer_2")}
    new = {"dealer_3": Role.DEALER, "supervisor_2": Role.SUPERVISOR, "counter": Role.COUNTER}
    new["regulator"] = Role.REGULATOR
    for at, (name, role) in enumerate(new.items(), start=2001):
        services.create_staff(number=str(at), badge=f"B{at}", name=name, by=admin, origin=origin)
        services.grant_role(str(at), role=role, by=admin, origin=origin)
        known[name] = (f"B{at}", f"a long secret of {name}")
    known["administrator"] = (badge, "a long secret of the first")
    for name in (*new, "administrator"):
        code = services.issue_code(
            number if name == "administrator" else known[name][0][1:],
            purpose=SecretKind.PASSWORD,
            by=admin,
            origin=origin,
            now=house.now,
        )
        services.set_own_secret(
            badge=known[name][0], code=code, secret=known[name][1], origin=origin, now=house.now
        )
    tokens = {
        number: _token(house, number, admin=admin, table=table)
        for number, table in {"D11": "T1", "D12": "T1", "I1": None}.items()
    }
    return known, tokens


def _token(house: House, number: str, *, admin: Person, table: str | None) -> str:
    """Enrol a tablet of a table, or an integration."""
    origin = Origin(address="127.0.0.1")
    code = services.enrol_device(
        number=number,
        name=f"Device {number}",
        kind=Device.Kind.TABLET if table else Device.Kind.INTEGRATION,
        table_code=table,
        by=admin,
        origin=origin,
        now=house.now,
    )
    return services.claim_device(code, origin=origin, now=house.now).token


def clients(house: House) -> dict[str, Client]:
    """Everybody at their door, signed on where they can be."""
    known, tokens = hire_the_rest(house)
    tokens |= {house.devices[table].key: token for table, token in house.tokens.items()}
    found = {
        NOBODY: Client(),
        TABLET_ALONE: Client(headers={TOKEN_HEADER: tokens["D1"]}),
        INTEGRATION: Client(headers={TOKEN_HEADER: tokens["I1"]}),
    }
    for who, (name, device) in PEOPLE.items():
        badge, secret = known[name]
        client = Client(headers={TOKEN_HEADER: tokens[device]} if device else None)
        answer = client.post(
            "/api/v1/sign-on",
            {"badge": badge, "secret": secret},
            content_type="application/json",
        )
        assert answer.status_code == 200, (who, answer.content)
        found[who] = client
    return found
