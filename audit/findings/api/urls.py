"""Addresses of the API of findings, under /api/v1/."""

from django.urls import path

from audit.findings.api import views

urlpatterns = [
    path("findings", views.FindingListView.as_view()),
    path("findings/<str:number>", views.FindingView.as_view()),
    path("findings/<str:number>/answer", views.AnswerView.as_view()),
    path("findings/<str:number>/return", views.ReturnView.as_view()),
    path("findings/<str:number>/accept", views.AcceptView.as_view()),
    path("findings/<str:number>/close", views.CloseView.as_view()),
]
