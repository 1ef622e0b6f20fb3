"""Writes without a natural key: an `Idempotency-Key` makes a retry the same write (trust R3, R4).

The stored answer lies in the transaction of the effect: both are there or neither. A refused write
stores nothing and may be sent again. It must not be used where signatures are verified: their
failures are logged in transactions of their own.
"""

import json
import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec

from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.views import ApiView
from casino.people.errors import KeyMalformedError, KeyReusedError
from casino.people.models import StoredAnswer
from casino.people.person import person_of
from casino.people.services.answers import claim_answer, keep_answer

P = ParamSpec("P")
Method = Callable[Concatenate[Any, Request, P], HttpResponseBase]  # Any: the view itself

HEADER = "Idempotency-Key"
_PARAMETER = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description=str(_("1 to 128 visible ASCII characters; a retry with it is the same write.")),
)
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def once(method: Method[P]) -> Method[P]:
    """Answer a write that carries a key it has seen before as it was answered then.

    The scope of a key is device, person and address. Another body under the same key is refused.
    Raises KeyMalformedError, KeyReusedError, AnswerPendingError.
    """

    @extend_schema(parameters=[_PARAMETER])
    @wraps(method)
    def run(
        view: ApiView, request: Request, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        key = request.headers.get(HEADER)
        if key is None:
            return method(view, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise KeyMalformedError
        scope, content_hash = _scope(request, key), _content(request)
        with transaction.atomic():
            stored = claim_answer(scope=scope, content_hash=content_hash, now=timezone.now())
            if stored is not None:
                return _again(stored, content_hash)
            answer = method(view, request, *args, **kwargs)
            assert isinstance(answer, Response)
            body = JSONRenderer().render(answer.data)
            keep_answer(scope=scope, status=answer.status_code, body=body)
        return _response(answer.status_code, body)

    return run


def _scope(request: Request, key: str) -> bytes:
    person = person_of(request)
    device = person.device.key if person.device else ""
    parts = [device, person.staff.key, str(request.method), request.path, key]
    return sha256("\n".join(parts).encode()).digest()


def _content(request: Request) -> bytes:
    text = json.dumps(request.data, sort_keys=True, default=str)
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _again(stored: StoredAnswer, content_hash: bytes) -> HttpResponse:
    if bytes(stored.content_hash) != content_hash:
        raise KeyReusedError
    return _response(stored.status or 0, bytes(stored.body or b""))


def _response(status: int, body: bytes) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
