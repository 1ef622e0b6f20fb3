"""Times on pages, as the pit says them: 14:05 today, with the date otherwise; the house's zone.

The zone is the one that is active while the request is answered. Every instant carries its exact
time in UTC beside what is shown.
"""

from datetime import date, datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.kernel.clock import format_instant

register = template.Library()


@register.filter
def clock(moment: datetime | None) -> SafeString:
    """Return 14:05 today, 3 Nov 14:05 on another day, 3 Nov 2025 14:05 in another year."""
    return _time(moment, form="H:i")


@register.filter
def clock_seconds(moment: datetime | None) -> SafeString:
    """Return 14:05:12 today, 3 Nov 14:05:12 on another day."""
    return _time(moment, form="H:i:s")


@register.filter
def instant(moment: datetime | None) -> SafeString:
    """Return 3 Nov 2026 14:05:12, always with its date."""
    return _time(moment, form="j M Y H:i:s", dated=True)


@register.filter
def day(value: date | None) -> SafeString:
    """Return a gaming day: Tue 3 Nov 2026."""
    if value is None:
        return _not_known()
    return format_html(
        '<time datetime="{}">{}</time>', value.isoformat(), date_format(value, "D j M Y")
    )


@register.filter
def day_short(value: date | None) -> SafeString:
    """Return a gaming day in a row of a table: 3 Nov 2026."""
    if value is None:
        return _not_known()
    return format_html(
        '<time datetime="{}">{}</time>', value.isoformat(), date_format(value, "j M Y")
    )


@register.filter
def since(moment: datetime | None) -> str:
    """Return how long ago: 40 s, 12 min, 3 h 05, 2 days."""
    if moment is None:
        return _("not known")
    return span(timezone.now() - moment)


@register.filter
def span(length: timedelta) -> str:
    """Return a length of time in its two largest units at most."""
    seconds = max(0, int(length.total_seconds()))
    if seconds < 60:
        return _("%(seconds)d s") % {"seconds": seconds}
    minutes = seconds // 60
    if minutes < 60:
        return _("%(minutes)d min") % {"minutes": minutes}
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return _("%(hours)d h %(minutes)02d") % {"hours": hours, "minutes": minutes}
    days = hours // 24
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}


def _time(moment: datetime | None, *, form: str, dated: bool = False) -> SafeString:
    if moment is None:
        return _not_known()
    local = timezone.localtime(moment)
    today = timezone.localdate()
    if not dated and local.date() != today:
        form = f"j M {form}" if local.year == today.year else f"j M Y {form}"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        format_instant(moment),
        date_format(local, "j M Y H:i:s"),
        date_format(local, form),
    )


def _not_known() -> SafeString:
    return format_html(
        '<span class="unknown"><span aria-hidden="true">–</span>'
        '<span class="out-of-sight">{}</span></span>',
        _("not known"),
    )
