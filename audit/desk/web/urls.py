"""Addresses of the desk's pages."""

from django.urls import path

from audit.desk.web import views, work

app_name = "desk"

urlpatterns = [
    path("audit/work/", work.work, name="work"),
    path("audit/work/again/", work.unpark, name="unpark"),
    path("audit/days/", views.days, name="days"),
    path("audit/days/<str:text>/", views.day, name="day"),
    path("audit/days/<str:text>/reconcile/", views.run, name="run"),
    path("audit/days/<str:text>/<int:number>/", views.day, name="day_run"),
    path("audit/days/<str:text>/<int:number>/<str:name>", views.file, name="file"),
]
