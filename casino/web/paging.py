"""Which page of a list an address asks for. It must not decide how long a page is."""

from django.http import HttpRequest

PAGES_MAX = 10_000
# More digits than the last page has: Python reads no number of some thousands.
_DIGITS = len(str(PAGES_MAX)) + 1


def page_number(request: HttpRequest) -> int:
    """Return the page from 1 up to the last that is served; what is no number is the first."""
    text = request.GET.get("page", "")
    if not (text.isascii() and text.isdigit()):
        return 1
    return min(int(text.lstrip("0")[:_DIGITS] or "1"), PAGES_MAX)
