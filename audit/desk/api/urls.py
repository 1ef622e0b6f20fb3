"""Addresses of the desk's API, under /api/v1/."""

from django.urls import path

from audit.desk.api import views

urlpatterns = [
    path("days", views.DaysView.as_view()),
    path("days/<str:text>", views.DayView.as_view()),
    path("days/<str:text>/runs", views.DayRunsView.as_view()),
]
