"""The reconciliation of a gaming day: planned in chunks, checked by workers, closed with files."""
