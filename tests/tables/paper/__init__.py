"""Rounds from paper."""
