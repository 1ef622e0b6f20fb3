"""Builders of people, houses and rounds; everything goes through the services."""
