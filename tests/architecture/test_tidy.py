"""House rules that enforce themselves: each message says what to do instead."""

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.files import CODE, ROOT, name, python_files, text_files, tree

LINES_MAX = 400
FUNCTION_LINES_MAX = 70
THIS = Path(__file__)


def _matches(pattern: str, *, suffixes: set[str] | None = None) -> list[str]:
    """Lines of the project that match, but for those of this file."""
    compiled = re.compile(pattern)
    found = []
    for path in text_files():
        if path == THIS or (suffixes is not None and path.suffix not in suffixes):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if compiled.search(line):
                found.append(f"{name(path)}:{number}: {line.strip()[:100]}")
    return found


def test_a_module_fits_into_one_head() -> None:
    long = {
        name(path): lines
        for path in python_files()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LINES_MAX
    }
    assert long == {}, "split the module by noun, in a package"


def test_a_function_fits_on_a_page() -> None:
    long = [
        f"{name(path)}: {node.name} has {node.end_lineno - node.lineno + 1} lines"
        for path in python_files()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert long == [], "a function does one thing"


def test_a_module_says_what_it_is_for() -> None:
    mute = [
        name(path)
        for path in python_files()
        if "tests" not in path.parts and tree(path).body and not ast.get_docstring(tree(path))
    ]
    assert mute == [], "begin the module with a docstring: what for, what it must not do"


def test_no_path_of_somebodys_machine() -> None:
    assert _matches(r"(?<![\w.])/(home|root|Users|work)/") == [], "use a path from a setting"


def test_no_address_of_an_index() -> None:
    given = r"(index-url|find-links|INDEX_URL|FIND_LINKS|registry)[ =\"']+\S*://"
    assert _matches(given) == [], "an index comes from the machine, not from a file"
    assert _matches(r"://", suffixes={".in", ".txt"}) == [], "locks hold no address: `make lock`"


def test_nothing_unfinished_nothing_skipped() -> None:
    unfinished = _matches(r"\b(TODO|FIXME|XXX)\b", suffixes={".py", ".sql", ".html", ".js", ".css"})
    assert unfinished == [], "finish it, or file it"
    skipped = _matches(r"(pytest\.(mark\.)?|unittest\.)(skip|xfail|importorskip)", suffixes={".py"})
    assert skipped == [], "a test that cannot run fails and says what it needs"


def test_an_exception_to_a_check_says_why() -> None:
    silent = _matches(r"# type: ignore\[[^\]]*\]\s*$|# type: ignore(?!\[)", suffixes={".py"})
    assert silent == [], "write `# type: ignore[code]  # because ...`"
    mute = _matches(r"# noqa(: [A-Z]+\d+(, ?[A-Z]+\d+)*\s*$|(?!: [A-Z]+\d))", suffixes={".py"})
    assert mute == [], "write `# noqa: CODE  because ...`"


def test_a_code_names_one_error() -> None:
    owners: dict[str, list[str]] = {}
    for path in python_files():
        for node in ast.walk(tree(path)):
            for code in _code_of(node):
                owners.setdefault(code, []).append(name(path))
    twice = {code: found for code, found in owners.items() if len(found) > 1}
    assert twice == {}, "a client acts on the code: give each reason its own"


def _code_of(node: ast.AST) -> list[str]:
    """The code that an error class states for itself."""
    if not isinstance(node, ast.ClassDef) or not node.name.endswith("Error"):
        return []
    lines = [line for line in node.body if isinstance(line, ast.Assign | ast.AnnAssign)]
    return [
        ast.literal_eval(line.value)
        for line in lines
        if line.value is not None and ast.unparse(line).startswith(("code = ", "code: "))
    ]


def test_models_and_signals_do_nothing_behind_our_back() -> None:
    overriding = [
        f"{name(path)}: {node.name}.{inner.name}"
        for path in python_files()
        if "models" in name(path)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, ast.FunctionDef) and inner.name in ("save", "delete", "clean")
    ]
    assert overriding == [], "a service writes; a model holds fields and constraints"
    signals = _matches(r"django\.db\.models\.signals", suffixes={".py"})
    assert signals == [], "signals miss bulk writes; write an outbox row in the service"


def test_a_door_asks_a_selector_and_calls_a_service() -> None:
    rooms = re.compile(r"^(?!tests).*/(api|web)/|^(?!tests).*/tasks\.py")
    asking = [
        line
        for line in _matches(r"\.objects\b|connection\.cursor", suffixes={".py"})
        if rooms.match(line)
    ]
    assert asking == [], "write a selector or a service"


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", "put the script into a module"),
        (r"<style|\sstyle=", "put the rule into a style sheet"),
        (r"\son[a-z]+=[\"']", "listen in a module"),
        (r"(src|href)=[\"'](https?:)?//", "serve it from here"),
    ],
)
def test_templates_hold_no_script_no_style_no_other_host(pattern: str, instead: str) -> None:
    assert _matches(pattern, suffixes={".html"}) == [], instead


def test_every_dependency_has_its_line() -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| ([A-Za-z][A-Za-z0-9-]*) \|", page, re.MULTILINE)) - {"package"}
    wanted = set()
    for lock in ("run.in", "dev.in"):
        for line in (ROOT / "requirements" / lock).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("-", "#")):
                wanted.add(re.split(r"[\[<>=; ]", line)[0])
    assert described == wanted, "docs/dependencies.md: what for, why this one, instead of what"


def test_locks_are_complete() -> None:
    for lock in ("run.txt", "dev.txt"):
        text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
        blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
        unhashed = [block.split()[0] for block in blocks if "--hash=sha256:" not in block]
        assert unhashed == [], lock
        assert "://" not in text, lock


def test_migrations_are_named() -> None:
    nameless = [
        name(path)
        for path in python_files(migrations=True)
        if "migrations" in path.parts and re.match(r"\d+_(auto|initial|alter_|remove_)", path.name)
    ]
    assert nameless == [], "name a migration after its one idea"


def test_code_lies_where_it_is_read() -> None:
    strays = [
        name(path)
        for path in python_files(migrations=True)
        if path.relative_to(ROOT).parts[0] not in (*CODE, "manage.py")
    ]
    assert strays == []
