"""`replay_log`: rebuild every fact and every head from the entries, and compare with the tables.

Triggers prove that an entry stands behind a fact; this proves that it is the right one. Facts are
compared entry by entry, heads key by key, both ways: what the log says and the table has not, what
the table has and the log does not say, and what differs. It must not write.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from audit.chain import BodyError, read_canonical
from audit.log.reading import ROWS_PER_FETCH, fetch_all, snapshot, stream_rows
from audit.log.registry import Declared, Kind, all_declared, find
from audit.log.replay_heads import compare_heads, differences, form_of, short, with_defaults
from audit.log.report import Collector, EnoughError, Progress, Report
from audit.log.sorting import Sorter
from audit.log.stored import StoredFact, stored_facts

_ENTRIES = "SELECT id, stream, seq, body FROM log_entry ORDER BY id"


def replay_log(*, limit: int = 1, progress: Progress | None = None) -> Report:
    """Rebuild and compare everything; stop at `limit` problems, the first wrong one first."""
    report = Report()
    problems = Collector(report, limit)
    try:
        with snapshot(), Sorter() as heads:
            _replay_facts(heads, report, problems, progress)
            report.heads = compare_heads(heads.sorted(), problems)
    except EnoughError:
        pass
    return report


class _Facts:
    """The facts of one table, handed out entry by entry in the order of the entries."""

    def __init__(self, table: Declared) -> None:
        self.table = table
        self._rows = stored_facts(table)
        self._next = next(self._rows, None)

    def before(self, entry_id: int) -> Iterator[StoredFact]:
        """Facts of entries that the log does not have."""
        while self._next is not None and self._next.entry_id < entry_id:
            yield self._next
            self._next = next(self._rows, None)

    def of(self, entry_id: int) -> list[StoredFact]:
        """The facts of this entry."""
        found = []
        while self._next is not None and self._next.entry_id == entry_id:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found

    def rest(self) -> Iterator[StoredFact]:
        """Facts after the last entry."""
        while self._next is not None:
            yield self._next
            self._next = next(self._rows, None)


def _replay_facts(
    heads: Sorter, report: Report, problems: Collector, progress: Progress | None
) -> None:
    expected = int(fetch_all("SELECT coalesce(sum(seq), 0) FROM log_stream")[0][0])
    tables = [_Facts(table) for table in all_declared(Kind.FACT)]
    number = 0
    for entry_id, stream, seq, raw in stream_rows(_ENTRIES):
        where = f"entry {stream} {seq}"
        body = _read_body(raw, where, problems)
        said = _facts_said(body, where, problems)
        for facts in tables:
            for extra in facts.before(entry_id):
                _report_extra(facts.table, extra, "an entry that is not there", problems)
            stored = facts.of(entry_id)
            _compare(facts.table, said.get(facts.table.name, []), stored, where, problems)
            report.facts += len(stored)
        for item in _items(body, "heads"):
            number += 1
            _take_head(heads, item, stream, number, where, problems)
        report.entries += 1
        if progress is not None and report.entries % (5 * ROWS_PER_FETCH) == 0:
            progress(report.entries, expected)
    for facts in tables:
        for extra in facts.rest():
            _report_extra(facts.table, extra, "an entry that is not there", problems)


def _read_body(raw: bytes, where: str, problems: Collector) -> Mapping[str, object]:
    try:
        body = read_canonical(raw)
    except BodyError as error:
        problems.add("entry.body", where, error.detail)
        return {}
    if not isinstance(body, dict):
        problems.add("entry.body", where, "its body is not an object")
        return {}
    return body


def _items(body: Mapping[str, object], name: str) -> Sequence[object]:
    found = body.get(name, [])
    return found if isinstance(found, list) else []


def _facts_said(
    body: Mapping[str, object], where: str, problems: Collector
) -> dict[str, list[dict[str, object]]]:
    """The rows that an entry names, by kind."""
    said: dict[str, list[dict[str, object]]] = {}
    for item in _items(body, "facts"):
        kind = item.get("kind") if isinstance(item, dict) else None
        row = item.get("row") if isinstance(item, dict) else None
        if not isinstance(kind, str) or not isinstance(row, dict):
            problems.add("entry.layout", where, "a fact in it has no kind and row")
        elif find(Kind.FACT, kind) is None:
            problems.add("fact.unknown", where, f"nobody knows facts of kind {kind}")
        else:
            said.setdefault(kind, []).append(row)
    return said


def _compare(
    table: Declared,
    said: list[dict[str, object]],
    stored: list[StoredFact],
    where: str,
    problems: Collector,
) -> None:
    """Compare the rows of one kind of one entry; their order within it does not matter."""
    if not said and not stored:
        return
    whole = [with_defaults(table, row, columns=table.logged) for row in said]
    waiting = [(form_of(row), row) for row in whole]
    extras = []
    for fact in stored:
        form = form_of(fact.row)
        # What has no canonical form equals nothing, on either side.
        position = next(
            (n for n, (text, _) in enumerate(waiting) if form is not None and text == form), None
        )
        if position is None:
            extras.append(fact)
        else:
            del waiting[position]
    for _, row in waiting[len(extras) :]:
        problems.add("fact.missing", where, f"its {table.name} is not in the table: {short(row)}")
    for (_, row), fact in zip(waiting, extras, strict=False):
        problems.add(
            "fact.differs",
            where,
            f"{table.name} {fact.id}: {differences(said=row, stored=fact.row)}",
        )
    for fact in extras[len(waiting) :]:
        _report_extra(table, fact, where, problems)


def _report_extra(table: Declared, fact: StoredFact, where: str, problems: Collector) -> None:
    problems.add(
        "fact.extra",
        f"{table.name} {fact.id}",
        f"{where} does not say it: {short(fact.row)}",
    )


def _take_head(
    heads: Sorter, item: object, stream: str, number: int, where: str, problems: Collector
) -> None:
    kind, key, changed = _head_parts(item)
    if not isinstance(kind, str) or not isinstance(key, str) or not isinstance(changed, dict):
        problems.add("entry.layout", where, "a head in it has no kind, key and changes")
    elif find(Kind.HEAD, kind) is None:
        problems.add("head.unknown", where, f"nobody knows heads of kind {kind}")
    else:
        heads.add(kind, key, number, json.dumps([stream, where, changed]))


def _head_parts(item: object) -> tuple[object, object, object]:
    if not isinstance(item, dict):
        return None, None, None
    return item.get("kind"), item.get("key"), item.get("set")
