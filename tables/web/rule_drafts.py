"""Pages of drafts: begun with one press, written, checked, put up, approved, returned, given up."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.api.handlers import refusal_page
from casino.kernel.errors import DomainError
from casino.people.models import Role
from casino.people.person import person_of
from casino.people.selectors import names_by_number
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from tables.acting import acting
from tables.games import GAMES, PRESETS, Ruleset
from tables.games.odds_document import percent_text
from tables.models import RuleDraft, RuleKind
from tables.permissions import READS_DRAFTS
from tables.rule_errors import RuleKindError
from tables.selectors.odds import odds_of
from tables.selectors.rule_check import (
    Comparison,
    RuleCheck,
    basis_of,
    check_rules,
    compare_rules,
)
from tables.selectors.rule_content import default_options, flatten, load_content
from tables.selectors.rule_life import (
    APPROVALS_NEEDED,
    DraftRead,
    PublishedRules,
    read_draft,
    read_rules,
)
from tables.services.rule_approval import approval_document, approve_rules
from tables.services.rule_life import (
    WRITES_RULES,
    discard_draft,
    draft_rules,
    redraft_rules,
    return_rules,
    submit_rules,
)
from tables.web.forms import SignerForm, all_valid, signer_forms
from tables.web.odds_page import odds_context, signed, wager_name
from tables.web.refusing import refuse
from tables.web.rule_forms import RulesForm
from tables.web.rule_lines import game_name, rule_lines, rules_title, warning_lines
from tables.web.rule_story import rule_story
from tables.web.rule_words import KIND_NAMES, KIND_PLURALS
from tables.web.rulesets import today

Context = dict[str, Any]  # a template's values
_State = RuleDraft.State


@require_POST
@signed_on(*WRITES_RULES)
def create(request: HttpRequest) -> HttpResponse:
    """Begin a draft with one press: of a preset, of a game's defaults, or of published rules."""
    try:
        kind, game, name, options = _source(request.POST)
        step = draft_rules(kind=kind, game=game, name=name, options=options, by=acting(request))
    except DomainError as error:
        return refusal_page(request, error)
    return HttpResponseRedirect(reverse("tables:edit_rules", args=[step.draft.number]))


def _source(sent: Mapping[str, str]) -> tuple[str, str, str, Mapping[str, object]]:
    """Return kind, game, name and all options of what a draft begins with. Raises RuleKindError."""
    kind = sent.get("kind", "")
    if kind not in RuleKind.values:
        raise RuleKindError(kinds=", ".join(RuleKind.values), games=", ".join(GAMES))
    if "hash" in sent:
        rules = read_rules(sent["hash"], day=today(), kind=kind)
        return kind, rules.game, rules_title(rules), rules.options
    preset = PRESETS.get(sent.get("preset", ""))
    if preset is not None:
        own = preset.options if kind == RuleKind.RULESET else preset.procedures
        if kind != RuleKind.LIMITS:
            return kind, preset.game, preset.name, load_content(kind, preset.game, own).options
    game = sent.get("game", "")
    options = default_options(kind, game)
    return kind, game, f"{game_name(game)}, {str(KIND_NAMES[kind]).lower()}", options


@require_GET
@signed_on(*READS_DRAFTS)
def page(request: HttpRequest, number: str) -> HttpResponse:
    """Show a draft: what it says beside what is in force, what is wrong, what it would mean."""
    return _page(request, read_draft(number))


@require_http_methods(["GET", "POST"])
@signed_on(*WRITES_RULES)
def edit(request: HttpRequest, number: str) -> HttpResponse:
    """Write a draft: its name, its day and every option."""
    draft = read_draft(number)
    if draft.state != _State.DRAFT and request.method == "GET":
        return HttpResponseRedirect(_url(draft))
    form = RulesForm(
        request.POST if request.method == "POST" else None,
        kind=draft.kind,
        game=draft.game,
        options=draft.options,
        initial={
            "name": draft.name,
            "effective_day": draft.effective_day,
            "version": draft.version,
        },
    )
    if request.method == "POST" and form.is_valid():
        try:
            redraft_rules(
                number=number,
                version=form.cleaned_data["version"],
                name=form.cleaned_data["name"],
                options=form.options(),
                effective_day=form.cleaned_data["effective_day"],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(_url(draft))
    base = _base(draft, request.GET)
    context = {
        "draft": draft,
        "kind_name": KIND_NAMES[draft.kind],
        "kind_plural": KIND_PLURALS[draft.kind],
        "game": game_name(draft.game),
        "form": form,
        "rows": list(form.rows(flatten(base.options) if base else {})),
        "base": base,
        "base_title": rules_title(base) if base else "",
        "back": _url(draft),
    }
    status = 422 if form.errors else 200
    return render(request, "tables/rulesets/edit.html", context, status=status)


@require_POST
@signed_on(*WRITES_RULES)
def submit(request: HttpRequest, number: str) -> HttpResponse:
    """Put a draft up for approval."""
    version = _version(request)
    return _act(
        request, number, lambda: submit_rules(number=number, version=version, by=acting(request))
    )


class ReasonForm(forms.Form):
    """Why a draft goes back or is given up."""

    reason = TextField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )


@require_POST
@signed_on(*WRITES_RULES)
def stop(request: HttpRequest, number: str, act: str) -> HttpResponse:
    """Take a draft back from approval, or give it up."""
    services = {"return": return_rules, "discard": discard_draft}
    if act not in services:
        raise Http404
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, read_draft(number), reason=form, status=422)
    version, reason = _version(request), form.cleaned_data["reason"]
    return _act(
        request,
        number,
        lambda: services[act](number=number, version=version, reason=reason, by=acting(request)),
    )


@require_POST
@signed_on(*WRITES_RULES)
def approve(request: HttpRequest, number: str) -> HttpResponse:
    """Approve a draft with one manager's signature."""
    boxes = signer_forms(request.POST, Role.MANAGER)
    if not all_valid(boxes):
        return _page(request, read_draft(number), signers=boxes, status=422)
    try:
        step = approve_rules(
            number=number,
            version=_version(request),
            signers=[box.signer() for box in boxes],
            by=acting(request),
        )
    except DomainError as error:
        draft = read_draft(number)
        if draft.state != _State.IN_APPROVAL:  # taken back meanwhile: there is no box to mark
            return _page(request, draft, refused=error, status=error.status)
        refuse(boxes[0], error)
        return _page(request, draft, signers=boxes, status=error.status)
    if step.draft.state == _State.PUBLISHED:
        return HttpResponseRedirect(reverse("tables:rules", args=[step.draft.content_hash]))
    return HttpResponseRedirect(_url(step.draft))


def _act(request: HttpRequest, number: str, act: Callable[[], object]) -> HttpResponse:
    """Do what a button asked for, or show the draft with what was refused."""
    try:
        act()
    except DomainError as error:
        return _page(request, read_draft(number), refused=error, status=error.status)
    return HttpResponseRedirect(reverse("tables:rule_draft", args=[number]))


def _version(request: HttpRequest) -> int:
    """Return the version that was on the page; one that is none matches no draft."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _url(draft: DraftRead) -> str:
    return reverse("tables:rule_draft", args=[draft.number])


def _base(draft: DraftRead, query: Mapping[str, str]) -> PublishedRules | None:
    """Return what a draft is laid beside: what was asked for, or what most tables deal under."""
    against = query.get("against", "")
    return basis_of(draft.kind, draft.game, against=against, day=today())


def _page(
    request: HttpRequest,
    draft: DraftRead,
    *,
    signers: list[SignerForm] | None = None,
    reason: ReasonForm | None = None,
    refused: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    role = person_of(request).role
    check = check_rules(draft.kind, draft.game, draft.options, day=today())
    base = _base(draft, request.GET)
    comparison = (
        None if base is None else compare_rules(draft.kind, draft.game, draft.options, against=base)
    )
    context: Context = {
        "draft": draft,
        "kind_name": KIND_NAMES[draft.kind],
        "kind_plural": KIND_PLURALS[draft.kind],
        "game": game_name(draft.game),
        "lines": rule_lines(draft.kind, draft.game, draft.options, against=comparison),
        "changed": len(comparison.lines) if comparison else 0,
        "base": base,
        "base_title": rules_title(base) if base else "",
        "edges": _edge_rows(comparison),
        "faults": check.faults,
        "warnings": warning_lines(check.warnings),
        "approvals_needed": APPROVALS_NEEDED,
        "writers": _writers(draft),
        "signed": approval_document(draft) if draft.state == _State.IN_APPROVAL else None,
        "story": rule_story(_published_hash(draft), draft=draft.number),
        "published_url": reverse("tables:rules", args=[draft.content_hash])
        if draft.state == _State.PUBLISHED
        else None,
        "refused": None if refused is None else refused.describe(_),
        "reason": reason or ReasonForm(),
        "signers": _signers(draft, signers, role=role),
        **_acts(draft, role=role, check=check),
        **_odds(check),
    }
    return render(request, "tables/rulesets/draft.html", context, status=status)


def _writers(draft: DraftRead) -> list[str]:
    names = names_by_number(draft.drafters)
    return [names.get(number, number) for number in draft.drafters]


def _published_hash(draft: DraftRead) -> str:
    return draft.content_hash if draft.state == _State.PUBLISHED else ""


def _signers(draft: DraftRead, signers: list[SignerForm] | None, *, role: str) -> list[SignerForm]:
    if draft.state != _State.IN_APPROVAL or role not in WRITES_RULES:
        return []
    return signers or signer_forms(None, Role.MANAGER)


def _acts(draft: DraftRead, *, role: str, check: RuleCheck) -> Context:
    """Return which acts the page offers to this person."""
    writes = role in WRITES_RULES
    return {
        "edits": writes and draft.state == _State.DRAFT,
        "submits": writes and draft.state == _State.DRAFT and check.content is not None,
        "returns": writes and draft.state == _State.IN_APPROVAL,
        "discards": writes and draft.state in (_State.DRAFT, _State.IN_APPROVAL),
    }


def _odds(check: RuleCheck) -> Context:
    if check.content is None or not isinstance(check.content.loaded, Ruleset):
        return {"odds": None}
    return {"odds": odds_context(odds_of(check.content.loaded))}


def _edge_rows(comparison: Comparison | None) -> list[tuple[str, str, str, bool]]:
    """Return the edges of each wager before and after, and whether they differ."""
    if comparison is None:
        return []

    def text(edge: Any) -> str:  # a fraction, or None for a closed wager
        return _("closed") if edge is None else signed(percent_text(edge))

    return [
        (wager_name(each.wager), text(each.before), text(each.after), each.before != each.after)
        for each in comparison.edges
    ]
