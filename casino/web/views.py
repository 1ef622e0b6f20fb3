"""The frame's own address: where a reader chooses light or dark, the hand, the suits."""

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from casino.web.choices import COOKIE_AGE, COOKIES


@require_POST
def choose(request: HttpRequest) -> HttpResponseRedirect:
    """Keep the choices that were sent in cookies and go back to the page they came from."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "/"
    response = HttpResponseRedirect(back)
    for name, allowed in COOKIES.items():
        value = request.POST.get(name)
        if value in allowed:
            response.set_cookie(
                name, value, max_age=COOKIE_AGE, secure=request.is_secure(), samesite="Lax"
            )
    return response
