"""A process of its own for loading: its import must not need Django, which it makes ready first."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.loader.tables import TablePlan


def begin(url: str) -> None:
    """Make this process know the tables; it writes by a connection of its own."""
    os.environ["DATABASE_URL"] = url
    import django

    django.setup()


def run(admin_url: str, plan: "TablePlan", place: int) -> int:
    """Load one table; return how many entries it took."""
    from tests.loader.history import load_table

    return load_table(admin_url, plan, place)
