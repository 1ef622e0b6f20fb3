"""Pictures drawn on the server as SVG, so that they print and need no script.

Sizes are attributes in the picture's own units; colours are classes of the stylesheet.
"""

from collections.abc import Iterable
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

_HEIGHT = 10


class Segment(Protocol):
    """A run of cards of a shoe: `kind` is round, voided, burn, stub or gap."""

    kind: str
    cards: int
    label: str
    url: str


@register.simple_tag
def shoe_strip(segments: Iterable[Segment], loaded: int, cut_left: int = 0) -> SafeString:
    """Draw a shoe from first card to last: each round a block that leads to it.

    It is a group, no image: what stands within an image is hidden from a screen reader, and the
    links would be met by the keyboard without a name.

    `loaded` is the number of cards in the shoe, `cut_left` how many lie behind the cut card.
    """
    blocks: list[SafeString] = []
    start = 0
    for index, segment in enumerate(segments):
        blocks.append(_block(segment, start=start, even=index % 2 == 0))
        start += segment.cards
    return format_html(
        '<svg class="shoe-strip shoe-strip-tall" viewBox="0 0 {} {}" preserveAspectRatio="none" '
        'role="group" aria-label="{}"><rect width="{}" height="{}"></rect>{}{}</svg>',
        loaded,
        _HEIGHT,
        _("%(out)d of %(loaded)d cards accounted for") % {"out": start, "loaded": loaded},
        loaded,
        _HEIGHT,
        format_html_join("", "{}", ((block,) for block in blocks)),
        _cut_line(loaded, cut_left),
    )


@register.simple_tag
def shoe_fill(out: int, loaded: int, cut_left: int = 0) -> SafeString:
    """Draw how much of a shoe is out, with the place of the cut card."""
    return format_html(
        '<svg class="shoe-strip" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><rect y="3" width="{}" height="4"></rect>'
        '<rect class="round" y="3" width="{}" height="4"></rect>{}</svg>',
        loaded,
        _HEIGHT,
        _("%(out)d of %(loaded)d cards out") % {"out": out, "loaded": loaded},
        loaded,
        min(out, loaded),
        _cut_line(loaded, cut_left),
    )


def _block(segment: Segment, *, start: int, even: bool) -> SafeString:
    css_class = "round-even" if segment.kind == "round" and even else segment.kind
    block = format_html(
        '<rect class="{}" x="{}" width="{}" height="{}"><title>{}</title></rect>',
        css_class,
        start,
        segment.cards,
        _HEIGHT,
        segment.label,
    )
    if not segment.url:
        return block
    return format_html('<a href="{}" aria-label="{}">{}</a>', segment.url, segment.label, block)


def _cut_line(loaded: int, cut_left: int) -> SafeString:
    if not cut_left:
        return SafeString("")
    place = loaded - cut_left
    return format_html('<line x1="{}" x2="{}" y1="0" y2="{}"></line>', place, place, _HEIGHT)
