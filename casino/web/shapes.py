"""Marks drawn from one sprite file: a shape for every meaning, the four suits.

Scripts draw from the same file, so that a shape means the same on every page.
"""

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

SPRITE = "casino/img/shapes.svg"


def shape_svg(name: str, *, css_class: str = "shape") -> SafeString:
    """Return a mark by its name in the sprite; hidden from readers, a word stands beside it."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"></use></svg>',
        css_class,
        static(SPRITE),
        name,
    )
