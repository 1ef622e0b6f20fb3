"""Prove one subject where it is shown: a round, a shoe, a session (design 7).

Reads the subject's entries and those between them anew, recomputes every hash and link, and
compares the facts that they name with the tables. It proves this stretch of the stream;
`verify_log` and `replay_log` prove all of it, and a checkpoint outside proves it against the owner
of the database.
"""

from dataclasses import dataclass
from datetime import datetime

from audit.chain import BodyError, entry_hash, read_canonical
from audit.chain.checkpoint import parse_checkpoint
from audit.log.models import Entry
from audit.log.reading import instant_text
from audit.log.registry import Kind, all_declared
from audit.log.replay_heads import form_of
from audit.log.report import Problem
from audit.log.selectors import last_checkpoint
from audit.log.stored import facts_of_entries


@dataclass(frozen=True, slots=True)
class SubjectProof:
    """What was read again and whether it holds; no checkpoint where none covers it yet."""

    stream: str
    seq_from: int
    seq_to: int
    facts: int
    problems: tuple[Problem, ...]
    checkpoint: int | None
    checkpoint_at: datetime | None


def prove_subject(subject: str, *, stream: str) -> SubjectProof | None:
    """Read the stretch of a stream about a subject again; None when it has no entry there.

    As many queries as there are kinds of facts, whatever the length of the stream.
    """
    seqs = list(Entry.objects.filter(subject=subject, stream=stream).values_list("seq", flat=True))
    if not seqs:
        return None
    first, last = min(seqs), max(seqs)
    entries = list(
        Entry.objects.filter(stream=stream, seq__gte=first, seq__lte=last).order_by("seq")
    )
    problems = _chain_problems(entries, first=first, last=last)
    own = [entry for entry in entries if entry.subject == subject]
    found, facts = _fact_problems(own)
    number, at = _covering_checkpoint(stream, seq=last)
    return SubjectProof(
        stream=stream,
        seq_from=first,
        seq_to=last,
        facts=facts,
        problems=(*problems, *found),
        checkpoint=number,
        checkpoint_at=at,
    )


def _chain_problems(entries: list[Entry], *, first: int, last: int) -> list[Problem]:
    problems: list[Problem] = []
    if [entry.seq for entry in entries] != list(range(first, last + 1)):
        problems.append(Problem("entry.missing", f"{first} to {last}", "numbers are missing"))
    before: bytes | None = None
    for entry in entries:
        where = f"entry {entry.stream} {entry.seq}"
        if before is not None and bytes(entry.prev_hash) != before:
            problems.append(
                Problem("entry.previous", where, "its previous hash is not the hash before")
            )
        computed = entry_hash(
            prev_hash=bytes(entry.prev_hash),
            stream=entry.stream,
            seq=entry.seq,
            at=instant_text(entry.at),
            body=bytes(entry.body),
        )
        if computed != bytes(entry.hash):
            problems.append(Problem("entry.hash", where, "its content does not give its hash"))
        before = bytes(entry.hash)
    return problems


def _fact_problems(entries: list[Entry]) -> tuple[list[Problem], int]:
    """Compare what the entries name with what the tables hold, both ways."""
    problems: list[Problem] = []
    said: dict[tuple[int, str], list[bytes]] = {}
    for entry in entries:
        try:
            body = read_canonical(bytes(entry.body))
        except BodyError as error:
            problems.append(
                Problem("entry.body", f"entry {entry.stream} {entry.seq}", error.detail)
            )
            continue
        facts = body.get("facts") if isinstance(body, dict) else None
        for fact in facts if isinstance(facts, list) else ():
            # What is no fact at all is for `verify_log` to name; here it is a fact too many.
            kind, row = (
                (fact.get("kind"), fact.get("row")) if isinstance(fact, dict) else (fact, fact)
            )
            said.setdefault((entry.pk, str(kind)), []).append(form_of(row) or b"no form")
    stored: dict[tuple[int, str], list[bytes]] = {}
    ids = [entry.pk for entry in entries]
    for table in all_declared(Kind.FACT):
        for found in facts_of_entries(table, ids):
            stored.setdefault((found.entry_id, table.name), []).append(form_of(found.row) or b"")
    numbers = {entry.pk: entry.seq for entry in entries}
    problems += [
        Problem(
            "fact.differs",
            f"entry {numbers[entry_id]}",
            f"the table does not hold the {kind} that it names",
        )
        for entry_id, kind in sorted(said.keys() | stored.keys())
        if sorted(said.get((entry_id, kind), [])) != sorted(stored.get((entry_id, kind), []))
    ]
    return problems, sum(map(len, stored.values()))


def _covering_checkpoint(stream: str, *, seq: int) -> tuple[int | None, datetime | None]:
    """Return the newest checkpoint if it covers the stream up to `seq`."""
    checkpoint = last_checkpoint()
    if checkpoint is None:
        return None, None
    # Its signature was checked when it was taken and is by `verify_log`; here it is only read.
    text = bytes(checkpoint.note).decode().rpartition("\n\n")[0] + "\n"
    stated = parse_checkpoint(text, origin=text.partition("\n")[0])
    covered = any(head.stream == stream and head.seq >= seq for head in stated.heads)
    return (checkpoint.number, checkpoint.at) if covered else (None, None)
