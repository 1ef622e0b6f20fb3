"""`make test` gets its browser by itself as root, and says what to install to anybody else."""

import subprocess
from pathlib import Path

from casino.embedded.state import CHECKOUT


def _program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    script = str(CHECKOUT / "tests/chromium.sh")
    return subprocess.run(
        ["/bin/sh", script], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )


def test_where_it_is_present_nothing_happens(tmp_path: Path) -> None:
    _program(tmp_path, "chromium", "exit 0")
    done = _run(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_ordinary_user_is_told_what_to_install(tmp_path: Path) -> None:
    _program(tmp_path, "id", "echo 1000")
    done = _run(tmp_path)
    assert done.returncode == 1
    assert "apt-get install chromium" in done.stderr


def test_root_gets_it_through_apt(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    _program(tmp_path, "id", "echo 0")
    _program(
        tmp_path,
        "apt-get",
        f'echo "$1" >> {calls}\n'
        f'[ "$1" = install ] || exit 0\n'
        f'printf "#!/bin/sh\\n" > {tmp_path}/chromium\n/bin/chmod 755 {tmp_path}/chromium',
    )
    done = _run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert calls.read_text().split() == ["update", "install"]


def test_root_without_apt_is_told_too(tmp_path: Path) -> None:
    _program(tmp_path, "id", "echo 0")
    done = _run(tmp_path)
    assert done.returncode == 1
    assert "CHROMIUM" in done.stderr
