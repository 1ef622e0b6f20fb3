"""API v1 of the desk."""
