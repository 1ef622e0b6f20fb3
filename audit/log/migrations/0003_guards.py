"""The guards of facts, heads, entries, streams and checkpoints."""

from pathlib import Path

from django.db import migrations

REVERSE = """
DROP TRIGGER log_stream_start ON public.log_stream;
DROP TRIGGER log_stream_move ON public.log_stream;
SELECT public.log_unguard(name)
    FROM unnest(array['log_entry', 'log_checkpoint', 'log_stream']) AS name;
DROP FUNCTION public.log_unguard(text), public.log_declare_working(text),
    public.log_guard_head(text), public.log_guard_fact(text), public.log_head_write(),
    public.log_fact_insert(), public.log_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("log", "0002_chain")]
    operations = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"), REVERSE)
    ]
