"""The auditor's desk as a Django app."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Pages and API for who looks back: it keeps nothing of its own."""

    name = "audit.desk"
    label = "desk"
