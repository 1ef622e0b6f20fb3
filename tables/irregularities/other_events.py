"""Events of the shoe, of hands and wagers, of the house (events 15 to 33). Data."""

from typing import Final

from tables.irregularities.building import GAME_A, SHOE_VOID, event, void, way
from tables.irregularities.kinds import CardEffect, ShoeEffect, WagerEffect


def _(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


OTHER_EVENTS: Final = (
    event(
        15,
        _("Wrong number of cards in the shoe"),
        void(_("Round void, shoe void"), "SMH", regulator=True, **SHOE_VOID),
    ),
    event(
        16,
        _("Not shuffled, wrong shoe, burn forgotten"),
        void(
            _("Not shuffled or wrong shoe: round void, shoe void"),
            "SMH",
            regulator=True,
            **SHOE_VOID,
        ),
        way(
            "burn_now",
            _("Burn forgotten, no card dealt: burned now"),
            "S",
            card=CardEffect.BURNED,
            in_round=None,
        ),
        way("carry_on", _("Burn forgotten, cards dealt: play goes on"), "S", in_round=None),
    ),
    event(
        17,
        _("Cut card"),
        way(
            "finish_round",
            _("The round is finished, then no more"),
            "D",
            option=("after_cut", ("finish_round",)),
            shoe=ShoeEffect.CUT_OUT,
            in_round=None,
        ),
        way(
            "one_more",
            _("The round is finished, then one more"),
            "D",
            option=("after_cut", ("one_more",)),
            shoe=ShoeEffect.CUT_OUT,
            in_round=None,
        ),
    ),
    event(
        18,
        _("The shoe runs out in a round"),
        void(
            _("Round void, the shoe ends"),
            option=("shoe_exhausted", ("void",)),
            shoe=ShoeEffect.ENDS,
        ),
        way(
            "reshuffle_discards",
            _("The discards are shuffled and the round completed"),
            "M",
            option=("shoe_exhausted", ("reshuffle_discards",)),
            shoe=ShoeEffect.RESHUFFLED,
        ),
    ),
    event(
        19,
        _("Third card handed out before the pair wagers were settled"),
        way(
            "settle_late",
            _("Settled late by the recorded first two cards"),
            "SV",
            card=CardEffect.SWEEP_LATE,
        ),
        way(
            "void_pair",
            _("Mixed, and the camera does not tell: the pair wager is void"),
            "SV",
            wagers=WagerEffect.RETURNED,
            card=CardEffect.SWEEP_LATE,
        ),
        games=GAME_A,
    ),
    event(
        20,
        _("Player mixes, hides, swaps, bends or takes cards"),
        way("restore", _("Identity known: the dealer restores the hand"), "S"),
        way("restore_suspected", _("The same, on suspicion of cheating"), "H"),
        way(
            "dead_hand",
            _("Identity lost: the hand is dead, its wagers are held"),
            "S",
            wagers=WagerEffect.SEAT_HELD,
        ),
        way(
            "dead_hand_suspected",
            _("The same, on suspicion of cheating"),
            "H",
            wagers=WagerEffect.SEAT_HELD,
        ),
    ),
    event(
        21,
        _("Hand misread"),
        way("read_anew", _("Before chips moved: read anew"), "S"),
        way(
            "correct",
            _("After chips moved: a linked correction"),
            "S",
            elsewhere="correction",
            in_round=None,
        ),
    ),
    event(
        22,
        _("Overpaid, underpaid, losing wager left, winning wager taken"),
        way("correct", _("A linked correction"), "S", elsewhere="correction", in_round=None),
    ),
    event(
        23,
        _("Late, raised, moved or pulled wager"),
        way(
            "return",
            _("Not in play, returned whatever the result"),
            "SV",
            wagers=WagerEffect.RETURNED,
        ),
        way("recollect", _("A pulled wager stands, collected on camera proof"), "SV"),
    ),
    event(
        24,
        _("Wager above or below a limit, or on a closed wager"),
        way(
            "cap",
            _("It counts up to the maximum, the excess goes back"),
            "S",
            option=("over_max", ("cap",)),
            wagers=WagerEffect.CAPPED,
        ),
        way(
            "honour",
            _("It counts as it lay"),
            "S",
            option=("over_max", ("honour",)),
            wagers=WagerEffect.HONOURED,
        ),
        way(
            "return",
            _("Closed wager, or side wager without main: returned"),
            "S",
            wagers=WagerEffect.RETURNED,
        ),
    ),
    event(
        25,
        _("Disputed hand or amount"),
        way(
            "hold",
            _("A dispute hold, until it is ruled"),
            "SH",
            elsewhere="dispute",
            in_round=None,
        ),
    ),
    event(26, _("Round void (misdeal)"), void(_("Round void"))),
    event(
        27,
        _("Shoe void"),
        void(_("Round void, shoe void"), "SMH", regulator=True, **SHOE_VOID),
    ),
    event(
        28,
        _("Cards verified after the shoe"),
        *(
            way(code, name, "SV", shoe=ShoeEffect.VERIFIED, in_round=False)
            for code, name in (
                ("match", _("All cards are there, and the record agrees")),
                ("record_error", _("All cards are there, the record is wrong")),
                ("composition_error", _("Cards are missing, too many or foreign")),
            )
        ),
    ),
    event(
        29,
        _("Shuffler, display, power or system fails"),
        way(
            "paper",
            _("All cards visible: finished on paper, entered later"),
            "M",
            in_round=None,
        ),
        void(_("Round void")),
    ),
    event(
        32,
        _("The table closes in a round"),
        void(
            _("Round void, wagers returned, shoe closed as incomplete"),
            "SH",
            shoe=ShoeEffect.STOPPED,
        ),
        way(
            "hold",
            _("Round void, wagers held with a receipt, shoe closed as incomplete"),
            "SH",
            wagers=WagerEffect.ROUND_HELD,
            shoe=ShoeEffect.STOPPED,
        ),
    ),
    event(
        33,
        _("Person who may not play"),
        way(
            "hold",
            _("The wagers play on under a hold"),
            "H",
            regulator=True,
            wagers=WagerEffect.HELD,
        ),
    ),
)
