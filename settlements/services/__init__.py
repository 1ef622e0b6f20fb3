"""The only writers of settlements."""
