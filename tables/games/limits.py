"""Limits: which wagers a table takes, pinned when betting closes (rules A24, 1E).

All amounts are integer minor units. Limits never enter a round document.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from tables.games.canonical import canonical_bytes, content_hash, read_object
from tables.games.errors import LimitsError
from tables.games.game import Game
from tables.games.options import Form, Group, Whole, read_map, show
from tables.games.registry import GAMES
from tables.games.rulesets import fault_documents
from tables.games.values import Fault

# All seats win these on the same House hand or by the same event (A24).
_AGGREGATED = ("jacks", "tie")
# What is compared kind by kind.
_PLACES = ("min", "max", "step")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a table: by wager kind, for the whole table, and the cover of the bank.

    `max` None means no maximum. `aggregate` is the most that all wagers of a kind together may win
    in one round, None for no such limit. `bank_cover_minor` is what a bank at a seat can pay (B20,
    C12); None for the house.
    """

    hash: str
    canonical: bytes = field(repr=False)
    min: Mapping[str, int] = field(hash=False)
    max: Mapping[str, int | None] = field(hash=False)
    step: Mapping[str, int] = field(hash=False)
    aggregate: Mapping[str, int | None] = field(hash=False)
    bank_cover_minor: int | None

    @property
    def values(self) -> dict[str, object]:
        """All limits with the defaults filled in, as a copy that the caller may keep."""
        return read_object(self.canonical, "limits")


def load_limits(game: str, options: Mapping[str, object]) -> Limits:
    """Return the limits of a table of this game; what is left out does not limit.

    `options` has `min`, `max`, `step` by wager kind, `aggregate` for jacks and tie,
    `bank_cover_minor`. Raises LimitsError with every fault: unknown_game, unknown_limit,
    unknown_field, option_value, contradiction.
    """
    known = GAMES.get(game)
    if known is None:
        detail = f"expected one of the games {', '.join(GAMES)}, not {show(game)}"
        raise LimitsError(faults=fault_documents([Fault("unknown_game", "game", detail)]))
    faults: list[Fault] = []
    read = limits_schema(known).read(options, where="limits", faults=faults)
    assert isinstance(read, dict)
    limits = _limits(read)
    faults += _contradictions(limits, misread={fault.where for fault in faults})
    if faults:
        raise LimitsError(faults=fault_documents(faults))
    return limits


def limits_schema(game: Game) -> Group:
    """Return the forms of the limits of this game: by wager kind, for the table, of the bank."""

    def by_kind(form: Form) -> Group:
        return Group(dict.fromkeys(game.kinds, form))

    aggregated: dict[str, Form] = {
        kind: Whole(None, low=1, nullable=True) for kind in _AGGREGATED if kind in game.kinds
    }
    return Group(
        {
            "min": by_kind(Whole(1, low=1)),
            "max": by_kind(Whole(None, low=1, nullable=True)),
            "step": by_kind(Whole(1, low=1)),
            "aggregate": Group(aggregated),
            "bank_cover_minor": Whole(None, low=0, nullable=True),
        },
        unknown="unknown_limit",
    )


def _limits(read: Mapping[str, object]) -> Limits:
    canonical = canonical_bytes({"limits": read})
    cover = read["bank_cover_minor"]
    return Limits(
        hash=content_hash(canonical),
        canonical=canonical,
        min=_amounts(read["min"], none=1),
        max=_amounts_or_none(read["max"]),
        step=_amounts(read["step"], none=1),
        aggregate=_amounts_or_none(read["aggregate"]),
        bank_cover_minor=cover if isinstance(cover, int) else None,
    )


def _amounts(value: object, *, none: int) -> dict[str, int]:
    return {
        kind: amount if isinstance(amount, int) else none
        for kind, amount in read_map(value).items()
    }


def _amounts_or_none(value: object) -> dict[str, int | None]:
    return {
        kind: amount if isinstance(amount, int) else None
        for kind, amount in read_map(value).items()
    }


def _contradictions(limits: Limits, *, misread: Set[str]) -> list[Fault]:
    """Return the limits that no wager, or no posted wager, could meet.

    For what could not be read a default stands here, which nobody wrote: it contradicts nothing.
    """
    faults: list[Fault] = []
    for kind, least in limits.min.items():
        if any({f"limits.{name}", f"limits.{name}.{kind}"} & misread for name in _PLACES):
            continue
        most, step = limits.max[kind], limits.step[kind]
        if most is not None and most < least:
            detail = f"expected at least the minimum {least}, not {most}"
            faults.append(Fault("contradiction", f"limits.max.{kind}", detail))
        for name, amount in (("min", least), ("max", most)):
            if amount is not None and amount % step:
                detail = f"expected a multiple of the step {step}, not {amount}"
                faults.append(Fault("contradiction", f"limits.{name}.{kind}", detail))
    return faults
