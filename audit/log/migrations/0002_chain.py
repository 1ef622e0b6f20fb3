"""The entry trigger that chains, and the two functions by which streams are locked and made."""

from pathlib import Path

from django.db import migrations

REVERSE = """
DROP TRIGGER log_entry_chain ON public.log_entry;
ALTER TABLE public.log_entry DROP CONSTRAINT log_entry_body_size;
ALTER TABLE public.log_stream DROP CONSTRAINT log_stream_hash_size;
ALTER TABLE public.log_stream RESET (fillfactor);
DROP FUNCTION public.log_entry_chain(), public.lock_stream(text), public.create_stream(text);
"""


class Migration(migrations.Migration):
    dependencies = [("log", "0001_streams_and_entries")]
    operations = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"), REVERSE)
    ]
