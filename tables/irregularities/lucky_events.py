"""Events of the Lucky 9 games alone: draw errors, and what an elective draw brings (30, 31)."""

from typing import Final

from tables.irregularities.building import GAME_B, GAME_C, event, way, withdrawal
from tables.irregularities.kinds import CardEffect, WagerEffect


def _(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


LUCKY_EVENTS: Final = (
    event(
        30,
        _("Draw error"),
        *(
            way(f"{code}{suffix}", name, letters, card=card, bank=bank)
            for suffix, letters, bank in (("", "S", False), ("_bank", "M", True))
            for code, name, card in (
                (
                    "move_on",
                    _("Surplus card, not seen: it goes to the next hand that must draw"),
                    CardEffect.STAY,
                ),
                ("burn", _("Surplus card, seen: it is burned"), CardEffect.BURNED),
                (
                    "deal_now",
                    _("Missing card, the bank has not acted: it is dealt now"),
                    CardEffect.MISSED,
                ),
            )
        ),
        way(
            "void_seat",
            _("The missing card is not known for certain: the seat is void"),
            "S",
            wagers=WagerEffect.SEAT_BACK,
        ),
        way(
            "correct",
            _("Noticed after the settlement: a linked correction"),
            "S",
            elsewhere="correction",
            in_round=None,
        ),
        games=GAME_B,
    ),
    event(
        31,
        _("Decision out of turn, bank shown early, player absent"),
        way("signal_void", _("The signal is void, the wager stands"), "S"),
        way("play_on", _("The bank's cards were shown early; nobody withdraws"), "S"),
        withdrawal(
            "withdraw",
            _("The bank's cards were shown early; who has not decided may withdraw"),
            "S",
        ),
        way("absent", _("The player is absent and stands"), "S"),
        games=GAME_C,
    ),
)
