"""The events of the rules for which a round is void, by their number, in a supervisor's words."""

from django.utils.translation import gettext_lazy

VOID_EVENT_WORDS = {
    5: gettext_lazy("several cards face up in the shoe"),
    6: gettext_lazy("card to the wrong seat"),
    9: gettext_lazy("a hand with a wrong number of cards"),
    10: gettext_lazy("the House hand with a wrong number of cards"),
    13: gettext_lazy("foreign card"),
    14: gettext_lazy("cards stuck together"),
    15: gettext_lazy("wrong number of cards in the shoe"),
    18: gettext_lazy("the shoe ran out"),
    26: gettext_lazy("misdeal"),
    29: gettext_lazy("failure of a device"),
}
