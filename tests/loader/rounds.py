"""Rounds as the services write them: open, wagers, three laps, sweep, settlement; as templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from audit.log.rows import Actor, Ref
from casino.kernel.clock import format_instant
from settlements.lines import payout_values, sums_of
from settlements.models import Payout, Settlement
from tables.games import Line
from tables.models import Card, Round, SeatWagers, Shoe, TableSession
from tests.loader.chain import Stream
from tests.loader.dealing import DealtRound
from tests.loader.templates import NULL, RowTemplate, canonical_text, copy_text

KINDS = ("main", "tie", "pair", "jacks")


@dataclass(frozen=True, slots=True)
class Terms:
    """Who deals at a table and under what: everything is there already."""

    table: Ref
    dealer_staff: Ref
    dealer: Actor
    ruleset: Ref
    limits: Ref


@dataclass(slots=True)
class Sums:
    """What a session's settlements add up to."""

    rounds_settled: int = 0
    handle_minor: int = 0
    bank_minor: int = 0


class RoundWriter:
    """Writes the rounds of one shoe after another into a stream."""

    def __init__(self, stream: Stream, terms: Terms) -> None:
        self.stream, self.terms = stream, terms
        self.round = RowTemplate(
            Round,
            fixed={
                "table": terms.table,
                "source": Round.Source.LIVE.value,
                "dealer": terms.dealer_staff,
                "ruleset": terms.ruleset,
                "bank_seat": None,
            },
            same={"number"},
        )
        self.wagers = RowTemplate(SeatWagers, fixed={"revision": 1}, same={"seat"})
        self.card = RowTemplate(
            Card, fixed={"revision": 1, "as_seen": False, "claimed_at": None}, same={"draw"}
        )
        self.settlement = RowTemplate(
            Settlement,
            fixed={
                "revision": 1,
                "kind": Settlement.Kind.SETTLED.value,
                "ruleset": terms.ruleset,
                "void_stage": "",
                "void_seats": [],
                "given_back": "",
                "signed_hash": "",
            },
            same={"handle_minor", "bank_owed_minor", "bank_handed_minor"},
        )
        numbers = {"seat", "breakage_numerator", "breakage_denominator"}
        numbers |= {"stake_minor", "profit_minor", "owed_minor", "handed_minor", "cap_cut_minor"}
        numbers |= {"commission_minor", "extra_owed_minor", "bank_minor"}
        self.payout = RowTemplate(Payout, fixed={"revision": 1}, same=numbers)

    def write(
        self,
        dealt: DealtRound,
        *,
        number: int,
        shoe: Ref,
        session: Ref,
        day: date,
        opened_at: datetime,
        sums: Sums,
        dealt_before: int,
    ) -> None:
        """Write one round from its opening to its settlement."""
        stream, by = self.stream, self.terms.dealer
        key = f"{shoe.key}/{number}"
        round_ = Ref(stream.next_id("tables_round"), key)
        at = format_instant(opened_at)
        common = {"round": f'"{key}"', "round_sql": round_.id}
        self._open(round_, number=number, shoe=shoe, session=session, day=day, at=at, dealt=dealt)
        for seat, stakes in dealt.wagers.items():
            facts = self._wagers(common, seat, stakes)
            stream.entry(action="wagers.placed", subject=key, actor=by, facts=facts, heads="")
        shoe_values = {"shoe": f'"{shoe.key}"', "shoe_sql": shoe.id, **common}
        hands = len(dealt.wagers) + 1
        after_two = "sweep" if dealt.sweep else "third_lap"
        live = ",".join(map(str, dealt.live))
        limits = f'"limits":"{self.terms.limits.key}","live_seats":[{live}],'
        for lap, (stage, rest) in enumerate(
            (("second_lap", limits), (after_two, ""), ("showdown", ""))
        ):
            if lap == 2 and dealt.sweep:
                self._settle(common, "sweep", dealt.sweep, session=session, sums=sums)
            draws = range(lap * hands + 1, (lap + 1) * hands + 1)
            facts = self._cards(shoe_values, draws, dealt.faces)
            heads = f'{{"key":"{key}","kind":"round","set":{{{rest}"stage":"{stage}"}}}}'
            stream.entry(action="card.dealt", subject=key, actor=by, facts=facts, heads=heads)
        sums.rounds_settled += 1
        self._settle(
            common,
            "final",
            dealt.final,
            session=session,
            sums=sums,
            ended_at=at,
            shoe=(shoe, dealt_before + len(dealt.faces)),
        )
        stream.change(Shoe, int(shoe.id), {"rounds": number})

    def _open(
        self,
        round_: Ref,
        *,
        number: int,
        shoe: Ref,
        session: Ref,
        day: date,
        at: str,
        dealt: DealtRound,
    ) -> None:
        """The head as it is opened goes into the log, as it ends up into the table."""
        stream = self.stream
        values = {
            "id": round_.id,
            "stream": stream.name,
            "number": number,
            "key": f'"{round_.key}"',
            "key_sql": round_.key,
            "session": f'"{session.key}"',
            "session_sql": session.id,
            "shoe": f'"{shoe.key}"',
            "shoe_sql": shoe.id,
            "stage": '"betting"',
            "stage_sql": "settled",
            "gaming_day": f'"{day}"',
            "gaming_day_sql": day,
            "limits": "null",
            "limits_sql": self.terms.limits.id,
            "live_seats": "[]",
            "live_seats_sql": copy_text(list(dealt.live)),
            "sweep_revision": 0,
            "sweep_revision_sql": 1 if dealt.sweep else 0,
            "final_revision": 0,
            "final_revision_sql": 1,
            "opened_at": f'"{at}"',
            "opened_at_sql": at,
            "ended_at": "null",
            "ended_at_sql": at,
        }
        stream.keep(self.round.table, self.round.columns, self.round.line % values)
        opened = f'{{"key":"{shoe.key}","kind":"shoe","set":{{"rounds":{number}}}}}'
        stream.entry(
            action="round.opened",
            subject=round_.key,
            actor=self.terms.dealer,
            facts="",
            heads=f"{self.round.log % values},{opened}",
        )

    def _wagers(self, common: Mapping[str, object], seat: int, stakes: Mapping[str, int]) -> str:
        stream, template = self.stream, self.wagers
        values: dict[str, object] = {
            **common,
            "id": stream.next_id(template.table),
            "entry_id": stream.next_entry_id(),
            "seat": seat,
        }
        for kind in KINDS:
            stake = stakes.get(kind)
            values[f"{kind}_minor"] = "null" if stake is None else stake
            values[f"{kind}_minor_sql"] = NULL if stake is None else stake
        stream.keep(template.table, template.columns, template.line % values)
        return template.log % values

    def _cards(
        self, common: Mapping[str, object], draws: Sequence[int], faces: Sequence[str]
    ) -> str:
        stream, template = self.stream, self.card
        values = {**common, "entry_id": stream.next_entry_id()}
        said = []
        for draw in draws:
            face = faces[draw - 1]
            values |= {
                "id": stream.next_id(template.table),
                "draw": draw,
                "face": f'"{face}"',
                "face_sql": face,
            }
            stream.keep(template.table, template.columns, template.line % values)
            said.append(template.log % values)
        return ",".join(said)

    def _settle(
        self,
        common: Mapping[str, object],
        part: str,
        lines: Sequence[Line],
        *,
        session: Ref,
        sums: Sums,
        ended_at: str = "",
        shoe: tuple[Ref, int] | None = None,
    ) -> None:
        stream = self.stream
        added = sums_of(lines, handed={})
        sums.handle_minor += added.handle_minor
        sums.bank_minor += added.bank_owed_minor
        values = {
            **common,
            "id": stream.next_id(self.settlement.table),
            "entry_id": stream.next_entry_id(),
            "part": f'"{part}"',
            "part_sql": part,
            "handle_minor": added.handle_minor,
            "bank_owed_minor": added.bank_owed_minor,
            "bank_handed_minor": added.bank_handed_minor,
        }
        said = [self.settlement.log % values]
        stream.keep(self.settlement.table, self.settlement.columns, self.settlement.line % values)
        said += [self._payout(values, line) for line in lines]
        key = str(common["round"])
        changed = f'"ended_at":"{ended_at}","final_revision":1,"stage":"settled"'
        if part == "sweep":
            changed = '"stage":"third_lap","sweep_revision":1'
        session_sums = (
            f'"bank_handed_minor":{sums.bank_minor},"bank_owed_minor":{sums.bank_minor},'
            f'"disputed_minor":0,"handle_minor":{sums.handle_minor},"rounds_settled":{sums.rounds_settled}'
        )
        heads = [
            f'{{"key":{key},"kind":"round","set":{{{changed}}}}}',
            f'{{"key":"{session.key}","kind":"session","set":{{{session_sums}}}}}',
        ]
        if shoe is not None:
            heads.append(
                f'{{"key":"{shoe[0].key}","kind":"shoe","set":{{"cards_dealt":{shoe[1]}}}}}'
            )
            stream.change(Shoe, int(shoe[0].id), {"cards_dealt": shoe[1]})
        stream.entry(
            action="round.swept" if part == "sweep" else "round.settled",
            subject=key[1:-1],
            actor=self.terms.dealer,
            facts=",".join(said),
            heads=",".join(heads),
        )
        stream.change(
            TableSession,
            int(session.id),
            {
                "bank_handed_minor": sums.bank_minor,
                "bank_owed_minor": sums.bank_minor,
                "handle_minor": sums.handle_minor,
                "rounds_settled": sums.rounds_settled,
            },
        )

    def _payout(self, common: Mapping[str, object], line: Line) -> str:
        stream, template = self.stream, self.payout
        values = {**common, **payout_values(line, handed_minor=line.returned_minor)}
        values["id"] = stream.next_id(template.table)
        for name in ("wager", "outcome", "clause", "bank"):
            text = values[name]
            values[name], values[f"{name}_sql"] = f'"{text}"', text
        for name in ("odds_numerator", "odds_denominator"):
            odds = values[name]
            values[name] = "null" if odds is None else odds
            values[f"{name}_sql"] = NULL if odds is None else odds
        why = canonical_text(values["why"])
        values["why"], values["why_sql"] = why, copy_text(why)
        stream.keep(template.table, template.columns, template.line % values)
        return template.log % values
