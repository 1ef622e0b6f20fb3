"""The pit board with a table in each kind of state."""

from django.utils import timezone

from tests.web.samples.values import DAY, Context, Values, ago


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
        "held_minor": None,
        "actions": [("Look", "#"), ("Irregularity", "#"), ("Dispute", "#")],
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
            "cards_loaded",
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
            held_minor=1_500_000,
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
