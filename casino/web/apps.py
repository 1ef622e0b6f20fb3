"""Registers the frame with Django."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The frame: templates, static files and template tags."""

    name = "casino.web"
    label = "web"
