"""Events of the deal: cards in excess, exposed, misplaced, damaged, foreign (events 1 to 14)."""

from typing import Final

from tables.irregularities.building import SHOE_VOID, event, void, way, withdrawal
from tables.irregularities.kinds import CardEffect, ShoeEffect, WagerEffect


def _(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


DEAL_EVENTS: Final = (
    event(
        1,
        _("Card drawn in excess, not seen"),
        way(
            "next_card",
            _("It is the next card of the round"),
            "S",
            option=("excess_unseen", ("next_card",)),
        ),
        way(
            "next_round",
            _("It is the first card of the next round"),
            "S",
            option=("excess_unseen", ("next_card",)),
            card=CardEffect.NEXT_ROUND,
        ),
        way(
            "burn",
            _("It is burned"),
            "S",
            option=("excess_unseen", ("burn",)),
            card=CardEffect.BURNED,
            in_round=None,
        ),
    ),
    event(
        2,
        _("Card drawn in excess and seen"),
        way("burn", _("It is burned, shown to all"), "S", card=CardEffect.BURNED, in_round=None),
        withdrawal(
            "burn_withdraw",
            _("It is burned, shown to all; who has not decided may withdraw"),
            "S",
            card=CardEffect.BURNED,
        ),
    ),
    event(
        3,
        _("Card exposed in the deal"),
        way("stays", _("It stays where it belongs"), "S"),
        withdrawal("withdraw", _("The bank's card: who has not decided may withdraw"), "S"),
    ),
    event(
        4,
        _("One card face up in the shoe"),
        way(
            "discard",
            _("It is discarded, the next card takes its place"),
            "S",
            card=CardEffect.SET_ASIDE,
            in_round=None,
        ),
    ),
    event(
        5,
        _("Several cards face up in the shoe"),
        void(
            _("Round void, shoe set aside for checking"),
            card=CardEffect.SET_ASIDE,
            shoe=ShoeEffect.STOPPED,
            in_round=None,
            between="M",
        ),
    ),
    event(
        6,
        _("Card to the wrong seat or out of order"),
        way(
            "move",
            _("Found before the next card: moved to its place"),
            "S",
            option=("wrong_order_policy", ("rebuild", "move_only")),
        ),
        way(
            "rebuild",
            _("Untouched and order known: laid again in the order of the shoe"),
            "M",
            option=("wrong_order_policy", ("rebuild",)),
            card=CardEffect.REBUILT,
        ),
        way(
            "void_hands",
            _("The affected hands are void, the others stay as they lie"),
            "M",
            wagers=WagerEffect.SEAT_BACK,
            card=CardEffect.AS_LAID,
        ),
        void(_("House cards affected: round void")),
    ),
    event(
        7,
        _("Card to a seat without a wager"),
        way("move", _("Found before the next card: moved to its place"), "S"),
        way("ghost", _("The ghost hand is completed and discarded"), "S", card=CardEffect.GHOST),
    ),
    event(
        8,
        _("Seat with a wager missed"),
        way(
            "deal_next",
            _("Before the House's first card: it is dealt next"),
            "S",
            option=("missed_seat_policy", ("deal_next",)),
            card=CardEffect.MISSED,
        ),
        way("void_seat", _("Its wagers are void and returned"), "S", wagers=WagerEffect.SEAT_BACK),
    ),
    event(
        9,
        _("A player's hand has a wrong number of cards"),
        way("deal_last", _("A missing last card is dealt at once"), "M", card=CardEffect.MISSED),
        way(
            "void_seat",
            _("The seat is void, surplus cards are burned"),
            "M",
            wagers=WagerEffect.SEAT_BACK,
            card=CardEffect.BURNED,
        ),
    ),
    event(
        10,
        _("The House's hand has a wrong number of cards"),
        way(
            "deal_next",
            _("Nothing compared: its missing card is dealt next"),
            "M",
            card=CardEffect.MISSED,
        ),
        way(
            "burn",
            _("Nothing compared: its surplus card is burned"),
            "M",
            card=CardEffect.BURNED,
        ),
        void(_("Round void"), card=CardEffect.BURNED),
    ),
    event(
        11,
        _("Card dropped"),
        way("keep", _("Seen all the time: it keeps its value"), "SV"),
        withdrawal(
            "keep_withdraw",
            _("The bank's card, seen by a player: who has not decided may withdraw"),
            "SV",
        ),
        void(_("Out of sight: replaced after a check, round void"), "SMV"),
    ),
    event(
        12,
        _("Damaged card"),
        way(
            "replace",
            _("Wear: replaced by the same card, the old one sealed"),
            "S",
            card=CardEffect.REPLACED,
            in_round=None,
        ),
        way(
            "replace_suspected",
            _("Suspicion: replaced by the same card, the old one sealed"),
            "HV",
            regulator=True,
            card=CardEffect.REPLACED,
            in_round=None,
        ),
    ),
    event(
        13,
        _("Foreign card, or one copy more than the decks hold"),
        void(_("Declared after looking: round void, shoe void"), "SMH", **SHOE_VOID),
    ),
    event(
        14,
        _("Cards stuck together"),
        way("in_order", _("Separated unseen: used in order"), "S"),
        void(_("Round void"), card=CardEffect.BURNED),
    ),
)
