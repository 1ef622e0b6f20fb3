"""Staff, their roles, their tablets and what they sign.

Heads live in the stream `people`; a signature lies in the stream of the act that it signs. No row
here is deleted but the working ones, and no secret is kept in a form that can be read back.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

STREAM = "people"


class Role(models.TextChoices):
    """What a person may act as; one at a time (control 6.2)."""

    DEALER = "dealer", _("dealer")
    SUPERVISOR = "supervisor", _("supervisor")
    MANAGER = "manager", _("manager")
    CASHIER = "cashier", _("cashier")
    COUNTER = "counter", _("counter")
    SURVEILLANCE = "surveillance", _("surveillance")
    AUDITOR = "auditor", _("auditor")
    REGULATOR = "regulator", _("regulator")
    ADMINISTRATOR = "administrator", _("administrator")


class SecretKind(models.TextChoices):
    """The two secrets of a person: the PIN counts on an enrolled tablet, the password anywhere."""

    PIN = "pin", _("PIN")
    PASSWORD = "password", _("password")


class Staff(models.Model):
    """One person with one number for ever; the badge may be replaced (control 6.1)."""

    NATURAL: ClassVar[str] = "number"

    stream = models.TextField(default=STREAM)
    number = models.CharField(max_length=16, unique=True)
    badge = models.CharField(max_length=32, unique=True)
    name = models.CharField(max_length=120)
    active = models.BooleanField(default=True)
    pin_hash = models.TextField(default="")
    password_hash = models.TextField(default="")

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(stream=STREAM), name="staff_stream_people"),
            models.CheckConstraint(
                condition=~models.Q(number="") & ~models.Q(badge="") & ~models.Q(name=""),
                name="staff_named",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class RoleGrant(models.Model):
    """A role given to a person or taken away; the latest revision counts.

    A generated column `previous` and a foreign key to the same table (in the migration) make the
    chain linear.
    """

    entry = models.ForeignKey(
        "log.Entry", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    staff = models.ForeignKey(
        Staff, on_delete=models.PROTECT, related_name="role_grants", db_index=False
    )
    role = models.CharField(max_length=16, choices=Role.choices)
    revision = models.PositiveSmallIntegerField()
    granted = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["staff", "role", "revision"], name="role_grant_one_per_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="role_grant_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role}, revision {self.revision}"


class OneTimeCode(models.Model):
    """A code with which a person sets the own PIN or password; a later one replaces it."""

    staff = models.ForeignKey(Staff, on_delete=models.CASCADE, related_name="+", db_index=False)
    purpose = models.CharField(max_length=8, choices=SecretKind.choices)
    code_hash = models.BinaryField(unique=True)
    expires_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["staff", "purpose"], name="one_code_per_staff_and_purpose"
            )
        ]

    def __str__(self) -> str:
        return f"code for a {self.purpose}"


class Device(models.Model):
    """A tablet that is enrolled and bound to a table, or an integration that may only read."""

    NATURAL: ClassVar[str] = "number"

    class Kind(models.TextChoices):
        TABLET = "tablet", _("tablet")
        INTEGRATION = "integration", _("integration")

    stream = models.TextField(default=STREAM)
    number = models.CharField(max_length=16, unique=True)
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    table_code = models.CharField(max_length=16, null=True)  # noqa: DJ001  null: bound to no table
    token_hash = models.BinaryField(null=True, unique=True)
    active = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(stream=STREAM), name="device_stream_people"),
            models.CheckConstraint(
                condition=models.Q(kind="tablet") | models.Q(table_code__isnull=True),
                name="device_integration_unbound",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class DeviceCode(models.Model):
    """A code with which a device fetches its token; a later one replaces it."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, related_name="+")
    code_hash = models.BinaryField(unique=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return "code for a device"


class SignOn(models.Model):
    """Who is signed on, in which role, since when: at most one row a person (control 6.2)."""

    staff = models.OneToOneField(Staff, on_delete=models.CASCADE, related_name="sign_on")
    session_key = models.CharField(max_length=40, unique=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    device = models.ForeignKey(Device, null=True, on_delete=models.CASCADE, related_name="+")
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"signed on as {self.role}"


class AttemptCount(models.Model):
    """Wrong tries in a row of one account or one address, and until when it must wait."""

    key = models.CharField(max_length=120, unique=True)
    failures = models.PositiveIntegerField()
    failed_at = models.DateTimeField()
    wait_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.failures} wrong tries"


class Signature(models.Model):
    """A person's attestation, by re-entered secret, of a content hash in a role (control 6.15).

    `purpose` says what was attested ("table opened"), `subject` what it was about ("T1/S3").
    """

    # The unique key below leads with the entry, so that the entry needs no index of its own.
    entry = models.ForeignKey(
        "log.Entry", on_delete=models.PROTECT, related_name="signatures", db_index=False
    )
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="signatures")
    role = models.CharField(max_length=16, choices=Role.choices)
    content_hash = models.BinaryField()
    purpose = models.CharField(max_length=64)
    subject = models.CharField(max_length=120)
    device = models.ForeignKey(
        Device, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    camera_reference = models.CharField(max_length=64, null=True)  # noqa: DJ001  null: none named

    class Meta:
        constraints: ClassVar = [
            # Two signatures are two different people, whatever roles they hold.
            models.UniqueConstraint(
                fields=["entry", "purpose", "subject", "staff"], name="signature_one_per_person"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="signature_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.subject} as {self.role}"


class ManagerInCharge(models.Model):
    """Who is the manager in charge of the shift (H of the rules), from when on (rules 2.1).

    Of the assignments whose time has come the one with the highest revision counts, so that a
    later one also replaces one that was planned. A generated column `previous` and a foreign key
    to the same table (in the migration) make the chain linear.
    """

    entry = models.ForeignKey(
        "log.Entry", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+", db_index=False)
    revision = models.PositiveIntegerField(unique=True)
    from_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"manager in charge, revision {self.revision}"


class StoredAnswer(models.Model):
    """The answer to a write that carried an `Idempotency-Key`; a working row (trust R4).

    `scope` is a hash of device, person, address and key; the row is written in the transaction of
    the write itself, so that an answer is stored if and only if its effect is.
    """

    scope = models.BinaryField(unique=True)
    content_hash = models.BinaryField()
    status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "people_storedanswer"

    def __str__(self) -> str:
        return f"answer of {self.created_at:%Y-%m-%d}"
