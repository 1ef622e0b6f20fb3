"""Keep the rounds that a void of their shoe puts in question."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("log", "0006_day_mark_guards"),
        ("settlements", "0006_payout_odds_of_a_win"),
        ("tables", "0006_awaited_rounds"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShoeVoidRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveSmallIntegerField()),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("open", "not decided"),
                            ("stand", "stands"),
                            ("refund_losers", "losers are refunded"),
                            ("reverse", "reversed"),
                        ],
                        max_length=13,
                    ),
                ),
                ("sweep_revision", models.PositiveSmallIntegerField()),
                ("final_revision", models.PositiveSmallIntegerField()),
                ("irregularity_number", models.PositiveIntegerField()),
                ("note", models.TextField(default="")),
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
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.round",
                    ),
                ),
                (
                    "shoe",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="void_rounds",
                        to="tables.shoe",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("shoe", "round", "revision"),
                        name="shoe_void_round_one_per_revision",
                    )
                ],
            },
        ),
    ]
