"""The server's own client, as somebody with a password would use it around the application."""

import re
import subprocess
from collections.abc import Sequence

from casino.embedded.binaries import installed_binaries


def states(url: str, statements: Sequence[str]) -> list[str]:
    """Run statements one by one in psql; answer with the SQLSTATE of each, "" for none."""
    script = "".join(f"\\echo :::\n{statement};\n" for statement in statements)
    done = subprocess.run(
        [
            installed_binaries().program("psql"),
            *("--no-psqlrc", "--quiet", "--set=VERBOSITY=sqlstate", f"--dbname={url}"),
        ],
        input=script,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    answers = done.stdout.split(":::\n")
    assert answers[0] == "", done.stdout
    assert len(answers) == len(statements) + 1, done.stdout
    return [
        found[1] if (found := re.search(r"^(?:ERROR|psql.*ERROR): +(\w{5})", answer, re.M)) else ""
        for answer in answers[1:]
    ]
