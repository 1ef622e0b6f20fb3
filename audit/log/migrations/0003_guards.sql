-- The guards of facts, heads and of the log itself. No setting turns them off: the triggers fire
-- always, also under session_replication_role = replica.

CREATE FUNCTION public.log_refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    RAISE EXCEPTION 'log: % on % is refused: %', TG_OP, TG_TABLE_NAME,
        CASE WHEN TG_ARGV[0] = 'head' THEN 'a head is changed with an entry and never removed'
             WHEN TG_ARGV[0] = 'stream' THEN 'a stream is moved by its entries alone'
             ELSE 'what was recorded stays as it is' END
        USING ERRCODE = 'LG003', TABLE = TG_TABLE_NAME;
END
$body$;

CREATE FUNCTION public.log_fact_insert() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    -- The time as well: after a restore into a new cluster an old entry's transaction id may come
    -- round again, its time cannot.
    PERFORM 1 FROM public.log_entry e
        WHERE e.id = NEW.entry_id AND e.xid = pg_current_xact_id_if_assigned()
            AND e.at >= transaction_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'log: a fact in % needs an entry of its own transaction', TG_TABLE_NAME
            USING ERRCODE = 'LG004', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END
$body$;

CREATE FUNCTION public.log_head_write() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.stream IS DISTINCT FROM OLD.stream THEN
            RAISE EXCEPTION 'log: a head of % does not change its stream', TG_TABLE_NAME
                USING ERRCODE = 'LG005', TABLE = TG_TABLE_NAME;
        END IF;
    END IF;
    -- The stream's row is written by the entry trigger alone and names its last entry's transaction.
    PERFORM 1 FROM public.log_stream s
        WHERE s.name = NEW.stream AND s.xid = pg_current_xact_id_if_assigned()
            AND s.last_at >= transaction_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'log: a head of % needs an entry of its stream in the same transaction',
            TG_TABLE_NAME USING ERRCODE = 'LG005', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END
$body$;

-- Called in migrations, by the owner, once for each table.
CREATE FUNCTION public.log_guard_fact(target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    EXECUTE format('CREATE TRIGGER log_fact_insert BEFORE INSERT ON public.%I'
        ' FOR EACH ROW EXECUTE FUNCTION public.log_fact_insert()', target);
    EXECUTE format('CREATE TRIGGER log_refuse_row BEFORE UPDATE OR DELETE ON public.%I'
        ' FOR EACH ROW EXECUTE FUNCTION public.log_refuse(''fact'')', target);
    EXECUTE format('CREATE TRIGGER log_refuse_statement BEFORE UPDATE OR DELETE OR TRUNCATE'
        ' ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse(''fact'')', target);
    EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER log_fact_insert,'
        ' ENABLE ALWAYS TRIGGER log_refuse_row,'
        ' ENABLE ALWAYS TRIGGER log_refuse_statement', target);
    EXECUTE format('COMMENT ON TABLE public.%I IS ''fact''', target);
    -- From an entry to its facts: replay walks this way, and so does the proof of one round.
    IF NOT EXISTS (
        SELECT FROM pg_index i
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = format('public.%I', target)::regclass AND a.attname = 'entry_id'
    ) THEN
        EXECUTE format('CREATE INDEX %I ON public.%I (entry_id)', target || '_by_entry', target);
    END IF;
END
$body$;

CREATE FUNCTION public.log_guard_head(target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    EXECUTE format('CREATE TRIGGER log_head_write BEFORE INSERT OR UPDATE ON public.%I'
        ' FOR EACH ROW EXECUTE FUNCTION public.log_head_write()', target);
    EXECUTE format('CREATE TRIGGER log_refuse_row BEFORE DELETE ON public.%I'
        ' FOR EACH ROW EXECUTE FUNCTION public.log_refuse(''head'')', target);
    EXECUTE format('CREATE TRIGGER log_refuse_statement BEFORE DELETE OR TRUNCATE ON public.%I'
        ' FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse(''head'')', target);
    EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER log_head_write,'
        ' ENABLE ALWAYS TRIGGER log_refuse_row,'
        ' ENABLE ALWAYS TRIGGER log_refuse_statement', target);
    EXECUTE format('COMMENT ON TABLE public.%I IS ''head''', target);
END
$body$;

CREATE FUNCTION public.log_declare_working(target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    EXECUTE format('COMMENT ON TABLE public.%I IS ''working''', target);
END
$body$;

CREATE FUNCTION public.log_unguard(target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    EXECUTE format('DROP TRIGGER IF EXISTS log_fact_insert ON public.%I', target);
    EXECUTE format('DROP TRIGGER IF EXISTS log_head_write ON public.%I', target);
    EXECUTE format('DROP TRIGGER IF EXISTS log_refuse_row ON public.%I', target);
    EXECUTE format('DROP TRIGGER IF EXISTS log_refuse_statement ON public.%I', target);
    EXECUTE format('DROP INDEX IF EXISTS public.%I', target || '_by_entry');
    EXECUTE format('COMMENT ON TABLE public.%I IS NULL', target);
END
$body$;

REVOKE ALL ON FUNCTION public.log_refuse(), public.log_fact_insert(), public.log_head_write(),
    public.log_guard_fact(text), public.log_guard_head(text), public.log_declare_working(text),
    public.log_unguard(text) FROM PUBLIC;

-- The log's own tables. Entries and checkpoints are facts that need no entry; a stream is a head that
-- moves only from within the entry trigger.
CREATE TRIGGER log_refuse_row BEFORE UPDATE OR DELETE ON public.log_entry
    FOR EACH ROW EXECUTE FUNCTION public.log_refuse('fact');
CREATE TRIGGER log_refuse_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON public.log_entry
    FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse('fact');
ALTER TABLE public.log_entry ENABLE ALWAYS TRIGGER log_refuse_row,
    ENABLE ALWAYS TRIGGER log_refuse_statement;
COMMENT ON TABLE public.log_entry IS 'fact';

CREATE TRIGGER log_refuse_row BEFORE UPDATE OR DELETE ON public.log_checkpoint
    FOR EACH ROW EXECUTE FUNCTION public.log_refuse('fact');
CREATE TRIGGER log_refuse_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON public.log_checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse('fact');
ALTER TABLE public.log_checkpoint ENABLE ALWAYS TRIGGER log_refuse_row,
    ENABLE ALWAYS TRIGGER log_refuse_statement;
COMMENT ON TABLE public.log_checkpoint IS 'fact';

CREATE TRIGGER log_refuse_row BEFORE DELETE ON public.log_stream
    FOR EACH ROW EXECUTE FUNCTION public.log_refuse('stream');
CREATE TRIGGER log_refuse_statement BEFORE DELETE OR TRUNCATE ON public.log_stream
    FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse('stream');
CREATE TRIGGER log_stream_start BEFORE INSERT ON public.log_stream FOR EACH ROW
    WHEN (NEW.seq <> 0 OR NEW.hash <> decode(repeat('00', 32), 'hex') OR NEW.xid <> '0'::xid8)
    EXECUTE FUNCTION public.log_refuse('stream');
CREATE TRIGGER log_stream_move BEFORE UPDATE ON public.log_stream FOR EACH ROW
    WHEN (pg_trigger_depth() = 0 OR NEW.name <> OLD.name OR NEW.seq <> OLD.seq + 1)
    EXECUTE FUNCTION public.log_refuse('stream');
ALTER TABLE public.log_stream ENABLE ALWAYS TRIGGER log_refuse_row,
    ENABLE ALWAYS TRIGGER log_refuse_statement,
    ENABLE ALWAYS TRIGGER log_stream_start,
    ENABLE ALWAYS TRIGGER log_stream_move;
COMMENT ON TABLE public.log_stream IS 'head';
