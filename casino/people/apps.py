"""The people of the house, as an app."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Registers what this app keeps with the log, so that the log can rebuild it."""

    name = "casino.people"
    label = "people"

    def ready(self) -> None:
        from audit.log.registry import register_fact, register_head, register_working
        from casino.people import models

        register_head(models.Staff, kind="staff", private={"pin_hash", "password_hash"})
        register_head(models.Device, kind="device", private={"token_hash"})
        register_fact(models.RoleGrant, kind="role_grant")
        register_fact(models.Signature, kind="signature")
        register_fact(models.ManagerInCharge, kind="manager_in_charge")
        for working in (
            models.OneTimeCode,
            models.StoredAnswer,
            models.DeviceCode,
            models.SignOn,
            models.AttemptCount,
        ):
            register_working(working)
