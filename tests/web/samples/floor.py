"""Forms of the pit: counts, preparation, end; and the dealer's page."""

from typing import Any

from django import forms

from tests.web.samples.values import DAY, Context, Values, ago

DENOMINATIONS = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500)


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


class StepForm(forms.Form):
    """What is recorded with a step."""

    faces = forms.CharField(label="Card that was burned", help_text="Rank and suit, as KS; or ?")


class StubForm(forms.Form):
    """The stub as counted."""

    cards = forms.IntegerField(label="Cards left in the shoe", min_value=0, max_value=416)


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
        "shoe": Values(number=4, key="T3/4"),
        "cards": 416,
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


def table_page() -> Context:
    """Return the dealer's page."""
    return {
        "table": Values(code="T1", name="Poker Lucky 9"),
        "person": Values(name="Ana Reyes", role="dealer"),
        "sign_on_url": "/sign-on/",
    }
