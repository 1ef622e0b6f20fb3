"""API v1 of this app: parse, call, serialise."""
