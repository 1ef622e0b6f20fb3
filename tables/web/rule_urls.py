"""Addresses of the pages of rules: their life, their odds, a table's terms and its sign."""

from django.urls import URLPattern, path

from tables.web import rule_drafts, rulesets, shoe_odds, terms

_DRAFT = "rulesets/drafts/<str:number>/"
_RULES = "rulesets/<str:hash>/"

RULE_PATTERNS: list[URLPattern] = [
    path("rulesets/", rulesets.index, name="rulesets"),
    path("rulesets/drafts/", rule_drafts.create, name="draft_rules"),
    path(_DRAFT, rule_drafts.page, name="rule_draft"),
    path(f"{_DRAFT}edit/", rule_drafts.edit, name="edit_rules"),
    path(f"{_DRAFT}submit/", rule_drafts.submit, name="submit_rules"),
    path(f"{_DRAFT}approve/", rule_drafts.approve, name="approve_rules"),
    path(f"{_DRAFT}stop/<str:act>/", rule_drafts.stop, name="stop_rules"),
    path(_RULES, rulesets.page, name="rules"),
    path(f"{_RULES}slow-odds/", rulesets.ask, name="ask_slow_odds"),
    path(f"{_RULES}retire/", rulesets.retire, name="retire_rules"),
    path("tables/<str:code>/terms/", terms.assign, name="terms"),
    path("tables/<str:code>/sign/", terms.sign, name="sign"),
    path("tables/<str:code>/shoes/<int:number>/odds/", shoe_odds.page, name="shoe_odds"),
]
