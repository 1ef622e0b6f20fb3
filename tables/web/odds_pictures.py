"""Pictures of odds, drawn on the server as SVG: they print, and need no script.

Sizes are attributes in the picture's own units; colours and type are classes of the stylesheet.
Floating-point numbers are for drawing alone: every figure beside a picture is exact.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.web.templatetags.money import MINUS, money_text
from tables.games.odds_document import percent_text
from tables.games.odds_rounds import HouseResult
from tables.games.rule_warnings import HOUSE_EDGE_MAX

_WIDTH = 640
_LABEL, _VALUE, _ROW = 96, 88, 34
_HEAD, _FOOT = 26, 24
_CURVE_HEIGHT = 210
_CURVE_TOP, _CURVE_BASE = 30, 150
_DEVIATIONS = 3.5
_STEPS = 96

_Scale = Callable[[float], float]
EdgeBar = tuple[str, Fraction | None]


def edge_picture(bars: Sequence[EdgeBar]) -> SafeString:
    """Draw the house edge of each wager as a bar from zero, beside the mark that is warned of.

    A bar to the left favours the player; a wager without a price has none.
    """
    known = [float(edge) for _name, edge in bars if edge is not None]
    low = min([0.0, *known])
    high = max([float(HOUSE_EDGE_MAX) * 1.1, *known])
    room = _WIDTH - _LABEL - _VALUE
    left_of_zero = room * (-low) / (high - low)

    def x(value: float) -> float:
        return _LABEL + left_of_zero + room * value / (high - low)

    height = _HEAD + _ROW * len(bars) + _FOOT
    rows = [
        _edge_row(name, edge, top=_HEAD + _ROW * number, x=x)
        for number, (name, edge) in enumerate(bars)
    ]
    limit = x(float(HOUSE_EDGE_MAX))
    return format_html(
        '<svg class="plot" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<line class="plot-limit" x1="{limit}" x2="{limit}" y1="{head}" y2="{base}"></line>'
        '<text class="plot-note" x="{limit}" y="{note}" text-anchor="middle">{limit_text}</text>'
        '{rows}<line class="plot-axis" x1="{zero}" x2="{zero}" y1="{head}" y2="{base}"></line>'
        '<text class="plot-note" x="{zero}" y="{foot}" text-anchor="middle">0 %</text></svg>',
        w=_WIDTH,
        h=height,
        label=_("House edge by wager"),
        limit=_n(limit),
        head=_HEAD - 6,
        base=height - _FOOT,
        note=_HEAD - 12,
        limit_text=_("warned of above %(limit)s")
        % {"limit": percent_text(HOUSE_EDGE_MAX, places=0)},
        rows=format_html_join("", "{}", ((row,) for row in rows)),
        zero=_n(x(0)),
        foot=height - 6,
    )


def _edge_row(name: str, edge: Fraction | None, *, top: int, x: _Scale) -> SafeString:
    middle = top + _ROW / 2 - 3
    label = format_html(
        '<text class="plot-label" x="{}" y="{}" text-anchor="end">{}</text>',
        _LABEL - 12,
        _n(middle + 5),
        name,
    )
    if edge is None:
        return format_html(
            '{}<text class="plot-note" x="{}" y="{}">{}</text>',
            label,
            _n(x(0) + 8),
            _n(middle + 5),
            _("closed: no price"),
        )
    kind = "guest" if edge < 0 else "over" if edge > HOUSE_EDGE_MAX else "house"
    start, end = sorted((x(0), x(float(edge))))
    return format_html(
        '{}<rect class="plot-{}" x="{}" y="{}" width="{}" height="18"></rect>'
        '<text class="plot-value" x="{}" y="{}">{}</text>',
        label,
        kind,
        _n(start),
        _n(middle - 9),
        _n(max(end - start, 1)),
        _n(max(end, x(0)) + 8),
        _n(middle + 5),
        percent_text(edge, places=2).replace("-", MINUS),
    )


def result_picture(result: HouseResult) -> SafeString:
    """Draw how the house's result over all rounds is spread, by the normal approximation.

    Empty where nothing is spread.
    """
    mean, deviation = result.mean_minor, result.deviation_minor
    if not deviation:
        return SafeString("")
    low, high = mean - _DEVIATIONS * deviation, mean + _DEVIATIONS * deviation

    def x(value: float) -> float:
        return _WIDTH * (value - low) / (high - low)

    zero = min(max(0.0, low), high)
    return format_html(
        '<svg class="plot" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<polygon class="plot-guest" points="{behind}"></polygon>'
        '<polygon class="plot-house" points="{ahead}"></polygon>'
        '<line class="plot-axis" x1="0" x2="{w}" y1="{base}" y2="{base}"></line>'
        "{ticks}{even}{mean}</svg>",
        w=_WIDTH,
        h=_CURVE_HEIGHT,
        label=_("How the result over %(rounds)s rounds is spread") % {"rounds": result.rounds},
        behind=_area(low, zero, mean=mean, deviation=deviation, x=x),
        ahead=_area(zero, high, mean=mean, deviation=deviation, x=x),
        base=_CURVE_BASE,
        ticks=format_html_join("", "{}", ((tick,) for tick in _ticks(mean, deviation, x=x))),
        even=_mark(0.0, _("even"), x=x, before=mean >= 0) if low < 0 < high else "",
        mean=_mark(mean, _("expected"), x=x, before=mean < 0),
    )


def _area(start: float, end: float, *, mean: float, deviation: float, x: _Scale) -> str:
    """Return the corners of the area under the curve between two amounts."""
    corners = [(x(start), float(_CURVE_BASE))]
    for step in range(_STEPS + 1):
        value = start + (end - start) * step / _STEPS
        height = math.exp(-(((value - mean) / deviation) ** 2) / 2)
        corners.append((x(value), _CURVE_BASE - height * (_CURVE_BASE - _CURVE_TOP)))
    corners.append((x(end), float(_CURVE_BASE)))
    return " ".join(f"{_n(across)},{_n(down)}" for across, down in corners)


def _ticks(mean: float, deviation: float, *, x: _Scale) -> Iterator[SafeString]:
    for steps in range(-3, 4):
        value = mean + steps * deviation
        spread = _("mean") if not steps else f"{'+' if steps > 0 else MINUS}{abs(steps)} σ"
        yield format_html(
            '<line class="plot-axis" x1="{0}" x2="{0}" y1="{1}" y2="{2}"></line>'
            '<text class="plot-value" x="{0}" y="{3}" text-anchor="middle">{4}</text>'
            '<text class="plot-note" x="{0}" y="{5}" text-anchor="middle">{6}</text>',
            _n(x(value)),
            _CURVE_BASE,
            _CURVE_BASE + 6,
            _CURVE_BASE + 24,
            rounded_money(value),
            _CURVE_BASE + 42,
            spread,
        )


def _mark(value: float, word: str, *, x: _Scale, before: bool) -> SafeString:
    """Mark an amount by a line; the word stands before or after it, clear of the other mark's."""
    return format_html(
        '<line class="plot-limit" x1="{0}" x2="{0}" y1="{1}" y2="{2}"></line>'
        '<text class="plot-note" x="{3}" y="{4}" text-anchor="{5}">{6}</text>',
        _n(x(value)),
        _CURVE_TOP - 18,
        _CURVE_BASE,
        _n(x(value) + (-6 if before else 6)),
        _CURVE_TOP - 8,
        "end" if before else "start",
        word,
    )


def rounded_money(value_minor: float) -> str:
    """Write an amount to three figures: a picture promises no more."""
    if not value_minor:
        return money_text(0)
    whole = settings.HOUSE_CURRENCY.exponent
    digits = max(math.floor(math.log10(abs(value_minor))) - 2, whole)
    return money_text(round(value_minor / 10**digits) * 10**digits)


def _n(value: float) -> str:
    return f"{value:.1f}"
