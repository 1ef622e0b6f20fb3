"""Audit many rounds again from the database: the facts as columns, the second engine, one answer.

What is plain (game A, settled once, nothing voided, corrected or taken out) is compared as columns;
every other round, and every round in which anything at all differs, is read again and compared by
itself as `settlements.comparison` does, so that both ways name the same differences. It writes
nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from audit.chain import canonical
from settlements.bulk import (
    Columns,
    Compiled,
    Part,
    Result,
    compile_ruleset,
    dealing_order,
    settle_columns,
)
from settlements.bulk.codes import FACES, POKER, Verdict
from settlements.bulk.columns import KindResult
from settlements.bulk.poker_tables import KINDS
from settlements.comparison import Difference, PayoutRead, differences, mispaid
from settlements.models import Settlement
from settlements.selectors.checks import read_subject
from settlements.selectors.columns import (
    CARDS,
    PARTS,
    PAYOUTS,
    SETTLEMENTS,
    WAGERS,
    Ints,
    Table,
    column,
    read_columns,
)
from tables.models import Procedures, Ruleset

Flags = NDArray[np.bool_]

BATCH = 2048
SEATS = 5
_LAPS = 3
_BULK_PARTS = (Part.SWEEP, Part.FINAL)
# A fraction beyond this is looked at one by one: products of two such stay within int64.
_FRACTION_MAX = 2**31
_FACE_CODES = np.full(128, -1, dtype=np.int8)
for _face, _number in FACES.items():
    _FACE_CODES[ord(_face)] = _number
_FACE_CODES[0] = 0  # an undone draw


@dataclass(frozen=True, slots=True)
class PartFound:
    """What was found in one settlement: differences, and payouts handed otherwise than owed."""

    round_key: str
    part: str
    revision: int
    differences: tuple[Difference, ...]
    mispaid: tuple[PayoutRead, ...]


@dataclass(frozen=True, slots=True)
class Reaudit:
    """How many rounds and settlements were audited, and in which of these something was found.

    `read_alone` counts the rounds that were compared by themselves.
    """

    rounds: int
    settlements: int
    read_alone: int
    found: tuple[PartFound, ...]


def reaudit(round_ids: Iterable[int]) -> Reaudit:
    """Recompute every settlement of these rounds by the second engine and compare (trust R12).

    Four statements for each batch of rounds, and four more for each settlement that is looked at by
    itself. What is found comes in the order of the rounds' ids, the sweep before the final part.
    """
    rounds = settlements = alone = 0
    found: list[PartFound] = []
    ids = iter(round_ids)
    while batch := sorted(islice(ids, BATCH)):
        settled = read_columns(SETTLEMENTS, batch)
        doubtful = _doubtful(settled, batch)
        for round_id in doubtful:
            found += _look(round_id)
        rounds += len(batch)
        settlements += len(settled)
        alone += len(doubtful)
    return Reaudit(rounds, settlements, alone, tuple(found))


def _look(round_id: int) -> Iterator[PartFound]:
    """Compare the settlements of one round by themselves."""
    settled = Settlement.objects.filter(round_id=round_id).order_by("-part", "revision")
    for key, part, revision in settled.values_list("round__key", "part", "revision"):
        subject = read_subject(key, part=part, revision=revision)
        if subject is None:
            continue
        unequal, wrong = differences(subject.read), mispaid(subject.read)
        if unequal or wrong:
            yield PartFound(key, part, revision, unequal, wrong)


def _doubtful(settled: Table, batch: Sequence[int]) -> list[int]:
    """Return the settled rounds of a batch that must be looked at by themselves."""
    ids = np.asarray(batch, dtype=np.int64)
    rows = _rows(ids, settled)
    doubtful = np.zeros(len(ids), dtype=np.bool_)
    sound = settled["plain"] & settled["placed"]
    doubtful[rows[~sound]] = True
    if sound.any():
        facts = _Facts(ids)
        payouts = read_columns(PAYOUTS, batch)
        pairs = np.unique(np.stack([column(settled, n) for n in ("ruleset", "procedures")]), axis=1)
        for ruleset, procedures in pairs.T.tolist():
            mine = (settled["ruleset"] == ruleset) & (settled["procedures"] == procedures)
            rules = _rules(ruleset, procedures)
            if rules is None:
                doubtful[rows[mine]] = True
                continue
            for part in range(len(PARTS)):
                chosen = settled[mine & sound & (settled["part"] == part)]
                if len(chosen):
                    group = _Group(facts, chosen, part, rules)
                    doubtful[group.rows[group.wrong(payouts)]] = True
    return [int(round_id) for round_id in ids[doubtful]]


def _rows(ids: Ints, table: Table) -> Ints:
    """Return the place of each row's round in the batch."""
    return np.searchsorted(ids, column(table, "round")).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Rules:
    """A ruleset of game A compiled, and by set of live seats how the order of the deal is spelt."""

    compiled: Compiled
    orders: Ints
    buying: tuple[str, ...]


def _rules(ruleset_id: int, procedures_id: int) -> _Rules | None:
    """Return the rules of a shoe; None for other games and for a ruleset that is not its hash."""
    ruleset = Ruleset.objects.get(pk=ruleset_id)
    content = {"game": ruleset.game, "options": ruleset.options}
    if ruleset.game != POKER or sha256(canonical(content)).hexdigest() != ruleset.hash:
        return None
    direction = Procedures.objects.get(pk=procedures_id).options["deal_direction"]
    buying: tuple[str, ...] = ("main",)
    if not ruleset.options["side_requires_main"]:
        buying += ("pair",) if ruleset.options["tie_odds"] is None else ("tie", "pair")
    return _Rules(compile_ruleset(POKER, ruleset.options), _orders(direction), buying)


def _orders(direction: str) -> Ints:
    """By set of seats, bit n - 1 for seat n: the seats in the order of the deal as digits."""
    spelt = np.zeros(1 << SEATS, dtype=np.int64)
    for bits in range(1, 1 << SEATS):
        seats = [seat for seat in range(1, SEATS + 1) if bits >> (seat - 1) & 1]
        order = dealing_order(seats, direction=direction, bank_seat=None)
        spelt[bits] = int("".join(map(str, order)))
    return spelt


class _Facts:
    """Wagers and cards of a batch of rounds in their latest revisions."""

    def __init__(self, ids: Ints) -> None:
        count = len(ids)
        self.ids = ids
        self.strange = np.zeros(count, dtype=np.bool_)
        self.stakes = {kind: np.zeros((count, SEATS), dtype=np.int64) for kind in KINDS}
        self.wagered_at = np.zeros(count, dtype=np.int64)
        self.faces = np.zeros((count, _LAPS * (SEATS + 1)), dtype=np.int8)
        self.dealt_at = np.zeros(self.faces.shape, dtype=np.int64)
        self._lay_wagers(read_columns(WAGERS, ids.tolist()))
        self._lay_cards(read_columns(CARDS, ids.tolist()))

    def _lay_wagers(self, wagers: Table) -> None:
        for table in _by_revision(wagers):
            rows, seats = _rows(self.ids, table), column(table, "seat") - 1
            np.maximum.at(self.wagered_at, rows, column(table, "entry"))
            known = seats < SEATS
            self.strange[rows[~known]] = True
            for kind in KINDS:
                self.stakes[kind][rows[known], seats[known]] = column(table, kind)[known]

    def _lay_cards(self, cards: Table) -> None:
        for table in _by_revision(cards):
            rows, draws = _rows(self.ids, table), column(table, "draw") - 1
            faces = _FACE_CODES[np.clip(column(table, "face"), 0, 127)]
            known = (draws >= 0) & (draws < self.faces.shape[1]) & (faces >= 0)
            self.strange[rows[~known]] = True
            rows, draws = rows[known], draws[known]
            self.faces[rows, draws] = faces[known]
            self.dealt_at[rows, draws] = column(table, "entry")[known]


def _by_revision(table: Table) -> Iterator[Table]:
    """Yield the rows of each revision, the first one first, so that the latest is laid last."""
    revisions = np.unique(table["revision"])
    if len(revisions) == 1:
        yield table
        return
    for revision in revisions:
        yield table[table["revision"] == revision]


class _Group:
    """Settlements of one part under one ruleset, recomputed."""

    def __init__(self, facts: _Facts, settled: Table, part: int, rules: _Rules) -> None:
        self.settled, self.part = settled, part
        self.ids = facts.ids
        self.rows = _rows(facts.ids, settled)
        bought = np.zeros((len(settled), SEATS), dtype=np.bool_)
        stakes = {kind: facts.stakes[kind][self.rows] for kind in KINDS}
        for kind in rules.buying:
            bought |= stakes[kind] > 0
        bits = (bought * (1 << np.arange(SEATS))).sum(axis=1)
        self.bad: Flags = facts.strange[self.rows] | (rules.orders[bits] != column(settled, "live"))
        self.bad |= facts.wagered_at[self.rows] > column(settled, "entry")
        cards, bank = self._hands(facts, bought)
        columns = Columns(cards=cards, bank=bank, stakes=stakes, part=_BULK_PARTS[part])
        self.result: Result = settle_columns(rules.compiled, columns)
        self.bad |= self.result.fault != 0

    def _hands(self, facts: _Facts, bought: Flags) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Lay the draws into hands: seats as numbered, the House last, lap by lap (A11, A28)."""
        faces, dealt_at = facts.faces[self.rows], facts.dealt_at[self.rows]
        everybody = np.append(bought, np.ones((len(bought), 1), dtype=np.bool_), axis=1)
        in_lap = everybody.sum(axis=1)
        place = everybody.cumsum(axis=1) - 1
        hands = np.zeros((len(bought), SEATS + 1, _LAPS), dtype=np.int8, order="F")
        for lap in range(_LAPS):
            draw = lap * in_lap[:, None] + place
            hands[:, :, lap] = np.take_along_axis(faces, draw, axis=1) * everybody
        draws = np.arange(faces.shape[1])
        laps = 2 if _BULK_PARTS[self.part] is Part.SWEEP else _LAPS
        counts = draws < (laps * in_lap)[:, None]
        after = dealt_at > column(self.settled, "entry")[:, None]
        self.bad |= (after & counts).any(axis=1)
        # A card beyond the deal plan lies in no hand.
        self.bad |= ((faces != 0) & (draws >= (_LAPS * in_lap)[:, None])).any(axis=1)
        return hands[:, :SEATS], hands[:, SEATS]

    def wrong(self, payouts: Table) -> Flags:
        """Compare with the payouts and the sums; tell which settlements need another look."""
        places = np.full(len(self.ids), -1, dtype=np.int64)
        places[self.rows] = np.arange(len(self.rows))
        paid = payouts[payouts["part"] == self.part]
        rows = places[_rows(self.ids, paid)]
        paid, rows = paid[rows >= 0], rows[rows >= 0]
        seats = column(paid, "seat") - 1
        known = (seats >= 0) & (seats < SEATS) & np.isin(paid["wager"], self._codes())
        self.bad[rows[~known]] = True
        count = len(self.rows)
        handed = np.zeros(count, dtype=np.int64)
        np.add.at(handed, rows, column(paid, "handed"))
        handle, taken, owed = (np.zeros(count, dtype=np.int64) for _ in range(3))
        for code, kind in enumerate(KINDS):
            lines = self.result.kinds.get(kind)
            if lines is None:
                continue
            mine = known & (paid["wager"] == code)
            recomputed = _Recomputed(lines)
            self.bad |= recomputed.present_differs(rows[mine], seats[mine])
            self.bad[rows[mine][recomputed.differs(paid[mine], rows[mine], seats[mine])]] = True
            handle, taken, owed = (
                before + more
                for before, more in zip((handle, taken, owed), recomputed.sums(), strict=True)
            )
        self.bad |= column(self.settled, "handle") != handle
        self.bad |= column(self.settled, "owed") != taken - owed
        self.bad |= column(self.settled, "handed") != taken - handed
        return self.bad

    def _codes(self) -> list[int]:
        return [code for code, kind in enumerate(KINDS) if kind in self.result.kinds]


class _Recomputed:
    """The recomputed lines of one kind, worked out once: (settlements, seats)."""

    def __init__(self, lines: KindResult) -> None:
        self.lines = lines
        self.is_line = lines.verdict != Verdict.NONE
        self.returned = lines.returned_minor()

    def present_differs(self, rows: Ints, seats: Ints) -> Flags:
        """Tell where the payouts are not one a line."""
        written = np.zeros(self.is_line.shape, dtype=np.int64)
        np.add.at(written, (rows, seats), 1)
        found: Flags = (written != self.is_line).any(axis=1)
        return found

    def differs(self, paid: Table, rows: Ints, seats: Ints) -> Flags:
        """Tell which payouts are not as recomputed, or were handed otherwise than owed."""
        at = (rows, seats)
        lines, prices = self.lines, self.lines.prices
        verdict = lines.verdict[at]
        won = verdict >= Verdict.WIN
        price = np.where(won, verdict.astype(np.int64) - Verdict.WIN, len(prices.odds))
        odds = np.array([*prices.odds, (-1, -1)], dtype=np.int64)
        commission = lines.commission_parts()[at] // prices.denominator
        stake, returned = lines.stake[at], self.returned[at]
        expected = {
            "stake": stake,
            "outcome": np.minimum(verdict, Verdict.WIN),
            "numerator": odds[price, 0],
            "denominator": odds[price, 1],
            "profit": lines.profit_minor()[at],
            "owed": returned,
            "handed": returned,
            "cap_cut": lines.cap_cut_minor()[at],
            "commission": commission,
            "extra_owed": 0,
            "bank": stake - returned - commission,
        }
        wrong: Flags = ~paid["house"]
        for name, value in expected.items():
            wrong |= column(paid, name) != value
        wrong |= self._breakage_differs(paid, at)
        return wrong

    def _breakage_differs(self, paid: Table, at: tuple[Ints, Ints]) -> Flags:
        parts, whole = self.lines.breakage_parts()[at], self.lines.prices.denominator
        stored, of = column(paid, "breakage"), column(paid, "breakage_of")
        differs: Flags = stored * whole != parts * of
        for figure in (stored, of, parts):
            differs |= np.abs(figure) > _FRACTION_MAX
        differs |= whole > _FRACTION_MAX
        return differs

    def sums(self) -> tuple[Ints, Ints, Ints]:
        """Return handle, stakes taken and amounts owed, by settlement."""
        stake = self.lines.stake
        counts = self.is_line & ~np.isin(self.lines.verdict, (Verdict.VOID, Verdict.REJECTED))
        return (
            (stake * counts).sum(axis=1),
            (stake * self.is_line).sum(axis=1),
            self.returned.sum(axis=1),
        )
