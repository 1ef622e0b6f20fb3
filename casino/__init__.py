"""The project: settings, URLs, Celery app, kernel, people, the outbox and the site's frame."""
