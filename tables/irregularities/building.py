"""Short ways to write the catalogue down; the modules of events use them and nothing else does."""

from typing import Final

from tables.irregularities.kinds import (
    ALL_GAMES,
    Event,
    Letter,
    Procedure,
    ShoeEffect,
    WagerEffect,
)

GAME_A: Final = ("poker-lucky-9",)
GAME_B: Final = ("lucky-9",)
GAME_C: Final = ("lucky-9-social",)
# A void of the shoe; without a round in play the supervisor has nothing to void.
SHOE_VOID: Final = {"shoe": ShoeEffect.VOIDED, "in_round": None, "between": "MH"}


def event(number: int, name: str, *ways: Procedure, games: tuple[str, ...] = ALL_GAMES) -> Event:
    """Return an event with its procedures by code."""
    return Event(number, name, {way.code: way for way in ways}, games)


def way(code: str, name: str, letters: str, **rest: object) -> Procedure:
    """Return a procedure; `letters` are who signs, `between` the same where no round is in play."""
    if "between" in rest:
        rest["between"] = signers(str(rest["between"]))
    return Procedure(code, name, signers(letters), **rest)  # type: ignore[arg-type]  # by name


def withdrawal(code: str, name: str, letters: str, **rest: object) -> Procedure:
    """Return a procedure of game C: hands that have not decided take their wagers back."""
    return way(
        code,
        name,
        letters,
        wagers=WagerEffect.SEAT_BACK,
        games=GAME_C,
        undecided=True,
        **rest,
    )


def void(name: str, letters: str = "SM", **rest: object) -> Procedure:
    """Return a procedure that voids the round."""
    return way("void", name, letters, wagers=WagerEffect.ROUND_BACK, **rest)


def signers(letters: str) -> tuple[Letter, ...]:
    """Return letters as the rules write them, such as "SM"."""
    return tuple(Letter(letter) for letter in letters)
