"""What a check says: as many problems as wanted, each on one line of plain text."""

import unicodedata

import pytest

from audit.chain import canonical
from audit.log.registry import declared
from audit.log.replay import _compare
from audit.log.replay_heads import with_defaults
from audit.log.report import Collector, EnoughError, Problem, Report
from audit.log.sorting import Sorter
from audit.log.stored import StoredFact
from tables.models import TableSession, TakenOut


def test_a_name_cannot_break_or_steer_the_line() -> None:
    """Trust S8: CR, LF, ANSI, C1 and U+2028 in what is quoted."""
    problem = Problem("fact.extra", "staff Ben\r\n\x1b[2J", "Pe\u00f1a \u2028 \x9b \u202e")
    assert str(problem) == ("staff Ben\\r\\n\\x1b[2J: Pe\u00f1a \\u2028 \\x9b \\u202e (fact.extra)")


def test_what_is_quoted_can_stand_in_the_log() -> None:
    """NFD, NUL and a lone surrogate have no canonical form; what looks alike stays told apart."""
    typed_apart = unicodedata.normalize("NFD", "Pe\u00f1a")
    problem = Problem(
        "head.differs", f"staff {typed_apart}\0", f"{typed_apart}\ud800, not Pe\u00f1a"
    )
    assert (problem.where, problem.detail) == (
        "staff Pen\\u0303a\\x00",
        "Pen\\u0303a\\ud800, not Pe\\xf1a",
    )
    assert canonical([problem.where, problem.detail])
    assert Problem("a.b", "Pe\u00f1a", "").where == "Pe\u00f1a"


def test_an_entry_of_before_a_column_says_its_default() -> None:
    session = declared(TableSession)
    of_before = {"state": "open", "disputed_minor": 5}
    stored = {**of_before, "moved_late_minor": 0}
    assert with_defaults(session, of_before, columns=stored) == stored
    changed = {**of_before, "moved_late_minor": 7}
    assert with_defaults(session, of_before, columns=changed) == stored
    assert "number" not in with_defaults(session, of_before, columns={**stored, "number": 1})


@pytest.mark.django_db
def test_a_fact_of_before_a_column_has_its_default() -> None:
    table = declared(TakenOut)
    stored = dict.fromkeys(table.logged) | {"stands": ["pair"], "reverses": []}
    of_before = {name: value for name, value in stored.items() if name != "reverses"}
    for reverses, sound in (([], True), (["pair"], False)):
        report = Report()
        fact = StoredFact(1, 1, {**stored, "reverses": reverses})
        _compare(table, [of_before], [fact], "entry table/T1 1", Collector(report, 2))
        assert report.sound == sound


def test_the_limit_ends_the_check() -> None:
    report = Report()
    problems = Collector(report, 2)
    problems.add("a.b", "here", "one")
    assert (report.sound, report.complete) == (False, True)
    with pytest.raises(EnoughError):
        problems.add("a.b", "there", "two")
    assert (len(report.problems), report.complete) == (2, False)


@pytest.mark.parametrize("run_items", [1, 3, 100])
def test_sorting_gives_the_same_in_memory_and_through_files(run_items: int) -> None:
    with Sorter(run_items=run_items) as sorter:
        for number, (kind, key) in enumerate(
            [
                ("b", "\u00e9"),
                ("a", "z"),
                ("b", "Z"),
                ("b", "\uffff"),
                ("b", "\U0001f0a1"),
                ("a", "z"),
            ]
        ):
            sorter.add(kind, key, number, str(number))
        assert list(sorter.sorted()) == [
            ("a", "z", "1"),
            ("a", "z", "5"),
            ("b", "Z", "2"),
            ("b", "\u00e9", "0"),
            ("b", "\uffff", "3"),
            ("b", "\U0001f0a1", "4"),
        ]
