"""Which values of procedures a game takes at all: what a form may offer to who drafts them.

It asks the check itself and lists nothing a second time. What only another procedure forbids is
offered, because the other one may be changed as well.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from tables.games.contradictions import procedures_contradictions
from tables.games.errors import ProceduresError
from tables.games.options import Choice, Form, Group, Whole
from tables.games.procedures import load_procedures, procedures_schema
from tables.games.registry import GAMES


def offered_procedures(game: str, *, says: Mapping[str, object]) -> Group:
    """Return the forms of a known game's procedures with the values that it takes.

    What a draft says already stays among them, or a form would show something else than it holds.
    """
    taken = _taken(game)
    members = procedures_schema(GAMES[game]).members
    return Group(
        {name: _with(form, says.get(name), taken[name]) for name, form in members.items()},
        unknown="unknown_procedure",
    )


def _with(form: Form, said: object, taken: Form) -> Form:
    if isinstance(form, Choice) and isinstance(taken, Choice):
        kept = tuple(value for value in form.values if value in taken.values or value == said)
        return Choice(kept)
    return taken if said is None or said == form.default else form


@cache
def _taken(game: str) -> Mapping[str, Form]:
    members = procedures_schema(GAMES[game]).members
    return {name: _narrowed(game, name, form) for name, form in members.items()}


def _narrowed(game: str, name: str, form: Form) -> Form:
    if isinstance(form, Choice):
        return Choice(tuple(value for value in form.values if _is_taken(game, name, value)))
    if isinstance(form, Whole) and form.default is not None:
        ends = {form.low, form.high} - {form.default}
        if not any(_is_taken(game, name, value) for value in ends):
            return Whole(form.default, low=form.default, high=form.default)
    return form


def _is_taken(game: str, name: str, value: object) -> bool:
    """Tell whether the check takes a value beside the defaults, of which one may be another."""
    return any(_holds(game, {**other, name: value}) for other in _others(game))


def _others(game: str) -> Iterator[Mapping[str, object]]:
    yield {}
    for name, form in procedures_schema(GAMES[game]).members.items():
        if isinstance(form, Choice):
            yield from ({name: value} for value in form.values[1:])


def _holds(game: str, options: Mapping[str, object]) -> bool:
    try:
        procedures = load_procedures(game, options)
    except ProceduresError:
        return False
    return not procedures_contradictions(game, procedures)
