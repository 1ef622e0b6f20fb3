"""Drafts of rules, their approvals, their standing by day; odds that take seconds are kept."""

import django.db.models.deletion
from django.db import migrations, models

DECLARED = {
    "tables_ruledraft": "log_guard_head",
    "tables_ruleapproval": "log_guard_fact",
    "tables_rulestanding": "log_guard_fact",
    "tables_slowodds": "log_declare_working",
}


class Migration(migrations.Migration):
    dependencies = [
        ("log", "0003_guards"),
        ("people", "0003_manager_in_charge"),
        ("tables", "0004_irregularity_details"),
    ]

    operations = [
        migrations.CreateModel(
            name="RuleDraft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stream", models.TextField()),
                ("serial", models.PositiveIntegerField(unique=True)),
                ("number", models.CharField(max_length=16, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("ruleset", "ruleset"),
                            ("procedures", "procedures"),
                            ("limits", "limits"),
                        ],
                        max_length=10,
                    ),
                ),
                ("game", models.CharField(max_length=32)),
                ("name", models.CharField(max_length=80)),
                ("options", models.JSONField()),
                ("effective_day", models.DateField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("in_approval", "in approval"),
                            ("published", "published"),
                            ("discarded", "discarded"),
                        ],
                        max_length=11,
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("drafters", models.JSONField()),
                ("content_hash", models.CharField(default="", max_length=64)),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("stream", "rulesets")),
                        name="rule_draft_stream_rulesets",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["ruleset", "procedures", "limits"])),
                        name="rule_draft_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["draft", "in_approval", "published", "discarded"])
                        ),
                        name="rule_draft_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="rule_draft_version"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["draft", "discarded"]),
                            models.Q(("content_hash", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="rule_draft_in_approval_has_hash",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SlowOdds",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
                (
                    "part",
                    models.CharField(
                        choices=[
                            ("between_seats", "covariance of two seats"),
                            ("best_draws", "best draws"),
                            ("solved_draws", "draws that neither side can better"),
                        ],
                        max_length=13,
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("document", models.JSONField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hash", "part", "version"), name="slow_odds_one_per_part"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleApproval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("signed_hash", models.CharField(max_length=64)),
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
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.staff",
                    ),
                ),
                (
                    "draft",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approvals",
                        to="tables.ruledraft",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("draft", "version", "staff"), name="rule_approval_one_per_person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleStanding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveSmallIntegerField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("ruleset", "ruleset"),
                            ("procedures", "procedures"),
                            ("limits", "limits"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("published", "published"), ("retired", "retired")], max_length=9
                    ),
                ),
                ("effective_day", models.DateField(null=True)),
                ("reason", models.TextField(default="")),
                (
                    "draft",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.ruledraft",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="log.entry",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hash", "revision"), name="rule_standing_one_per_revision"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["published", "retired"])),
                        name="rule_standing_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), ("state", "published")),
                            models.Q(("state", "retired"), models.Q(("reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="rule_standing_reason_of_retirement",
                    ),
                ],
            },
        ),
        migrations.RunSQL(
            "ALTER TABLE tables_rulestanding"
            " ADD CONSTRAINT tables_rulestanding_revision_from_1 CHECK (revision >= 1),"
            " ADD COLUMN previous smallint GENERATED ALWAYS AS"
            " (CASE WHEN revision > 1 THEN revision - 1 END) STORED,"
            " ADD CONSTRAINT tables_rulestanding_revision_linear FOREIGN KEY (hash, previous)"
            " REFERENCES tables_rulestanding (hash, revision)",
            "ALTER TABLE tables_rulestanding DROP COLUMN previous,"
            " DROP CONSTRAINT tables_rulestanding_revision_from_1",
        ),
        *(
            migrations.RunSQL(
                f"select public.{declare}('{table}')", f"select public.log_unguard('{table}')"
            )
            for table, declare in DECLARED.items()
        ),
    ]
