"""A winning payout states its odds, both figures; no other one states any.

A comparison with nothing is neither true nor false, and so the rule let a win without odds pass.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlements", "0005_day_run_guards")]

    operations = [
        migrations.RemoveConstraint(model_name="payout", name="payout_odds_only_when_won"),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("odds_denominator__gte", 1),
                    ("odds_denominator__isnull", False),
                    ("odds_numerator__isnull", False),
                    ("outcome", "win"),
                )
                | models.Q(
                    models.Q(("outcome", "win"), _negated=True),
                    ("odds_denominator__isnull", True),
                    ("odds_numerator__isnull", True),
                ),
                name="payout_odds_only_when_won",
            ),
        ),
    ]
