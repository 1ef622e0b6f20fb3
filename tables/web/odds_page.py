"""Odds as pages show them: endings, edges, covariances, and what stakes bring over many rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kernel.money import format_minor
from casino.web.templatetags.money import MINUS
from casino.web.templatetags.states import WAGERS
from tables.games import GAMES, Ruleset
from tables.games.odds_counting import OddsError
from tables.games.odds_document import decimal_text, percent_text, short_text
from tables.games.odds_results import OutcomeOdds, RoundOdds, WagerOdds
from tables.games.odds_rounds import ROUNDS_MAX, HouseResult
from tables.games.rule_warnings import HOUSE_EDGE_MAX
from tables.selectors.odds import SlowOddsRead, house_result, open_wagers
from tables.web.odds_pictures import edge_picture, result_picture, rounded_money
from tables.web.rule_forms import AmountField
from tables.web.rule_words import ENDINGS

_ROUNDS_USUAL = 1000
_STAKE_USUAL_MINOR = 10_000

Context = dict[str, Any]  # a template's values


@dataclass(frozen=True, slots=True)
class EndingRow:
    """One ending of a wager."""

    outcome: str
    price: str
    pays: str
    percent: str
    fraction: str


@dataclass(frozen=True, slots=True)
class WagerRows:
    """A wager with its endings and what follows from them; texts, None where it is closed."""

    wager: str
    name: str
    endings: Sequence[EndingRow]
    edge: str | None
    edge_fraction: str
    tone: str
    hit: str
    push: str
    fair: str
    variance: str


def odds_context(odds: RoundOdds) -> Context:
    """Return the odds of a full shoe as the templates read them."""
    wagers = [_wager_rows(each) for each in odds.wagers.values()]
    bars = [(wager_name(name), each.house_edge) for name, each in odds.wagers.items()]
    return {
        "wagers": wagers,
        "cards": sum(odds.composition),
        "policy": [(_side(side), draws) for side, draws in odds.policy.items()],
        "picture": edge_picture(bars),
        "covariance": covariance_rows(odds.covariance),
    }


def signed(text: str) -> str:
    """Write a figure with the minus sign that pages use."""
    return f"{MINUS}{text[1:]}" if text.startswith("-") else text


def wager_name(wager: str) -> str:
    """Return what a wager is called on screens."""
    return str(WAGERS.get(wager, wager))


def _side(side: str) -> str:
    words = {
        "seat": _("The seat"),
        "bank": _("The bank"),
        "bank after a draw": _("The bank, after a draw"),
        "bank after a stand": _("The bank, after a stand"),
    }
    return words.get(side, side)


def _wager_rows(odds: WagerOdds) -> WagerRows:
    edge = odds.house_edge
    tone = ""
    if edge is not None:
        tone = "lose" if edge < 0 else "late" if edge > HOUSE_EDGE_MAX else ""
    return WagerRows(
        wager=odds.wager,
        name=wager_name(odds.wager),
        endings=[_ending_row(row, wager=odds.wager) for row in odds.outcomes],
        edge=None if edge is None else signed(percent_text(edge)),
        edge_fraction="" if edge is None else str(edge),
        tone=tone,
        hit=percent_text(odds.hit_rate),
        push=percent_text(odds.push_rate),
        fair=_fair(odds),
        variance="" if odds.variance is None else decimal_text(odds.variance, places=3),
    )


def _fair(odds: WagerOdds) -> str:
    if odds.fair_odds is None:
        return _("never wins")
    return _("%(odds)s to 1") % {"odds": decimal_text(odds.fair_odds, places=2)}


def _ending_row(row: OutcomeOdds, *, wager: str) -> EndingRow:
    price = row.ending.price
    words = "" if price in ("", wager) else str(ENDINGS.get(price, price.replace("_", " ")))
    return EndingRow(
        outcome=row.ending.outcome,
        price=words,
        pays=_pays(row),
        percent=percent_text(row.probability, places=4),
        fraction=str(row.probability),
    )


def _pays(row: OutcomeOdds) -> str:
    if row.profit is None:
        return _("no price")
    if row.ending.outcome == "win":
        return _("%(odds)s to 1") % {"odds": short_text(row.profit)}
    if row.profit == 0:
        return _("stake back")
    if row.profit == -1:
        return _("stake lost")
    return _("%(profit)s of the stake") % {"profit": signed(short_text(row.profit))}


def covariance_rows(
    covariance: Mapping[tuple[str, str], Fraction],
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return covariances as a square table: a row for each wager, each cell with its fraction."""
    kinds = list(dict.fromkeys(one for one, _other in covariance))
    return [
        (
            wager_name(one),
            [
                (
                    signed(decimal_text(covariance[one, other], places=4)),
                    str(covariance[one, other]),
                )
                for other in kinds
            ],
        )
        for one in kinds
    ]


class ResultForm(forms.Form):
    """How many rounds, how many seats, and the same stakes on each of them."""

    rounds = forms.IntegerField(label=gettext_lazy("Rounds"), min_value=1, max_value=ROUNDS_MAX)
    seats = forms.IntegerField(label=gettext_lazy("Seats"), min_value=1)

    def __init__(
        self, data: Mapping[str, str] | None, *, wagers: Sequence[str], seats_max: int
    ) -> None:
        super().__init__(data)
        self.wagers = wagers
        seats = self.fields["seats"]
        assert isinstance(seats, forms.IntegerField)
        self.fields["seats"] = forms.IntegerField(
            label=seats.label, min_value=1, max_value=seats_max
        )
        for wager in wagers:
            self.fields[f"stake_{wager}"] = AmountField(label=wager_name(wager), required=False)

    def stakes(self) -> dict[str, int]:
        """Return the stakes by wager in minor units; the form must be valid."""
        sent = {wager: self.cleaned_data[f"stake_{wager}"] for wager in self.wagers}
        return {wager: stake for wager, stake in sent.items() if stake}


def usual_query(wagers: Sequence[str]) -> dict[str, str]:
    """Return what the form asks before anybody changed it: one seat with a main wager."""
    stakes = {f"stake_{wager}": "" for wager in wagers}
    first = "main" if "main" in wagers else wagers[0]
    stakes[f"stake_{first}"] = format_minor(_STAKE_USUAL_MINOR, currency=settings.HOUSE_CURRENCY)
    return {"rounds": str(_ROUNDS_USUAL), "seats": "1", **stakes}


def result_context(
    ruleset: Ruleset, odds: RoundOdds, *, query: Mapping[str, str], slow: SlowOddsRead
) -> Context:
    """Return the form about the house's result, and the result if the form can be read."""
    wagers = open_wagers(odds)
    data = query if "rounds" in query else usual_query(wagers)
    form = ResultForm(data, wagers=wagers, seats_max=GAMES[ruleset.game].seats_max)
    result: HouseResult | None = None
    if form.is_valid() and form.stakes():
        try:
            result = house_result(
                ruleset,
                stakes=form.stakes(),
                seats=form.cleaned_data["seats"],
                rounds=form.cleaned_data["rounds"],
                between=slow.between_seats,
            )
        except OddsError as error:
            for fault in error.faults:
                form.add_error(None, str(fault["detail"]))
    elif form.is_valid():
        form.add_error(None, _("State a stake on at least one wager."))
    return {"form": form, "result": None if result is None else _result(result, form=form)}


def _result(result: HouseResult, *, form: ResultForm) -> Context:
    return {
        "rounds": result.rounds,
        "seats": result.seats,
        "seats_asked": form.cleaned_data["seats"],
        "staked_minor": sum(form.stakes().values()) * result.seats,
        "expected": _money_text(result.expected),
        "expected_fraction": str(result.expected),
        "kept": _money_text(result.of_seat.kept),
        "deviation_round": rounded_money(float(result.variance) ** 0.5),
        "mean": rounded_money(result.mean_minor),
        "deviation": rounded_money(result.deviation_minor),
        "behind": f"{result.behind * 100:.1f}%",
        "picture": result_picture(result),
    }


def _money_text(amount_minor: Fraction) -> str:
    """Write an exact amount of minor units in the house's currency, two places beyond its own."""
    exponent = settings.HOUSE_CURRENCY.exponent
    return signed(decimal_text(amount_minor / 10**exponent, places=exponent + 2))


def best_draws_context(slow: SlowOddsRead) -> Context | None:
    """Return the best draws of an elective game in words; None where there are none, or not yet."""
    best, solved = slow.documents.get("best_draws"), slow.documents.get("solved_draws")
    if best is None or solved is None:
        return None
    return {"best": _best_rows(best), "solved": _solved_rows(solved)}


def _best_rows(document: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]], str]]:
    titles = {
        "seat": _("Seat, against a bank that draws on 0 to 5"),
        "bank": _("Bank, by its own hand alone"),
        "bank_against_one_seat": _("Bank against one seat, heeding what it did"),
    }
    return [
        (
            titles[name],
            [(_side(side), draws) for side, draws in _seat_first(document[name]["policy"])],
            _expects(document[name]),
        )
        for name in titles
    ]


def _seat_first(policy: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(policy.items(), key=lambda each: (each[0] != "seat", each[0]))


def _solved_rows(document: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    titles = {
        "any_number_of_seats": _("Any number of seats"),
        "one_seat": _("One seat, which the bank heeds"),
    }
    return [
        (
            titles[name],
            _expects(document[name]),
            document[name]["seat_expects"]["fraction"],
        )
        for name in titles
    ]


def _expects(document: Mapping[str, Any]) -> str:
    """Return what the seat expects as a part of its stake."""
    return signed(percent_text(Fraction(document["seat_expects"]["fraction"])))
