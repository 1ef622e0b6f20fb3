"""One table through its days: sessions opened and closed on counts, shoes prepared and ended."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

from audit.chain import canonical
from audit.log.models import DayMark
from audit.log.rows import Actor, Change, Ref, Row
from casino.people.services.signatures import Signer, signature_rows
from tables.games import Ruleset
from tables.models import (
    BurnedCard,
    Count,
    Shoe,
    ShoeStatement,
    ShoeStep,
    StubCount,
    TableSession,
)
from tests.loader.chain import Stream
from tests.loader.dealing import DECKS, DealtShoe, shoes
from tests.loader.rounds import RoundWriter, Sums, Terms

_CARDS = 52 * DECKS
_SECOND = timedelta(seconds=1)
_TURNER = Actor(key="system:day-turn", name="Turn of the day", role="system")
_PAST = {"shuffle": "shuffled", "check": "checked", "cut": "cut", "burn": "burned"}
_OPENER_PIECES = 1000


@dataclass(frozen=True, slots=True)
class TablePlan:
    """What one table deals: so many rounds on each of so many days from `first_day` on."""

    terms: Terms
    supervisor_staff: Ref
    supervisor: Actor
    device: Ref
    procedures: Ref
    denominations: tuple[int, ...]
    first_session: int
    first_shoe: int
    first_day: date
    begin: datetime
    rounds_by_day: tuple[int, ...]
    five_seats: bool
    seed: str


class TableWriter:
    """Writes all of that into the table's stream; a caller flushes between shoes."""

    def __init__(self, stream: Stream, plan: TablePlan, ruleset: Ruleset) -> None:
        self.stream, self.plan = stream, plan
        self.rounds = RoundWriter(stream, plan.terms)
        self.shoes = shoes(ruleset, seed=plan.seed, five_seats=plan.five_seats)
        self.shoe_number = plan.first_shoe - 1
        self.now = plan.begin

    def write(self) -> Iterator[int]:
        """Write everything; yield after each shoe how many rounds it had."""
        for n, rounds in enumerate(self.plan.rounds_by_day):
            day = self.plan.first_day + timedelta(days=n)
            self.now = self.plan.begin + timedelta(days=n)
            if n:
                self._turn(day)
            yield from self._session(self.plan.first_session + n, day, rounds)

    def _tick(self) -> datetime:
        self.now += _SECOND
        return self.now

    def _turn(self, day: date) -> None:
        row = Row(DayMark, {"marked": self.stream.name, "day": day})
        self.stream.append(action="day.turned", subject=day.isoformat(), actor=_TURNER, facts=[row])

    def _session(self, number: int, day: date, rounds: int) -> Iterator[int]:
        plan, stream, table = self.plan, self.stream, self.plan.terms.table
        key = f"{table.key}/S{number}"
        values = {
            "key": key,
            "table": table,
            "number": number,
            "state": TableSession.State.OPENING.value,
            "gaming_day": day,
        }
        [made] = stream.append(
            action="session.started",
            subject=key,
            actor=plan.supervisor,
            new_heads=[Row(TableSession, values)],
        )
        session, sums = Ref(made, key), Sums()
        opener = _OPENER_PIECES * plan.denominations[0]
        self._counts(session, Count.Kind.OPENER.value, opener)
        self._change(
            session,
            "session.opened",
            state=TableSession.State.OPEN.value,
            opened_at=self._tick(),
            opener_minor=opener,
        )
        left = rounds
        while left:
            played = self._shoe(session, day, next(self.shoes), rounds_max=left, sums=sums)
            left -= played
            yield played
        self._change(session, "session.closing", state=TableSession.State.CLOSING.value)
        closer = opener + sums.bank_minor
        self._counts(session, Count.Kind.CLOSER.value, closer)
        self._change(
            session,
            "session.closed",
            state=TableSession.State.CLOSED.value,
            closed_at=self._tick(),
            closer_minor=closer,
        )
        stream.close_heads()

    def _change(self, session: Ref, action: str, **values: object) -> None:
        self.stream.append(
            action=action,
            subject=session.key,
            actor=self.plan.supervisor,
            changes=[Change(TableSession, session, values)],
        )

    def _counts(self, session: Ref, kind: str, total: int) -> None:
        """Dealer and supervisor count the same."""
        plan, left = self.plan, total
        pieces = {}
        for denomination in plan.denominations:
            pieces[str(denomination)], left = divmod(left, denomination)
        for side, staff, by in (
            (Count.Side.DEALER, plan.terms.dealer_staff, plan.terms.dealer),
            (Count.Side.SUPERVISOR, plan.supervisor_staff, plan.supervisor),
        ):
            values = {
                "session": session,
                "kind": kind,
                "side": side.value,
                "revision": 1,
                "staff": staff,
                "pieces": pieces,
                "total_minor": total,
            }
            self.stream.append(
                action="count.keyed", subject=session.key, actor=by, facts=[Row(Count, values)]
            )

    def _shoe(
        self, session: Ref, day: date, dealt: DealtShoe, *, rounds_max: int, sums: Sums
    ) -> int:
        shoe = self._prepare(session)
        cards = number = 0
        for number, round_ in enumerate(dealt.rounds(), start=1):
            self.rounds.write(
                round_,
                number=number,
                shoe=shoe,
                session=session,
                day=day,
                opened_at=self._tick(),
                sums=sums,
                dealt_before=cards,
            )
            cards += len(round_.faces)
            if number == rounds_max:
                break
        self._end(shoe, rounds=number, dealt=cards)
        return number

    def _prepare(self, session: Ref) -> Ref:
        plan, stream, terms = self.plan, self.stream, self.plan.terms
        self.shoe_number += 1
        key = f"{terms.table.key}/{self.shoe_number}"
        values = {
            "key": key,
            "table": terms.table,
            "session": session,
            "number": self.shoe_number,
            "state": Shoe.State.PREPARING.value,
            "ruleset": terms.ruleset,
            "procedures": plan.procedures,
            "cards_loaded": _CARDS,
        }
        [made] = stream.append(
            action="shoe.started",
            subject=key,
            actor=terms.dealer,
            new_heads=[Row(Shoe, values)],
        )
        shoe = Ref(made, key)
        for step in ShoeStep.Step.values:
            self._sign(shoe, step)
        return shoe

    def _sign(self, shoe: Ref, step: str) -> None:
        plan, terms, now = self.plan, self.plan.terms, self._tick()
        signers = [Signer(staff=terms.dealer_staff, name="dealer", role="dealer")]
        if step == ShoeStep.Step.CHECK:
            signers.append(
                Signer(staff=plan.supervisor_staff, name="supervisor", role="supervisor")
            )
        burned = ["?"] if step == ShoeStep.Step.BURN else []
        content = {"shoe": shoe.key, "step": step, "burned": burned}
        values = {
            "shoe": shoe,
            "step": step,
            "revision": 1,
            "staff": terms.dealer_staff,
            "done_at": now,
        }
        facts, changes = [Row(ShoeStep, values)], []
        if burned:
            card = {
                "shoe": shoe,
                "event": 1,
                "n": 1,
                "revision": 1,
                "face": "?",
                "reason": "after the cut",
            }
            facts.append(Row(BurnedCard, card))
            ready = {"state": Shoe.State.READY.value, "cards_burned": 1, "prepared_at": now}
            changes.append(Change(Shoe, shoe, ready))
        facts += signature_rows(
            signers,
            content_hash=sha256(canonical(content)).digest(),
            purpose=f"shoe.{step}",
            subject=shoe.key,
            device=plan.device,
        )
        self.stream.append(
            action=f"shoe.{_PAST[step]}",
            subject=shoe.key,
            actor=terms.dealer,
            facts=facts,
            changes=changes,
        )

    def _end(self, shoe: Ref, *, rounds: int, dealt: int) -> None:
        plan, stub = self.plan, _CARDS - 1 - dealt
        self.stream.append(
            action="shoe.cut_card_out",
            subject=shoe.key,
            actor=plan.terms.dealer,
            changes=[Change(Shoe, shoe, {"cut_card_round": rounds})],
        )
        counted = {
            "shoe": shoe,
            "revision": 1,
            "staff": plan.supervisor_staff,
            "cards": stub,
        }
        statement = {
            "shoe": shoe,
            "revision": 1,
            "dealt": dealt,
            "burned": 1,
            "stub": stub,
            "counted_closes": True,
            "unknown_faces": 1,
            "over": {},
            "composed_holds": True,
        }
        ended = {"state": Shoe.State.ENDED.value, "ended_at": self._tick()}
        self.stream.append(
            action="shoe.ended",
            subject=shoe.key,
            actor=plan.supervisor,
            facts=[Row(StubCount, counted), Row(ShoeStatement, statement)],
            changes=[Change(Shoe, shoe, ended)],
        )
