"""Declare each table fact, head or working row, set its guards, and keep role grants linear."""

from django.db import migrations

HEADS = ("people_staff", "people_device")
FACTS = ("people_rolegrant", "people_signature")
WORKING = (
    "people_onetimecode",
    "people_devicecode",
    "people_signon",
    "people_attemptcount",
    # What a session remembers between two pages; the sign-on itself is ours.
    "django_session",
)

LINEAR_GRANTS = """
alter table people_rolegrant
    add column previous smallint
        generated always as (case when revision > 1 then revision - 1 end) stored,
    add constraint role_grant_revision_positive check (revision > 0),
    add constraint role_grant_follows_previous
        foreign key (staff_id, role, previous)
        references people_rolegrant (staff_id, role, revision);
alter table people_signature
    add constraint signature_content_hash_is_sha256 check (octet_length(content_hash) = 32);
"""
LINEAR_GRANTS_BACK = """
alter table people_signature drop constraint signature_content_hash_is_sha256;
alter table people_rolegrant
    drop constraint role_grant_follows_previous,
    drop constraint role_grant_revision_positive,
    drop column previous;
"""


def _calls(function: str, tables: tuple[str, ...]) -> str:
    return "\n".join(f"select {function}('{table}');" for table in tables)


class Migration(migrations.Migration):
    dependencies = [("people", "0001_people"), ("log", "0003_guards"), ("sessions", "0001_initial")]

    operations = [
        migrations.RunSQL("select public.create_stream('people');", migrations.RunSQL.noop),
        migrations.RunSQL(LINEAR_GRANTS, LINEAR_GRANTS_BACK),
        migrations.RunSQL(
            "\n".join(
                (
                    _calls("log_guard_head", HEADS),
                    _calls("log_guard_fact", FACTS),
                    _calls("log_declare_working", WORKING),
                )
            ),
            _calls("log_unguard", (*HEADS, *FACTS, *WORKING)),
        ),
    ]
