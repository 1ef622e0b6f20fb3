"""What a round looked like, frozen for the file of a dispute (control 5.13): all of it as JSON.

A copy, with the seq of the last entry of the table's stream that it was made after; what it was
made from stays, and is named by natural keys. Amounts in minor units, no floats.
"""

from audit.log.models import Entry
from settlements.models import Payout, Settlement
from tables.games import places
from tables.selectors.irregularities import irregularities_of_round
from tables.selectors.round_read import RoundRead

Document = dict[str, object]


def round_evidence(read: RoundRead) -> Document:
    """Return a round as it stands: shoe, rules, wagers, cards by draw, payouts of every revision.

    The caller holds the table's stream, so that nothing changes between the reads.
    """
    return {
        "round": read.ref.key,
        "shoe": read.shoe.key,
        "session": read.session.key,
        "gaming_day": read.gaming_day.isoformat(),
        "stage": read.stage,
        "dealer": {"number": read.dealer.key, "name": read.dealer_name},
        "ruleset": read.ruleset_ref.key,
        "procedures": read.procedures.hash,
        "limits": read.limits_ref.key if read.limits_pinned else None,
        "live_seats": list(read.live),
        "wagers": {str(seat): dict(bets) for seat, bets in sorted(read.wagers.items())},
        "cards": _cards(read),
        "settlements": _settlements(read),
        "irregularities": [line.key for line in irregularities_of_round(read.ref.key)],
        "stream": read.name.stream,
        "last_seq": _last_seq(read.name.stream),
    }


def _cards(read: RoundRead) -> list[Document]:
    plan = {place.draw: place for place in places(read.ruleset, read.state())} if read.live else {}
    found: list[Document] = []
    for draw, face in sorted(read.faces.items()):
        keyed, place, gone = read.keyed(draw), plan.get(draw), read.departures.get(draw)
        found.append(
            {
                "draw": draw,
                "face": face,
                "revision": keyed.revision if keyed else 0,
                "as_seen": bool(keyed and keyed.as_seen),
                "hand": place.hand if place else None,
                "nth": place.nth if place else None,
                "use": gone.use if gone else None,
            }
        )
    return found


def _settlements(read: RoundRead) -> list[Document]:
    settled = Settlement.objects.filter(round_id=read.ref.id).order_by("-part", "revision")
    lines: dict[tuple[str, int], list[Document]] = {}
    for paid in Payout.objects.filter(round_id=read.ref.id).order_by("seat", "id"):
        lines.setdefault((paid.part, paid.revision), []).append(
            {
                "seat": paid.seat,
                "wager": paid.wager,
                "stake_minor": paid.stake_minor,
                "outcome": paid.outcome,
                "owed_minor": paid.owed_minor,
                "handed_minor": paid.handed_minor,
                "clause": paid.clause,
                "why": paid.why,
            }
        )
    return [
        {
            "part": row.part,
            "revision": row.revision,
            "kind": row.kind,
            "payouts": lines.get((row.part, row.revision), []),
        }
        for row in settled
    ]


def _last_seq(stream: str) -> int:
    last = Entry.objects.filter(stream=stream).order_by("-seq").values_list("seq", flat=True)
    return last.first() or 0
