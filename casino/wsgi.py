"""The web server's entry. It stops the start when a secret is missing, or when the environment
names another house than the log.
"""

import os

from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connection

from casino.config import config


class OtherHouseError(RuntimeError):
    """The environment names another house than the log."""


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
config().require_service()
application = get_wsgi_application()


def _require_its_house() -> None:
    """Stop before amounts are shown in another currency than they were kept in."""
    from tables.selectors.house import other_house

    try:
        problems = [str(problem) for problem in other_house()]
    except DatabaseError:
        return  # /health/ready says that it is away, check_database what it lacks.
    finally:
        connection.close()
    if problems:
        raise OtherHouseError("\n".join(problems))


_require_its_house()
