"""Prove one subject where it is shown: a round, a shoe, a session (design 7).

Reads the subject's entries and those between them anew, with one more at each end, recomputes every
hash and link, and compares the facts that they name with the tables and what the newest checkpoint
signed of their stream with the log. It proves this stretch of the stream; heads, signatures and all
entries after it are for `verify_log` and `replay_log`, and a checkpoint outside proves it against
the owner of the database.
"""

from dataclasses import dataclass
from datetime import datetime

from audit.chain import START, BodyError, entry_hash, read_canonical
from audit.chain.checkpoint import CheckpointError, StreamHead, parse_checkpoint
from audit.log.models import Checkpoint, Entry, Stream
from audit.log.reading import instant_text
from audit.log.registry import Kind, all_declared, find
from audit.log.replay_heads import form_of, with_defaults
from audit.log.report import Problem
from audit.log.selectors import last_checkpoint
from audit.log.stored import facts_of_entries


@dataclass(frozen=True, slots=True)
class SubjectProof:
    """What was read again and whether it holds; no checkpoint where none covers it yet.

    One covers it that signed its last entry or a later one of the stream.
    """

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
    # Read before the entries: what is appended meanwhile is one more then, and none is missing.
    head = Stream.objects.filter(name=stream).first()
    before = max(first - 1, 1)
    entries = list(
        Entry.objects.filter(stream=stream, seq__gte=before, seq__lte=last + 1).order_by("seq")
    )
    problems = _missing_problems(entries, head, stretch=(stream, before, last))
    problems += _chain_problems(entries)
    found, facts = _fact_problems([entry for entry in entries if entry.subject == subject])
    covering, differing = _covering_checkpoint(stream, entries, last=last)
    return SubjectProof(
        stream=stream,
        seq_from=first,
        seq_to=last,
        facts=facts,
        problems=(*problems, *found, *differing),
        checkpoint=covering.number if covering else None,
        checkpoint_at=covering.at if covering else None,
    )


def _missing_problems(
    entries: list[Entry], head: Stream | None, *, stretch: tuple[str, int, int]
) -> list[Problem]:
    """Expect every number of the stretch and one more after it, or else the head at its end."""
    stream, first, last = stretch
    reached = head.seq if head is not None else 0
    expected = list(range(first, last + (2 if reached > last else 1)))
    if [entry.seq for entry in entries][: len(expected)] != expected:
        where = f"entries {stream} {first} to {expected[-1]}"
        return [Problem("entry.missing", where, "numbers are missing")]
    end = bytes(entries[last - first].hash)
    # Where no entry follows, nothing but the head says what the last one was.
    if head is None or reached < last or (reached == last and bytes(head.hash) != end):
        return [Problem("stream.head", f"stream {stream}", "its head is not its last entry")]
    return []


def _chain_problems(entries: list[Entry]) -> list[Problem]:
    problems: list[Problem] = []
    before = START if entries and entries[0].seq == 1 else None
    for entry in entries:
        where = f"entry {entry.stream} {entry.seq}"
        previous = bytes(entry.prev_hash)
        if before is not None and previous != before:
            problems.append(
                Problem("entry.previous", where, "its previous hash is not the hash before")
            )
        computed = entry_hash(
            prev_hash=previous if len(previous) == len(START) else START,
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
            table = find(Kind.FACT, kind) if isinstance(kind, str) else None
            if table is not None and isinstance(row, dict):
                row = with_defaults(table, row, columns=table.logged)
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


def _covering_checkpoint(
    stream: str, entries: list[Entry], *, last: int
) -> tuple[Checkpoint | None, list[Problem]]:
    """Return the newest checkpoint if it covers the stream up to `last`, and where it differs."""
    checkpoint = last_checkpoint()
    if checkpoint is None:
        return None, []
    where = f"checkpoint {checkpoint.number}"
    try:
        signed = _signed(checkpoint, stream)
    except (CheckpointError, UnicodeDecodeError):
        return None, [Problem("checkpoint.note", where, "it has not the layout of a checkpoint")]
    if signed is None or signed.seq < last:
        return None, []
    hashes = {entry.seq: bytes(entry.hash) for entry in entries}
    if signed.seq not in hashes:
        later = Entry.objects.filter(stream=stream, seq=signed.seq).values_list("seq", "hash")
        hashes |= {seq: bytes(value) for seq, value in later}
    if hashes.get(signed.seq) != signed.hash:
        detail = f"the log has no longer the entry {stream} {signed.seq} that it signed"
        return None, [Problem("checkpoint.entry", where, detail)]
    return checkpoint, []


def _signed(checkpoint: Checkpoint, stream: str) -> StreamHead | None:
    """What a checkpoint states of a stream. Raises CheckpointError, UnicodeDecodeError.

    Its signature was checked when it was taken and is by `verify_log`; here it is only read.
    """
    text = bytes(checkpoint.note).decode().rpartition("\n\n")[0] + "\n"
    stated = parse_checkpoint(text, origin=text.partition("\n")[0])
    return next((head for head in stated.heads if head.stream == stream), None)
