"""Forms for rules: one field for each option, made from the forms that the engine reads by.

A field turns what people type into the value that is hashed: a price is kept as it was written, an
amount becomes minor units. Whether values contradict each other is the check's to say.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from casino.kernel.money import format_minor
from casino.web.fields import TextField
from casino.web.templatetags.states import WAGERS
from tables.games import GAMES
from tables.games.limits import limits_schema
from tables.games.offered import offered_procedures
from tables.games.options import Amounts, Choice, Flag, Form, Group, Price, Whole
from tables.models import RuleKind
from tables.web.forms import typed_amount
from tables.web.rule_lines import in_order, value_text
from tables.web.rule_words import Words, words_for

_PRICE = re.compile(r"(\d{1,16})\s*(?::|/|to)\s*(\d{1,16})", re.ASCII)
_DECIMAL = re.compile(r"(\d{1,10})(?:\.(\d{1,6}))?(?:\s*to\s*1)?", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))?\s*%?", re.ASCII)
_PART_OF = re.compile(r"(\d{1,16})\s*(?:/|of)\s*(\d{1,16})", re.ASCII)


class PriceField(forms.CharField):
    """Winnings to one staked: "3 to 2", "0.95", "11 to 1"; kept as written, never reduced."""

    default_error_messages = {
        "price": gettext_lazy("Expected a price such as 3 to 2 or 0.95 to 1."),
    }

    def to_python(self, value: Any) -> list[int] | None:  # type: ignore[override]  # a pair
        text = str(super().to_python(value) or "").strip()
        if not text:
            return None
        pair = _PRICE.fullmatch(text)
        if pair:
            return [int(pair[1]), int(pair[2])]
        decimal = _DECIMAL.fullmatch(text)
        if decimal is None:
            raise ValidationError(self.error_messages["price"], code="price")
        decimals = decimal[2] or ""
        return [int(decimal[1] + decimals), 10 ** len(decimals)]

    def prepare_value(self, value: Any) -> Any:  # Any: as Django declares it
        if isinstance(value, list) and len(value) == 2:
            return f"{value[0]} to {value[1]}"
        return value

    def validate(self, value: Any) -> None:
        if self.required and value is None:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """A pair of numbers is no text to be measured."""


class ShareField(PriceField):
    """A part of a whole in per cent: "5 %" is kept as 5 of 100.

    A part that per cent would round or reduce is written "1 of 3", and kept as it stands.
    """

    default_error_messages = {
        "price": gettext_lazy("Expected per cent, such as 5 or 2.5 %, or a part, such as 1 of 3."),
    }

    def to_python(self, value: Any) -> list[int] | None:  # type: ignore[override]  # a pair
        text = str(forms.CharField.to_python(self, value) or "").strip()
        if not text:
            return [0, 100]
        part = _PART_OF.fullmatch(text)
        if part:
            return [int(part[1]), int(part[2])]
        share = _read_percent(text)
        if share is None:
            raise ValidationError(self.error_messages["price"], code="price")
        return share

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            return value
        return _percent_of(value) or f"{value[0]} of {value[1]}"


def _read_percent(text: str) -> list[int] | None:
    found = _PERCENT.fullmatch(text)
    if found is None:
        return None
    decimals = found[2] or ""
    return [int(found[1] + decimals), 100 * 10 ** len(decimals)]


def _percent_of(share: list[Any]) -> str:  # Any: a draft may hold anything
    """Return the per cent that are read as exactly this pair; empty where none are."""
    part, whole = share
    if type(part) is not int or type(whole) is not int:
        return ""
    for places in range(5):
        if whole == 100 * 10**places:
            digits = f"{part:0{places + 1}d}"
            text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
            return text if _read_percent(text) == share else ""
    return ""


class AmountField(forms.CharField):
    """An amount in the house's currency, kept in minor units; empty is none."""

    def __init__(self, **kwargs: Any) -> None:  # Any: Django's own options
        super().__init__(
            max_length=32, widget=forms.TextInput(attrs={"inputmode": "decimal"}), **kwargs
        )

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # minor units
        return typed_amount(str(super().to_python(value) or "").strip())

    def prepare_value(self, value: Any) -> Any:
        if type(value) is int:
            return format_minor(value, currency=settings.HOUSE_CURRENCY)
        return value

    def validate(self, value: Any) -> None:
        if self.required and value is None:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """Minor units are no text to be measured."""


class _FlagField(forms.TypedChoiceField):
    """Yes or no. What holds must be marked: a browser sends the first choice where none is."""

    def prepare_value(self, value: Any) -> Any:  # Any: as Django declares it
        return str(value).lower() if isinstance(value, bool) else value


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One option on the form: its words, its field, and what is in force."""

    label: str
    clause: str
    field: forms.BoundField | None
    fixed: str
    in_force: str


class RulesForm(forms.Form):
    """Name, effective day, and every option of a kind of rules of a game."""

    name = TextField(label=gettext_lazy("Name"), max_length=80)
    effective_day = forms.DateField(
        label=gettext_lazy("Effective from the gaming day"),
        required=False,
        help_text=gettext_lazy("Empty: from the day on which the second manager approves."),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def __init__(
        self,
        data: Mapping[str, str] | None,
        *,
        kind: str,
        game: str,
        options: Mapping[str, object],
        initial: Mapping[str, object] | None = None,
    ) -> None:
        self.kind, self.game = kind, game
        self.schema = schema_of(kind, game, says=options)
        leaves = list(_leaves(self.schema, options))
        first = {**(initial or {}), **{f"o:{path}": value for path, _form, value in leaves}}
        super().__init__(data, initial=first)
        self.paths: list[tuple[str, Form]] = []
        for path, form, _value in leaves:
            field = _field(path, form, words_for(kind, game, path, wager_names=WAGERS))
            self.paths.append((path, form))
            if field is not None:
                self.fields[f"o:{path}"] = field

    def rows(self, in_force: Mapping[str, object]) -> Iterator[RuleRow]:
        """Yield a row for each option; `in_force` is by path, empty where nothing is."""
        forms_by_path = dict(self.paths)
        for path in in_order(self.kind, self.game, forms_by_path):
            form = forms_by_path[path]
            words = words_for(self.kind, self.game, path, wager_names=WAGERS)
            name = f"o:{path}"
            standing = ""
            if in_force:
                standing = value_text(self.kind, self.game, path, in_force.get(path))
            fixed = ""
            if name not in self.fields:
                fixed = value_text(self.kind, self.game, path, form.default)
            yield RuleRow(
                label=str(words.label),
                clause=words.clause,
                field=self[name] if name in self.fields else None,
                fixed=fixed,
                in_force=standing,
            )

    def options(self) -> dict[str, object]:
        """Return the options as they are hashed; the form must be valid."""
        found = _skeleton(self.schema)
        for path, form in self.paths:
            name = f"o:{path}"
            value = self.cleaned_data[name] if name in self.fields else form.default
            if value is not None or not isinstance(form, _Cap):
                _put(found, path, value)
        return found


@dataclass(frozen=True, slots=True)
class _Cap:
    """One member of an object of amounts: left out where there is none."""

    default: object = None

    def read(self, value: object, *, where: str, faults: list[Any]) -> object:
        return value


def schema_of(kind: str, game: str, *, says: Mapping[str, object]) -> Group:
    """Return the forms by which the engine reads rules of this kind. Precondition: a known game.

    Of procedures what the game never takes is left out, but for what the draft says already.
    """
    known = GAMES[game]
    if kind == RuleKind.RULESET:
        return known.schema
    if kind == RuleKind.PROCEDURES:
        return offered_procedures(game, says=says)
    return limits_schema(known)


def _skeleton(group: Group) -> dict[str, object]:
    """Return the objects of a group without their values."""
    return {
        name: _skeleton(form) if isinstance(form, Group) else {}
        for name, form in group.members.items()
        if isinstance(form, Group | Amounts)
    }


def _leaves(group: Group, options: object, prefix: str = "") -> Iterator[tuple[str, Form, object]]:
    """Yield each single value of a group with its form and what it is now."""
    values = options if isinstance(options, Mapping) else {}
    for name, form in group.members.items():
        path, value = f"{prefix}{name}", values.get(name, form.default)
        if isinstance(form, Group):
            yield from _leaves(form, value, f"{path}.")
        elif isinstance(form, Amounts):
            caps = value if isinstance(value, Mapping) else {}
            for kind in form.kinds:
                yield f"{path}.{kind}", _Cap(), caps.get(kind)
        else:
            yield path, form, value


def _field(path: str, form: Form, words: Words) -> forms.Field | None:
    """Make the field of one option; None for what has only one value."""
    make = _FIELDS.get(type(form))
    return None if make is None or _is_fixed(form) else make(path, form, words)


def _is_fixed(form: Form) -> bool:
    if isinstance(form, Choice):
        return len(form.values) == 1
    return isinstance(form, Whole) and form.low == form.high


def _choice(path: str, form: Any, words: Words) -> forms.Field:  # Any: the form of its type
    choices = [
        (value, words.values.get(value) or value_text("procedures", "", path, value))
        for value in form.values
    ]
    return forms.ChoiceField(label=str(words.label), choices=choices)


def _flag(path: str, form: Any, words: Words) -> forms.Field:
    choices = [("true", words.values["true"]), ("false", words.values["false"])]
    return _FlagField(label=str(words.label), choices=choices, coerce=lambda text: text == "true")


def _whole(path: str, form: Any, words: Words) -> forms.Field:
    if is_amount(path):
        return AmountField(label=str(words.label), required=not form.nullable)
    return forms.IntegerField(
        label=str(words.label),
        required=not form.nullable,
        min_value=form.low,
        max_value=form.high,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


def _price(path: str, form: Any, words: Words) -> forms.Field:
    if form.share:
        return ShareField(label=str(words.label), required=False, max_length=40)
    return PriceField(label=str(words.label), required=not form.nullable, max_length=40)


def _cap(path: str, form: Any, words: Words) -> forms.Field:
    return AmountField(label=str(words.label), required=False)


_FIELDS: Mapping[type, Callable[[str, Any, Words], forms.Field]] = {
    Choice: _choice,
    Flag: _flag,
    Whole: _whole,
    Price: _price,
    _Cap: _cap,
}


def is_amount(path: str) -> bool:
    """Tell whether a path names money: by its name, or as a limit of a wager."""
    head = path.partition(".")[0]
    return path.endswith("_minor") or head in ("min", "max", "step", "aggregate")


def _put(found: dict[str, object], path: str, value: object) -> None:
    """Set a value at a dotted path; the objects on the way are there."""
    *outer, name = path.split(".")
    place = found
    for step in outer:
        inner = place[step]
        assert isinstance(inner, dict)
        place = inner
    place[name] = value
