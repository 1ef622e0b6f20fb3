"""Rulesets and procedures that houses know by a name: options, never modules of their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """A named game: what of its options and procedures differs from the defaults."""

    code: str
    name: str
    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    procedures: Mapping[str, object] = field(default_factory=dict)


PRESETS: Final[Mapping[str, Preset]] = {
    preset.code: preset
    for preset in (
        Preset("pagcor-poker-lucky-9", "PAGCOR Poker Lucky 9", "poker-lucky-9"),
        Preset("lucky-9", "Lucky 9", "lucky-9"),
        Preset("super-9", "Super 9", "lucky-9", {"decks": 8}, {"deal_from": "shoe"}),
        Preset(
            "fixed-bank",
            "Fixed bank",
            "lucky-9",
            procedures={"bank": "players", "banker_rotation": "fixed"},
        ),
        Preset("forced-draw", "Three-card forced draw", "lucky-9", {"forced_draw": "to_7"}),
        Preset("multi-deck", "Multi-deck", "lucky-9", {"decks": 2}),
        Preset("straight", "Straight (no bonus hands)", "lucky-9", {"colon": {"enabled": False}}),
        Preset(
            "home",
            "Home profile",
            "lucky-9-social",
            procedures={"bank": "players", "banker_rotation": "clockwise"},
        ),
    )
}
