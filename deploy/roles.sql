-- Roles and grants, in plain SQL. Run as superuser in the application's database, before the first
-- migration and after every one; running it again changes nothing. Passwords are set elsewhere.
--
--   casino_owner  owns the schema and runs the migrations; serves nothing.
--   casino_app    web, workers and commands. What it may do to a table follows from the table's
--                 declaration, which the migrations write as its comment:
--                     fact     SELECT, INSERT
--                     head     SELECT, INSERT, UPDATE
--                     working  SELECT, INSERT, UPDATE, DELETE
--                 A table without a declaration is out of its reach. Never TRUNCATE, TRIGGER or
--                 REFERENCES. Of the log's streams it may only read the heads: it locks one by
--                 lock_stream and makes one by create_stream.

DO $roles$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'casino_owner') THEN
        CREATE ROLE casino_owner LOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'casino_app') THEN
        CREATE ROLE casino_app LOGIN;
    END IF;
END
$roles$;

ALTER ROLE casino_owner NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE casino_app NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;

DO $memberships$
DECLARE
    granted text;
BEGIN
    -- The application is a member of nothing: a membership would be a way round these grants.
    FOR granted IN
        SELECT g.rolname FROM pg_catalog.pg_auth_members m
            JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
            JOIN pg_catalog.pg_roles a ON a.oid = m.member
            WHERE a.rolname = 'casino_app'
    LOOP
        EXECUTE pg_catalog.format('REVOKE %I FROM casino_app', granted);
    END LOOP;
    EXECUTE pg_catalog.format('ALTER DATABASE %I OWNER TO casino_owner', pg_catalog.current_database());
    EXECUTE pg_catalog.format('REVOKE ALL ON DATABASE %I FROM PUBLIC, casino_app',
        pg_catalog.current_database());
    EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO casino_app',
        pg_catalog.current_database());
END
$memberships$;

ALTER SCHEMA public OWNER TO casino_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC, casino_app;
GRANT USAGE ON SCHEMA public TO casino_app;

-- Everything is taken away first, so that what an earlier declaration gave does not stay.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, casino_app;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, casino_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO casino_app;

DO $grants$
DECLARE
    declared record;
    closed record;
BEGIN
    -- Who may execute a trigger function may attach it to a table of his own.
    FOR closed IN
        SELECT p.oid::pg_catalog.regprocedure AS name FROM pg_catalog.pg_proc p
            WHERE p.pronamespace = 'public'::pg_catalog.regnamespace
                AND (p.prorettype = 'pg_catalog.trigger'::pg_catalog.regtype OR p.prosecdef
                    OR p.proname LIKE 'log\_%')
    LOOP
        EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, casino_app', closed.name);
    END LOOP;
    FOR declared IN
        SELECT c.relname, pg_catalog.obj_description(c.oid, 'pg_class') AS kind
            FROM pg_catalog.pg_class c
            WHERE c.relnamespace = 'public'::pg_catalog.regnamespace AND c.relkind IN ('r', 'p')
    LOOP
        IF declared.relname IN ('log_stream', 'django_migrations') THEN
            EXECUTE pg_catalog.format('GRANT SELECT ON public.%I TO casino_app', declared.relname);
        ELSIF declared.kind = 'fact' THEN
            EXECUTE pg_catalog.format('GRANT SELECT, INSERT ON public.%I TO casino_app',
                declared.relname);
        ELSIF declared.kind = 'head' THEN
            EXECUTE pg_catalog.format('GRANT SELECT, INSERT, UPDATE ON public.%I TO casino_app',
                declared.relname);
        ELSIF declared.kind = 'working' THEN
            EXECUTE pg_catalog.format(
                'GRANT SELECT, INSERT, UPDATE, DELETE ON public.%I TO casino_app', declared.relname);
        END IF;
    END LOOP;
    IF pg_catalog.to_regprocedure('public.lock_stream(text)') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION public.lock_stream(text), public.create_stream(text) TO casino_app;
    END IF;
END
$grants$;
