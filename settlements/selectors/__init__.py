"""Reads of settlements, tray and checks."""
