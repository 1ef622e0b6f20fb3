"""Cards on pages: rank large, suit beside it; face down, unknown, superseded told apart at once."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.shapes import shape_svg

register = template.Library()

RANK_NAMES = {
    "A": gettext_lazy("ace"),
    "2": gettext_lazy("two"),
    "3": gettext_lazy("three"),
    "4": gettext_lazy("four"),
    "5": gettext_lazy("five"),
    "6": gettext_lazy("six"),
    "7": gettext_lazy("seven"),
    "8": gettext_lazy("eight"),
    "9": gettext_lazy("nine"),
    "T": gettext_lazy("ten"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
}
SUIT_NAMES = {
    "S": gettext_lazy("spades"),
    "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"),
    "C": gettext_lazy("clubs"),
}
DOWN = "down"


def card_name(face: str | None) -> str:
    """Return a face in words: KS -> king of spades; "?" was never known; none is an empty place."""
    if not face:
        return _("no card")
    if face == DOWN:
        return _("card, face down")
    if face == "?":
        return _("card, face not known")
    rank = str(RANK_NAMES[face[0]])
    if len(face) == 1:
        return rank
    return _("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUIT_NAMES[face[1]]}


def rank_label(rank: str) -> str:
    """Return what is printed on a card: T is 10."""
    return "10" if rank == "T" else rank


@register.simple_tag
def card(face: str | None, earlier: Sequence[str] = ()) -> SafeString:
    """Draw a card; `earlier` are the faces it superseded, oldest first, struck beside it.

    A face is "KS", "K" (rank alone), "?" (never known), "down", or empty for a place.
    """
    struck = format_html_join(
        "", '<del class="card-was">{}</del>', ((_face(was),) for was in earlier if was)
    )
    return format_html("{}{}", struck, _face(face))


@register.simple_tag
def card_text(face: str) -> SafeString:
    """Name a card within a sentence: rank and suit, no box."""
    if face == "?" or not face:
        return format_html('<span class="card-text">{}</span>', card_name(face))
    suit = face[1:]
    return format_html(
        '<span class="card-text"{} aria-label="{}">{}{}</span>',
        format_html(' data-suit="{}"', suit) if suit else "",
        card_name(face),
        rank_label(face[0]),
        shape_svg(suit) if suit else "",
    )


def _face(face: str | None) -> SafeString:
    name = card_name(face)
    if not face:
        return _box("card card-slot", name=name)
    if face == DOWN:
        return _box("card card-down", name=name)
    if face == "?":
        return _box("card card-unknown", name=name, inside="?")
    rank, suit = face[0], face[1:]
    inside = format_html(
        "<b>{}</b>{}",
        rank_label(rank),
        shape_svg(suit, css_class="card-suit") if suit else "",
    )
    return format_html(
        '<span class="card" data-rank="{}" data-suit="{}" role="img" aria-label="{}">{}</span>',
        rank,
        suit,
        name,
        inside,
    )


def _box(css_class: str, *, name: str, inside: str = "") -> SafeString:
    return format_html(
        '<span class="{}" role="img" aria-label="{}">{}</span>', css_class, name, inside
    )
