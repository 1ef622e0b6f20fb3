"""Rules in words: every value as a line with its label, its clause and what it means."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext as _

from casino.web.templatetags.money import money_text
from casino.web.templatetags.odds import odds as odds_text
from casino.web.templatetags.states import WAGERS
from tables.games import GAMES, PRESETS
from tables.games.procedures import DRAW_UP_TO
from tables.games.rule_warnings import RuleWarning, explain_warning
from tables.models import RuleKind
from tables.selectors.rule_check import Comparison, Warned
from tables.selectors.rule_content import default_options, flatten
from tables.selectors.rule_life import PublishedRules
from tables.web.rule_words import GAME_NAMES, KIND_NAMES, place_of, words_for

_PERCENT_PARTS: Final = 1_000_000
"""What a whole has of the smallest part that is written in per cent: four decimals."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One value in words; `before` is what it was where two sets are laid side by side."""

    path: str
    label: str
    clause: str
    value: str
    before: str = ""
    changed: bool = False


def rule_lines(
    kind: str,
    game: str,
    options: Mapping[str, object],
    *,
    against: Comparison | None = None,
) -> list[RuleLine]:
    """Return every value in words; with `against`, what stands in force beside what differs."""
    changes = {line.path: line for line in against.lines} if against else {}
    flat = flatten(options)
    gone = [path for path in changes if path not in flat]
    unsaid = set(gone).intersection(flatten(default_options(kind, game)))
    lines = []
    for path in in_order(kind, game, [*flat, *gone]):
        words = words_for(kind, game, path, wager_names=WAGERS)
        change = changes.get(path)
        lines.append(
            RuleLine(
                path=path,
                label=str(words.label),
                clause=words.clause,
                value=_("not said")
                if path in unsaid
                else value_text(kind, game, path, flat.get(path)),
                before="" if change is None else value_text(kind, game, path, change.before),
                changed=change is not None,
            )
        )
    return lines


def value_pairs(
    kind: str, game: str, values: Mapping[str, object], *, only: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return label and meaning of each value, or of the paths that are named, in order."""
    lines = rule_lines(kind, game, values)
    return [(line.label, line.value) for line in lines if not only or line.path in only]


def in_order(kind: str, game: str, paths: Iterable[str]) -> list[str]:
    """Return the paths of values in the order in which pages show them."""
    wagers = GAMES[game].kinds
    return sorted(paths, key=lambda path: place_of(kind, game, path, wagers=wagers))


def value_text(kind: str, game: str, path: str, value: object) -> str:
    """Return what one value means, in words."""
    words = words_for(kind, game, path, wager_names=WAGERS)
    if isinstance(value, bool):
        value = "true" if value else "false"
    if isinstance(value, str):
        if value in DRAW_UP_TO:
            return _draws_text(int(value.removeprefix("draw_0_to_")))
        return str(words.values.get(value, value.replace("_", " ")))
    if value is None:
        return _none_text(kind, path)
    if isinstance(value, list):
        return _list_text(path, value)
    if isinstance(value, int) and (
        kind == RuleKind.LIMITS
        or path.partition(".")[0].endswith("_minor")
        or path.endswith("_minor")
    ):
        return money_text(value)
    return str(value)


def _none_text(kind: str, path: str) -> str:
    if path == "tie_odds":
        return _("no tie wager")
    if kind == RuleKind.LIMITS:
        return _("no limit")
    return _("none")


def _list_text(path: str, value: list[object]) -> str:
    numbers = [each for each in value if type(each) is int]
    if len(numbers) != len(value):
        return str(value)
    if path == "natural_totals":
        return _("two cards that count %(totals)s") % {"totals": ", ".join(map(str, numbers))}
    if len(numbers) != 2:
        return str(value)
    if path == "commission":
        return _share_text(*numbers)
    return odds_text(numbers) if numbers[1] else str(value)


def _share_text(part: int, whole: int) -> str:
    """Return per cent where that is exact; what is none, or would be rounded, as it is written."""
    if part == 0 and whole > 0:
        return _("none")
    if not 0 < part <= whole or part * _PERCENT_PARTS % whole:
        return _("%(part)d of %(whole)d") % {"part": part, "whole": whole}
    percent = Decimal(part * _PERCENT_PARTS // whole).scaleb(-4).normalize()
    return f"{percent:f} %"


def _draws_text(total: int) -> str:
    if total == 0:
        return _("0; stands on 1 to 8")
    if total == 8:
        return _("0 to 8")
    return _("0 to %(total)d; stands above") % {"total": total}


@dataclass(frozen=True, slots=True)
class WarningLine:
    """A warning as a page shows it."""

    sentence: str
    clause: str
    where: str
    under: str
    tables: str


def warning_lines(warnings: Iterable[Warned]) -> list[WarningLine]:
    """Return warnings in words."""
    return [
        WarningLine(
            sentence=warning_text(each.warning),
            clause=each.warning.clause,
            where=each.warning.where,
            under=each.under[:12],
            tables=", ".join(each.tables),
        )
        for each in warnings
    ]


def warning_text(warning: RuleWarning) -> str:
    """Say a warning in the reader's language, with amounts as people write them."""
    return explain_warning(warning, money=money_text, wager=_wager_text, translate=_)


def _wager_text(wager: str) -> str:
    return str(WAGERS.get(wager, wager)).lower()


def game_name(game: str) -> str:
    """Return what a game is called on screens."""
    return str(GAME_NAMES.get(game, game))


def rules_title(rules: PublishedRules) -> str:
    """Return the name of published rules, or of what kind they are where they have none."""
    return rules.name or f"{KIND_NAMES[rules.kind]}, {game_name(rules.game)}"


@dataclass(frozen=True, slots=True)
class PresetLine:
    """A preset on the page: its name, its game, and what of it differs from the defaults."""

    code: str
    name: str
    game: str
    differs: str


def preset_lines(kind: str) -> list[PresetLine]:
    """Return the presets that say something of a kind of rules; a ruleset is part of each.

    With the ruleset stands what the preset wants of procedures: those are drafted for themselves.
    """
    found = []
    for preset in PRESETS.values():
        procedures = _differences(RuleKind.PROCEDURES, preset.game, preset.procedures)
        if kind == RuleKind.RULESET:
            options = _differences(RuleKind.RULESET, preset.game, preset.options)
            parts = [options or _("all defaults")]
            if procedures:
                parts.append(_("with procedures: %(procedures)s") % {"procedures": procedures})
        elif kind == RuleKind.PROCEDURES and preset.procedures:
            parts = [procedures or _("all defaults")]
        else:
            continue
        found.append(
            PresetLine(
                code=preset.code,
                name=preset.name,
                game=game_name(preset.game),
                differs="; ".join(parts),
            )
        )
    return found


def _differences(kind: str, game: str, values: Mapping[str, object]) -> str:
    """Say in words what of some values is not the default of the game; empty where nothing is."""
    plain = flatten(default_options(kind, game))
    return "; ".join(
        f"{words_for(kind, game, path, wager_names=WAGERS).label}:"
        f" {value_text(kind, game, path, value)}"
        for path, value in flatten(values).items()
        if plain.get(path) != value
    )


def games() -> list[tuple[str, str]]:
    """Return the games with their names."""
    return [(code, game_name(code)) for code in GAMES]
