"""A house with tables to deal at, built through the services as an installation would be.

`build_house` needs a database in which nothing was set up yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from audit.log.rows import Actor, Ref
from casino.people.models import Device, Role, SecretKind, Staff
from casino.people.person import DeviceOnRequest, Origin, Person
from casino.people.services import (
    SignerInput,
    claim_device,
    create_staff,
    enrol_device,
    found_house,
    grant_role,
    issue_code,
    set_own_secret,
)
from settlements.services.settle import Settled, settle_round
from settlements.services.voids import VoidCause, Voided, void_bill, void_round
from tables.acting import Acting
from tables.models import Round
from tables.selectors.round_read import RoundName, read_round
from tables.selectors.terms_check import NewTerms
from tables.services.cards import KeyedCard, deal_cards
from tables.services.house import (
    create_pit,
    create_table,
    publish_limits,
    publish_procedures,
    publish_ruleset,
    set_house,
    set_table_terms,
)
from tables.services.rounds import Step, open_betting, place_wagers
from tables.services.sessions import key_count, open_table, start_session
from tables.services.shoes import prepare_shoe, sign_shoe_step

NOW = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)  # 22:05 in Manila
SET_UP = Actor(key="system:set-up", name="set-up", role="system")
DENOMINATIONS = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500)
OPENER = {"1000000": 10, "100000": 50, "10000": 100}
PINS = {"dealer": "482915", "dealer_2": "519374", "supervisor": "730164", "manager": "264807"}
PASSWORDS = {
    name: f"a long secret of {name}"
    for name in ("supervisor", "manager", "auditor", "cashier", "surveillance")
}
# Number and badge by name; one role each, as words.md names them.
STAFF = {
    "administrator": ("1000", "B1000", Role.ADMINISTRATOR),
    "dealer": ("1001", "B1001", Role.DEALER),
    "dealer_2": ("1002", "B1002", Role.DEALER),
    "supervisor": ("1003", "B1003", Role.SUPERVISOR),
    "manager": ("1004", "B1004", Role.MANAGER),
    "cashier": ("1005", "B1005", Role.CASHIER),
    "surveillance": ("1006", "B1006", Role.SURVEILLANCE),
    "auditor": ("1007", "B1007", Role.AUDITOR),
}


@dataclass(frozen=True, slots=True)
class House:
    """A house whose tables have terms; everybody is known, nothing is open."""

    tables: tuple[str, ...]
    staff: Mapping[str, Ref]
    devices: Mapping[str, Ref]
    tokens: Mapping[str, str]
    now: datetime = NOW
    ruleset: Ref = field(default=Ref(0, ""))

    def acting(self, name: str, *, table: str | None = None, role: str | None = None) -> Acting:
        """A person as they act: at the tablet of `table`, or in a browser."""
        number, _badge, own = STAFF[name]
        device = self.devices[table] if table else None
        origin = Origin(
            address="127.0.0.1",
            device=DeviceOnRequest(device, "tablet", table) if device else None,
            request_id=f"test-{number}",
        )
        person = Person(
            staff=self.staff[name],
            name=name,
            role=role or own,
            device=device,
            device_table=table,
        )
        return Acting(person=person, origin=origin, now=self.now)

    def at(self, *, minutes: float) -> "House":
        """The same house later."""
        return replace(self, now=self.now + timedelta(minutes=minutes))


def signer(name: str, *, role: str | None = None, secret: str | None = None) -> SignerInput:
    """What a person enters to sign."""
    _number, badge, own = STAFF[name]
    return SignerInput(badge=badge, secret=secret or PINS[name], role=role or own)


def set_terms(*, table: str, ruleset: Ref, procedures: Ref, limits: Ref) -> None:
    """Let a table deal under these rules, as the set-up does."""
    terms = NewTerms(ruleset=ruleset.key, procedures=procedures.key, limits=limits.key)
    set_table_terms(table=table, terms=terms, day=NOW.date(), by=SET_UP)


def build_house(
    *,
    tables: Sequence[str] = ("T1",),
    options: Mapping[str, object] | None = None,
    procedures: Mapping[str, object] | None = None,
    limits: Mapping[str, object] | None = None,
    game: str = "poker-lucky-9",
    seats: int = 5,
    now: datetime = NOW,
) -> House:
    """Set up people, tablets, one pit, its tables and their terms."""
    origin = Origin(address="127.0.0.1")
    number, badge, _role = STAFF["administrator"]
    found_house(number=number, badge=badge, name="administrator", now=now)
    staff = {"administrator": Ref(Staff.objects.get(number=number).pk, number)}
    admin = Person(staff=staff["administrator"], name="administrator", role=Role.ADMINISTRATOR)
    for name, (number, badge, role) in list(STAFF.items())[1:]:
        staff[name] = create_staff(number=number, badge=badge, name=name, by=admin, origin=origin)
        grant_role(number, role=role, by=admin, origin=origin)
    for purpose, secrets in ((SecretKind.PIN, PINS), (SecretKind.PASSWORD, PASSWORDS)):
        for name, secret in secrets.items():
            number, badge, _role = STAFF[name]
            code = issue_code(number, purpose=purpose, by=admin, origin=origin, now=now)
            set_own_secret(badge=badge, code=code, secret=secret, origin=origin, now=now)
    set_house(
        name="Test House",
        currency_code="PHP",
        currency_exponent=2,
        zone="Asia/Manila",
        cut_over_hour=6,
        denominations=DENOMINATIONS,
        effective_at=now - timedelta(days=1),
        by=SET_UP,
    )
    create_pit(code="P1", name="Pit 1", by=SET_UP)
    ruleset = publish_ruleset(game=game, name="Test rules", options=options or {}, by=SET_UP)
    procedure = publish_procedures(game=game, options=procedures or {}, by=SET_UP)
    limit = publish_limits(game=game, options=limits or {}, by=SET_UP)
    devices, tokens = {}, {}
    for n, code in enumerate(tables, start=1):
        create_table(code=code, name=f"Table {code}", pit="P1", seats=seats, by=SET_UP)
        set_terms(table=code, ruleset=ruleset, procedures=procedure, limits=limit)
        code_of_device = enrol_device(
            number=f"D{n}",
            name=f"Tablet {code}",
            kind=Device.Kind.TABLET,
            table_code=code,
            by=admin,
            origin=origin,
            now=now,
        )
        tokens[code] = claim_device(code_of_device, origin=origin, now=now).token
        devices[code] = Ref(Device.objects.get(number=f"D{n}").pk, f"D{n}")
    return House(
        tables=tuple(tables),
        staff=staff,
        devices=devices,
        tokens=tokens,
        now=now,
        ruleset=ruleset,
    )


def open_the_table(house: House, table: str = "T1") -> int:
    """Open a session on two counts that agree; return its number."""
    supervisor = house.acting("supervisor")
    dealer = house.acting("dealer", table=table)
    session = start_session(table=table, by=supervisor).floor.session
    assert session is not None
    for by in (dealer, supervisor):
        key_count(
            table=table, session=session.number, kind="opener", revision=1, pieces=OPENER, by=by
        )
    open_table(table=table, session=session.number, by=supervisor)
    return session.number


def ready_the_shoe(house: House, table: str = "T1", *, burned: Sequence[str] = ("?",)) -> int:
    """Prepare a shoe in its four signed steps; return its number."""
    dealer = house.acting("dealer", table=table)
    shoe = prepare_shoe(table=table, by=dealer).shoe.number
    for step in ("shuffle", "check", "cut", "burn"):
        signers = [signer("dealer")]
        if step == "check":
            signers.append(signer("supervisor"))
        sign_shoe_step(
            table=table,
            shoe=shoe,
            step=step,
            signers=signers,
            by=dealer,
            burned=burned if step == "burn" else (),
        )
    return shoe


def open_floor(house: House, table: str = "T1", *, burned: Sequence[str] = ("?",)) -> int:
    """Open the table and ready a shoe; return the shoe's number."""
    open_the_table(house, table)
    return ready_the_shoe(house, table, burned=burned)


def open_round(
    house: House, *, table: str = "T1", shoe: int = 1, bank_seat: int | None = None
) -> RoundName:
    """Open betting for the next round."""
    by = house.acting("dealer", table=table)
    return open_betting(table=table, shoe=shoe, bank_seat=bank_seat, by=by).round.name


def bet(
    house: House, name: RoundName, wagers: Mapping[int, Mapping[str, int]], *, revision: int = 1
) -> None:
    """Place each seat's wagers."""
    by = house.acting("dealer", table=name.table)
    for seat, kinds in wagers.items():
        place_wagers(name=name, seat=seat, revision=revision, wagers=kinds, by=by)


def key(house: House, name: RoundName, faces: Mapping[int, str], *, revision: int = 1) -> Step:
    """Key faces by draw in one call."""
    by = house.acting("dealer", table=name.table)
    cards = [
        KeyedCard(draw=draw, revision=revision, face=face, as_seen=face == "?")
        for draw, face in faces.items()
    ]
    return deal_cards(name=name, cards=cards, by=by)


def settle_part(house: House, name: RoundName, part: str) -> Settled:
    """Settle a part as owed."""
    by = house.acting("dealer", table=name.table)
    return settle_round(name=name, part=part, revision=1, handed={}, by=by)


def void_as_shown(
    *, name: RoundName, cause: VoidCause, signers: Sequence[SignerInput], by: Acting
) -> Voided:
    """Void a round as two people do who have just looked at what goes back.

    Of third cards they say that those are out which are keyed, where the cause says nothing else.
    """
    seen = void_bill(name, first_two=cause.first_two).seen
    read = read_round(name)
    if cause.cards_out is None and read.stage == Round.Stage.THIRD_LAP:
        cause = replace(cause, cards_out=max(draw for draw in read.faces if draw))
    return void_round(name=name, cause=cause, seen=seen, signers=signers, by=by)


def play_round(
    house: House,
    wagers: Mapping[int, Mapping[str, int]],
    hands: Mapping[int, Sequence[str]],
    *,
    table: str = "T1",
    shoe: int = 1,
) -> RoundName:
    """Deal and settle one whole round; `hands` are three faces by seat, the House's under 0."""
    name = open_round(house, table=table, shoe=shoe)
    bet(house, name, wagers)
    order = [*sorted(seat for seat in hands if seat), 0]
    faces = [hands[hand][lap] for lap in range(3) for hand in order]
    first_two = 2 * len(order)
    step = key(house, name, dict(enumerate(faces[:first_two], start=1)))
    if step.round.stage == "sweep":
        settle_part(house, name, "sweep")
    key(house, name, dict(enumerate(faces[first_two:], start=first_two + 1)))
    settle_part(house, name, "final")
    return name
