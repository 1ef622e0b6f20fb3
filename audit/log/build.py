"""From rows to the two sides of an append: what the log says, and what SQL is given.

Both sides come from the same values in one pass, so they cannot differ by accident; replay proves
that they did not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from audit.log.errors import AppendError
from audit.log.registry import Declared, Kind, declared
from audit.log.rows import Change, Row
from audit.log.statement import Part, parameters


@dataclass(slots=True)
class Built:
    """The parts of one append: their SQL parameters, and the lists for the body."""

    parts: tuple[Part, ...] = ()
    parameters: list[object] = field(default_factory=list)
    facts: list[dict[str, object]] = field(default_factory=list)
    heads: list[dict[str, object]] = field(default_factory=list)
    # For each inserted row that the caller gets an id for: its part and its place in it.
    places: list[tuple[int, int]] = field(default_factory=list)
    given: dict[tuple[int, int], int | str] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)

    def ids(self, results: Sequence[object]) -> tuple[int | str, ...]:
        """The ids of facts, then of new heads, in the caller's order.

        Raises AppendError when a part did not touch as many rows as it was given.
        """
        for part, result, count in zip(self.parts, results, self.counts, strict=True):
            if part.update and result != 1:
                raise AppendError(f"{part.table.name}: a changed head is not in this stream")
            if isinstance(result, list) and len(result) != count:
                raise AppendError(f"{part.table.name}: {count} rows given, {len(result)} written")
        found: list[int | str] = []
        for number, place in self.places:
            given = self.given.get((number, place))
            result = results[number]
            found.append(given if given is not None else result[place])  # type: ignore[index]  # checked above: a list of ids
        return tuple(found)


@dataclass(slots=True)
class _Group:
    """Rows of one table and one set of columns that go in together."""

    table: Declared
    columns: tuple[str, ...]
    rows: list[list[object]] = field(default_factory=list)


def build(
    *,
    facts: Sequence[Row],
    new_heads: Sequence[Row],
    changes: Sequence[Change],
    work: Sequence[Row],
) -> Built:
    """Check rows against their declarations and lay them out. Raises AppendError."""
    built = Built()
    groups: list[_Group] = []
    for row in facts:
        table = _declared(row.model, Kind.FACT)
        values = _complete(table, row.values)
        built.facts.append({"kind": table.name, "row": _logged(table, values)})
        _place(built, groups, table, values)
    for row in new_heads:
        table = _declared(row.model, Kind.HEAD)
        values = _complete(table, row.values)
        built.heads.append(_head(table, values))
        _place(built, groups, table, values)
    for row in work:
        table = _declared(row.model, Kind.WORKING)
        _group(groups, table, _complete(table, row.values))
    parts = []
    for group in groups:
        part = Part(group.table, group.columns, many=len(group.rows) > 1)
        parts.append(part)
        built.parameters += parameters(part, group.rows)
        built.counts.append(len(group.rows))
    parts += _changes(built, changes)
    built.parts = tuple(parts)
    return built


def _changes(built: Built, changes: Sequence[Change]) -> list[Part]:
    parts = []
    seen = set()
    for change in changes:
        table = _declared(change.model, Kind.HEAD)
        if (table.name, change.ref.id) in seen or not change.values:
            raise AppendError(f"{table.name} {change.ref.key}: one change of something")
        seen.add((table.name, change.ref.id))
        unknown = change.values.keys() - table.columns.keys()
        if unknown or table.natural in change.values:
            raise AppendError(f"{table.name}: these columns do not change: {sorted(unknown)}")
        columns = tuple(change.values)
        built.heads.append(
            {"kind": table.name, "key": change.ref.key, "set": _logged(table, change.values)}
        )
        built.parameters += [table.columns[name].to_sql(change.values[name]) for name in columns]
        built.parameters.append(change.ref.id)
        built.counts.append(1)
        parts.append(Part(table, columns, update=True))
    return parts


def _declared(model: type, kind: Kind) -> Declared:
    table = declared(model)
    if table.kind is not kind:
        raise AppendError(f"{table.table} is declared {table.kind.value}, not {kind.value}")
    return table


def _complete(table: Declared, values: Mapping[str, object]) -> dict[str, object]:
    """All columns of the table: as given, else by default. An entry must name every one."""
    complete = {
        name: values[name] if name in values else column.missing()
        for name, column in table.columns.items()
    }
    if not values.keys() <= complete.keys():
        unknown = sorted(values.keys() - complete.keys())
        raise AppendError(f"{table.table} has no columns to write named {unknown}")
    return complete


def _logged(table: Declared, values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: table.columns[name].to_log(value)
        for name, value in values.items()
        if name not in table.private
    }


def _head(table: Declared, values: Mapping[str, object]) -> dict[str, object]:
    """A new head: its natural key stands beside the columns, not among them."""
    logged = _logged(table, values)
    return {"kind": table.name, "key": logged.pop(table.natural), "set": logged}


def _place(
    built: Built, groups: list[_Group], table: Declared, values: Mapping[str, object]
) -> None:
    number, place = _group(groups, table, values)
    built.places.append((number, place))
    if table.given_key is not None:
        given = table.columns[table.given_key].to_sql(values[table.given_key])
        assert isinstance(given, int | str)
        built.given[number, place] = given


def _group(groups: list[_Group], table: Declared, values: Mapping[str, object]) -> tuple[int, int]:
    """Put a row with its like, or in a group of its own; return the group's number and the place.

    A column that cannot travel as an array (it is one itself) keeps its rows apart.
    """
    row = [column.to_sql(values[name]) for name, column in table.columns.items()]
    batched = all(column.batched for column in table.columns.values())
    for number, group in enumerate(groups):
        if batched and group.table is table:
            group.rows.append(row)
            return number, len(group.rows) - 1
    groups.append(_Group(table, tuple(table.columns), [row]))
    return len(groups) - 1, 0
