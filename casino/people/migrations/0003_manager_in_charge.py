"""Who is the manager in charge, from when on: a fact, its chain of revisions linear."""

import django.db.models.deletion
from django.db import migrations, models

LINEAR = """
alter table people_managerincharge
    add column previous integer
        generated always as (case when revision > 1 then revision - 1 end) stored,
    add constraint manager_in_charge_revision_positive check (revision > 0),
    add constraint manager_in_charge_follows_previous
        foreign key (previous) references people_managerincharge (revision);
"""
LINEAR_BACK = """
alter table people_managerincharge
    drop constraint manager_in_charge_follows_previous,
    drop constraint manager_in_charge_revision_positive,
    drop column previous;
"""


class Migration(migrations.Migration):
    dependencies = [("log", "0003_guards"), ("people", "0002_people_guards")]

    operations = [
        migrations.CreateModel(
            name="ManagerInCharge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField(unique=True)),
                ("from_at", models.DateTimeField()),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="log.entry",
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.staff",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(LINEAR, LINEAR_BACK),
        migrations.RunSQL(
            "select log_guard_fact('people_managerincharge');",
            "select log_unguard('people_managerincharge');",
        ),
    ]
