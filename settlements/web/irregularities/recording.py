"""The pages that record an irregularity: choose the event, see what follows, sign."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.selectors import manager_in_charge
from casino.people.web.guards import signed_on
from settlements.errors import IrregularityChangedError
from settlements.selectors.bill import CORRECTABLE
from settlements.selectors.round_page import round_page
from settlements.services.irregularities import record_irregularity
from settlements.services.irregularity_preview import (
    Foreseen,
    foresee_irregularity,
    require_choosable,
)
from settlements.web.correction_form import SignatureForm
from settlements.web.irregularities import words
from settlements.web.irregularities.asks import Way
from settlements.web.irregularities.context import foreseen_context, form_context
from settlements.web.irregularities.form import CaseForm, signature_boxes
from settlements.web.irregularities.panel import RECORDS
from settlements.web.rounds import page_context, reverse_round
from tables.acting import acting
from tables.errors import OneCardTooManyError
from tables.irregularities import EVENTS, Letter, Procedure, WagerEffect
from tables.irregularity_errors import (
    EventUnknownError,
    IrregularityElsewhereError,
    ProcedureUnknownError,
)
from tables.selectors.floor import Floor, read_table
from tables.selectors.irregularities import latest_revision
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.irregularities.ground import latest_number
from tables.web.forms import all_valid

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_NOT_TYPED = ("csrfmiddlewaretoken", "act", "shown", "sheet")


@require_GET
@signed_on(*RECORDS)
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Show the events of the table's game, each with the ways in which it may be ruled now."""
    floor, read = _where(request, code)
    game = _game(floor, read)
    groups = [
        {"name": name, "events": [_event(number, floor, read) for number in numbers]}
        for name, members in words.GROUPS
        if (numbers := [n for n in members if game in EVENTS[n].games])
    ]
    context = {
        **_place(floor, read),
        "groups": groups,
        "in_charge": manager_in_charge(timezone.now()),
        "may_change_charge": person_of(request).role == Role.MANAGER,
    }
    return render(request, "settlements/irregularities/choose.html", context)


@require_http_methods(["GET", "POST"])
@signed_on(*RECORDS)
def record(request: HttpRequest, code: str, event: int, procedure: str) -> HttpResponse:
    """Ask what the event needs, show what follows, and record it once the right people signed."""
    floor, read = _where(request, code)
    way = Way(event, _procedure(event, procedure), floor, read)
    following = latest_number(floor.table) + 1
    data = _renumbered(request.POST, following) if request.method == "POST" else None
    if done := _done_before(request.POST, code):
        return HttpResponseRedirect(done)
    form = CaseForm(data, way=way, number=following)
    foreseen, signers = _foreseen(request, form), []
    if data is None:
        require_choosable(way.procedure, event=event, floor=floor, read=read, now=timezone.now())
    if foreseen is not None:
        signing = data if data is not None and data.get("act") == "sign" else None
        signers = _boxes(signing, foreseen)
        if signing is not None and _sign(request, form, signers, foreseen=foreseen):
            return HttpResponseRedirect(_url(code, foreseen.case.number))
    context = _record_context(request, form, foreseen, signers)
    failed = form.errors or any(box.errors for box in signers)
    return render(
        request, "settlements/irregularities/record.html", context, status=422 if failed else 200
    )


def _foreseen(request: HttpRequest, form: CaseForm) -> Foreseen | None:
    """Return what the case would do; a refusal stands on the form, a question asks there."""
    if not form.is_bound or not form.is_valid():
        return None
    try:
        return foresee_irregularity(case=form.case(), by=acting(request))
    except OneCardTooManyError as question:
        form.question = question.data
        form.add_error(None, question.describe(_))
    except DomainError as error:
        form.refuse(error)
    return None


def _sign(
    request: HttpRequest, form: CaseForm, signers: list[SignatureForm], *, foreseen: Foreseen
) -> bool:
    """Record the case that was shown; tell whether it was done."""
    seen = request.POST.get("shown", "")
    if seen != foreseen.hash:
        form.refuse(IrregularityChangedError(irregularity=foreseen.case.key))
        return False
    if not all_valid(signers):
        return False
    try:
        record_irregularity(
            case=foreseen.case,
            signers=[box.signer() for box in signers],
            by=acting(request),
            seen=seen,
        )
    except DomainError as error:
        form.refuse(error)
        return False
    return True


def _boxes(data: QueryDict | None, foreseen: Foreseen) -> list[SignatureForm]:
    in_charge = manager_in_charge(timezone.now())
    if Letter.IN_CHARGE in foreseen.letters and in_charge is None:
        return []
    dealer = foreseen.before.dealer_name if foreseen.before else ""
    return signature_boxes(data, foreseen.letters, in_charge=in_charge, dealer=dealer)


def _done_before(sent: QueryDict, code: str) -> str | None:
    """Return where the irregularity is that this form recorded already, if it was sent twice.

    The case cannot be made anew: what its event asks for is gone with the round that it voided. So
    the page names what was typed together with what is signed for it. Something else typed under
    the same number, as after going back, is another case and is looked at like any other.
    """
    number = sent.get("number", "")
    if sent.get("act") != "sign" or not _NUMBER.fullmatch(number):
        return None
    stored = latest_revision(code, int(number))
    if stored is None or sent.get("sheet") != _sheet(sent, signed_hash=stored.signed_hash):
        return None
    return _url(code, stored.number)


def _sheet(sent: QueryDict, *, signed_hash: str) -> str:
    """Return SHA-256 of what is signed and of what was typed for it, signatures left out."""
    typed = [
        [name, value]
        for name in sorted(sent)
        if name not in _NOT_TYPED and not name.startswith("signer")
        for text in sent.getlist(name)
        if (value := text.replace("\r\n", "\n").strip())
    ]
    return sha256(json.dumps([signed_hash, typed]).encode()).hexdigest()


def _renumbered(sent: QueryDict, following: int) -> QueryDict:
    """Give the case the next number; what was shown under another one is looked at again."""
    data = sent.copy()
    data["number"] = str(following)
    return data


def _record_context(
    request: HttpRequest,
    form: CaseForm,
    foreseen: Foreseen | None,
    signers: list[SignatureForm],
) -> dict[str, Any]:  # Any: a template's context
    way = form.way
    context = _place(way.floor, way.read)
    if way.read is not None:
        shown = page_context(round_page(way.read.name, now=timezone.now()))
        context |= {"round": shown["round"], "hands": shown["hands"]}
    if foreseen is not None:
        context["foreseen"] = foreseen_context(foreseen)
        assert isinstance(form.data, QueryDict)
        signed_hash = foreseen.case.signed_hash().hex()
        context["sheet"] = _sheet(form.data, signed_hash=signed_hash)
        context["charge_missing"] = not signers
    letters = way.procedure.signers(in_round=way.playing is not None)
    return (
        context
        | form_context(form)
        | {
            "signers": signers,
            "letters": words.letters_text(letters),
            "may_change_charge": person_of(request).role == Role.MANAGER,
            "back": context["choose_url"],
        }
    )


def _where(request: HttpRequest, code: str) -> tuple[Floor, RoundRead | None]:
    """Return the table with the shoe that the address names, and its round, or the one in play."""
    shoe, number = _number(request, "shoe"), _number(request, "round")
    floor = read_table(code, shoe=shoe)
    if shoe is not None:
        floor.require_shoe(shoe)
    if shoe is not None and number is not None:
        return floor, read_round(RoundName(code, shoe, number))
    playing = floor.round_in_play
    if playing is None or floor.shoe is None or playing.shoe_key != floor.shoe.ref.key:
        return floor, None
    return floor, read_round(RoundName(code, floor.shoe.number, playing.number))


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise Http404
    return int(text)


def _game(floor: Floor, read: RoundRead | None) -> str:
    if read is not None:
        return read.ruleset.game
    return floor.shoe.game if floor.shoe else floor.require_terms().game


def _procedure(event: int, code: str) -> Procedure:
    """Return a way to rule an event.

    Raises EventUnknownError, ProcedureUnknownError, IrregularityElsewhereError.
    """
    known = EVENTS.get(event)
    if known is None:
        raise EventUnknownError(events=sorted(EVENTS))
    if code not in known.procedures:
        raise ProcedureUnknownError(event=event, expected=sorted(known.procedures), procedure=code)
    procedure = known.procedures[code]
    if procedure.elsewhere:
        raise IrregularityElsewhereError(event=event, act=procedure.elsewhere)
    return procedure


def _event(number: int, floor: Floor, read: RoundRead | None) -> dict[str, Any]:
    ways = list(_ways(number, floor, read))
    return {
        "number": number,
        "name": words.event_name(number),
        "open": [way for way in ways if way["url"]],
        "closed": [way for way in ways if not way["url"]],
    }


def _ways(number: int, floor: Floor, read: RoundRead | None) -> Iterator[dict[str, Any]]:
    game = _game(floor, read)
    for way in EVENTS[number].procedures.values():
        if game not in way.games:
            continue
        is_count = way.shoe == "verified"
        if is_count and way.code != "match":
            continue  # the count says which result it is
        url, why = _open(number, way, floor, read)
        playing = Way(number, way, floor, read).playing is not None
        yield {
            "name": _("The cards are counted; the count says the result")
            if is_count
            else _(way.name),
            "url": url,
            "why": why,
            "letters": [letter.value for letter in way.signers(in_round=playing)],
            "authority": words.letters_text(way.signers(in_round=playing)),
            # That wagers stand goes without saying on a list; the next page says it.
            "effects": words.effects_of_way(
                way, in_round=playing and way.wagers != WagerEffect.STAND
            ),
            "regulator": way.regulator,
        }


def _open(number: int, way: Procedure, floor: Floor, read: RoundRead | None) -> tuple[str, str]:
    """Return where a way leads, or "" and why it cannot be chosen now."""
    if way.elsewhere == "correction":
        if read is None or read.stage not in CORRECTABLE:
            return "", _("From the page of a round that is settled: Correct round.")
        name = read.name
        return reverse("settlements:correct", args=[name.table, name.shoe, name.number]), ""
    if way.elsewhere and read is None:
        return reverse("settlements:dispute_round", args=[floor.table.key]), ""
    if way.elsewhere and read is not None:
        name = read.name
        return reverse("settlements:open_dispute", args=[name.table, name.shoe, name.number]), ""
    try:
        require_choosable(way, event=number, floor=floor, read=read, now=timezone.now())
    except DomainError as error:
        return "", error.describe(_)
    url = reverse("settlements:record_case", args=[floor.table.key, number, way.code])
    return url + _query(floor, read), ""


def _query(floor: Floor, read: RoundRead | None) -> str:
    named: dict[str, int] = {}
    if floor.shoe is not None:
        named["shoe"] = floor.shoe.number
    if read is not None:
        named["round"] = read.name.number
    return f"?{urlencode(named)}" if named else ""


def _place(floor: Floor, read: RoundRead | None) -> dict[str, Any]:  # Any: a template's context
    code = floor.table.key
    return {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "shoe": {
            "number": floor.shoe.number,
            "state": floor.shoe.state,
            "url": reverse("settlements:shoe_page", args=[code, floor.shoe.number]),
        }
        if floor.shoe
        else None,
        "playing": {
            "key": read.ref.key,
            "stage": read.stage,
            "dealer": read.dealer_name,
            "url": reverse_round(read.name),
        }
        if read
        else None,
        "choose_url": reverse("settlements:choose_irregularity", args=[code]) + _query(floor, read),
    }


def _url(code: str, number: int) -> str:
    return reverse("settlements:irregularity", args=[code, number])
