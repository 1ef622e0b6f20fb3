"""The rounds that the void of a shoe puts in question: every wager, and what is decided of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from audit.log.rows import Ref
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.permissions import require_role
from casino.people.person import person_of
from casino.people.selectors import manager_in_charge
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from settlements.errors import ShoeNotVoidError
from settlements.models import ShoeVoidRound
from settlements.selectors.shoe_decisions import (
    OwedYet,
    decision_bill,
    decisions_of,
    had_bill,
    name_of_round,
    owed_yet,
    require_void,
)
from settlements.selectors.shoe_voids import ListedRound, listed_rounds
from settlements.selectors.signed import SignedAct
from settlements.services.shoe_voids import LETTERS, decide_rounds
from settlements.shoe_decision import DecisionBill, RoundDecided, ShoeDecision
from settlements.web.bills import line_rows
from settlements.web.correction_form import SignatureForm
from settlements.web.irregularities.form import signature_boxes
from settlements.web.rounds import reverse_round
from tables.acting import acting
from tables.permissions import READS_ROUNDS
from tables.selectors.floor import UsedShoe
from tables.services.irregularities.ground import TEXT_MAX
from tables.web.forms import all_valid
from tables.web.refusing import refuse

_OPEN = ShoeVoidRound.Decision.OPEN
_DECISIONS = [each for each in ShoeVoidRound.Decision.choices if each[0] != _OPEN]


class DecisionForm(forms.Form):
    """What is decided, of which rounds, why, who of the regulator was told, and what moves now."""

    rounds = forms.MultipleChoiceField(
        label=gettext_lazy("Rounds"), widget=forms.CheckboxSelectMultiple
    )
    decision = forms.ChoiceField(
        label=gettext_lazy("What is decided of them"),
        choices=_DECISIONS,
        widget=forms.RadioSelect,
    )
    note = TextField(
        label=gettext_lazy("Why"), max_length=TEXT_MAX, widget=forms.Textarea(attrs={"rows": 3})
    )
    told = TextField(
        label=gettext_lazy("Who told the regulator: whom, when, how"), max_length=TEXT_MAX
    )
    moved = forms.ChoiceField(
        label=gettext_lazy("The money on the bill"),
        choices=[
            ("no", gettext_lazy("is owed, and stays where it is for now")),
            ("yes", gettext_lazy("is moved now")),
        ],
        widget=forms.RadioSelect,
        initial="no",
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,  # Any: what a form may be sent
        *,
        rounds: Sequence[ListedRound],
        owed: OwedYet,
    ) -> None:
        super().__init__(data, initial=_initial(rounds, owed))
        field = self.fields["rounds"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(each.row.round.key, each.row.round.key) for each in rounds]

    def decided(self) -> ShoeDecision:
        """Return the decision as the service takes it; the form must be valid."""
        sent = self.cleaned_data
        return ShoeDecision(
            decision=sent["decision"],
            note=sent["note"],
            told=sent["told"],
            rounds=tuple(sent["rounds"]),
            moved=sent["moved"] == "yes",
        )


def _initial(rounds: Sequence[ListedRound], owed: OwedYet) -> dict[str, object]:
    """Return what is asked first: the rounds of which nothing is decided; once there is none, to
    hand over what was decided and is owed yet."""
    standing = {each.row.round.key: each.row.decision for each in rounds}
    still = [key for key, decision in standing.items() if decision == _OPEN]
    if still or not owed.rounds:
        return {"rounds": still}
    newest = max(
        (each.row for each in rounds if each.row.round.key in owed.rounds),
        key=lambda row: row.entry_id,
    )
    same = [key for key in standing if key in owed.rounds and standing[key] == newest.decision]
    return {"rounds": same, "decision": newest.decision, "moved": "yes"}


@require_http_methods(["GET", "POST"])
@signed_on(*READS_ROUNDS)
def rounds(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """List the rounds in question; show what a decision on them costs, decide once it is signed."""
    try:
        used = require_void(code, number)
    except ShoeNotVoidError:
        raise Http404 from None
    listed = listed_rounds(used.ref)
    person = person_of(request)
    data = request.POST if request.method == "POST" else None
    if data is not None:
        require_role(person, Role.MANAGER)
    owed = owed_yet(used.ref)
    form = DecisionForm(data, rounds=listed, owed=owed)
    in_charge = manager_in_charge(timezone.now())
    signing = data if data is not None and data.get("act") == "sign" else None
    boxes = signature_boxes(signing, LETTERS, in_charge=in_charge, dealer="") if in_charge else []
    if data is not None and form.is_valid():
        if signing is not None and _sign(request, form, boxes, shoe=used):
            return HttpResponseRedirect(request.path)
        bill = _bill(used.ref, form)
    else:
        bill = None
    context = {
        "table": {"code": code, "url": reverse("settlements:table_page", args=[code])},
        "shoe": {
            "number": number,
            "key": used.ref.key,
            "url": reverse("settlements:shoe_page", args=[code, number]),
        },
        "rounds": [_round(each, form=form) for each in listed],
        "totals": _totals(listed),
        "decides": person.role == Role.MANAGER,
        "form": form,
        "bill": bill_of_rounds(bill) if bill else None,
        "decisions": [_done(each) for each in reversed(decisions_of(used.ref.key))],
        "owed_yet": owed,
        "signers": boxes,
        "in_charge": in_charge,
    }
    failed = form.errors or any(box.errors for box in boxes)
    return render(
        request, "settlements/irregularities/rounds.html", context, status=422 if failed else 200
    )


def _sign(
    request: HttpRequest, form: DecisionForm, boxes: Sequence[SignatureForm], *, shoe: UsedShoe
) -> bool:
    """Decide by the bill that was read; tell whether it was done."""
    if not boxes or not all_valid(boxes):
        return False
    table, _number = shoe.ref.key.split("/")
    try:
        decide_rounds(
            table=table,
            shoe=shoe.number,
            decision=form.decided(),
            bill_hash=request.POST.get("bill_hash", ""),
            signers=[box.signer() for box in boxes],
            by=acting(request),
        )
    except DomainError as error:
        refuse(form, error)
        return False
    return True


def _bill(shoe: Ref, form: DecisionForm) -> DecisionBill | None:
    """Return what is decided costs; a refusal stands on the form."""
    try:
        return decision_bill(shoe, form.decided())
    except DomainError as error:
        refuse(form, error)
    return None


def bill_of_rounds(bill: DecisionBill) -> dict[str, Any]:  # Any: a template's context
    """Return the bill as the page shows it: totals first, then by round and wager."""
    changed = [each for each in bill.rounds if each.bill is not None]
    return {
        "hash": bill.hash,
        "decision": bill.decision.decision,
        "moved": bill.decision.moved,
        "rounds": [_changed(each) for each in changed],
        "unchanged": [each.key for each in bill.rounds if each.bill is None],
        "wagers": bill.wagers_changed,
        "to_players_minor": bill.to_players_minor,
        "to_bank_minor": bill.to_bank_minor,
        "bank_owed_minor": sum(each.sums.bank_owed_minor for each in bill.bills),
        "bank_handed_minor": sum(each.sums.bank_handed_minor for each in bill.bills),
        "late": _late(bill),
    }


def _changed(each: RoundDecided) -> dict[str, Any]:  # Any: as above
    assert each.bill is not None
    return {
        "key": each.key,
        "url": reverse_round(name_of_round(each.key)),
        "was": each.row.decision,
        "lines": line_rows(each.bill),
        "to_players_minor": each.to_players_minor,
        "to_bank_minor": each.to_bank_minor,
    }


def _late(bill: DecisionBill) -> list[dict[str, Any]]:  # Any: as above
    """Say of each closed session what moves now, and whose tray pays it."""
    moved: dict[tuple[str, str | None], int] = {}
    for each in bill.bills:
        if each.late is not None:
            key = each.session_key, each.late.session
            moved[key] = moved.get(key, 0) + each.late.tray_minor
    return [
        {"closed": closed, "pays": pays, "minor": minor} for (closed, pays), minor in moved.items()
    ]


def _done(done: SignedAct) -> dict[str, Any]:  # Any: as above
    document = done.document
    bill = None
    if had_bill(done):
        bill = {
            "moved": document["moved"],
            "rounds": document["rounds"],
            "changed": sum(each["bill_hash"] is not None for each in document["rounds"]),
            "to_players_minor": document["to_players_minor"],
            "to_bank_minor": document["to_bank_minor"],
        }
    return {
        "at": done.at,
        "decision": document["decision"],
        "note": document["note"],
        "told": document["told"],
        "rounds": len(document["rounds"]),
        "bill": bill,
        "signed": done.signed,
        "hash": done.document_hash,
        "seq": done.seq,
    }


def _round(each: ListedRound, *, form: DecisionForm) -> dict[str, Any]:  # Any: as above
    key = each.row.round.key
    chosen = form["rounds"].value() or []
    return {
        "key": key,
        "url": reverse_round(name_of_round(key)),
        "decision": each.row.decision,
        "note": each.row.note,
        "wagers": each.wagers,
        "stake_minor": each.stake_minor,
        "bank_minor": each.bank_minor,
        "lost_minor": each.lost_minor,
        "is_chosen": key in chosen,
    }


def _totals(listed: Sequence[ListedRound]) -> dict[str, int]:
    return {
        "wagers": sum(len(each.wagers) for each in listed),
        "stake_minor": sum(each.stake_minor for each in listed),
        "bank_minor": sum(each.bank_minor for each in listed),
        "lost_minor": sum(each.lost_minor for each in listed),
        "open": sum(each.row.decision == _OPEN for each in listed),
    }
