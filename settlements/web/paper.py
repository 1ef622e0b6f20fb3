"""Pages of a sheet: the form that keys it, its check while it is typed, its copies side by side.

Two people key blind; the copies are shown to supervisors only when both are in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import Person, person_of
from casino.people.web.guards import signed_on
from settlements.services.paper import AGREES, Agreement, agree_sheet, key_sheet
from settlements.web.paper_copies import SheetRow, rows_of
from settlements.web.paper_forms import COPY_WORDS, KeepForm, NoteForm
from settlements.web.rounds import reverse_round
from tables.acting import acting
from tables.errors import OneCardTooManyError, RevisionSupersededError
from tables.faults import fault_document
from tables.games import Fault
from tables.models import Round, SheetKeying
from tables.permissions import READS_ROUNDS
from tables.selectors.paper import (
    PAPER,
    SheetCopy,
    are_both_keyed,
    copies_differ,
    sheet_copies,
)
from tables.selectors.round_read import RoundName, RoundRead, read_round
from tables.services.paper import KEYS_SHEETS, Keying, try_sheet
from tables.sheets import faces_in, owed_lines
from tables.sheets.errors import (
    SheetComparedError,
    SheetConflictError,
    SheetNotAwaitedError,
    SheetRefusedError,
)
from tables.web.fault_words import fault_text
from tables.web.forms import SignerForm, all_valid, signer_forms
from tables.web.paper_form import SheetForm, initial_of
from tables.web.refusing import refuse

SEES_COPIES = tuple(role for role in READS_ROUNDS if role != Role.DEALER)


@require_http_methods(["GET", "POST"])
@signed_on(*KEYS_SHEETS)
def sheet(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Key one's own copy of a sheet, blind to the other's."""
    name, person = RoundName(code, shoe, number), person_of(request)
    read = read_round(name)
    copies = sheet_copies(read.ref)
    mine = _own(copies, person=person)
    if read.stage != Round.Stage.AWAITED or are_both_keyed(copies):
        # A keying that is saved is shown what follows; one that was not is never dropped.
        saved = mine is not None and request.POST.get("revision") == str(mine.revision)
        if request.method == "POST" and not saved:
            raise SheetComparedError(round=name.key)
        return HttpResponseRedirect(_after(name, read=read, both=are_both_keyed(copies)))
    copy = mine.copy if mine else next(copy for copy in PAPER if copy not in copies)
    initial: dict[str, object] = {"revision": mine.revision + 1 if mine else 1}
    if mine is not None:
        initial |= initial_of(mine.document, dealt_at=mine.dealt_at)
    data = request.POST if request.method == "POST" else None
    form = SheetForm(data, read=read, initial=initial)
    if data is not None and form.is_valid():
        try:
            done = key_sheet(name=name, keying=form.keying(str(copy)), by=acting(request))
        except (SheetConflictError, RevisionSupersededError) as error:
            form = _behind(data, read, person=person)
            _put_back(form, error)
        except DomainError as error:
            _put_back(form, error)
        else:
            both = are_both_keyed(done.copies)
            return HttpResponseRedirect(_after(name, read=read_round(name), both=both))
    context = _form_context(read, form, person) | {
        "title": _("Key sheet"),
        "is_second": any(each in copies for each in PAPER if each != copy),
        "is_again": mine is not None,
        "action": _("Save keying"),
    }
    return render(request, "tables/paper/sheet.html", context, status=422 if form.errors else 200)


def _behind(data: QueryDict, read: RoundRead, *, person: Person) -> SheetForm:
    """Return what was typed as the revision behind one's own that was saved meanwhile."""
    mine = _own(sheet_copies(read.ref), person=person)
    sent = data.copy()
    sent["revision"] = str(mine.revision + 1 if mine else 1)
    form = SheetForm(sent, read=read)
    if mine is not None:
        meanwhile = _("You keyed it meanwhile. Save again, and this keying takes its place.")
    else:
        meanwhile = _(
            "Somebody keyed the first copy meanwhile. Save again, and yours is the second."
        )
    form.add_error(None, meanwhile)
    return form


@require_POST
@signed_on(*KEYS_SHEETS)
def check(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Answer with what is wrong with a sheet so far, and what it owes; nothing is stored."""
    name = RoundName(code, shoe, number)
    form = SheetForm(request.POST, read=read_round(name))
    context: dict[str, Any] = {"faults": [], "warnings": [], "questions": [], "owed": []}
    if form.is_valid():
        context = _checked(name, form)
    else:
        context["faults"] = [
            {"field": field, "detail": text, "to_come": not form[field].value()}
            for field, texts in form.errors.items()
            for text in texts
        ]
    return render(request, "tables/paper/_check.html", {"check": context})


def _checked(name: RoundName, form: SheetForm) -> dict[str, Any]:
    keying = form.keying("first")
    document = form.document()
    read = read_round(name, faces=faces_in(document))
    if read.stage != Round.Stage.AWAITED:
        raise SheetNotAwaitedError(round=name.key, stage=read.stage)
    laid, faults = try_sheet(read, keying, now=timezone.now())
    found: dict[str, Any] = {
        "faults": [
            {
                "field": form.field_of(fault.where, document),
                "where": form.name_of(form.field_of(fault.where, document)),
                "detail": fault_text(fault_document(fault)),
                "to_come": _is_to_come(fault),
            }
            for fault in faults
        ],
        "warnings": [],
        "questions": [],
        "owed": [],
    }
    if laid is not None:
        for part, those in (("warnings", laid.warnings), ("questions", laid.questions)):
            found[part] = [
                {
                    "field": form.field_of(each.where, document),
                    "where": form.name_of(form.field_of(each.where, document)),
                    "detail": fault_text(fault_document(each)),
                }
                for each in those
            ]
    if laid is not None and not faults:
        owed: dict[int, int] = {}
        for line in owed_lines(laid):
            owed[line.seat] = owed.get(line.seat, 0) + line.returned_minor
        found["owed"] = sorted(owed.items())
        found["total_minor"] = sum(owed.values())
    return found


def _is_to_come(fault: Fault) -> bool:
    """Tell whether a fault is only that something is not typed yet."""
    expected = str(fault.data.get("expected", ""))
    missing = expected[:1].isdigit() or expected.startswith("the first two")
    return fault.code in ("missing_field", "no_seats") or (fault.code == "card_count" and missing)


@require_http_methods(["GET", "POST"])
@signed_on(*SEES_COPIES)
def copies(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Lay the copies of a sheet side by side; a supervisor says which one counts, signed."""
    name, person = RoundName(code, shoe, number), person_of(request)
    read = read_round(name)
    found = sheet_copies(read.ref)
    if not are_both_keyed(found):
        return HttpResponseRedirect(reverse("tables:paper", args=[code]))
    differences = copies_differ(found)
    data = request.POST if request.method == "POST" else None
    form = KeepForm(data, copies=found, differ=bool(differences))
    signers = _boxes(data, person=person, copies=found, keep=data.get("keep") if data else None)
    if data is not None and all_valid(signers) and form.is_valid():
        try:
            agree_sheet(
                name=name,
                agreement=form.agreement(),
                signers=[box.signer() for box in signers if box.has_changed()],
                by=acting(request),
            )
        except OneCardTooManyError as question:
            form.ask(question)
        except SheetRefusedError as error:
            form.refuse(error, copy=found[form.cleaned_data["keep"]], read=read)
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse_round(name))
    awaited = read.stage == Round.Stage.AWAITED
    failed = bool(form.errors) or any(box.errors for box in signers)
    context = _head(read, person) | {
        "copies": [_column(copy) for copy in _in_order(found)],
        "rows": _rows(read, found),
        "count": len({difference.where for difference in differences}),
        "question": form.question,
        "is_awaited": awaited,
        "form": form if awaited and person.role in AGREES else None,
        "signers": signers,
        "one_signs": any(not box.use_required_attribute for box in signers),
        "action": _("Sign and put on record"),
        "anew_url": _round_url("settlements:sheet_anew", name) if differences else None,
        "back": reverse("tables:paper", args=[code]),
    }
    return render(request, "tables/paper/copies.html", context, status=422 if failed else 200)


@require_http_methods(["GET", "POST"])
@signed_on(*AGREES)
def anew(request: HttpRequest, code: str, shoe: int, number: int) -> HttpResponse:
    """Key what the sheet really says; it begins with what both keyed alike, and is signed."""
    name, person = RoundName(code, shoe, number), person_of(request)
    read = read_round(name)
    found = sheet_copies(read.ref)
    if not are_both_keyed(found) or read.stage != Round.Stage.AWAITED:
        return HttpResponseRedirect(reverse("tables:paper", args=[code]))
    data = request.POST if request.method == "POST" else None
    form = SheetForm(data, read=read, initial=_alike(found))
    void = form["end"].value() == "voided"
    note = NoteForm(data)
    signers = signer_forms(data, *_roles(person, void=void))
    if data is not None and all_valid([note, *signers]) and form.is_valid():
        keying = form.keying(SheetKeying.Copy.AGREED.value)
        try:
            agree_sheet(
                name=name,
                agreement=_agreement(keying, note=note.cleaned_data["note"]),
                signers=[box.signer() for box in signers],
                by=acting(request),
            )
        except DomainError as error:
            _put_back(form, error)
        else:
            return HttpResponseRedirect(reverse_round(name))
    failed = bool(form.errors) or any(box.errors for box in (note, *signers))
    context = _form_context(read, form, person) | {
        "title": _("Key what the sheet says"),
        "note": note["note"],
        "signers": signers,
        "action": _("Sign and put on record"),
        "back": _round_url("settlements:sheet_copies", name),
    }
    return render(request, "tables/paper/sheet.html", context, status=422 if failed else 200)


def _agreement(keying: Keying, *, note: str) -> Agreement:
    return Agreement(
        keep="",
        note=note,
        document=keying.document,
        dealt_at=keying.dealt_at,
        as_seen=keying.as_seen,
    )


def _alike(copies: Mapping[str, SheetCopy]) -> dict[str, object]:
    """Return the cells that all copies have alike; the others stay empty."""
    shown = [initial_of(copy.document, dealt_at=copy.dealt_at) for copy in _in_order(copies)]
    first, *others = shown
    return {
        cell: value for cell, value in first.items() if all(o.get(cell) == value for o in others)
    }


def _boxes(
    data: Mapping[str, str] | None,
    *,
    person: Person,
    copies: Mapping[str, SheetCopy],
    keep: str | None,
) -> list[SignerForm]:
    """Return the boxes for who signs: both for a void; one of them where a void may be kept."""
    voids = {copy.document.get("end") == "voided" for copy in copies.values()}
    boxes = signer_forms(data, *_roles(person, void=True in voids))
    if len(voids) == 1:
        return boxes
    kept = copies.get(keep) if keep else None
    for box in boxes:
        box.use_required_attribute = False
        box.empty_permitted = kept is not None and kept.document.get("end") != "voided"
    return boxes


def _roles(person: Person, *, void: bool) -> Sequence[Role]:
    if void:
        return (Role.SUPERVISOR, Role.MANAGER)
    return (Role.MANAGER if person.role == Role.MANAGER else Role.SUPERVISOR,)


def _rows(read: RoundRead, copies: Mapping[str, SheetCopy]) -> list[SheetRow]:
    return rows_of(read, _in_order(copies))


def _column(copy: SheetCopy) -> dict[str, object]:
    return {
        "title": COPY_WORDS[SheetKeying.Copy(copy.copy)],
        "who": copy.staff_name,
        "keyed_at": copy.keyed_at,
        "revision": copy.revision,
    }


def _in_order(copies: Mapping[str, SheetCopy]) -> list[SheetCopy]:
    return [copies[copy] for copy in COPY_WORDS if copy in copies]


def _own(copies: Mapping[str, SheetCopy], *, person: Person) -> SheetCopy | None:
    mine = (copies[copy] for copy in PAPER if copy in copies)
    return next((copy for copy in mine if copy.staff.id == person.staff.id), None)


def _head(read: RoundRead, person: Person) -> dict[str, Any]:
    name, dealer = read.name, person.role == Role.DEALER
    back = reverse("tables:paper", args=[name.table])
    return {
        "face": "tablet" if dealer else "pit",
        "round": {
            "key": read.ref.key,
            "table_code": name.table,
            "number": name.number,
            "shoe_number": name.shoe,
            "stage": read.stage,
            "gaming_day": read.gaming_day,
            "url": reverse_round(name),
        },
        "paper_url": back,
        "back": back,
    }


def _form_context(read: RoundRead, form: SheetForm, person: Person) -> dict[str, Any]:
    return _head(read, person) | {
        "form": form,
        "question": form.question,
        "rows": list(form.rows()),
        "kinds": form.kinds,
        "check_url": _round_url("settlements:sheet_check", read.name),
        "signers": [],
    }


def _put_back(form: SheetForm, error: DomainError) -> None:
    """Say what was refused, each fault at the cell that it means."""
    document = form.document()
    if not error.faults:
        form.add_error(None, error.describe(_))
    if isinstance(error, OneCardTooManyError):
        form.ask(error)
    for fault in error.faults:
        form.add_error(form.field_of(str(fault.get("where", "")), document), fault_text(fault))


def _after(name: RoundName, *, read: RoundRead, both: bool) -> str:
    """Return where a person goes whose keying is saved."""
    if read.stage != Round.Stage.AWAITED:
        return reverse_round(name)
    return reverse("tables:paper", args=[name.table])


def _round_url(name: str, round_: RoundName) -> str:
    return reverse(name, args=[round_.table, round_.shoe, round_.number])
