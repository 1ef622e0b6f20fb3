"""The reasons for which a request is refused before any rule of the house is asked.

Statuses other than those of `casino.kernel.errors` exist here alone: 400, 401, 405, 406, 411,
413, 415.
"""

from django.utils.translation import gettext_noop as _

from casino.kernel.errors import DomainError, Forbidden, Invalid, Missing


class RequestMalformedError(DomainError):
    """The request is not HTTP that we can read."""

    code = "request.malformed"
    status = 400
    message = _("The request could not be read.")


class SessionMissingError(DomainError):
    """Nobody is signed on."""

    code = "session.missing"
    status = 401
    message = _("Sign on first.")


class SessionEndedError(DomainError):
    """The sign-on ended: signed off, idle too long, signed on elsewhere, or access withdrawn."""

    code = "session.ended"
    status = 401
    message = _("Your sign-on has ended. Sign on again.")


class MethodError(DomainError):
    """An address answers to certain methods only."""

    code = "request.method"
    status = 405
    message = _("This address does not answer to {method}. Expected one of: {allowed}.")


class AcceptError(DomainError):
    """Answers are JSON."""

    code = "request.accept"
    status = 406
    message = _("Expected the header Accept to allow application/json.")


class BodyTooLargeError(DomainError):
    """A body has a stated limit."""

    code = "request.too_large"
    status = 413
    message = _("Expected a body of at most {limit} bytes.")


class LengthMissingError(DomainError):
    """A body says how long it is: one that comes in pieces of no stated sum is not read."""

    code = "request.length"
    status = 411
    message = _("Expected the header Content-Length with a body.")


class MediaTypeError(DomainError):
    """A body is JSON and says so."""

    code = "request.media_type"
    status = 415
    message = _("Expected the content type application/json, not {received!r}.")


class AddressUnknownError(Missing):
    """Nothing answers at this address."""

    code = "request.address"
    message = _("There is nothing at this address.")


class CsrfError(Forbidden):
    """A write from a signed-on browser carries the token that our own pages hold."""

    code = "csrf.failed"
    message = _("Expected the token of this site with the request. Load the page again.")


class ReadOnlyTokenError(Forbidden):
    """An integration's token reads only."""

    code = "device.read_only"
    message = _("The token of an integration may only read.")


class BodyInvalidError(Invalid):
    """The body does not have the stated form; `faults` names every place."""

    code = "request.fields"
    message = _("The body does not have the expected form.")


class InternalError(DomainError):
    """Something broke on our side; nothing was written."""

    code = "error.internal"
    status = 500
    message = _("Something went wrong on our side. Nothing was written.")


class PageInvalidError(Invalid):
    """A page of a list has a stated size."""

    code = "request.page"
    message = _("Expected `limit` as a number from 1 to {limit}.")
