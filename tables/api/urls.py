"""Addresses of the floor's API, under /api/v1/: natural keys all the way."""

from django.urls import path

from tables.api import odds, paper, rule_drafts, rulesets, terms, views

_SHOE = "tables/<str:table>/shoes/<int:shoe>"
_ROUND = f"{_SHOE}/rounds/<int:number>"
_DRAFT = "rulesets/drafts/<str:number>"
_SESSION = "tables/<str:table>/sessions/<int:session>"

urlpatterns = [
    # The most frequent first: addresses are tried in turn.
    path(f"{_ROUND}/cards", views.CardsView.as_view()),
    path(f"{_ROUND}/seats/<int:seat>/wagers", views.WagersView.as_view()),
    path(f"{_ROUND}/decisions", views.DecisionsView.as_view()),
    path("tables", views.TablesView.as_view()),
    path("tables/<str:table>/round", views.TableView.as_view()),
    path("tables/<str:table>/sessions", views.SessionsView.as_view()),
    path(f"{_SESSION}/counts", views.CountsView.as_view()),
    *(
        path(f"{_SESSION}/{act}", views.SessionActView.as_view(act=act))
        for act in ("open", "start-closing", "close")
    ),
    path("tables/<str:table>/shoes", views.ShoesView.as_view()),
    path(f"{_SHOE}/steps", views.ShoeStepsView.as_view()),
    path(f"{_SHOE}/burns", views.BurnsView.as_view()),
    path(f"{_SHOE}/cut-card", views.CutCardView.as_view()),
    path(f"{_SHOE}/shuffle", views.ShuffleView.as_view()),
    path(f"{_SHOE}/end", views.ShoeEndView.as_view()),
    path(f"{_SHOE}/odds", odds.ShoeOddsView.as_view()),
    path(f"{_SHOE}/rounds", views.RoundsView.as_view()),
    path("tables/<str:table>/awaited", paper.AwaitedView.as_view()),
    path(f"{_SHOE}/awaited", paper.ReserveView.as_view()),
    path(f"{_ROUND}/sheet/check", paper.SheetCheckView.as_view()),
    path(f"{_ROUND}/sheet/held", paper.HeldCopyView.as_view()),
    path(f"{_ROUND}/call-off", views.CallOffView.as_view()),
    path("tables/<str:table>/terms", terms.TermsView.as_view()),
    path("tables/<str:table>/terms/check", terms.TermsCheckView.as_view()),
    path("rulesets", rulesets.RulesView.as_view()),
    path("rulesets/presets", rulesets.PresetsView.as_view()),
    path("rulesets/preview", rulesets.PreviewView.as_view()),
    path("rulesets/drafts", rule_drafts.DraftsView.as_view()),
    path(_DRAFT, rule_drafts.DraftView.as_view()),
    path(f"{_DRAFT}/submit", rule_drafts.SubmitView.as_view()),
    path(f"{_DRAFT}/approve", rule_drafts.ApproveView.as_view()),
    path(f"{_DRAFT}/return", rule_drafts.ReturnView.as_view()),
    path(f"{_DRAFT}/discard", rule_drafts.DiscardView.as_view()),
    path("rulesets/<str:hash>", rulesets.RulesOfHashView.as_view()),
    path("rulesets/<str:hash>/retire", rulesets.RetireView.as_view()),
    path("rulesets/<str:hash>/odds", odds.RulesetOddsView.as_view()),
    path("rulesets/<str:hash>/odds/slow", odds.SlowOddsView.as_view()),
    path("rulesets/<str:hash>/odds/result", odds.ResultView.as_view()),
]
