"""Settings of the measured site: the product's, one address more, and quick hashes to sign on."""

from casino.settings import *  # noqa: F403  the environment comes first

ROOT_URLCONF = "tests.bench.urls"
PASSWORD_HASHERS = ["tests.factories.people.FastArgon2"]
