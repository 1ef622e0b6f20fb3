"""The web server's entry. It stops the start when a secret is missing."""

import os

from django.core.wsgi import get_wsgi_application

from casino.config import config

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
config().require_service()
application = get_wsgi_application()
