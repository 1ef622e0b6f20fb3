"""Pages of a table's terms: set by a manager, and printed as the table's sign."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from casino.kernel.errors import DomainError
from casino.people.web.guards import signed_on
from casino.web.fields import TextField
from tables.acting import acting
from tables.permissions import READS_TABLES
from tables.selectors.floor import Floor, Terms, read_table
from tables.selectors.rule_check import Warned
from tables.selectors.rule_life import PublishedRules, rules_for_tables
from tables.selectors.rule_standing import PUBLISHED
from tables.selectors.table_sign import table_sign
from tables.selectors.terms_check import NewTerms, TermsChange, check_terms, terms_now
from tables.services.terms import SETS_TERMS, assign_terms
from tables.web.refusing import refuse
from tables.web.rule_lines import RuleLine, game_name, rule_lines, rules_title, warning_lines
from tables.web.rule_words import KIND_NAMES
from tables.web.rulesets import today
from tables.web.sign_words import sign_context

Context = dict[str, Any]  # a template's values


class TermsForm(forms.Form):
    """Ruleset, procedures and limits for a table, and why."""

    reason = TextField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(
        self,
        data: Mapping[str, str] | None,
        *,
        rules: list[PublishedRules],
        table: str,
        initial: Mapping[str, object],
    ) -> None:
        super().__init__(data, initial=dict(initial))
        chosen = {}
        for kind, words in KIND_NAMES.items():
            # A browser sends the first choice where none is marked: it must be no rules at all.
            choices = [("", _("Choose")), *_choices(rules, kind, table=table)]
            chosen[kind] = forms.ChoiceField(label=str(words), choices=choices)
        self.fields = {**chosen, **self.fields}

    def chosen(self, kind: str) -> str:
        """Return the hash that stands in the form, also of rules that are not offered."""
        value = str(self[kind].value() or "")
        return value if value.isascii() and value.isalnum() else ""

    def terms(self) -> NewTerms:
        """Return the hashes that were chosen; the form must be valid."""
        return NewTerms(**{kind: self.cleaned_data[kind] for kind in KIND_NAMES})


def _choices(rules: list[PublishedRules], kind: str, *, table: str) -> Iterator[tuple[str, str]]:
    """Yield the published rules of a kind; what the table has but could not get stands first."""
    known = [each for each in rules if each.kind == kind]
    for each in known:
        if each.state != PUBLISHED and table in each.tables:
            yield each.hash, _("%(rules)s, retired") % {"rules": _choice(each)}
    for each in known:
        if each.state == PUBLISHED:
            yield each.hash, _choice(each)


def _choice(rules: PublishedRules) -> str:
    tables = f", {', '.join(rules.tables)}" if rules.tables else ""
    name = rules.name or _("from the set-up")
    return f"{game_name(rules.game)}: {name} ({rules.hash[:8]}{tables})"


@require_http_methods(["GET", "POST"])
@signed_on(*SETS_TERMS)
def assign(request: HttpRequest, code: str) -> HttpResponse:
    """Show what other terms would change at a table, and set them."""
    floor = read_table(code)
    form = TermsForm(
        request.POST if request.method == "POST" else None,
        rules=rules_for_tables(day=today()),
        table=code,
        initial=_chosen(floor.terms, request.GET),
    )
    if request.method == "POST" and form.is_valid():
        try:
            assign_terms(
                table=code,
                terms=form.terms(),
                reason=form.cleaned_data["reason"],
                revision=_revision(request),
                by=acting(request),
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return HttpResponseRedirect(reverse("settlements:table_page", args=[code]))
    wanted = {kind: form.chosen(kind) for kind in KIND_NAMES}
    context = {
        "table": {
            "code": code,
            "name": floor.name,
            "url": reverse("settlements:table_page", args=[code]),
        },
        "shoe": floor.shoe,
        "revision": _stands(floor.terms),
        "form": form,
        "chosen": all(wanted.values()),
        "preview": _preview(floor, NewTerms(**wanted)) if all(wanted.values()) else None,
        "sign_url": reverse("tables:sign", args=[code]),
    }
    status = 422 if form.errors else 200
    return render(request, "tables/rulesets/terms.html", context, status=status)


def _revision(request: HttpRequest) -> int:
    """Return which terms stood on the page; what is no number matches none."""
    text = request.POST.get("revision", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


def _stands(terms: Terms | None) -> int:
    return 0 if terms is None else terms.revision


def _chosen(terms: Terms | None, query: Mapping[str, str]) -> dict[str, str]:
    """Return what the form shows: what the address asks for, else what is in force."""
    standing = terms_now(terms)
    now = {} if standing is None else dict(standing.items())
    return {**now, **{kind: query[kind][:64] for kind in KIND_NAMES if query.get(kind)}}


def _preview(floor: Floor, wanted: NewTerms) -> Context | None:
    """Return what these terms would change, what is wrong with them, and what to know."""
    check = check_terms(floor, wanted, day=today())
    if check.same:
        return None
    parts = [
        {
            "kind": KIND_NAMES[each.rules.kind],
            "title": rules_title(each.rules),
            "lines": _changed(each),
            "beside": each.comparison is not None,
        }
        for each in check.changes
    ]
    warnings = [Warned(each) for each in check.warnings]
    return {"faults": check.faults, "parts": parts, "warnings": warning_lines(warnings)}


def _changed(change: TermsChange) -> list[RuleLine]:
    rules, comparison = change.rules, change.comparison
    lines = rule_lines(rules.kind, rules.game, rules.options, against=comparison)
    return lines if comparison is None else [line for line in lines if line.changed]


@require_GET
@signed_on(*READS_TABLES)
def sign(request: HttpRequest, code: str) -> HttpResponse:
    """Show the sign of a table, to be printed and posted."""
    return render(request, "tables/rulesets/sign.html", sign_context(table_sign(code, day=today())))
