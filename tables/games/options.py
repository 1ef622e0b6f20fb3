"""The forms that an option can have, each with its default: reading finds every fault at once.

A form turns what a ruleset says into the value that is hashed. It must not know what the value does
to a round. Values that are not read (a `FloatLiteral`, say) fall through to the fault.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tables.games.values import STAKE_MAX, Fault, Odds


class Form(Protocol):
    """What an option may be; `read` returns a value also for a bad one (its default)."""

    @property
    def default(self) -> object: ...

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object: ...


def is_whole(value: object, *, low: int, high: int) -> bool:
    """Tell whether `value` is an integer (never a boolean) from `low` to `high`."""
    return type(value) is int and low <= value <= high


def _refuse(faults: list[Fault], where: str, value: object, expected: str) -> None:
    faults.append(
        Fault(
            "option_value",
            where,
            f"expected {expected}, not {show(value)}",
            {"expected": expected},
        )
    )


def show(value: object) -> str:
    """Return a value from outside as it may stand in a message: short, in one line."""
    text = getattr(value, "text", None)
    if isinstance(text, str):  # a number with a point or an exponent, kept as it was written
        return text[:40]
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        pair = len(value) == 2 and not any(isinstance(item, dict | list) for item in value)
        return f"[{show(value[0])}, {show(value[1])}]" if pair else "a list"
    return repr(value)[:40] if isinstance(value, str) else str(value)[:40]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words; the first is the default."""

    values: tuple[str, ...]

    @property
    def default(self) -> object:
        return self.values[0]

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if isinstance(value, str) and value in self.values:
            return value
        _refuse(faults, where, value, " or ".join(f'"{word}"' for word in self.values))
        return self.default


@dataclass(frozen=True, slots=True)
class Fixed:
    """Exactly one value is accepted; it is named so that a ruleset says it."""

    value: str | tuple[int, ...]

    @property
    def default(self) -> object:
        return self.value if isinstance(self.value, str) else list(self.value)

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        same = value == self.default
        if same and isinstance(value, list):
            same = all(type(item) is int for item in value)
        if not same:
            _refuse(faults, where, value, f"only {self.default!r}".replace("'", '"'))
        return self.default


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    default: bool

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if isinstance(value, bool):
            return value
        _refuse(faults, where, value, "true or false")
        return self.default


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer within bounds; with `nullable`, null means none."""

    default: int | None
    low: int
    high: int = STAKE_MAX
    nullable: bool = False

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if is_whole(value, low=self.low, high=self.high) or (value is None and self.nullable):
            return value
        none = ", or null for none" if self.nullable else ""
        _refuse(faults, where, value, f"an integer from {self.low} to {self.high}{none}")
        return self.default


@dataclass(frozen=True, slots=True)
class Price:
    """Odds as [numerator, denominator], winnings to one staked, as written and never reduced.

    With `nullable`, null closes the wager; with `share`, the pair is a part of a whole from 0 to 1.
    """

    odds: Odds | None
    nullable: bool = False
    share: bool = False

    @property
    def default(self) -> object:
        return None if self.odds is None else list(self.odds)

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if value is None and self.nullable:
            return None
        low = 0 if self.share else 1
        if isinstance(value, list) and len(value) == 2:
            top, bottom = value
            whole = is_whole(top, low=low, high=STAKE_MAX) and is_whole(
                bottom, low=1, high=STAKE_MAX
            )
            if whole and (not self.share or top <= bottom):
                return [top, bottom]
        expected = f"[numerator, denominator], integers from {low} and from 1 to {STAKE_MAX}"
        expected += ", not above 1 in all" if self.share else ""
        expected += ", or null" if self.nullable else ""
        _refuse(faults, where, value, expected)
        return self.default


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts in minor units by wager kind; kinds that are left out have none."""

    kinds: tuple[str, ...]

    @property
    def default(self) -> object:
        return {}

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if not isinstance(value, Mapping):
            _refuse(faults, where, value, "an object of amounts by wager name")
            return {}
        found: dict[str, int] = {}
        for kind, amount in value.items():
            if kind not in self.kinds:
                names = ", ".join(self.kinds)
                faults.append(
                    Fault("unknown_bet", f"{where}.{kind}", f"expected one of the wagers {names}")
                )
            elif is_whole(amount, low=0, high=STAKE_MAX):
                found[kind] = amount
            else:
                _refuse(faults, f"{where}.{kind}", amount, f"an integer from 0 to {STAKE_MAX}")
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """An object of named forms; what is left out takes the default, key by key.

    `unknown` is the fault of a name that is not a member.
    """

    members: Mapping[str, Form]
    unknown: str = "unknown_field"

    @property
    def default(self) -> object:
        return {name: form.default for name, form in self.members.items()}

    def read(self, value: object, *, where: str, faults: list[Fault]) -> object:
        if not isinstance(value, Mapping):
            _refuse(faults, where, value, "an object")
            return self.default
        return self.read_members(value, where=where, faults=faults)

    def read_members(
        self, value: Mapping[str, object], *, where: str, faults: list[Fault]
    ) -> dict[str, object]:
        """Return every member's value; unknown names become faults."""
        found: dict[str, object] = {}
        for name, form in self.members.items():
            if name in value:
                found[name] = form.read(value[name], where=f"{where}.{name}", faults=faults)
            else:
                found[name] = form.default
        faults.extend(
            Fault(self.unknown, f"{where}.{name}", f"expected one of {_names(self.members)}")
            for name in value
            if name not in self.members
        )
        return found


def _names(members: Mapping[str, Form]) -> str:
    return ", ".join(members)


ROUNDING: Form = Group({"unit_minor": Whole(1, low=1), "mode": Choice(("down", "half_up", "up"))})


def read_odds(value: object) -> Odds:
    """Return the typed form of a validated price."""
    assert isinstance(value, Sequence)
    numerator, denominator = value
    assert isinstance(numerator, int)
    assert isinstance(denominator, int)
    return numerator, denominator


def read_map(value: object) -> Mapping[str, object]:
    """Return the typed form of a validated group."""
    assert isinstance(value, Mapping)
    return value
