"""Heads rebuilt: all changes of a key folded in order, compared with the row that has the key."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from audit.chain import BodyError, canonical
from audit.log.columns import column_of
from audit.log.registry import Declared, Kind, all_declared
from audit.log.report import Collector
from audit.log.stored import StoredHead, stored_heads

_VALUE_MAX = 80


@dataclass(slots=True)
class _Rebuilt:
    """A head as the log says it is, and the last entry that says something of it."""

    key: str
    stream: str
    where: str
    row: dict[str, object]


def compare_heads(changes: Iterable[tuple[str, str, str]], problems: Collector) -> int:
    """Compare the changes, sorted by kind and key, with every table of heads.

    Returns how many heads were compared. Needs a transaction.
    """
    compared = 0
    groups = groupby(changes, key=itemgetter(0))
    kind, of_kind = next(groups, (None, iter(())))
    for table in sorted(all_declared(Kind.HEAD), key=lambda table: table.name):
        said: Iterator[_Rebuilt] = iter(())
        if kind == table.name:
            said = _rebuild(of_kind, problems)
        compared += _compare_table(table, said, problems)
        if kind == table.name:
            kind, of_kind = next(groups, (None, iter(())))
    return compared


def differences(*, said: Mapping[str, object], stored: Mapping[str, object]) -> str:
    """Say in which columns a row differs from what the log says of it."""
    found = []
    for name in sorted(said.keys() | stored.keys()):
        if name not in said:
            found.append(f"the log does not say {name}")
        elif name not in stored:
            found.append(f"the table has no {name}")
        elif not same(said[name], stored[name]):
            found.append(f"{name} is {short(stored[name])}, the log says {short(said[name])}")
    return "; ".join(found)


def same(one: object, other: object) -> bool:
    """Whether two values have one canonical form; true is not 1."""
    form = form_of(one)
    return form is not None and form == form_of(other)


def form_of(value: object) -> bytes | None:
    """The canonical form; None where a changed row holds what the log could never have said."""
    try:
        return canonical(value)
    except BodyError:
        return None


def short(value: object) -> str:
    """A value for a message, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=repr)
    return text if len(text) <= _VALUE_MAX else f"{text[:_VALUE_MAX]}..."


def _rebuild(changes: Iterable[tuple[str, str, str]], problems: Collector) -> Iterator[_Rebuilt]:
    for key, of_key in groupby(changes, key=itemgetter(1)):
        head: _Rebuilt | None = None
        for _, _, payload in of_key:
            stream, where, changed = json.loads(payload)
            if head is None:
                head = _Rebuilt(key, stream, where, {})
            elif head.stream != stream:
                problems.add("head.stream", where, f"{key} belongs to the stream {head.stream}")
            head.where = where
            head.row.update(changed)
        if head is not None:
            yield head


def _compare_table(table: Declared, said: Iterator[_Rebuilt], problems: Collector) -> int:
    compared = 0
    stored = stored_heads(table)
    mine, theirs = next(said, None), next(stored, None)
    while mine is not None or theirs is not None:
        if theirs is None or (mine is not None and mine.key.encode() < theirs.key.encode()):
            assert mine is not None
            problems.add(
                "head.missing", f"{table.name} {mine.key}", f"{mine.where} says it, no row has it"
            )
            mine = next(said, None)
        elif mine is None or theirs.key.encode() < mine.key.encode():
            problems.add("head.extra", f"{table.name} {theirs.key}", "no entry says it")
            theirs = next(stored, None)
        else:
            _compare_head(table, mine, theirs, problems)
            compared += 1
            mine, theirs = next(said, None), next(stored, None)
    return compared


def _compare_head(table: Declared, mine: _Rebuilt, theirs: StoredHead, problems: Collector) -> None:
    where = f"{table.name} {mine.key}"
    if mine.stream != theirs.stream:
        problems.add(
            "head.stream", where, f"it lies in {theirs.stream}, its entries in {mine.stream}"
        )
    said = with_defaults(table, mine.row, columns=theirs.row)
    if not same(said, theirs.row):
        problems.add(
            "head.differs",
            where,
            f"{differences(said=said, stored=theirs.row)} (last {mine.where})",
        )


def with_defaults(
    table: Declared, said: Mapping[str, object], *, columns: Mapping[str, object]
) -> Mapping[str, object]:
    """Return what the log says of a row, with the defaults of columns that it knows nothing of.

    An entry of before a column was added does not say it: the row has its default from then on.
    """
    if said.keys() == columns.keys():
        return said
    unsaid = {
        name: field.get_default()
        for field in table.model._meta.concrete_fields
        if (name := column_of(field)) in columns and name not in said and field.has_default()
    }
    return {**unsaid, **said}
