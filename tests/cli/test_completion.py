"""Completion, in the shells themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.cli.completion import parsers
from aoti_lint.cli.schema import DOCUMENTS
from aoti_lint.cli.shared.commands import COMMANDS
from tests.cli.conftest import Result

Lint = Callable[..., Result]
BASH, FISH, ZSH = map(shutil.which, ("bash", "fish", "zsh"))
# The words as bash parts them: `=` is one of its own.
CASES = [
    (["expl"], {"explain"}),
    (["s"], {"schema", "script.py"}),
    (["scr"], {"script.py"}),
    (["schema", "tensors"], {"tensors", "tensors-difference"}),
    (["explain", "AOTI30"], {f"AOTI30{number}" for number in range(1, 10)}),
    (["explain", "unused-s"], {"unused-suppression"}),
    (["--output-f"], {"--output-format", "--output-file"}),
    (["check", "x.py", "--output-f"], {"--output-format", "--output-file"}),
    (["inspect", "--fail-on", ""], {"any", "breaking"}),
    (["merge", "--exit"], {"--exit-zero"}),
    (["--ignore", "deprecated-"], {"deprecated-aot-api"}),
    (["--select", "AOTI201,missing-api,unused-s"], {"AOTI201,missing-api,unused-suppression"}),
    (["completion", "f"], {"fish"}),
    (["contract", "--gra"], set[str]()),
]


@pytest.fixture
def script(project: Path, lint: Lint) -> Callable[[str], Path]:
    """Writes the script for a shell, and a file to complete."""
    (project / "script.py").touch()

    def made(shell: str) -> Path:
        path = project / f".script.{shell}"
        path.write_text(lint("completion", shell).out, encoding="utf-8")
        return path

    return made


def bash(path: Path, words: list[str]) -> set[str]:
    """What bash is offered when Tab is pressed after these words."""
    line = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aoti_lint; printf "%s\\n" "${COMPREPLY[@]}"'
    command = [str(BASH), "--norc", "-c", line, "bash", str(path), "aoti-lint", *words]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(filter(None, done.stdout.split("\n")))


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(("words", "offered"), [*CASES, (["--output-format", "=", "js"], {"json", "json-lines"}),
                                                (["--color", "="], {"auto", "always", "never"})])  # fmt: skip
def test_bash(script: Callable[[str], Path], words: list[str], offered: set[str]) -> None:
    assert bash(script("bash"), words) == offered


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_is_offered_every_command_and_option(script: Callable[[str], Path]) -> None:
    path = script("bash")
    assert bash(path, [""]) == {*COMMANDS, "script.py", ".script.bash", "pyproject.toml"}
    for name, parser in parsers().items():
        listed = re.findall(r"^  (-.*?)(?:  |$)", parser.format_help(), re.MULTILINE)
        options = {one for line in listed for one in re.findall(r"(?<!\S)--?[a-z][a-z-]*", line)}
        assert bash(path, [name, "-"]) == options
    assert bash(path, ["schema", ""]) == set(DOCUMENTS)


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_and_names_of_files_that_are_odd(script: Callable[[str], Path]) -> None:
    path = script("bash")
    (path.parent / "my $(touch gone) *.py").touch()
    assert bash(path, ["my"]) == {"my $(touch gone) *.py"}
    assert not (path.parent / "gone").exists()


@pytest.mark.skipif(FISH is None, reason="there is no fish")
@pytest.mark.parametrize(("words", "offered"), CASES)
def test_fish(script: Callable[[str], Path], words: list[str], offered: set[str]) -> None:
    line = f"source .script.fish; complete -C {' '.join(['aoti-lint', *words])!r}"
    path = script("fish")
    done = subprocess.run([str(FISH), "--no-config", "-c", line], cwd=path.parent, capture_output=True, text=True)
    assert done.stderr == ""
    assert offered <= {one.partition("\t")[0] for one in done.stdout.splitlines()}


@pytest.mark.skipif(ZSH is None, reason="there is no zsh")
def test_zsh_can_read_it(script: Callable[[str], Path]) -> None:
    path = script("zsh")
    subprocess.run([str(ZSH), "-f", "-c", f"source {path}; (( $+functions[_aoti_lint] ))"], check=True, cwd=path.parent)
