"""The pages of a shoe and of a table."""

from tests.web.samples.findings import findings
from tests.web.samples.floor import statement
from tests.web.samples.values import DAY, Context, Values, ago


def shoe_page() -> Context:
    """Return an ended shoe of twenty rounds with a void and a gap."""
    segments = [Values(kind="burn", cards=1, label="burn", url="")]
    rounds = []
    for number in range(1, 21):
        kind = "voided" if number == 8 else "round"
        segments.append(Values(kind=kind, cards=18, label=f"Round {number}", url="#"))
        rounds.append(
            Values(
                number=number,
                url="#",
                stage="voided" if number == 8 else "settled",
                source="live",
                seats=5,
                cards=18,
                handle_minor=1_050_000 + number * 10_000,
                bank_minor=(-1) ** number * number * 31_250,
                check="waiting" if number == 20 else "agrees",
                ended_at=ago(4000 - number * 100),
            )
        )
    segments.append(Values(kind="gap", cards=3, label="not accounted for", url=""))
    steps = [
        Values(
            title=title,
            at=ago(5000 - index * 60),
            signers=[
                Values(name="Jun Santos", role="supervisor"),
                Values(name="Ana Reyes", role="dealer"),
            ],
        )
        for index, title in enumerate(("Shuffled", "Checked", "Cut", "Burned"))
    ]
    return {
        "table": Values(code="T1", url="#", name="Poker Lucky 9"),
        "shoe": Values(
            number=7,
            key="T1/7",
            state="ended",
            ruleset=Values(name="House default", hash="34b40b9df4dc3b6d" * 4),
            cards_loaded=416,
            cut_left=52,
            prepared_at=ago(4700),
            ended_at=ago(1900),
            gaming_day=DAY,
        ),
        "segments": segments,
        "statement": statement(),
        "steps": steps,
        "burned": [Values(face="TD", reason="after the cut", at=ago(4700))],
        "rounds": rounds,
        "totals": Values(handle_minor=23_100_000, bank_minor=312_500),
        "findings": findings()[:1],
        "actions": [],
    }


def table_overview() -> Context:
    """Return a table with a session open and one closed."""
    session = Values(
        key="T1/S3",
        state="open",
        gaming_day=DAY,
        opened_at=ago(9000),
        closed_at=None,
        rounds=41,
        handle_minor=48_250_000,
        bank_handed_minor=1_262_550,
        bank_owed_minor=1_262_453,
        bank_minor=1_262_550,
        opener_minor=50_000_000,
        closer_minor=None,
    )
    before = Values(
        **{
            **vars(session),
            "key": "T1/S2",
            "state": "closed",
            "closed_at": ago(90_000),
            "bank_minor": -310_000,
            "closer_minor": 49_690_000,
        }
    )
    shoes = [
        Values(
            number=number,
            url="#",
            state="ready" if number == 7 else "ended",
            rounds=20,
            counted="waiting" if number == 7 else "closes",
            composed="waiting" if number == 7 else "holds",
            ended_at=None if number == 7 else ago(9000),
        )
        for number in (7, 6, 5)
    ]
    limits = [
        Values(kind="main", min_minor=50_000, max_minor=5_000_000, step_minor=10_000),
        Values(kind="pair", min_minor=10_000, max_minor=500_000, step_minor=10_000),
    ]
    return {
        "table": Values(
            code="T1", name="Poker Lucky 9", pit=Values(name="Main pit", url="#"), state="in_play"
        ),
        "session": session,
        "tray": Values(opener_minor=50_000_000, handed_minor=51_262_550, owed_minor=51_262_453),
        "shoe": Values(
            number=7,
            url="#",
            state="ready",
            cards_out=151,
            cards_loaded=416,
            cut_left=52,
            rounds=11,
        ),
        "round": Values(number=12, url="#", stage="second_lap", dealer="Ana Reyes"),
        "terms": Values(
            ruleset=Values(name="House default", hash="34b40b9df4dc3b6d" * 4),
            limits=limits,
            procedures=[("Burn", "one card"), ("After the cut", "finish the round")],
        ),
        "sessions": [session, before],
        "shoes": shoes,
        "findings": [],
        "actions": [("Prepare shoe", "#"), ("Close table", "#")],
    }
