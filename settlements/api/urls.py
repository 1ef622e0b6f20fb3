"""Addresses of the money API, under /api/v1/."""

from django.urls import path

from settlements.api import corrections, disputes, irregularities, paper, shoe_voids, views

_TABLE = "tables/<str:table>"
_ROUND = "tables/<str:table>/shoes/<int:shoe>/rounds/<int:number>"

urlpatterns = [
    path(f"{_ROUND}/settlements", views.SettlementsView.as_view()),
    path(f"{_ROUND}/void", views.VoidView.as_view()),
    path(f"{_ROUND}/void/bill", views.VoidBillView.as_view()),
    path(f"{_ROUND}/sheet", paper.SheetView.as_view()),
    path(f"{_ROUND}/sheet/agreement", paper.AgreementView.as_view()),
    path(f"{_ROUND}/corrections", corrections.CorrectionsView.as_view()),
    path(f"{_ROUND}/corrections/bill", corrections.BillView.as_view()),
    path("irregularity-events", irregularities.EventsView.as_view()),
    path(f"{_TABLE}/irregularities", irregularities.IrregularitiesView.as_view()),
    path(f"{_TABLE}/irregularities/foreseen", irregularities.ForeseenView.as_view()),
    path(f"{_TABLE}/irregularities/<int:number>", irregularities.IrregularityView.as_view()),
    path(
        f"{_TABLE}/irregularities/<int:number>/amendments",
        irregularities.AmendmentsView.as_view(),
    ),
    path(f"{_TABLE}/shoes/<int:shoe>/void-rounds", shoe_voids.VoidRoundsView.as_view()),
    path(f"{_TABLE}/shoes/<int:shoe>/void-rounds/bill", shoe_voids.DecisionBillView.as_view()),
    path(f"{_TABLE}/disputes", disputes.DisputesView.as_view()),
    path(f"{_TABLE}/disputes/<int:number>", disputes.DisputeView.as_view()),
    path(f"{_TABLE}/disputes/<int:number>/release", disputes.ReleaseView.as_view()),
    path(f"{_TABLE}/disputes/<int:number>/file", disputes.FileView.as_view()),
]
