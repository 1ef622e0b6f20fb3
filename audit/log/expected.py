"""What the guards must look like: from the registry and the migrations, never from the database.

Triggers are compared by the definition that the server writes with nothing on its search path.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit.log.registry import Kind, all_declared

_MIGRATIONS = Path(__file__).parent / "migrations"
_FUNCTION = re.compile(
    r"^CREATE (?:OR REPLACE )?FUNCTION public\.(?P<name>\w+)\((?P<arguments>[^)]*)\)"
    r" RETURNS \w+\nLANGUAGE plpgsql (?P<definer>SECURITY DEFINER )?"
    r"SET search_path = pg_catalog, pg_temp\nAS \$body\$(?P<source>.*?)\$body\$;",
    re.DOTALL | re.MULTILINE,
)
LOG_TABLES = frozenset({"log_entry", "log_stream", "log_checkpoint"})
GRANTS: Mapping[str, frozenset[str]] = {
    "fact": frozenset({"SELECT", "INSERT"}),
    "head": frozenset({"SELECT", "INSERT", "UPDATE"}),
    "working": frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"}),
}

_REFUSE_ROW = (
    "CREATE TRIGGER log_refuse_row BEFORE {events} ON public.{table} FOR EACH ROW"
    " EXECUTE FUNCTION public.log_refuse('{kind}')"
)
_REFUSE_STATEMENT = (
    "CREATE TRIGGER log_refuse_statement BEFORE {events} OR TRUNCATE ON public.{table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION public.log_refuse('{kind}')"
)
_FACT_INSERT = (
    "CREATE TRIGGER log_fact_insert BEFORE INSERT ON public.{table} FOR EACH ROW"
    " EXECUTE FUNCTION public.log_fact_insert()"
)
_HEAD_WRITE = (
    "CREATE TRIGGER log_head_write BEFORE INSERT OR UPDATE ON public.{table} FOR EACH ROW"
    " EXECUTE FUNCTION public.log_head_write()"
)
_CHAIN = (
    "CREATE TRIGGER log_entry_chain BEFORE INSERT ON public.log_entry FOR EACH ROW"
    " EXECUTE FUNCTION public.log_entry_chain()"
)
_STREAM_START = (
    "CREATE TRIGGER log_stream_start BEFORE INSERT ON public.log_stream FOR EACH ROW"
    " WHEN (((new.seq <> 0) OR (new.hash <> decode(repeat('00'::text, 32), 'hex'::text))"
    " OR (new.xid <> '0'::xid8))) EXECUTE FUNCTION public.log_refuse('stream')"
)
_STREAM_MOVE = (
    "CREATE TRIGGER log_stream_move BEFORE UPDATE ON public.log_stream FOR EACH ROW"
    " WHEN (((pg_trigger_depth() = 0) OR (new.name <> old.name)"
    " OR (new.seq <> (old.seq + 1)))) EXECUTE FUNCTION public.log_refuse('stream')"
)


@dataclass(frozen=True, slots=True)
class ExpectedTable:
    """What a table must look like: its comment, its triggers, and what the application may do."""

    table: str
    comment: str
    triggers: frozenset[str]
    grants: frozenset[str]


@dataclass(frozen=True, slots=True)
class ExpectedFunction:
    """What a function must look like, from the newest migration that made it."""

    name: str
    arguments: str
    definer: bool
    source: str


def expected_functions() -> Mapping[str, ExpectedFunction]:
    """The functions as the migrations' SQL defines them; a later file replaces an earlier."""
    found = {}
    for path in sorted(_MIGRATIONS.glob("*.sql")):
        for match in _FUNCTION.finditer(path.read_text(encoding="utf-8")):
            name = match["name"]
            found[name] = ExpectedFunction(
                name, match["arguments"], bool(match["definer"]), match["source"]
            )
    return found


def expected_tables() -> Iterable[ExpectedTable]:
    """The log's own tables, then every declared one."""
    yield ExpectedTable(
        "log_entry", "fact", frozenset({_CHAIN, *_refuse("log_entry", "fact")}), GRANTS["fact"]
    )
    yield ExpectedTable(
        "log_stream",
        "head",
        frozenset({_STREAM_START, _STREAM_MOVE, *_refuse("log_stream", "stream")}),
        frozenset({"SELECT"}),
    )
    yield ExpectedTable(
        "log_checkpoint",
        "fact",
        frozenset(_refuse("log_checkpoint", "fact")),
        GRANTS["fact"],
    )
    for item in all_declared():
        triggers: set[str] = set()
        if item.kind is Kind.FACT:
            triggers = {_FACT_INSERT.format(table=item.table), *_refuse(item.table, "fact")}
        elif item.kind is Kind.HEAD:
            triggers = {_HEAD_WRITE.format(table=item.table), *_refuse(item.table, "head")}
        kind = item.kind.value
        yield ExpectedTable(item.table, kind, frozenset(triggers), GRANTS[kind])


def _refuse(table: str, kind: str) -> list[str]:
    # The events in the order in which the server writes them.
    events = "DELETE OR UPDATE" if kind == "fact" else "DELETE"
    return [
        text.format(events=events, table=table, kind=kind)
        for text in (_REFUSE_ROW, _REFUSE_STATEMENT)
    ]
