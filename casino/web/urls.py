"""Addresses of the frame."""

from django.urls import path

from casino.web import views

app_name = "web"

urlpatterns = [path("choices/", views.choose, name="choose")]
