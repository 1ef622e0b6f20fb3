"""A table on paper: answers the dealer's page in the shape that js/table/state.js describes.

It is for looking at the page by itself: it can lose the connection, refuse, and ask about one
copy too many on demand, which a real server cannot be made to do at a chosen tap. Its rules are
the least that the page needs (three laps, a sweep, counts of nine); money is proved elsewhere.
"""

from typing import Any

KINDS = ("main", "pair", "jacks")
ODDS: dict[str, tuple[int, int] | None] = {"main": None, "pair": (10, 1), "jacks": (11, 1)}
OVER = {"settled", "voided", "called_off"}
POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}

Answer = tuple[int, dict[str, Any]]  # Any: JSON


class PaperTable:
    """One table with five seats; `get`, `put` and `post` answer paths below its own."""

    def __init__(self) -> None:
        self.wagers: dict[int, dict[str, int]] = {}
        self.seat_revision: dict[int, int] = {}
        self.cards: dict[int, str | None] = {}
        self.card_revision: dict[int, int] = {}
        self.live: tuple[int, ...] = ()
        self.number = 0
        self.stage = "none"
        self.swept = False
        self.handed: dict[tuple[int, str], int] = {}
        self.disputed: set[tuple[int, str]] = set()  # bets that lie apart under a hold
        self.previous: dict[str, dict[str, int]] = {}
        self.out = 143
        self.seq = 1040
        self.session: dict[str, str] | None = {
            "key": "T1/S3",
            "gaming_day": "2026-11-03",
            "state": "open",
        }
        self.shoe_state = "ready"
        self.awaited = 0
        self.kept: dict[str, Any] | None = None
        self.ask_about: set[str] = set()
        self.card_detail = "rank_suit"
        self.lays_out_early = True

    # What comes next.

    @property
    def plan(self) -> list[tuple[int, int, int]]:
        """Draw, hand and lap of every place; hand 0 is the House."""
        live = self.live if self.stage != "betting" else self._betting_seats()
        hands = (*live, 0) if live else ()
        return [
            (lap * len(hands) + index + 1, hand, lap + 1)
            for lap in range(3)
            for index, hand in enumerate(hands)
        ]

    def next_step(self) -> dict[str, Any]:
        """Return the next step as the engine would name it."""
        step: dict[str, Any] = {
            "kind": "bet",
            "draw": None,
            "hand": None,
            "lap": None,
            "open_draws": [],
        }
        waiting = [place for place in self.plan if self.cards.get(place[0]) is None]
        if self.stage in OVER:
            return {**step, "kind": "done"}
        if not self.plan:
            return step
        if waiting and waiting[0][2] == 3 and self._has_pair() and not self.swept:
            return {**step, "kind": "sweep"}
        if not waiting:
            return {**step, "kind": "settle"}
        draw, hand, lap = waiting[0]
        opened = [place[0] for place in waiting] if lap == 3 else [draw]
        return {"kind": "deal", "draw": draw, "hand": hand, "lap": lap, "open_draws": opened}

    def view(self) -> dict[str, Any]:
        """Return the table as the page reads it."""
        return {
            "table": {"code": "T1", "game": "poker-lucky-9", "name": "Poker Lucky 9"},
            "session": self.session,
            "shoe": {
                "number": 7,
                "key": "T1/7",
                "state": self.shoe_state,
                "rounds": self.number + self.awaited,
                "cards_out": self.out + sum(1 for face in self.cards.values() if face),
                "cards_loaded": 416,
                "cut_card_out": False,
            },
            "ruleset": {
                "hash": "34b40b9d",
                "card_detail": self.card_detail,
                "sweep": "pair",
                "wagers": [{"kind": kind, "odds": ODDS[kind]} for kind in KINDS],
            },
            "limits": {
                "main": {"min": 50000, "max": 5000000, "step": 10000},
                "pair": {"min": 10000, "max": 500000, "step": 10000},
                "jacks": {"min": 10000, "max": 500000, "step": 10000},
            },
            "round": self._round() if self.number else None,
            "previous_wagers": self.previous,
            "last_receipt": self._receipt(),
            "dealer": {"name": "Ana Reyes"},
            "currency": {"code": "PHP", "exponent": 2},
        }

    # Calls.

    def get(self) -> Answer:
        """Answer GET .../round."""
        return 200, self.view()

    def put(self, path: str, body: dict[str, Any]) -> Answer:
        """Answer PUT .../seats/{n}/wagers."""
        seat = int(path.split("/seats/")[1].split("/")[0])
        if self.stage != "betting":
            return self._problem("round.betting_closed", "Betting closed with the first card.")
        if (stake := body["wagers"].get("main", 0)) > 5000000:
            detail = f"expected at most 5000000, not {stake}"
            fault = {"code": "wager.above_max", "where": f"seats.{seat}.main", "detail": detail}
            bounds = {"seat": seat, "wager": "main", "stake_minor": stake, "max": 5000000}
            return self._problem("wagers.refused", "Not taken: 1 faults.", [fault | bounds])
        self.wagers[seat] = dict(body["wagers"])
        self.seat_revision[seat] = body["revision"]
        return self._saved()

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """Answer POST .../rounds, .../cards, .../settlements, .../call-off."""
        if path.endswith("/rounds"):
            return self._open()
        if path.endswith("/cards"):
            return self._deal(body["cards"])
        if path.endswith("/settlements"):
            return self._settle(body)
        if path.endswith("/awaited"):
            return self._keep_for_paper(body)
        self.stage = "called_off"
        return self._saved()

    def _open(self) -> Answer:
        self.previous = {str(seat): wagers for seat, wagers in self.wagers.items() if wagers}
        self.out += sum(1 for face in self.cards.values() if face)
        self.number += 1
        self.wagers, self.seat_revision, self.cards, self.card_revision = {}, {}, {}, {}
        self.handed, self.swept, self.stage = {}, False, "betting"
        return self._saved()

    def _keep_for_paper(self, body: dict[str, Any]) -> Answer:
        so_far = self.number + self.awaited
        if body == self.kept:
            return self._saved()
        if body["after"] != so_far:
            return self._problem("paper.numbers", f"Shoe T1/7 has {so_far} rounds.")
        self.awaited += body["rounds"]
        self.kept = body
        return self._saved()

    def _deal(self, cards: list[dict[str, Any]]) -> Answer:
        for index, card in enumerate(cards):
            face = card["face"]
            if face in self.ask_about and not card["as_seen"]:
                return self._question(index, face)
        if self.stage == "betting":
            self.live = self._betting_seats()
            self.stage = "first_lap"
        for card in cards:
            self.cards[card["draw"]] = card["face"]
            self.card_revision[card["draw"]] = card["revision"]
        self._move_on()
        return self._saved()

    def _settle(self, body: dict[str, Any]) -> Answer:
        for line in body["handed"]:
            self.handed[(line["seat"], line["wager"])] = line["handed_minor"]
        if body["part"] == "sweep":
            self.swept = True
            self._move_on()
        else:
            self.stage = "settled"
        return self._saved()

    # Answers.

    def _saved(self) -> Answer:
        self.seq += 1
        return 200, {"view": self.view(), "receipt": self._receipt()}

    def _receipt(self) -> dict[str, Any]:
        return {
            "stream": "table/T1",
            "seq": self.seq,
            "hash": f"{self.seq * 2654435761 % 2**64:016x}" * 4,
            "at": "2026-11-03T06:05:12.000000Z",
        }

    @staticmethod
    def _problem(code: str, detail: str, faults: list[dict[str, Any]] | None = None) -> Answer:
        return 422, {"code": code, "detail": detail, "status": 422, "faults": faults or []}

    def _question(self, index: int, face: str) -> Answer:
        places = [
            {"round": f"T1/7/{n}", "number": n, "draw": n, "hand": n % 6, "lap": 1 + n % 3}
            | {"dealer": "Ana Reyes"}
            for n in range(1, 9)
        ]
        fault = {
            "code": "card.one_too_many",
            "where": f"cards[{index}]",
            "detail": f"Eight {face} are recorded.",
            "face": face,
        }
        status, problem = self._problem("card.one_too_many", "Key it again.", [fault])
        return status, {**problem, "data": {"face": face, "places": places}}

    # The round.

    def _betting_seats(self) -> tuple[int, ...]:
        return tuple(seat for seat in sorted(self.wagers) if self.wagers[seat])

    def _has_pair(self) -> bool:
        return any("pair" in self.wagers.get(seat, {}) for seat in self.live)

    def _move_on(self) -> None:
        step = self.next_step()
        laps = {1: "first_lap", 2: "second_lap", 3: "third_lap"}
        if step["kind"] == "deal":
            self.stage = laps[step["lap"]]
        else:
            self.stage = {"sweep": "sweep", "settle": "showdown"}.get(step["kind"], self.stage)

    def _round(self) -> dict[str, Any]:
        hands: dict[int, list[dict[str, Any]]] = {number: [] for number in range(6)}
        early = self.lays_out_early or self.stage != "betting"
        for draw, hand, lap in self.plan if early else []:
            face = self.cards.get(draw)
            revision = self.card_revision.get(draw, 0)
            place = {"draw": draw, "lap": lap, "face": face, "revision": revision}
            hands[hand].append({**place, "known": face is not None})
        return {
            "key": f"T1/7/{self.number}",
            "number": self.number,
            "stage": self.stage,
            "seats": [
                {
                    "seat": seat,
                    "revision": self.seat_revision.get(seat, 0),
                    "wagers": self.wagers.get(seat, {}),
                    "hand": hands[seat],
                    "swept": self._swept_kinds(seat),
                }
                for seat in range(1, 6)
            ],
            "house": hands[0],
            "next": self.next_step(),
            "swept": self.swept,
            "owed": self._owed(),
        }

    def _swept_kinds(self, seat: int) -> list[str]:
        return ["pair"] if self.swept and "pair" in self.wagers.get(seat, {}) else []

    def _owed(self) -> dict[str, Any] | None:
        if self.stage not in {"sweep", "showdown", "settled"}:
            return None
        part = "sweep" if self.stage == "sweep" else "final"
        kinds = ("pair",) if part == "sweep" else ("main", "jacks")
        lines = [
            self._line(seat, kind, self.wagers[seat][kind])
            for seat in self.live
            for kind in kinds
            if kind in self.wagers[seat]
        ]
        bank = sum(line["stake_minor"] - line["owed_minor"] for line in lines)
        return {"part": part, "revision": 1, "lines": lines, "bank_minor": bank}

    def _hand(self, hand: int) -> list[str]:
        return [self.cards.get(draw) or "?" for draw, owner, _lap in self.plan if owner == hand]

    def _line(self, seat: int, kind: str, stake: int) -> dict[str, Any]:
        mine, house = self._hand(seat), self._hand(0)
        odds: tuple[int, int] | None
        if kind == "pair":
            won, odds, clause = mine[0][0] == mine[1][0], (10, 1), "A18"
            why = "First two cards " + ("are a pair" if won else "are no pair")
        elif kind == "jacks":
            high = [face[0] for face in house if face[0] in "JQKA"]
            won, odds, clause = len(high) != len(set(high)), (11, 1), "A16"
            why = "The House holds " + ("a pair of Jacks or higher" if won else "less")
        else:
            counts = [
                sum(
                    POINTS.get(face[0], 0) or (int(face[0]) if face[0].isdigit() else 0)
                    for face in h
                )
                % 10
                for h in (mine, house)
            ]
            won, odds, clause = counts[0] > counts[1], (95, 100), "A2"
            why = f"{counts[0]} {'beats' if won else 'loses to'} {counts[1]}"
        profit = stake * odds[0] // odds[1] if won else 0
        line: dict[str, Any] = {
            "seat": seat,
            "wager": kind,
            "stake_minor": stake,
            "outcome": "win" if won else "lose",
            "odds": odds if won else None,
            "profit_minor": profit,
            "owed_minor": stake + profit if won else 0,
            "clause": clause,
            "why": why,
        }
        if (seat, kind) in self.disputed:
            line |= {"held": True, "handed_minor": 0}
        if (seat, kind) in self.handed:
            line["handed_minor"] = self.handed[(seat, kind)]
        return line
