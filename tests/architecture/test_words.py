"""One word for one thing: what people read says wager and player, and no bet, guest or patron.

So do the documents, outside of what they quote and of the names of fields.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.files import ROOT, name, python_files, text_files, tree

# What a dealer calls, and what a sign says of a game without a price for ties: both are fixed.
_FIXED = ("No more bets", "No tie bet")
# The sentences of a round document, which says bet for wager.
_DOCUMENT = ROOT / "tables/games/whys.py"
_OTHER_WORDS = re.compile(r"\b(bets?|guests?|patrons?)\b", re.IGNORECASE)
_TRANSLATED = re.compile(
    r"""{% translate ("[^"]*"|'[^']*')|{% blocktranslate[^%]*%}(.*?){% endblocktranslate""", re.S
)
_FIELDS = re.compile(r"{{.*?}}|{%.*?%}")


def _of_python(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and (node.func.id == "_" or node.func.id.startswith("gettext"))
        ):
            for each in node.args:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.value


def _of_template(path: Path) -> Iterator[str]:
    for found in _TRANSLATED.finditer(path.read_text(encoding="utf-8")):
        yield found[1] or found[2]


# They say what a round document says.
_SAY_BET = ("docs/round-document.md",)
_QUOTED = re.compile(r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"", re.S)


def test_documents_say_one_word_for_one_thing() -> None:
    read = [
        path
        for path in text_files()
        if path.suffix == ".md" and "docs" in path.parts and name(path) not in _SAY_BET
    ]
    assert len(read) > 20
    others = [
        f"{name(path)}: {line}"
        for path in read
        for line in _QUOTED.sub("", path.read_text(encoding="utf-8")).splitlines()
        if _OTHER_WORDS.search(line)
    ]
    assert others == [], "a stake is a wager, who places it is a player"


def test_people_read_one_word_for_one_thing() -> None:
    texts = [
        (path, text)
        for path in python_files()
        if "tests" not in path.parts and path != _DOCUMENT
        for text in _of_python(path)
    ]
    texts += [
        (path, text)
        for path in text_files()
        if path.suffix == ".html"
        for text in _of_template(path)
    ]
    assert len(texts) > 2000
    others = [
        f"{name(path)}: {text}"
        for path, text in texts
        if _OTHER_WORDS.search(_FIELDS.sub("", text)) and text.strip("\"'") not in _FIXED
    ]
    assert others == [], "a stake is a wager, who places it is a player"
