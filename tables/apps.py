"""The floor: pits, tables, sessions, shoes, rounds, wagers and cards."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Registers what the floor keeps with the log, so that the log can rebuild it."""

    name = "tables"
    label = "tables"

    def ready(self) -> None:
        from audit.log.readiness import register_check
        from audit.log.registry import register_fact, register_head, register_working
        from tables import models, odds_work  # noqa: F401  the job makes itself known
        from tables.findings import register_findings
        from tables.selectors.house import other_house

        register_head(models.Pit, kind="pit")
        register_head(models.Table, kind="table")
        register_head(models.TableSession, kind="session")
        register_head(models.Shoe, kind="shoe")
        register_head(models.Round, kind="round")
        register_fact(models.HouseSettings, kind="house_settings")
        register_fact(models.Ruleset, kind="ruleset")
        register_fact(models.Procedures, kind="procedures")
        register_fact(models.Limits, kind="limits")
        register_fact(models.TableTerms, kind="table_terms")
        register_fact(models.Count, kind="count")
        register_fact(models.ShoeStep, kind="shoe_step")
        register_fact(models.BurnedCard, kind="burned_card")
        register_fact(models.StubCount, kind="stub_count")
        register_fact(models.ShoeStatement, kind="shoe_statement")
        register_fact(models.SeatWagers, kind="seat_wagers")
        register_fact(models.Card, kind="card")
        register_fact(models.Decision, kind="decision")
        register_fact(models.Irregularity, kind="irregularity")
        register_fact(models.Departure, kind="departure")
        register_fact(models.TakenOut, kind="taken_out")
        register_head(models.DisputeHold, kind="dispute")
        register_fact(models.DisputeFile, kind="dispute_file")
        register_fact(models.SheetKeying, kind="sheet_keying")
        register_head(models.RuleDraft, kind="rule_draft")
        register_fact(models.RuleApproval, kind="rule_approval")
        register_fact(models.RuleStanding, kind="rule_standing")
        register_working(models.SlowOdds)
        register_findings()
        register_check(other_house)
