"""A settled round."""

from tests.web.samples.findings import findings
from tests.web.samples.values import DAY, Context, Values, ago


def laid(draw: int, lap: int, face: str, *earlier: str, as_seen: bool = False) -> Values:
    """Return one card as it lies."""
    return Values(draw=draw, lap=lap, face=face, earlier=list(earlier), as_seen=as_seen)


def stake(kind: str, minor: int, *earlier: int) -> Values:
    """Return one wager as it lies."""
    return Values(kind=kind, stake_minor=minor, earlier=list(earlier))


def hands() -> list[Values]:
    """Return a whole round: an undone card, one as seen, an empty seat, an unknown face."""
    return [
        Values(
            hand=1,
            cards=[laid(1, 1, "KS"), laid(6, 2, "KH"), laid(11, 3, "9D")],
            wagers=[stake("main", 150_000), stake("pair", 50_000)],
        ),
        Values(
            hand=2,
            cards=[laid(2, 1, "7D"), laid(7, 2, "2S", "2C"), laid(12, 3, "7C")],
            wagers=[stake("main", 100_000, 50_000)],
        ),
        Values(
            hand=3,
            cards=[laid(3, 1, "9H"), laid(8, 2, "4C", as_seen=True), laid(13, 3, "AC")],
            wagers=[stake("main", 1_000_050), stake("jacks", 50_000)],
        ),
        Values(hand=4, cards=[], wagers=[]),
        Values(
            hand=5,
            cards=[laid(4, 1, "JD"), laid(9, 2, "TH"), laid(14, 3, "?")],
            wagers=[stake("main", 100_000)],
        ),
        Values(
            hand=0,
            cards=[laid(5, 1, "5S"), laid(10, 2, "JS"), laid(15, 3, "JC")],
            wagers=[],
        ),
    ]


def line(seat: int, wager: str, stake_minor: int, outcome: str, **values: object) -> Values:
    """Return one payout line; a loss unless told otherwise."""
    known: Context = {
        "part": "sweep" if wager == "pair" else "final",
        "odds": None,
        "profit_minor": 0,
        "owed_minor": 0,
        "handed_minor": 0,
        "difference_minor": 0,
        "breakage": "",
        "cap_cut_minor": 0,
        "clause": "A1",
        "why": "A pair of jacks beats 4",
    }
    return Values(
        seat=seat, wager=wager, stake_minor=stake_minor, outcome=outcome, **{**known, **values}
    )


def lines() -> list[Values]:
    """Return the lines of that round, one of them paid wrongly."""
    pair = line(
        1,
        "pair",
        50_000,
        "win",
        odds=(10, 1),
        profit_minor=500_000,
        owed_minor=550_000,
        handed_minor=550_000,
        clause="A18",
        why="First two cards K K are a pair",
    )
    main = line(
        1,
        "main",
        150_000,
        "win",
        odds=(1, 1),
        profit_minor=150_000,
        owed_minor=300_000,
        handed_minor=300_000,
        clause="A2",
        why="A pair of kings beats a pair of jacks",
    )
    odd = line(
        3,
        "main",
        1_000_050,
        "win",
        odds=(95, 100),
        profit_minor=950_047,
        owed_minor=1_950_097,
        handed_minor=1_950_000,
        difference_minor=-97,
        breakage="1/2",
        clause="A25",
        why="4 beats 3",
    )
    jacks = line(
        3,
        "jacks",
        50_000,
        "win",
        odds=(11, 1),
        profit_minor=550_000,
        owed_minor=600_000,
        handed_minor=600_000,
        clause="A16",
        why="The House holds a pair of jacks",
    )
    push = line(
        5,
        "main",
        100_000,
        "push",
        owed_minor=100_000,
        handed_minor=100_000,
        clause="A14",
        why="All three cards are equal in value",
    )
    return [pair, main, line(2, "main", 100_000, "lose"), odd, jacks, push]


def round_values() -> Values:
    """Return the round itself."""
    return Values(
        key="T1/7/12",
        table_code="T1",
        table_url="#",
        shoe_number=7,
        shoe_url="#",
        number=12,
        stage="settled",
        source="live",
        gaming_day=DAY,
        session_key="T1/S3",
        dealer="Ana Reyes",
        bank_seat=None,
        opened_at=ago(300),
        ended_at=ago(190),
        ruleset=Values(name="Poker Lucky 9, house default", hash="34b40b9df4dc3b6d" * 4, url=""),
        limits_hash="aa" * 32,
    )


def timeline() -> list[Values]:
    """Return the entries of that round."""
    rows = [
        ("Betting opened", "live", "live"),
        ("Wagers of seat 1: main 1,500, pair 500", "done", "chip"),
        ("Wagers of seat 2: main 500", "done", "chip"),
        ("Wagers of seat 2 again: main 1,000", "late", "undo"),
        ("Card 1 to seat 1: king of spades", "done", "card"),
        ("Card 7 to seat 2 taken back, then two of spades", "late", "undo"),
        ("Card 8 to seat 3 as seen: ninth four of clubs", "alarm", "alarm"),
        ("Pair wagers swept: 5,500 to seat 1", "done", "pay"),
        ("Round settled: bank −18,500.97", "win", "pay"),
    ]
    return [
        Values(
            at=ago(300 - 12 * index),
            sentence=sentence,
            actor="Ana Reyes",
            role="dealer",
            seq=1031 + index,
            hash=f"{index + 3:x}9f2ce8810ab" * 5,
            tone=tone,
            shape=shape,
        )
        for index, (sentence, tone, shape) in enumerate(rows)
    ]


def round_page() -> Context:
    """Return the page of a settled round with a correction before it."""
    checks = [
        Values(
            name="Second engine, sweep",
            state="agrees",
            detail="1 line, poker-tables 1",
            at=ago(200),
        ),
        Values(
            name="Second engine, final",
            state="differs",
            detail="Seat 3, main: 9,500.47 against 9,500.00",
            at=ago(180),
        ),
    ]
    return {
        "round": round_values(),
        "earlier_url": "#",
        "later_url": "#",
        "hands": hands(),
        "lines": lines(),
        "totals": Values(
            stake_minor=1_450_050,
            owed_minor=3_500_097,
            handed_minor=3_500_000,
            bank_owed_minor=-2_050_047,
            bank_handed_minor=-2_049_950,
            difference_minor=-97,
        ),
        "superseded": [
            Values(part="final", revision=1, kind="settled", at=ago(250), lines=lines()[1:3])
        ],
        "checks": checks,
        "proof": Values(
            state="verified",
            stream="table/T1",
            seq_from=1031,
            seq_to=1058,
            verified_at=ago(100),
            checkpoint=212,
            checkpoint_at=ago(70),
            problem="",
        ),
        "timeline": timeline(),
        "findings": findings()[:1],
        "actions": [("Void round", "#", True)],
    }
