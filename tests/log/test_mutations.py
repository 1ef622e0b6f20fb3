"""A thousand ways to tamper, each named at its first wrong place, and no false alarm (trust R5)."""

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from audit.chain.note import sign_note
from audit.log.checkpoints import take_checkpoint
from audit.log.keys import generate_key, load_signer
from audit.log.models import Checkpoint, Stream
from audit.log.outside import note_path
from audit.log.place import Place
from audit.log.replay import replay_log
from audit.log.rows import Ref
from audit.log.services import create_stream
from audit.log.verify import verify_log
from tests.log.mutations import MUTATIONS, TABLES, Forger, SignedLog
from tests.log.people import grant, hire, note, populate, rename
from tests.support.database import CloneDatabase, DatabaseServer, default_database

SIZES = [1_000, pytest.param(100_000, marks=pytest.mark.long)]
CLEAN_RUNS = [100, pytest.param(1_000, marks=pytest.mark.long)]
ORIGIN = "test.invalid/log"
CHECKPOINTS = 4


@pytest.fixture(scope="module")
def log(
    test_server: DatabaseServer,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SignedLog]:
    """A log of four streams, signed four times, at last to its end; Django is the superuser."""
    folder = tmp_path_factory.mktemp("signed")
    with test_server.clone() as clone, django_db_blocker.unblock():
        with default_database(clone.app_url):
            made = signed_log(folder)
        with default_database(clone.admin_url):
            yield made


def signed_log(folder: Path) -> SignedLog:
    """Write the log and prepare the notes that a forger would put into it."""
    generate_key(folder / "key", name=ORIGIN)
    generate_key(folder / "foreign", name=ORIGIN)
    place = Place(ORIGIN, folder / "key", folder / "outside")
    populate()
    create_stream("table/T3")
    signed = []
    for _ in range(CHECKPOINTS):
        for stream in ("table/T1", "table/T2", "table/T3", "people"):
            note(stream, stream)
        take_checkpoint(place=place)
        signed.append(dict(Stream.objects.values_list("name", "seq")))
    lengths = {name: seq for name, seq in signed[-1].items() if seq}
    notes = {each.number: bytes(each.note) for each in Checkpoint.objects.all()}
    signer = load_signer(folder / "foreign")
    stale, foreign = [], []
    for number, mine in notes.items():
        text = _text(mine)
        other = sign_note(text, key=signer.key, sign=signer.sign)
        foreign.append((number, other, _outside_with(place, number, other, "foreign")))
        for wrong in notes.keys() - {number}:
            other = text.encode() + notes[wrong].removeprefix(_text(notes[wrong]).encode())
            stale.append((number, other, _outside_with(place, number, other, f"of-{wrong}")))
    return SignedLog(lengths, signed, place, stale, foreign)


def _text(signed: bytes) -> str:
    """What was signed: up to the empty line before the signatures."""
    return signed[: signed.rindex(b"\n\n") + 1].decode()


def _outside_with(place: Place, number: int, forged: bytes, name: str) -> Place:
    """A copy of the folder outside, with one note replaced."""
    folder = place.folder.with_name(f"{number}-{name}")
    shutil.copytree(place.folder, folder)
    path = note_path(folder, number)
    path.unlink()
    path.write_bytes(forged)
    return Place(place.origin, place.key_file, folder)


@contextmanager
def forging(log: SignedLog, generator: random.Random) -> Iterator[Forger]:
    """A superuser's transaction, rolled back; its triggers are back before anybody looks."""
    with transaction.atomic():
        yield Forger(log, generator)
        transaction.set_rollback(True)


def guards() -> tuple[str, str]:
    """The statements that put the guards of the log's tables aside and back."""
    aside = ["SET LOCAL session_replication_role = replica"]
    back = []
    with connection.cursor() as cursor:
        for table in TABLES:
            aside.append(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
                [table],
            )
            back += [
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for (name,) in cursor.fetchall()
            ]
    return "; ".join(aside), "; ".join(back)


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("mutations", SIZES)
def test_every_mutation_is_named_at_its_first_wrong_place(log: SignedLog, mutations: int) -> None:
    assert verify_log(place=log.place).problems == []
    aside, back = guards()
    generator = random.Random(5)
    kinds = list(MUTATIONS)
    for n in range(mutations):
        kind = kinds[n % len(kinds)]
        with forging(log, generator) as forger:
            run(aside)
            named = MUTATIONS[kind](forger)
            run(back)
            problems = verify_log(place=forger.place).problems
        assert [(each.code, each.where) for each in problems] == [named], f"{n}: {kind}"
    assert verify_log(place=log.place).problems == []


@pytest.mark.parametrize("runs", CLEAN_RUNS)
def test_no_clean_log_raises_an_alarm(clone_db: CloneDatabase, tmp_path: Path, runs: int) -> None:
    generate_key(tmp_path / "key", name=ORIGIN)
    place = Place(ORIGIN, tmp_path / "key", tmp_path / "outside")
    generator = random.Random(5)
    people: list[Ref] = []
    for n in range(runs):
        for _ in range(generator.randint(1, 5)):
            act(generator, people)
        if generator.random() < 0.2:
            take_checkpoint(place=place)
        report = verify_log(place=place)
        assert (report.problems, report.complete) == ([], True), n
        assert replay_log().problems == [], n


def act(generator: random.Random, people: list[Ref]) -> None:
    """Write something or other that people write."""
    choice = generator.random()
    if not people or choice < 0.2:
        people.append(hire(f"S{len(people) + 1}"))
        grant(people[-1], *generator.sample(["dealer", "cashier", "auditor"], 2))
    elif choice < 0.6:
        name = "".join(generator.choices("aZ é中\N{PARTY POPPER}\u2028\x1b'\"\\/", k=9))
        rename(generator.choice(people), f"N{name}")
    else:
        stream = f"table/T{generator.randint(1, 5)}"
        create_stream(stream)
        note(stream, generator.choice(["T1/1/1", "x", "-"]))
