"""A tree with pipes, devices, sockets and endless files in the place of what is read: a check ends, and says so.

Each run is a process of its own, with little memory; `timeout` only guards against what this is about.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.scripts import DEPRECATED

MEMORY = 2 << 30
PROJECT = '[project]\ndependencies = ["torch==2.13.*"]\n'
BESIDE = (
    "pyproject.toml", ".gitignore", ".git/info/exclude", "requirements.txt", "requirements-dev.txt", "uv.lock",
    "poetry.lock", "Pipfile.lock", "environment.yml", "setup.cfg", ".venv/pyvenv.cfg", "m.py", "package/__init__.py",
    "settings.json", "data.yaml",
)  # fmt: skip
NAMED = ("named.py", "book.ipynb", "net.pt2", "run.sh", "Dockerfile", ".env", "ci.yml", "ops.cpp", "lib.so", "script")
SCRIPT = f"""{DEPRECATED}
import json, yaml
from m import x
from package import y
settings = json.load(open("settings.json"))
more = yaml.safe_load(open("data.yaml"))
"""


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def lint(folder: Path, *words: str, stdin: str = os.devnull) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aoti_lint", *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with open(stdin, "rb") as given:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=given, capture_output=True, text=True, timeout=120,
            preexec_fn=limited,
        )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def document(folder: Path, *words: str) -> dict[str, list[dict[str, str]]]:
    done = lint(folder, "--no-cache", *words, "--output-format", "json")
    assert done.stdout, done.stderr
    found: dict[str, list[dict[str, str]]] = json.loads(done.stdout)
    return found


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def device(path: Path) -> None:
    path.symlink_to("/dev/tty")


@pytest.fixture(params=[pipe, endless, sparse])
def put(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    made: Callable[[Path], None] = request.param
    return made


def test_what_stands_beside_the_sources_is_passed_over_and_said(tmp_path: Path, put: Callable[[Path], None]) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    for name in BESIDE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        put(tmp_path / name)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").touch()
    found = document(tmp_path, "script.py", "inner")
    assert not found["errors"]
    assert found["diagnostics"]
    notes: list[str] = found["summary"]["notes"]  # type: ignore[call-overload]
    said = {note.partition(" was passed over: ")[0] for note in notes}
    assert said == set(BESIDE)
    assert len(notes) == len(set(notes))


def test_what_is_named_and_cannot_be_read_is_an_error(tmp_path: Path, put: Callable[[Path], None]) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    for name in NAMED:
        put(tmp_path / name)
    done = lint(tmp_path, *NAMED)
    assert done.returncode == 2
    # Two have to be looked into to see what they are: zeros are no script.
    unknown = ["ci.yml", "script"] if put is sparse else []
    assert [f"Skipped {name}: not a Python file" in done.stdout for name in unknown] == [True] * len(unknown)
    assert [f"error[AOTI002]: {name}: " in done.stdout for name in NAMED if name not in unknown] == [True] * (
        len(NAMED) - len(unknown)
    )


@pytest.mark.parametrize(
    "words",
    [("triage", "log.txt"), ("inspect", "net.pt2"), ("contract", "net.pt2"), ("--config", "other.toml", "a.py"),
     ("contract", "net.pt2", "--weights", "w.safetensors")],
)  # fmt: skip
def test_every_command_says_in_one_line_what_it_cannot_read(
    tmp_path: Path, words: tuple[str, ...], put: Callable[[Path], None]
) -> None:
    for name in ("log.txt", "net.pt2", "other.toml", "w.safetensors"):
        put(tmp_path / name)
    done = lint(tmp_path, *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_our_own_configuration_is_not_passed_over(tmp_path: Path, put: Callable[[Path], None]) -> None:
    (tmp_path / "a.py").touch()
    put(tmp_path / "aoti-lint.toml")
    done = lint(tmp_path, "a.py")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_standard_input_that_never_ends(tmp_path: Path) -> None:
    done = lint(tmp_path, "-", stdin="/dev/zero")
    expected = "standard input: this has more than 16 MiB, the most that is read of a source file"
    assert (done.returncode, done.stderr) == (2, f"aoti-lint: error: {expected}\n")


def test_more_patterns_than_anybody_has(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    (tmp_path / ".gitignore").write_text("".join(f"name{n}\n" for n in range(100_000)), encoding="utf-8")
    expected = ".gitignore was passed over: there are more than 10000 patterns of what is ignored"
    assert document(tmp_path, ".")["summary"]["notes"] == [expected]  # type: ignore[call-overload]


def test_folders_that_are_nested_beyond_every_limit(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    before = os.open(".", os.O_RDONLY)
    os.chdir(tmp_path)
    try:
        for _ in range(2100):
            os.mkdir("d")
            os.chdir("d")
        Path("x.py").touch()
    finally:
        os.fchdir(before)
        os.close(before)
    found = document(tmp_path, ".")
    assert not found["errors"]
    assert [item["reason"] for item in found["skipped"]] == ["File name too long"]
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_links_that_lead_round_in_circles(tmp_path: Path) -> None:
    (tmp_path / "aoti-lint.toml").write_text('archives = ["**/*.pt2"]\n', encoding="utf-8")
    (tmp_path / "a.py").touch()
    (tmp_path / "one").symlink_to(".")
    (tmp_path / "two").symlink_to(".")
    (tmp_path / "self.py").symlink_to("self.py")
    assert document(tmp_path, ".")["skipped"] == [{"filename": "**/*.pt2", "reason": "no archive is there"}]


def test_archives_are_found_as_glob_finds_them(tmp_path: Path) -> None:
    from aoti_lint.source.discovery.archives import matched

    names = ["a.pt2", "dist/b.pt2", "dist/deep/c.pt2", ".hidden/d.pt2", "dist/.e.pt2", "x.so"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    every = {
        "*.pt2": ["a.pt2"], "**/*.pt2": ["a.pt2", "dist/b.pt2", "dist/deep/c.pt2"], "dist/*/*.pt2": ["dist/deep/c.pt2"],
        "dist/**": ["dist/b.pt2", "dist/deep/c.pt2"], "dist/../a.pt2": ["a.pt2"], ".hidden/*": [".hidden/d.pt2"],
        "**/dist/**/.e.pt2": ["dist/.e.pt2"], f"{tmp_path}/?.so": ["x.so"], "**/none.pt2": [],
    }  # fmt: skip
    for pattern, expected in every.items():
        found, idle = matched([pattern], str(tmp_path), str(tmp_path))
        assert (pattern, found) == (pattern, expected)
        assert idle == ([] if expected else [pattern])
