"""Addresses of the money API, under /api/v1/."""

from django.urls import path

from settlements.api import corrections, paper, views

_ROUND = "tables/<str:table>/shoes/<int:shoe>/rounds/<int:number>"

urlpatterns = [
    path(f"{_ROUND}/settlements", views.SettlementsView.as_view()),
    path(f"{_ROUND}/void", views.VoidView.as_view()),
    path(f"{_ROUND}/sheet", paper.SheetView.as_view()),
    path(f"{_ROUND}/sheet/agreement", paper.AgreementView.as_view()),
    path(f"{_ROUND}/corrections", corrections.CorrectionsView.as_view()),
    path(f"{_ROUND}/corrections/bill", corrections.BillView.as_view()),
]
