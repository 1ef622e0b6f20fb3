"""Reads of the floor: frozen values, never writes."""
