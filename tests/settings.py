"""Settings of tests, of the type checker and of `make check`: the product's, without a secret.

The database and the broker are put in by `tests/conftest.py`.
"""

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests-and-checks")
os.environ.setdefault("HTTPS", "false")

from casino.settings import *  # noqa: F403  the environment comes first

ALLOWED_HOSTS = ["*"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Files are served from where they lie: nothing has to be collected before a browser test.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# The same algorithm with the least work: a house of thirty people in a tenth of a second.
PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
