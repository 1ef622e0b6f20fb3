"""Checkpoints form one line: each names the number and the hash of the one before."""

from django.db import migrations

FORWARD = """
ALTER TABLE public.log_checkpoint
    ADD COLUMN previous_number bigint
        GENERATED ALWAYS AS (CASE WHEN number > 1 THEN number - 1 END) STORED,
    ADD CONSTRAINT log_checkpoint_follows FOREIGN KEY (previous_number, previous_hash)
        REFERENCES public.log_checkpoint (number, hash),
    ADD CONSTRAINT log_checkpoint_first
        CHECK (number > 1 OR previous_hash = decode(repeat('00', 32), 'hex')),
    ADD CONSTRAINT log_checkpoint_hash_size CHECK (octet_length(hash) = 32),
    ADD CONSTRAINT log_checkpoint_note_size CHECK (octet_length(note) BETWEEN 1 AND 1048576);
"""
REVERSE = """
ALTER TABLE public.log_checkpoint
    DROP CONSTRAINT log_checkpoint_note_size,
    DROP CONSTRAINT log_checkpoint_hash_size,
    DROP CONSTRAINT log_checkpoint_first,
    DROP CONSTRAINT log_checkpoint_follows,
    DROP COLUMN previous_number;
"""


class Migration(migrations.Migration):
    dependencies = [("log", "0003_guards")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
