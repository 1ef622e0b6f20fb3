"""Addresses of the pages of findings, under the root of the site."""

from django.urls import path
from django.views.generic import RedirectView

from audit.findings.web import views

app_name = "findings"

urlpatterns = [
    # Where auditors start until the desk has a page of its own: what waits for them.
    path("audit/", RedirectView.as_view(pattern_name="findings:findings"), name="audit"),
    path("audit/findings/", views.finding_list, name="findings"),
    path("audit/findings/<str:number>/", views.finding, name="finding"),
]
