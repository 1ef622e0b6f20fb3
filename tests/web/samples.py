"""Values for every page of the frame, shaped as the comment at the top of its template says."""

from collections.abc import Callable
from datetime import date, timedelta
from types import SimpleNamespace as Values
from typing import Any

from django import forms
from django.utils import timezone

Context = dict[str, Any]  # Any: a template's values
DAY = date(2026, 11, 3)


def ago(seconds: int) -> Any:
    """Return an instant that many seconds back."""
    return timezone.now() - timedelta(seconds=seconds)


def trouble(tone: str, shape: str, text: str) -> Values:
    """Return the gravest thing about a table."""
    return Values(tone=tone, shape=shape, text=text, url="#")


def tile(code: str, state: str, **values: object) -> Values:
    """Return one tile of the board; what is not given is of an open table in play."""
    known: Context = {
        "game": "Poker Lucky 9",
        "url": f"/pit/tables/{code}/",
        "round_number": 12,
        "stage": "second lap",
        "dealer": "Ana Reyes",
        "shoe_number": 7,
        "cards_out": 151,
        "cards_loaded": 416,
        "cut_left": 52,
        "cut_card_out": False,
        "rounds": 41,
        "pace": 44,
        "handle_minor": 48_250_000,
        "result_minor": 1_262_550,
        "tray_handed_minor": 51_262_550,
        "tray_owed_minor": 51_262_550,
        "limits": "Main 500 – 50,000",
        "last_at": ago(9),
        "trouble": None,
        "actions": [("End shoe", "#"), ("Close table", "#")],
    }
    return Values(code=code, state=state, **{**known, **values})


def closed_tile(code: str) -> Values:
    """Return a tile of a closed table: nothing is known, nothing is zero."""
    nothing = dict.fromkeys(
        (
            "round_number",
            "stage",
            "dealer",
            "shoe_number",
            "cards_out",
            "rounds",
            "pace",
            "handle_minor",
            "result_minor",
            "tray_handed_minor",
            "tray_owed_minor",
            "limits",
            "last_at",
        )
    )
    return tile(code, "closed", **nothing, actions=[("Open table", "#")])


def board() -> Context:
    """Return a pit with a table in each kind of state."""
    waiting = [
        ("late", "late", "T2", "Finding F-12 is due within the hour", 5400),
        ("alarm", "alarm", "T4", "No entry for 6 minutes while a round is open", 361),
        ("held", "waiting", "T3", "Shoe 4 waits for its cut", 140),
    ]
    items = [
        Values(id=index, tone=tone, shape=shape, table=table, what=what, since=ago(since), url="#")
        for index, (tone, shape, table, what, since) in enumerate(waiting)
    ]
    tiles = [
        tile("T1", "in_play"),
        tile(
            "T2",
            "in_play",
            round_number=31,
            stage="betting",
            dealer="Ben Cortez",
            cards_out=330,
            result_minor=-2_104_000,
            tray_handed_minor=47_896_000,
            tray_owed_minor=47_897_500,
            trouble=trouble("late", "late", "Finding F-12 open"),
        ),
        tile(
            "T3",
            "no_shoe",
            round_number=None,
            dealer="Carla Diaz",
            shoe_number=4,
            cards_out=0,
            trouble=trouble("held", "waiting", "Shoe 4 waits for its cut"),
            actions=[("Prepare shoe", "#")],
        ),
        tile(
            "T4",
            "silent",
            round_number=9,
            stage="third lap",
            last_at=ago(361),
            result_minor=0,
            trouble=trouble("alarm", "alarm", "Silent for 6 min"),
        ),
        closed_tile("T5"),
    ]
    return {
        "board": Values(
            pit=Values(code="P1", name="Main pit"),
            url="/pit/P1/",
            gaming_day=DAY,
            as_at=timezone.now(),
            tables_open=4,
            tables=5,
            handle_minor=193_000_000,
            result_minor=-841_450,
            waiting=items,
            tiles=tiles,
        )
    }


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


def findings() -> list[Values]:
    """Return two findings, one of them late."""
    late = Values(
        number="F-12",
        url="#",
        sentence="A ninth four of clubs was keyed as seen in round T1/7/12.",
        severity="warning",
        state="open",
        subject_kind="round",
        subject_key="T1/7/12",
        subject_url="#",
        table_code="T1",
        raised_by="system:checks",
        raised_at=ago(5400),
        due_at=ago(60),
        is_late=True,
        owner="",
        kind="card.one_too_many",
    )
    done = Values(**{**vars(late), "number": "F-11", "state": "closed", "is_late": False})
    return [late, Values(**{**vars(done), "severity": "alarm", "owner": "M-02"})]


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


def statement() -> Values:
    """Return statements of a shoe in which one card is above its copies."""
    return Values(
        counted="closes",
        composed="broken",
        dealt=361,
        burned=3,
        stub=52,
        loaded=416,
        unknown_faces=1,
        over=[("4C", 1)],
    )


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


class SignerForm(forms.Form):
    """One signer."""

    badge = forms.CharField()
    secret = forms.CharField(label="PIN", widget=forms.PasswordInput)
    role_label = "Supervisor"


class CountForm(forms.Form):
    """Pieces by denomination."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # Any: passed through
        super().__init__(*args, **kwargs)
        for value in DENOMINATIONS:
            self.fields[f"d{value}"] = forms.IntegerField(
                required=False, min_value=0, widget=forms.TextInput({"inputmode": "numeric"})
            )


DENOMINATIONS = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500)


class VoidForm(forms.Form):
    """Why and how far a round is voided."""

    stage = forms.ChoiceField(choices=[("third_lap", "Third lap"), ("opened", "Showdown")])
    reason = forms.CharField(widget=forms.Textarea({"rows": 3}))
    touched = forms.MultipleChoiceField(
        label="Seats whose first two cards the fault touches",
        required=False,
        choices=[(str(n), f"Seat {n}") for n in range(1, 6)],
        widget=forms.CheckboxSelectMultiple,
    )


class StepForm(forms.Form):
    """What is recorded with a step."""

    faces = forms.CharField(label="Card that was burned", help_text="Rank and suit, as KS; or ?")


class StubForm(forms.Form):
    """The stub as counted."""

    cards = forms.IntegerField(label="Cards left in the shoe", min_value=0, max_value=416)


def count() -> Context:
    """Return the count of a supervisor whose first count differed."""
    form = CountForm({"d1000000": "12", "d500000": "40", "d100000": "x"})
    form.is_valid()
    return {
        "face": "pit",
        "table": Values(code="T1", name="Poker Lucky 9", url="#"),
        "kind": "opener",
        "title": "Open table T1",
        "session": Values(key="T1/S3", gaming_day=DAY),
        "side": "supervisor",
        "revision": 2,
        "rows": [(value, form[f"d{value}"]) for value in DENOMINATIONS],
        "form": form,
        "counts": [
            Values(side="dealer", state="counted", who="Ana Reyes", at=ago(60)),
            Values(side="supervisor", state="differs", who="Jun Santos", at=ago(30)),
        ],
    }


def prepare_shoe() -> Context:
    """Return a shoe that waits for its burn."""
    steps = [
        Values(
            title=title,
            how=how,
            state="done" if index < 3 else "now",
            at=ago(400 - index * 60),
            signers=[Values(name="Jun Santos", role="supervisor")],
        )
        for index, (title, how) in enumerate(
            [
                ("Shuffle", ""),
                ("Check", ""),
                ("Cut", ""),
                ("Burn", "One card is taken from the shoe and shown to nobody but the camera."),
            ]
        )
    ]
    return {
        "table": Values(code="T3", name="Poker Lucky 9", url="#"),
        "shoe": Values(number=4, key="T3/4", cards_loaded=416),
        "ruleset": Values(name="House default", hash="34b40b9df4dc3b6d" * 4),
        "procedures": [("Burn", "one card"), ("Cut card", "52 from the end")],
        "steps": steps,
        "form": StepForm(),
        "signers": [SignerForm(prefix="a"), SignerForm(prefix="b")],
        "action": "Sign burn",
        "back": "#",
    }


def end_shoe() -> Context:
    """Return a shoe whose stub is to be counted before the cut card came."""
    return {
        "table": Values(code="T1", name="Poker Lucky 9", url="#"),
        "shoe": Values(
            number=7,
            key="T1/7",
            state="ready",
            cards_loaded=416,
            cards_dealt=361,
            cards_burned=3,
            rounds=20,
            cut_card_out=False,
        ),
        "form": StubForm(),
        "signers": [SignerForm(prefix="a")],
        "action": "End shoe",
        "back": "#",
        "statement": statement(),
    }


def void_round() -> Context:
    """Return the bill of a void."""
    return {
        "round": round_values(),
        "hands": hands(),
        "lines": [
            line(2, "main", 100_000, "void", owed_minor=100_000, handed_minor=100_000, clause="A20")
        ],
        "totals": None,
        "form": VoidForm(),
        "signers": [SignerForm(prefix="a"), SignerForm(prefix="b")],
        "action": "Void round",
        "back": "#",
        "content_hash": "9f2c" * 16,
    }


def findings_page() -> Context:
    """Return a list of findings."""
    return {
        "sentence": "All findings of table T1 that are open or answered.",
        "form": None,
        "findings": findings(),
        "counts": [Values(state="open", number=1, url="#")],
        "page": Values(after_url="#", first_url=""),
    }


def finding_page() -> Context:
    """Return one finding with a note."""
    note = Values(
        author_name="Jun Santos",
        author_role="supervisor",
        text="The card was looked at; the shoe goes on.",
        state_after="answered",
        at=ago(500),
    )
    return {
        "finding": findings()[0],
        "details": [("Card", "four of clubs")],
        "notes": [note],
        "form": None,
        "findings_url": "#",
    }


def table_page() -> Context:
    """Return the dealer's page."""
    return {
        "table": Values(code="T1", name="Poker Lucky 9"),
        "person": Values(name="Ana Reyes", role="dealer"),
        "sign_on_url": "/sign-on/",
        "count_url": "/table/T1/count/",
    }


PAGES: dict[str, tuple[str, Callable[[], Context]]] = {
    "board": ("tables/pit_board.html", board),
    "count": ("tables/count.html", count),
    "prepare": ("tables/prepare_shoe.html", prepare_shoe),
    "end": ("tables/end_shoe.html", end_shoe),
    "shoe": ("tables/shoe_page.html", shoe_page),
    "overview": ("tables/table_overview.html", table_overview),
    "glass": ("tables/table_page.html", table_page),
    "round": ("settlements/round_page.html", round_page),
    "void": ("settlements/void_round.html", void_round),
    "findings": ("casino/findings_page.html", findings_page),
    "finding": ("casino/finding_page.html", finding_page),
    "404": ("404.html", dict),
    "500": ("500.html", dict),
}
