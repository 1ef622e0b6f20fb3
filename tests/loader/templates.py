"""Rows as text, twice: as the log says them and as COPY takes them, from the log's declarations.

A template is filled with `%`; what does not change within a load is in it already.
"""

import json
from collections.abc import Mapping
from datetime import date, datetime

from django.db.models import Model
from psycopg.types.json import Jsonb

from audit.log.registry import Kind, declared

NULL = "\\N"
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def canonical_text(value: object) -> str:
    """JSON as the log writes it."""
    return _encode(value)


def copy_text(value: object) -> str:
    """A value of a row as COPY's text format takes it."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, bytes):
        return f"\\\\x{value.hex()}"
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Jsonb):
        return canonical_text(value.obj).translate(_ESCAPES)
    if isinstance(value, list):
        return f"{{{','.join(map(str, value))}}}"
    return str(value).translate(_ESCAPES)


class RowTemplate:
    """The rows of one table: `log % values` and `line % values`.

    `fixed` are the columns that never change. Every other one is filled in, from a key of its name;
    where COPY takes another text than JSON (text, null, a foreign key's id) from `<name>_sql`.
    """

    def __init__(self, model: type[Model], *, fixed: Mapping[str, object], same: set[str]) -> None:
        table = declared(model)
        said: dict[str, str] = {}
        written: list[str] = []
        columns: list[str] = []
        for name, column in table.columns.items():
            columns.append(column.column)
            if name in fixed:
                said[name] = canonical_text(column.to_log(fixed[name])).replace("%", "%%")
                written.append(copy_text(column.to_sql(fixed[name])).replace("%", "%%"))
            else:
                said[name] = f"%({name})s"
                written.append(f"%({name})s" if name in same else f"%({name}_sql)s")
        key = said.pop(table.natural) if table.kind is Kind.HEAD else ""
        row = ",".join(f'"{name}":{text}' for name, text in sorted(said.items()))
        tied = "entry_id" if table.kind is Kind.FACT else "stream"
        self.table = table.table
        self.columns = ("id", *columns, tied)
        self.line = "%(id)s\t" + "\t".join(written) + f"\t%({tied})s\n"
        if table.kind is Kind.HEAD:
            self.log = f'{{"key":{key},"kind":"{table.name}","set":{{{row}}}}}'
        else:
            self.log = f'{{"kind":"{table.name}","row":{{{row}}}}}'
