-- The chain: only the trigger below gives an entry its number, time and hashes and moves its stream.

CREATE FUNCTION public.log_entry_chain() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    head record;
    next_seq bigint;
    next_at timestamptz;
    next_hash bytea;
    name bytea;
BEGIN
    -- Attached to another table, this function would move a stream without an entry.
    IF TG_TABLE_SCHEMA <> 'public' OR TG_TABLE_NAME <> 'log_entry' THEN
        RAISE EXCEPTION 'log: the chain belongs to log_entry alone' USING ERRCODE = 'LG000';
    END IF;
    SELECT s.seq, s.hash, s.last_at INTO head
        FROM public.log_stream s WHERE s.name = NEW.stream FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'log: there is no stream %', quote_nullable(NEW.stream)
            USING ERRCODE = 'LG001', CONSTRAINT = 'log_entry_stream';
    END IF;
    next_seq := head.seq + 1;
    next_at := greatest(clock_timestamp(), head.last_at);
    name := convert_to(NEW.stream, 'UTF8');
    next_hash := sha256(
        '\x00000013'::bytea || 'casino.log.entry.v1'::bytea
        || '\x00000020'::bytea || head.hash
        || int4send(octet_length(name)) || name
        || '\x00000008'::bytea || int8send(next_seq)
        || '\x0000001b'::bytea || convert_to(
            to_char(next_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'UTF8')
        || int4send(octet_length(NEW.body)) || NEW.body
    );
    -- A client states none of these; one that does and differs is refused, not put right.
    IF NEW.seq <> next_seq OR NEW.at <> next_at OR NEW.prev_hash <> head.hash
        OR NEW.hash <> next_hash OR NEW.xid <> pg_current_xact_id()
    THEN
        RAISE EXCEPTION 'log: number, time, hashes and transaction of an entry are not the client''s to state'
            USING ERRCODE = 'LG002', CONSTRAINT = 'log_entry_chain';
    END IF;
    NEW.seq := next_seq;
    NEW.at := next_at;
    NEW.prev_hash := head.hash;
    NEW.hash := next_hash;
    NEW.xid := pg_current_xact_id();
    UPDATE public.log_stream s
        SET seq = next_seq, hash = next_hash, last_at = next_at, xid = NEW.xid
        WHERE s.name = NEW.stream;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'log: the head of stream % was not moved', NEW.stream USING ERRCODE = 'LG001';
    END IF;
    RETURN NEW;
END
$body$;

CREATE TRIGGER log_entry_chain BEFORE INSERT ON public.log_entry
    FOR EACH ROW EXECUTE FUNCTION public.log_entry_chain();
ALTER TABLE public.log_entry ENABLE ALWAYS TRIGGER log_entry_chain;

ALTER TABLE public.log_entry ADD CONSTRAINT log_entry_body_size
    CHECK (octet_length(body) BETWEEN 2 AND 4194304);
ALTER TABLE public.log_stream ADD CONSTRAINT log_stream_hash_size CHECK (octet_length(hash) = 32);
-- Every update of a head fits on its page: no index is touched.
ALTER TABLE public.log_stream SET (fillfactor = 25);

CREATE FUNCTION public.lock_stream(stream text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    PERFORM 1 FROM public.log_stream s WHERE s.name = stream FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'log: there is no stream %', quote_nullable(stream)
            USING ERRCODE = 'LG001', CONSTRAINT = 'log_entry_stream';
    END IF;
END
$body$;

CREATE FUNCTION public.create_stream(stream text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    -- Transaction 0 is none: a new stream is no entry, so it opens no head.
    INSERT INTO public.log_stream (name, seq, hash, last_at, xid)
        VALUES (stream, 0, decode(repeat('00', 32), 'hex'), clock_timestamp(), '0')
        ON CONFLICT (name) DO NOTHING;
END
$body$;

-- Who may execute a trigger function may attach it to a table of his own.
REVOKE ALL ON FUNCTION public.log_entry_chain() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.lock_stream(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.create_stream(text) FROM PUBLIC;
