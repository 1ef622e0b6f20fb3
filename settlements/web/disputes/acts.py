"""What is done about a dispute: opened in a round, its file kept, ruled by two people."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.selectors import manager_in_charge
from casino.people.web.guards import signed_on
from settlements.selectors.dispute_page import DisputePage, dispute_page
from settlements.selectors.round_page import round_page
from settlements.services.dispute_files import KEEPS_FILES, keep_file
from settlements.web.disputes.forms import FileForm, OpenForm, RulingForm, file_initial
from settlements.web.disputes.pages import dispute_context
from settlements.web.disputes.words import held_line, reverse_dispute, subject_of
from settlements.web.rounds import page_context, reverse_round
from tables.acting import acting
from tables.errors import RoundStageError
from tables.irregularity_errors import DisputeNumberError, DisputeReleasedError
from tables.models import DisputeHold, Round
from tables.selectors.disputes import disputes_of_round, latest_dispute
from tables.selectors.floor import read_table
from tables.selectors.held import passed_on
from tables.selectors.recent import last_rounds
from tables.selectors.round_read import RoundName, RoundRead
from tables.services.disputes import (
    RULES_DISPUTES,
    open_dispute,
    release_dispute,
    require_ruling,
    ruling_hash,
)
from tables.web.board import ACTS
from tables.web.forms import SignerForm, all_valid, signer_forms
from tables.web.refusing import refuse

_NOT_DEALT = (Round.Stage.AWAITED, Round.Stage.CALLED_OFF)


@require_GET
@signed_on(*ACTS)
def choose_round(request: HttpRequest, code: str) -> HttpResponse:
    """Ask in which of a table's last rounds something is disputed."""
    table = read_table(code).table
    context = {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "rounds": [
            {
                "key": round_.key,
                "url": reverse_round(name),
                "open_url": _open_url(name),
                "stage": round_.stage,
                "dealer": round_.dealer.name,
                "seats": round_.live_seats,
                "at": round_.ended_at or round_.opened_at,
            }
            for round_, name in last_rounds(int(table.id))
        ],
    }
    return render(request, "settlements/disputes/choose_round.html", context)


@require_http_methods(["GET", "POST"])
@signed_on(*ACTS)
def open_in_round(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Open a dispute in a round: what the player says, what it is about, the sum."""
    name = RoundName(code, shoe, number)
    shown = round_page(name, now=timezone.now())
    read = shown.read
    if read.stage in _NOT_DEALT:
        raise RoundStageError(round=name.key, stage=read.stage, expected=Round.Stage.SETTLED)
    data = request.POST.copy() if request.method == "POST" else None
    form = OpenForm(data, read=read, number=latest_dispute(read.table) + 1)
    if data is not None and form.is_valid():
        key = _open(request, form, read=read)
        if key is not None:
            table, _slash, dispute = key.partition("/D")
            return HttpResponseRedirect(reverse("settlements:dispute", args=[table, dispute]))
        # Whoever looks at what was opened meanwhile may still open another.
        data["number"] = str(latest_dispute(read.table) + 1)
    role = person_of(request).role
    context = page_context(shown) | {
        "form": form,
        "open_holds": [held_line(hold, role=role) for hold in disputes_of_round(name.key)],
        "back": reverse_round(name),
    }
    status = 422 if form.errors else 200
    return render(request, "settlements/disputes/open.html", context, status=status)


def _open(request: HttpRequest, form: OpenForm, *, read: RoundRead) -> str | None:
    """Open the dispute; return its key, or None where it was refused and stands on the form."""
    try:
        done = open_dispute(name=read.name, disputed=form.disputed(), by=acting(request))
    except DisputeNumberError as error:
        form.add_error(None, error.describe(_))
        form.add_error(
            None, _("A dispute was opened at this table just now. If this is another, open it.")
        )
    except DomainError as error:
        refuse(form, error)
    else:
        return done.key
    return None


def _open_url(name: RoundName) -> str | None:
    return reverse("settlements:open_dispute", args=[name.table, name.shoe, name.number])


@require_http_methods(["GET", "POST"])
@signed_on(*KEEPS_FILES)
def keep(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Keep the file of a dispute in its next revision; what stood stays."""
    shown = dispute_page(code, number, now=timezone.now())
    hold, stands = shown.hold, shown.story.file
    data = request.POST.copy() if request.method == "POST" else None
    form = FileForm(data, initial=file_initial(stands, staff=shown.round.read.dealer.key))
    if data is not None and form.is_valid():
        try:
            keep_file(
                table=code,
                number=number,
                revision=form.cleaned_data["revision"],
                content=form.content(),
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
            # What somebody kept meanwhile stands beside the form; what was typed stays in it.
            data["revision"] = str(stands.revision + 1 if stands else 1)
        else:
            return _to_dispute(hold)
    context = dispute_context(shown) | {"form": form}
    status = 422 if form.errors else 200
    return render(request, "settlements/disputes/file.html", context, status=status)


@require_http_methods(["GET", "POST"])
@signed_on(*RULES_DISPUTES)
def rule(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show the ruling as it would be signed, and release the hold once two people signed it."""
    shown = dispute_page(code, number, now=timezone.now())
    hold = shown.hold
    data = request.POST if request.method == "POST" else None
    if hold.state != DisputeHold.State.OPEN:
        return _ruled_again(request, hold=hold)
    form = RulingForm(data, hold=hold)
    in_charge = manager_in_charge(timezone.now())
    statement, signers = None, []
    if data is not None and form.is_valid():
        statement = _statement(form, shown=shown)
        if in_charge is not None:
            signing = data if data.get("act") == "sign" else None
            signers = _signers(signing, in_charge=in_charge.name)
            if signing is not None and _rule(request, form, signers, hold=hold):
                return _to_dispute(hold)
    context = dispute_context(shown) | {
        "form": form,
        "statement": statement,
        "signers": signers,
        "file_url": reverse_dispute(hold, "dispute_file"),
        "in_charge": in_charge,
        "in_charge_url": reverse("settlements:in_charge")
        if person_of(request).role == Role.MANAGER
        else None,
    }
    failed = form.errors or any(box.errors for box in signers)
    status = 422 if failed else 200
    return render(request, "settlements/disputes/ruling.html", context, status=status)


def _statement(form: RulingForm, *, shown: DisputePage) -> dict[str, Any]:
    """Return what two people would sign, in words, and its hash."""
    hold = shown.hold
    content = require_ruling(hold, form.ruling_of())
    return {
        "hash": ruling_hash(content).hex(),
        "key": hold.key,
        "what": subject_of(hold.seat, hold.wager, shown.round.read.bank_seat),
        "disputed_minor": hold.disputed_minor,
        "outcome": DisputeHold.Outcome(form.cleaned_data["outcome"]).label,
        "for_patron": form.cleaned_data["outcome"] == DisputeHold.Outcome.PATRON,
        "ruling": form.cleaned_data["ruling"],
        "stays_under": [other.ref.key for other, _lying in passed_on(shown.round.read, hold)],
    }


def _signers(data: QueryDict | None, *, in_charge: str) -> list[SignerForm]:
    boxes = signer_forms(data, Role.SUPERVISOR, Role.MANAGER)
    boxes[1].role_label = _("manager in charge, %(name)s") % {"name": in_charge}
    return boxes


def _rule(
    request: HttpRequest, form: RulingForm, signers: list[SignerForm], *, hold: DisputeHold
) -> bool:
    """Release the hold by the ruling that was read; tell whether it was done."""
    if not all_valid(signers):
        return False
    try:
        release_dispute(
            table=hold.table.code,
            number=hold.number,
            ruling=form.ruling_of(request.POST.get("content_hash", "")),
            signers=[box.signer() for box in signers],
            by=acting(request),
        )
    except DomainError as error:
        refuse(form, error)
        return False
    return True


def _ruled_again(request: HttpRequest, *, hold: DisputeHold) -> HttpResponse:
    """Answer a form that was sent twice as the first time; a dispute is ruled once."""
    form = RulingForm(request.POST, hold=hold)
    signers = signer_forms(request.POST, Role.SUPERVISOR, Role.MANAGER)
    signs = request.method == "POST" and request.POST.get("act") == "sign"
    if signs and form.is_valid() and _rule(request, form, signers, hold=hold):
        return _to_dispute(hold)
    raise DisputeReleasedError(dispute=hold.key)


def _to_dispute(hold: DisputeHold) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse_dispute(hold))
