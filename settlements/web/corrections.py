"""The page that corrects a round: what is on record, the bill, then two signatures."""

from typing import Any, NamedTuple

from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from settlements.correction import Bill
from settlements.errors import BillChangedError, CorrectionRefusedError
from settlements.selectors.authority import Authority, authority_of
from settlements.selectors.bill import correction_bill, require_correctable
from settlements.selectors.round_page import PayoutLine, RoundPage, round_page
from settlements.services.corrections import CORRECTS, correct_round
from settlements.web.bills import bill_context
from settlements.web.correction_form import CorrectionForm, SignatureForm, signature_forms
from settlements.web.disputes.words import held_line
from settlements.web.rounds import page_context, reverse_round
from tables.acting import acting
from tables.errors import OneCardTooManyError
from tables.selectors.disputes import disputes_of_round
from tables.selectors.round_read import RoundName, SessionSums, read_round
from tables.web.forms import all_valid
from tables.web.refusing import refuse


class Row(NamedTuple):
    """One wager on the form: its payout on record, if there is one, and its two fields."""

    seat: int
    wager: str
    line: PayoutLine | None
    stake: BoundField
    handed: BoundField

    @property
    def is_typed(self) -> bool:
        """Tell whether something was typed for it."""
        return bool(self.stake.value() or self.handed.value())


@require_http_methods(["GET", "POST"])
@signed_on(*CORRECTS)
def correct(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Show what is on record, then the bill of what is typed; correct once two people signed it."""
    name = RoundName(code, shoe, number)
    read = read_round(name)
    require_correctable(read)
    data = request.POST if request.method == "POST" else None
    asked = request.GET.get("dispute", "")
    form = CorrectionForm(data, read=read, dispute=asked if asked.isdecimal() else "")
    bill, signers = None, []
    if data is not None and form.is_valid():
        bill = _bill(name, form)
    authority = None
    if bill is not None:
        authority = authority_of(read, bill, now=timezone.now())
        signing = data if data is not None and data.get("act") == "sign" else None
        signers = signature_forms(signing, authority=authority)
        if signing is not None and _sign(request, form, signers, bill=bill):
            return HttpResponseRedirect(_next_address(name, bill))
    shown = round_page(name, now=timezone.now())
    context = _context(request, shown, form=form)
    context |= _signing(bill, signers, authority=authority, before=read.session_sums)
    failed = form.errors or any(box.errors for box in signers)
    return render(request, "settlements/correct_round.html", context, status=422 if failed else 200)


def _next_address(name: RoundName, bill: Bill) -> str:
    """Return where a correction leads: to the dispute that it was made for, else to the round."""
    dispute = bill.correction.dispute
    if dispute is None:
        return reverse_round(name)
    return reverse("settlements:dispute", args=[name.table, dispute])


def _bill(name: RoundName, form: CorrectionForm) -> Bill | None:
    """Return the bill of what was typed; a refusal stands on the form, a question asks there."""
    correction = form.correction()
    try:
        return correction_bill(name, correction)
    except OneCardTooManyError as question:
        form.question = question.data
        form.add_error(None, question.describe(_))
    except CorrectionRefusedError as error:
        form.put_back(error)
    except DomainError as error:
        refuse(form, error)
    return None


def _sign(
    request: HttpRequest, form: CorrectionForm, signers: list[SignatureForm], *, bill: Bill
) -> bool:
    """Correct the round by the bill that was read; tell whether it was done."""
    if not all_valid(signers):
        return False
    try:
        correct_round(
            name=form.read.name,
            correction=bill.correction,
            bill_hash=request.POST.get("bill_hash", ""),
            signers=[box.signer() for box in signers],
            by=acting(request),
        )
    except BillChangedError as error:
        form.add_error(None, error.describe(_))
        return False
    except DomainError as error:
        refuse(form, error)
        return False
    return True


def _signing(
    bill: Bill | None,
    signers: list[SignatureForm],
    *,
    authority: Authority | None,
    before: SessionSums,
) -> dict[str, Any]:  # Any: a template's context
    """Return the bill and who signs it; nobody can sign late while nobody is in charge."""
    if bill is None or authority is None:
        return {"bill": None, "signers": [], "authority": None}
    missing = authority.late and authority.in_charge is None
    return {
        "bill": bill_context(bill, before=before),
        "signers": [] if missing else signers,
        "authority": authority,
        "in_charge_url": reverse("settlements:in_charge") if missing else None,
    }


def _context(
    request: HttpRequest, shown: RoundPage, *, form: CorrectionForm
) -> dict[str, Any]:  # Any: a template's context
    read = shown.read
    standing = {(line.seat, line.wager): line for line in shown.lines}
    names = [(seat, kind) for seat in range(1, read.seats_of_table + 1) for kind in form.kinds]
    rows = [_row(form, seat, kind, line=standing.get((seat, kind))) for seat, kind in names]
    return page_context(shown) | {
        "form": form,
        "hands_form": [
            {
                "hand": hand.hand,
                "cards": [(laid, form[f"card_{laid.draw}"]) for laid in hand.cards if laid.face],
            }
            for hand in shown.hands
            if hand.cards
        ],
        "rows": [row for row in rows if row.line],
        "absent": [row for row in rows if not row.line],
        "absent_used": any(row.is_typed for row in rows if not row.line),
        "question": form.question,
        "for_dispute": _dispute_of(form),
        "back": reverse_round(read.name),
        "may_change_charge": person_of(request).role == Role.MANAGER,
    }


def _dispute_of(form: CorrectionForm) -> dict[str, Any] | None:
    """Return the dispute of this round whose ruling the correction is to carry out."""
    text = str(form["dispute"].value() or "")
    holds = disputes_of_round(form.read.name.key)
    found = next((hold for hold in holds if str(hold.number) == text), None)
    return held_line(found, role=Role.SUPERVISOR) | {"ruling": found.ruling} if found else None


def _row(form: CorrectionForm, seat: int, kind: str, *, line: PayoutLine | None) -> Row:
    return Row(seat, kind, line, form[f"stake_{seat}_{kind}"], form[f"handed_{seat}_{kind}"])
