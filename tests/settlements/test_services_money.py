"""Money is conserved: after every act the heads say what a sum over the payouts says (R13)."""

import random
from collections.abc import Callable

import pytest
from django.db import connection

from audit.log.replay import replay_log
from casino.kernel.errors import DomainError
from settlements.services.settle import settle_round
from settlements.services.voids import VoidCause
from tables.models import Round, Shoe, TableSession
from tables.selectors.board import table_lines
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.cards import KeyedCard, deal_cards
from tables.services.rounds import call_off_round, open_betting, place_wagers
from tables.services.shoe_end import end_shoe
from tables.simulation import CARDS
from tests.factories.house import House, ready_the_shoe, signer, void_as_shown
from tests.support.floors import FloorClone

OPENER_MINOR = 16_000_000
# Every settlement that stands, added up from its payouts; a void wager counts for no handle.
_STANDING = """
WITH standing AS (
  SELECT round_id, part, max(revision) AS revision FROM settlements_settlement GROUP BY 1, 2)
SELECT coalesce(sum(stake_minor) FILTER (WHERE outcome IN ('win', 'lose', 'push')), 0),
       coalesce(sum(stake_minor + extra_owed_minor - owed_minor), 0),
       coalesce(sum(stake_minor + extra_owed_minor - handed_minor), 0)
  FROM settlements_payout JOIN standing USING (round_id, part, revision)
"""
# Settlements whose own sums are not those of their payouts, and payouts that do not balance.
_CROOKED = """
SELECT s.id FROM settlements_settlement s
  JOIN settlements_payout p USING (round_id, part, revision)
 GROUP BY s.id
HAVING s.bank_owed_minor <> sum(p.stake_minor + p.extra_owed_minor - p.owed_minor)
    OR s.bank_handed_minor <> sum(p.stake_minor + p.extra_owed_minor - p.handed_minor)
    OR s.handle_minor <> coalesce(sum(p.stake_minor)
                                  FILTER (WHERE p.outcome IN ('win', 'lose', 'push')), 0)
UNION ALL
SELECT id FROM settlements_payout
 WHERE bank_minor + (owed_minor - stake_minor - extra_owed_minor) + commission_minor <> 0
"""
# Cards of rounds that are over, as they stand; one that was undone is back in the shoe.
_DEALT = """
SELECT count(*) FROM tables_card c JOIN tables_round r ON r.id = c.round_id
 WHERE c.shoe_id = %s AND c.face <> '' AND r.stage IN ('settled', 'voided', 'called_off')
   AND NOT EXISTS (SELECT 1 FROM tables_card n WHERE n.round_id = c.round_id
                      AND n.draw = c.draw AND n.revision = c.revision + 1)
"""


class RandomTable:
    """A dealer and a supervisor who do at random what can be done at T1, and what cannot."""

    def __init__(self, house: House, *, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        self.dealer = house.acting("dealer", table="T1")
        self.supervisor = house.acting("supervisor")
        self.name: RoundName | None = None
        self.shoe = 1
        self.cards = self._shuffled()
        self.refusals = 0

    def act(self) -> None:
        """Do one thing; a refusal is an outcome like another."""
        try:
            self._choose()()
        except DomainError:
            self.refusals += 1

    def check(self) -> None:
        """Compare the heads with the sums over what was written."""
        session = TableSession.objects.get(key="T1/S1")
        assert _row(_STANDING) == (
            session.handle_minor,
            session.bank_owed_minor,
            session.bank_handed_minor,
        )
        assert _row(f"SELECT count(*) FROM ({_CROOKED}) crooked") == (0,)
        over = Round.objects.filter(session=session, stage="settled").count()
        assert session.rounds_settled == over
        line = next(line for line in table_lines() if line.code == "T1")
        assert line.tray_handed_minor == OPENER_MINOR + session.bank_handed_minor
        assert line.tray_owed_minor == OPENER_MINOR + session.bank_owed_minor
        shoe = Shoe.objects.get(key=f"T1/{self.shoe}")
        assert _row(_DEALT, shoe.pk) == (shoe.cards_dealt,)

    def _choose(self) -> Callable[[], object]:
        if self.name is None:
            return self._end if len(self.cards) < 30 else self._open
        read = read_round(self.name)
        odd = self.random.random()
        if odd < 0.04:
            return lambda: self._void(read)
        if odd < 0.07:
            return lambda: self._settle(read, self.random.choice(("sweep", "final")))
        if odd < 0.12:
            return lambda: self._undo(read)
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
            self.name = None

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
        self.name = None

    def _end(self) -> None:
        """End the shoe, counted right, and ready the next one."""
        end_shoe(table="T1", shoe=self.shoe, stub_cards=len(self.cards), by=self.supervisor)
        self.shoe = ready_the_shoe(self.house)
        self.cards = self._shuffled()

    def _shuffled(self) -> list[str]:
        cards = CARDS * 8
        self.random.shuffle(cards)
        return cards[:-1]  # one is burned


def _row(statement: str, *parameters: int) -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[object, ...] = cursor.fetchone()
    return row


def run(house: House, *, seed: int, acts: int) -> RandomTable:
    """Act and check, so many times."""
    table = RandomTable(house, seed=seed)
    for _ in range(acts):
        table.act()
        table.check()
    return table


def test_money_is_conserved_after_every_act(floor_clone: FloorClone) -> None:
    table = run(floor_clone.house, seed=13, acts=200)
    stages = set(Round.objects.values_list("stage", flat=True))
    assert {"settled", "voided", "called_off"} <= stages, "the run meets every end of a round"
    assert table.refusals > 10
    session = TableSession.objects.get(key="T1/S1")
    assert session.bank_handed_minor != session.bank_owed_minor, "and some mispays"
    assert replay_log().problems == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_money_is_conserved_in_a_long_run(floor_clone: FloorClone, seed: int) -> None:
    run(floor_clone.house, seed=seed, acts=2000)
    assert replay_log().problems == []
