"""Every value that an option may have, walked over a game's schema."""

from collections.abc import Iterator

from tables.games.options import Amounts, Choice, Fixed, Flag, Form, Group, Price, Whole


def values_of(form: Form, path: str) -> Iterator[tuple[str, object]]:
    """Yield every option with each of its values that is not the default; ... for any number."""
    if isinstance(form, Group):
        for name, member in form.members.items():
            yield from values_of(member, f"{path}.{name}" if path else name)
    elif isinstance(form, Choice):
        yield from ((path, value) for value in form.values[1:])
    elif isinstance(form, Flag):
        yield path, not form.default
    elif isinstance(form, Whole | Price | Amounts):
        yield path, ...
    else:
        assert isinstance(form, Fixed)
