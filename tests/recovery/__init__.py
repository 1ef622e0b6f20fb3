"""Tests of what survives: restores, kills, lost answers."""
