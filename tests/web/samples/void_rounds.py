"""The page of the rounds of a void shoe, with the bill of a decision and one made before."""

from django import forms

from tests.web.samples.floor import SignerForm
from tests.web.samples.values import Context, Values, ago


class DecisionForm(forms.Form):
    """What is decided of the rounds."""

    rounds = forms.MultipleChoiceField(choices=[], required=False)
    decision = forms.ChoiceField(
        choices=[("stand", "stands"), ("refund_losers", "losers are refunded")],
        widget=forms.RadioSelect,
        initial="refund_losers",
    )
    note = forms.CharField(label="Why", widget=forms.Textarea({"rows": 3}))
    told = forms.CharField(label="Who told the regulator: whom, when, how")
    moved = forms.ChoiceField(
        label="The money on the bill",
        choices=[("no", "is owed, and stays where it is for now"), ("yes", "is moved now")],
        widget=forms.RadioSelect,
        initial="no",
    )


def void_rounds() -> Context:
    """Return twenty rounds of which one half is reversed and the other about to be refunded."""
    signers = [SignerForm(prefix=f"signer{n}") for n in (1, 2)]
    for signer, label in zip(signers, ("manager in charge, Jun Santos", "manager"), strict=True):
        signer.role_label = label
    return {
        "table": {"code": "T1", "url": "#"},
        "shoe": {"number": 7, "key": "T1/7", "url": "#"},
        "rounds": [_round(number) for number in range(1, 21)],
        "totals": {
            "wagers": 300,
            "stake_minor": 3_150_000,
            "bank_minor": 762_500,
            "lost_minor": 1_999_500,
            "open": 10,
        },
        "decides": True,
        "form": DecisionForm(),
        "bill": _bill(),
        "decisions": [_decision()],
        "owed_yet": Values(to_players_minor=999_500, to_bank_minor=43_000, rounds={"T1/7/1"}),
        "signers": signers,
        "in_charge": Values(name="Jun Santos"),
    }


def _round(number: int) -> Values:
    return Values(
        key=f"T1/7/{number}",
        url="#",
        decision="reverse" if number <= 10 else "open",
        note="A king of spades was missing." if number <= 10 else "",
        wagers=[
            Values(
                seat=seat,
                wager="main",
                stake_minor=10_000,
                outcome="win" if seat % 2 else "lose",
                handed_minor=20_000 if seat % 2 else 0,
            )
            for seat in range(1, 6)
        ],
        stake_minor=157_500,
        bank_minor=(-1) ** number * number * 31_250,
        lost_minor=number * 5_000,
        is_chosen=number > 10,
    )


def _bill() -> Context:
    def pair(before: object, after: object) -> Values:
        return Values(before=before, after=after, differs=before != after)

    line = Values(
        seat=3,
        wager="main",
        stake=pair(20_000, 20_000),
        outcome=pair("lose", "void"),
        owed=pair(0, 20_000),
        to_move_minor=20_000,
    )
    return {
        "hash": "8e855aec598b7d06e20d9a83420b4ae1a67a0ed6480d499010cfcba7e998024e",
        "decision": "refund_losers",
        "moved": False,
        "rounds": [
            Values(
                key=f"T1/7/{number}",
                url="#",
                was="open",
                lines=[line] if number < 20 else [],
                to_players_minor=20_000 if number < 20 else 0,
                to_bank_minor=0,
            )
            for number in range(12, 21)
        ],
        "unchanged": ["T1/7/11"],
        "wagers": 8,
        "to_players_minor": 160_000,
        "to_bank_minor": 0,
        "bank_owed_minor": -160_000,
        "bank_handed_minor": 0,
        "late": [{"closed": "T1/S4", "pays": "T1/S5", "minor": 160_000}],
    }


def _decision() -> Context:
    return {
        "at": ago(900),
        "decision": "reverse",
        "note": "A king of spades was missing.",
        "told": "A. Cruz of the regulator, by phone, 23:10",
        "rounds": 10,
        "bill": {
            "moved": False,
            "rounds": [
                {
                    "round": f"T1/7/{number}",
                    "was": "open",
                    "wagers": 5,
                    "to_players_minor": 100_000,
                    "to_bank_minor": 4_300,
                }
                for number in range(1, 11)
            ],
            "changed": 10,
            "to_players_minor": 999_500,
            "to_bank_minor": 43_000,
        },
        "signed": [Values(name="Jun Santos", role="manager"), Values(name="Mia", role="manager")],
        "hash": "5f6c489b1ee7",
        "seq": 833,
    }
