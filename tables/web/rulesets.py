"""Pages of rules: what is published and what waits for somebody; one set of rules with its odds."""

from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.kernel.errors import DomainError
from casino.people.person import person_of
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from tables.acting import acting
from tables.games import Ruleset
from tables.games.odds_document import percent_text
from tables.models import RuleKind
from tables.permissions import PREVIEWS_RULES, READS_DRAFTS, READS_RULES
from tables.selectors.house import gaming_day_at
from tables.selectors.odds import odds_of, slow_odds_of
from tables.selectors.rule_check import check_rules
from tables.selectors.rule_life import (
    APPROVALS_NEEDED,
    DraftRead,
    PublishedRules,
    open_drafts,
    published_rules,
    read_rules,
    shoes_under,
)
from tables.selectors.rule_standing import PUBLISHED, SCHEDULED
from tables.services.rule_life import WRITES_RULES, retire_rules
from tables.services.slow_odds import ask_slow_odds
from tables.web.odds_page import (
    best_draws_context,
    covariance_rows,
    odds_context,
    result_context,
    signed,
    wager_name,
)
from tables.web.refusing import refuse
from tables.web.rule_lines import (
    game_name,
    games,
    preset_lines,
    rule_lines,
    rules_title,
    warning_lines,
)
from tables.web.rule_story import rule_story
from tables.web.rule_words import KIND_NAMES, KIND_PLURALS

Context = dict[str, Any]  # a template's values
_STANDING = (PUBLISHED, SCHEDULED)


@require_GET
@signed_on(*READS_RULES)
def index(request: HttpRequest) -> HttpResponse:
    """List what is published, by kind, and the drafts that wait for somebody."""
    role = person_of(request).role
    kind = request.GET.get("kind", "")
    kind = kind if kind in RuleKind.values else RuleKind.RULESET.value
    rules = published_rules(day=today(), kind=kind)
    context = {
        "kind": kind,
        "kinds": [
            (value, words, f"{reverse('tables:rulesets')}?kind={value}")
            for value, words in KIND_PLURALS.items()
        ],
        "standing": [_line(each) for each in rules if each.state in _STANDING],
        "retired": [_line(each) for each in rules if each.state not in _STANDING],
        "drafts": [_draft_line(each) for each in open_drafts()] if role in READS_DRAFTS else None,
        "approvals_needed": APPROVALS_NEEDED,
        "presets": preset_lines(kind) if role in WRITES_RULES else [],
        "games": games() if role in WRITES_RULES and kind != RuleKind.RULESET else [],
    }
    return render(request, "tables/rulesets/index.html", context)


def _line(rules: PublishedRules) -> Context:
    return {
        "title": rules_title(rules),
        "url": reverse("tables:rules", args=[rules.hash]),
        "game": game_name(rules.game),
        "state": rules.state,
        "effective_day": rules.effective_day,
        "changes_to": rules.changes_to,
        "changes_day": rules.changes_day,
        "tables": [(code, reverse("tables:sign", args=[code])) for code in rules.tables],
        "hash": rules.hash,
        "edges": _edges(rules),
    }


def _edges(rules: PublishedRules) -> list[tuple[str, str, bool]]:
    """Return each open wager with its edge, and whether it favours the player."""
    if rules.kind != RuleKind.RULESET:
        return []
    return [
        (wager_name(name), signed(percent_text(each.house_edge, places=1)), each.house_edge < 0)
        for name, each in odds_of(rules.content.ruleset).wagers.items()
        if each.house_edge is not None
    ]


def _draft_line(draft: DraftRead) -> Context:
    return {
        "number": draft.number,
        "url": reverse("tables:rule_draft", args=[draft.number]),
        "name": draft.name,
        "kind": KIND_NAMES[draft.kind],
        "game": game_name(draft.game),
        "state": draft.state,
        "approvals": len(draft.approvals),
        "changed_at": draft.changed_at,
    }


@require_GET
@signed_on(*READS_RULES)
def page(request: HttpRequest, hash: str) -> HttpResponse:  # noqa: A002  the address names it so
    """Show published rules: options in words, odds, where they are in force, their life."""
    rules = read_rules(hash, day=today())
    role = person_of(request).role
    check = check_rules(rules.kind, rules.game, rules.options, day=today())
    context: Context = {
        "rules": rules,
        "title": rules_title(rules),
        "game": game_name(rules.game),
        "kind_name": KIND_NAMES[rules.kind],
        "kind_plural": KIND_PLURALS[rules.kind],
        "lines": rule_lines(rules.kind, rules.game, rules.options),
        "warnings": warning_lines(check.warnings),
        "tables": [(code, reverse("tables:sign", args=[code])) for code in rules.tables],
        "shoes": shoes_under(rules),
        "story": rule_story(rules.hash, draft=rules.draft),
        "draft_url": reverse("tables:rule_draft", args=[rules.draft])
        if rules.draft and role in READS_DRAFTS
        else None,
        "writes": role in WRITES_RULES,
        "retires": role in WRITES_RULES and rules.lasts,
    }
    content = rules.content
    if isinstance(content.loaded, Ruleset):
        context |= ruleset_context(request, content.loaded)
        context["asks"] = role in PREVIEWS_RULES
    return render(request, "tables/rulesets/rules.html", context)


def ruleset_context(request: HttpRequest, ruleset: Ruleset) -> Context:
    """Return the odds of a ruleset, what is kept of the slow ones, and the house's result."""
    odds, slow = odds_of(ruleset), slow_odds_of(ruleset)
    between = slow.between_seats
    return {
        "odds": odds_context(odds),
        "between": None if between is None else covariance_rows(between),
        "missing": slow.missing,
        "best": best_draws_context(slow),
        "result": result_context(ruleset, odds, query=_query(request), slow=slow),
    }


def _query(request: HttpRequest) -> dict[str, str]:
    return {name: str(value)[:40] for name, value in request.GET.items()}


@require_POST
@signed_on(*PREVIEWS_RULES)
def ask(request: HttpRequest, hash: str) -> HttpResponse:  # noqa: A002  as above
    """Ask for the odds of a ruleset that take seconds, and go back to its page."""
    rules = read_rules(hash, day=today(), kind=RuleKind.RULESET)
    ask_slow_odds(rules)
    url = reverse("tables:rules", args=[rules.hash])
    return HttpResponseRedirect(f"{url}?waiting=1#slow")


class RetireForm(forms.Form):
    """Why rules are retired, and from when on."""

    effective_day = forms.DateField(
        label=gettext_lazy("From the gaming day"),
        required=False,
        help_text=gettext_lazy("Empty: from today on."),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    reason = TextField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )


@require_http_methods(["GET", "POST"])
@signed_on(*WRITES_RULES)
def retire(request: HttpRequest, hash: str) -> HttpResponse:  # noqa: A002  as above
    """Retire published rules: no shoe starts under them from that day on."""
    rules = read_rules(hash, day=today())
    form = RetireForm(request.POST if request.method == "POST" else None)
    back = reverse("tables:rules", args=[rules.hash])
    if request.method == "POST" and form.is_valid():
        try:
            retire_rules(
                hash_=rules.hash,
                reason=form.cleaned_data["reason"],
                effective_day=form.cleaned_data["effective_day"],
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(back)
    context = {
        "rules": rules,
        "title": rules_title(rules),
        "kind_plural": KIND_PLURALS[rules.kind],
        "tables": rules.tables,
        "shoes": shoes_under(rules),
        "form": form,
        "back": back,
        "action": _("Retire"),
    }
    status = 422 if form.errors else 200
    return render(request, "tables/rulesets/retire.html", context, status=status)


def today() -> date:
    """Return the gaming day."""
    return gaming_day_at(timezone.now())
