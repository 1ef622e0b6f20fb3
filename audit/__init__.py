"""The audit trail: the chained log, its guards and checks, findings, and the auditor's desk."""
