"""Money is conserved: after every act the heads say what a sum over the payouts says (R13)."""

import random
from collections.abc import Callable

import pytest
from django.db import connection

from audit.log.replay import replay_log
from casino.kernel.errors import DomainError
from settlements.correction import CorrectedCard, Correction
from settlements.models import Settlement
from settlements.selectors.bill import correction_bill
from settlements.services.corrections import correct_round
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause
from tables.models import DisputeHold, Round, Shoe, TableSession
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.cards import KeyedCard, deal_cards
from tables.services.disputes import Disputed, Ruling, open_dispute, release_dispute
from tables.services.rounds import call_off_round, open_betting, place_wagers
from tables.services.sessions import close_table, key_count, start_closing
from tables.services.shoe_end import end_shoe
from tables.simulation import CARDS
from tests.factories.house import (
    OPENER,
    House,
    open_the_table,
    ready_the_shoe,
    signer,
    void_as_shown,
)
from tests.settlements.correcting import hire, put_in_charge, sign
from tests.support.floors import FloorClone

OPENER_MINOR = 16_000_000
LATE = (signer("manager"), sign("watcher", camera="C7 14:05:20"))
# Ten thousand acts, and a million.
ACTS = 2_500
SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 400))]
# By a session of T1 and the shoe that is on it, from facts alone:
# - every settlement that stands, added up from its payouts; a void wager counts for no handle;
# - what lies apart under open dispute holds, and how many of them, of rounds that are over, have
#   another sum than came out of the tray for them: a smaller one only where another hold is about
#   the same wagers, because what two are about comes out once;
# - settlements whose own sums are not those of their payouts, and payouts that do not balance;
# - rounds that were settled; cards of rounds that are over, as they stand: one that was undone is
#   back in the shoe.
_SUMS = """
WITH standing AS (
  SELECT round_id, part, max(revision) AS revision FROM settlements_settlement GROUP BY 1, 2),
summed AS (
  SELECT round_id, part, revision,
         coalesce(sum(stake_minor) FILTER (WHERE outcome IN ('win', 'lose', 'push')), 0) AS handle,
         sum(stake_minor + extra_owed_minor - owed_minor) AS owed,
         sum(stake_minor + extra_owed_minor - handed_minor) AS handed,
         count(*) FILTER (WHERE bank_minor + (owed_minor - stake_minor - extra_owed_minor)
                                + commission_minor <> 0) AS crooked
    FROM settlements_payout GROUP BY 1, 2, 3),
money AS (
  SELECT coalesce(sum(handle), 0) AS handle, coalesce(sum(owed), 0) AS owed,
         coalesce(sum(handed), 0) AS handed
    FROM summed JOIN standing USING (round_id, part, revision)
    JOIN tables_round r ON r.id = round_id WHERE r.session_id = %(session)s),
crooked AS (
  SELECT count(*) AS crooked FROM settlements_settlement s
    JOIN summed USING (round_id, part, revision)
   WHERE s.bank_owed_minor <> owed OR s.bank_handed_minor <> handed OR s.handle_minor <> handle
      OR crooked > 0)
SELECT money.*, crooked.*,
       (SELECT coalesce(sum(h.apart_minor), 0) FROM tables_disputehold h
          JOIN tables_round r ON r.id = h.round_id
         WHERE h.state = 'open' AND h.moved_at IS NULL AND r.session_id = %(session)s),
       (SELECT count(*) FROM tables_disputehold h JOIN tables_round r ON r.id = h.round_id
         WHERE h.state = 'open' AND h.in_result AND r.stage IN ('settled', 'voided')
           AND h.moved_at IS NULL AND r.session_id = %(session)s
           AND (h.apart_minor > h.disputed_minor
                OR (h.apart_minor < h.disputed_minor AND NOT EXISTS (
                      SELECT 1 FROM tables_disputehold o
                       WHERE o.round_id = h.round_id AND o.id <> h.id
                         AND (o.seat = h.seat OR o.seat IS NULL OR h.seat IS NULL)
                         AND (o.wager = h.wager OR o.wager = '' OR h.wager = ''))))),
       (SELECT count(*) FROM tables_round WHERE stage = 'settled' AND session_id = %(session)s),
       (SELECT count(*) FROM tables_card c JOIN tables_round r ON r.id = c.round_id
         WHERE c.shoe_id = %(shoe)s AND c.face <> ''
           AND r.stage IN ('settled', 'voided', 'called_off')
           AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                              AND n.draw = c.draw AND n.revision = c.revision + 1))
  FROM money, crooked
"""


class RandomTable:
    """A dealer and a supervisor who do at random what can be done at T1, and what cannot."""

    def __init__(self, house: House, *, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        self.dealer = house.acting("dealer", table="T1")
        self.supervisor = house.acting("supervisor")
        self.name: RoundName | None = None
        self.last: RoundName | None = None
        self.disputes = 0
        self.shoe = 1
        self.session = 1
        # By session: what corrections moved after it closed, less what its tray paid of others.
        self.late = {1: 0}
        self.apart_at_close: dict[int, int] = {}
        self.is_late = False
        self.cards = self._shuffled()
        self.refusals = 0

    def act(self) -> None:
        """Do one thing; a refusal is an outcome like another."""
        try:
            self._choose()()
        except DomainError:
            self.refusals += 1

    def check(self) -> None:
        """Compare the heads, and the tray derived from them, with the sums over the facts."""
        shoe = Shoe.objects.get(key=f"T1/{self.shoe}")
        line = next(line for line in table_lines() if line.code == "T1")
        sessions = {f"T1/S{self.session}"}
        if self.is_late and self.last is not None:
            sessions.add(read_round(self.last).session.key)
        for session in TableSession.objects.filter(key__in=sessions):
            handle, owed, handed, crooked, apart, other, settled, dealt = _row(_SUMS, session, shoe)
            assert (session.handle_minor, session.bank_owed_minor, session.bank_handed_minor) == (
                handle,
                owed,
                handed,
            )
            assert (crooked, other) == (0, 0)
            assert session.disputed_minor == self.apart_at_close.get(session.number, apart)
            assert session.rounds_settled == settled
            late = self.late[session.number]
            assert session.moved_late_minor == late
            if session.number == self.session:
                assert line.tray_handed_minor == OPENER_MINOR + handed - apart + late
                assert line.tray_owed_minor == OPENER_MINOR + owed - apart + late
            assert shoe.cards_dealt == dealt
        assert sum(self.late.values()) == 0, "what one session did not pay another one did"

    def _choose(self) -> Callable[[], object]:
        if self.name is None:
            if self.is_late and self.random.random() < 0.8:  # much is found wrong late
                return self._correct
            if self.last is not None and self.random.random() < 0.25:
                return self.random.choice((self._correct, self._dispute, self._release))
            if self.random.random() < 0.06:
                return self._turn
            return self._end if len(self.cards) < 30 else self._open
        read = read_round(self.name)
        odd = self.random.random()
        if odd < 0.04:
            return lambda: self._void(read)
        if odd < 0.07:
            return lambda: self._settle(read, self.random.choice(("sweep", "final")))
        if odd < 0.12:
            return lambda: self._undo(read)
        if odd < 0.14:
            return self._dispute
        if read.stage == "betting":
            return self.random.choice([self._wager, self._wager, self._wager, self._card])
        if read.stage == "sweep":
            return lambda: self._settle(read, "sweep")
        if read.stage == "showdown":
            return lambda: self._settle(read, "final")
        return self._card

    def _open(self) -> None:
        self.name = open_betting(table="T1", shoe=self.shoe, by=self.dealer).round.name

    def _wager(self) -> None:
        assert self.name is not None
        seat = self.random.randint(1, 5)
        stands = read_round(self.name).seats.get(seat)
        wagers = {"main": self.random.randint(1, 100_000)}
        for kind in ("pair", "jacks"):
            if self.random.random() < 0.5:
                wagers[kind] = self.random.randint(1, 10_000)
        place_wagers(
            name=self.name,
            seat=seat,
            revision=stands.revision + 1 if stands else 1,
            wagers=wagers if self.random.random() < 0.9 else {},
            by=self.dealer,
        )

    def _card(self) -> None:
        """Key the next cards, one or several."""
        assert self.name is not None
        read = read_round(self.name)
        free = [draw for draw in range(1, 20) if draw not in read.faces]
        draws = free[: self.random.choice((1, 1, 2, 3))]
        cards: list[KeyedCard] = []
        for draw in draws:
            stands = read.cards.get(draw)
            face = self.cards[-1 - len(cards)]
            cards.append(KeyedCard(draw, stands.revision + 1 if stands else 1, face, as_seen=True))
        deal_cards(name=self.name, cards=cards, by=self.dealer)
        del self.cards[-len(cards) :]

    def _undo(self, read: RoundRead) -> None:
        draw = max(read.faces, default=1)
        stands = read.cards.get(draw)
        card = KeyedCard(draw, stands.revision + 1 if stands else 1, None)
        deal_cards(name=read.name, cards=[card], by=self.dealer)

    def _settle(self, read: RoundRead, part: str) -> None:
        """Hand over as owed, or now and then otherwise."""
        handed = {}
        if self.random.random() < 0.3:
            seat = self.random.choice(read.live or (1,))
            kind = "pair" if part == "sweep" else "main"
            handed[seat, kind] = self.random.randint(0, 50_000)
        settle_round(name=read.name, part=part, revision=1, handed=handed, by=self.dealer)
        if part == "final":
            self._over(read.name)

    def _void(self, read: RoundRead) -> None:
        if read.stage == "betting":
            call_off_round(name=read.name, by=self.dealer)
        else:
            seats = [seat for seat in read.live if self.random.random() < 0.5]
            void_as_shown(
                name=read.name,
                cause=VoidCause(
                    event=26,
                    first_two=self.random.choice((True, False, tuple(seats))),
                    note="at random",
                ),
                signers=[signer("supervisor"), signer("manager")],
                by=self.supervisor,
            )
        self._over(read.name)

    def _over(self, name: RoundName) -> None:
        self.last, self.name, self.is_late = name, None, False

    def _correct(self) -> None:
        """Correct the last round: a card, a stake or an amount handed over, or several."""
        assert self.last is not None
        read = read_round(self.last)
        choose = self.random.random
        seat = self.random.choice(read.live or (1,))
        draw = self.random.choice(sorted(read.faces) or (1,))
        card = CorrectedCard(draw, self.random.choice(CARDS), as_seen=True)
        correction = Correction(
            event=21,
            reason="the camera shows it",
            moved=choose() < 0.5,
            cards=(card,) if choose() < 0.6 else (),
            wagers={seat: {"main": self.random.randint(1, 100_000)}} if choose() < 0.3 else {},
            handed={(seat, "main"): self.random.randint(0, 50_000)} if choose() < 0.3 else {},
        )
        bill = correction_bill(self.last, correction)
        correct_round(
            name=self.last,
            correction=correction,
            bill_hash=bill.hash,
            signers=LATE if self.is_late else [signer("supervisor"), signer("manager")],
            by=self.supervisor,
        )
        if self.is_late and correction.moved:
            self.late[int(read.session.key.rpartition("S")[2])] += bill.to_move_minor
            self.late[self.session] -= bill.to_move_minor

    def _dispute(self) -> None:
        """Hold a wager of this round or the last one."""
        name = self.name or self.last
        assert name is not None
        seat = self.random.choice(read_round(name).live or (1,))
        amount = self.random.choice((None, self.random.randint(1, 20_000)))
        wager = self.random.choice(("main", "pair", ""))
        disputed = Disputed(self.disputes + 1, "He says nine.", seat, wager, amount)
        open_dispute(name=name, disputed=disputed, by=self.dealer)
        self.disputes += 1

    def _release(self) -> None:
        """Rule on any dispute of this table."""
        release_dispute(
            table="T1",
            number=self.random.randint(1, self.disputes + 1),
            ruling=Ruling("house", "The camera shows eight."),
            signers=[signer("supervisor"), signer("manager")],
            by=self.supervisor,
        )

    def _turn(self) -> None:
        """Close the table and open it again; the last round can be corrected all the same."""
        end_shoe(table="T1", shoe=self.shoe, stub_cards=len(self.cards), by=self.supervisor)
        start_closing(table="T1", session=self.session, by=self.supervisor)
        for by in (self.dealer, self.supervisor):
            key_count(
                table="T1",
                session=self.session,
                kind="closer",
                revision=1,
                pieces=OPENER,
                by=by,
            )
        close_table(table="T1", session=self.session, by=self.supervisor)
        closed = TableSession.objects.get(table__code="T1", number=self.session)
        self.apart_at_close[self.session] = closed.disputed_minor
        self.session = open_the_table(self.house)
        self.late[self.session] = 0
        self.shoe = ready_the_shoe(self.house)
        self.cards = self._shuffled()
        self.is_late = self.last is not None

    def _end(self) -> None:
        """End the shoe, counted right, and ready the next one."""
        end_shoe(table="T1", shoe=self.shoe, stub_cards=len(self.cards), by=self.supervisor)
        self.shoe = ready_the_shoe(self.house)
        self.cards = self._shuffled()

    def _shuffled(self) -> list[str]:
        cards = CARDS * 8
        self.random.shuffle(cards)
        return cards[:-1]  # one is burned


def _row(statement: str, session: TableSession, shoe: Shoe) -> tuple[int, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"session": session.pk, "shoe": shoe.pk})
        row: tuple[int, ...] = cursor.fetchone()
    return row


def run(house: House, *, seed: int, acts: int) -> RandomTable:
    """Act and check, so many times."""
    hire(house)
    put_in_charge(house)
    table = RandomTable(house, seed=seed)
    for _ in range(acts):
        table.act()
        table.check()
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_money_is_conserved_after_every_act(floor_clone: FloorClone, seed: int) -> None:
    table = run(floor_clone.house, seed=seed, acts=ACTS)
    stages = set(Round.objects.values_list("stage", flat=True))
    assert {"settled", "voided", "called_off"} <= stages, "the run meets every end of a round"
    assert table.refusals > 10
    assert Settlement.objects.filter(kind="corrected").exists()
    assert set(DisputeHold.objects.values_list("state", flat=True)) == {"open", "released"}
    sessions = TableSession.objects.filter(table__code="T1")
    assert any(each.bank_handed_minor != each.bank_owed_minor for each in sessions), "mispays too"
    assert any(table.late.values()), "and money that moved after a session had closed"
    assert replay_log().problems == []
