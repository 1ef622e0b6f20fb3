"""Django's settings, from `casino.config` alone. It must not read the environment itself."""

from pathlib import Path

from casino.config import LONGEST_MINUTES_MAX as _LONGEST_MINUTES_MAX
from casino.config import config, database, reveal, split

_config = config()

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = reveal(_config.secret_key)
DEBUG = False
ALLOWED_HOSTS = split(_config.allowed_hosts)
CSRF_TRUSTED_ORIGINS = split(_config.trusted_origins)
ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
FORM_RENDERER = "casino.web.forms.HouseRenderer"

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "audit.log",
    "casino.outbox",
    "casino.people",
    "audit.findings",
    "tables",
    "settlements",
    "audit.desk",
    "casino.web",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.headers.SecurityHeadersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "casino.people.middleware.PersonMiddleware",
    "casino.api.handlers.AddressMiddleware",
    "tables.web.zone.HouseZoneMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "casino.api.handlers.DomainErrorMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "casino.web.frame.frame",
            ],
        },
    }
]

# One database, two addresses: `owner` is for migrations alone, and exists only where it is set.
DATABASES = {
    "default": database(reveal(_config.database_url), lock_timeout_ms=_config.lock_timeout_ms)
}
if _config.database_owner_url:
    DATABASES["owner"] = database(
        reveal(_config.database_owner_url), lock_timeout_ms=_config.lock_timeout_ms
    )
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Times are stored and computed in UTC; a page shows them in the house's zone.
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = True

# A body beyond this is refused before it is read; the widest call, a whole table, needs 20 KB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
# The widest form marks the rounds of a void shoe: as many as the API takes, and its own fields.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_100

STATIC_URL = "/static/"
STATIC_ROOT = _config.static_folder or BASE_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = False

# Cookies carry the `__Host-` prefix wherever the site is served over TLS.
_PREFIX = "__Host-" if _config.https else ""
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_NAME = f"{_PREFIX}session"
SESSION_COOKIE_SECURE = _config.https
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = _LONGEST_MINUTES_MAX * 60
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
CSRF_COOKIE_NAME = f"{_PREFIX}csrf"
CSRF_COOKIE_SECURE = _config.https
CSRF_COOKIE_HTTPONLY = False  # Our own scripts read it to send it back as a header.
CSRF_COOKIE_SAMESITE = "Lax"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if _config.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = _config.https
# The proxy redirects; the health probe comes without TLS. Preloading is the domain owner's choice.
SECURE_SSL_REDIRECT = False
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W021"]
if _config.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"

# The shape of Django 6.0's setting of this name; `casino.headers` applies it until then.
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
}

CSRF_FAILURE_VIEW = "casino.api.handlers.csrf_failure"

REST_FRAMEWORK = {
    # Views state their own (casino.api.views.ApiView); whoever forgets lets nobody in.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "casino.api.schema.ExactSchema",
    "EXCEPTION_HANDLER": "casino.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Casino back office",
    "VERSION": "1",
    "OAS_VERSION": "3.0.3",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": [],
    "SERVE_AUTHENTICATION": [],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "casino.api.schema.add_plumbing",
    ],
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "casino.people.models.Role",
        "DeviceKindEnum": "casino.people.models.Device.Kind",
    },
}

# Who signs on: from where, and for how long.
CLIENT_ADDRESS_HEADER = _config.client_address_header
SIGN_ON_IDLE_MINUTES: dict[str, int] = dict(_config.sign_on_idle_minutes.items())
SIGN_ON_LONGEST_MINUTES: dict[str, int] = dict(_config.sign_on_longest_minutes.items())

HOUSE_NAME = _config.house_name
HOUSE_CURRENCY = _config.house_currency
SUIT_COLOURS: str = _config.suit_colours
LOG_NAME = _config.log_name
CHECKPOINT_KEY_FILE = _config.checkpoint_key_file
CHECKPOINT_FOLDER = _config.checkpoint_folder

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
