"""What is run again: a script, or a whole command, and which files of the project it runs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from typing import Literal

from aoti_lint.errors import CannotRun
from aoti_lint.files.near import beside

Kind = Literal["python", "pytest", "launcher", "binary"]
"""`launcher` starts Python processes of its own, such as torchrun; `binary` is a program without Python."""

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*w?(?:\.exe)?", re.IGNORECASE)
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_PYTEST = ("pytest", "py.test")
_LAUNCHERS = ("torchrun", "accelerate", "deepspeed", "torch.distributed.run", "torch.distributed.launch")
_BEFORE = ("env", "nohup", "nice", "time", "timeout", "stdbuf", "numactl", "taskset", "srun", "mpirun", "mpiexec",
           "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba")  # fmt: skip
"""Commands that run the command after them."""
_WITH_VALUE = ("-X", "-W", "--check-hash-based-pycs")
_ARCHIVES = (".pt2", ".so")


@dataclass(frozen=True, slots=True)
class Target:
    """A command of the user. `python` is the interpreter in it, or what stands for its environment (`pytest`).

    `scripts` are the files it runs, as far as its words tell; `archives` the programs and packages among its words.
    """

    command: tuple[str, ...]
    kind: Kind
    python: str | None = None
    scripts: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()

    @property
    def program(self) -> int | None:
        """Where in the command the program begins that a debugger can start; None where there is none.

        Wrappers such as `uv run` come before it; `pytest` and `torchrun` are scripts.
        """
        if self.kind == "binary":
            return 0
        if self.kind != "launcher" and self.python is not None and _is_python(self.python):
            return self.command.index(self.python)
        return None

    @property
    def interpreter(self) -> str:
        """A Python of the environment that it runs in, as far as that is known."""
        if self.python is None:
            return interpreter()
        if _is_python(self.python):
            return self.python
        beside = os.path.join(os.path.dirname(shutil.which(self.python) or ""), "python")
        return beside if os.path.exists(beside) else interpreter()

    def after(self, *words: str) -> tuple[str, ...]:
        """The command with other words put before its program; before all of it where that is not known.

        What C prints is shown line by line, as it would be lost in a crash: pytest is told so, and a program without
        Python, which PYTHONUNBUFFERED is nothing to.
        """
        at = self.program or 0
        return (*self.command[:at], *self._by_line(), *words, *self._shown()[at:])

    def _by_line(self) -> tuple[str, ...]:
        told = self.kind != "binary" or any(_name(word) == "stdbuf" for word in self.command)
        return () if told or shutil.which("stdbuf") is None else ("stdbuf", "-oL")

    def _shown(self) -> tuple[str, ...]:
        command = self.command
        if self.kind != "pytest" or not {"-s", "--capture=no"}.isdisjoint(command):
            return command
        at = next(at for at, word in enumerate(command) if _name(word) in _PYTEST) + 1
        return (*command[:at], "-s", *command[at:])


def of_script(script: str, arguments: list[str], python: str) -> Target:
    """`SCRIPT ARGS`, run by `python`. Raises `CannotRun` if there is no such script."""
    if not os.path.isfile(script):
        hint = f"; to run a command: aoti-lint rerun -- {script} …" if shutil.which(script) else beside(script)
        raise CannotRun(f"{script}: there is no such file{hint}")
    if not script.endswith((".py", ".pyw")):
        raise CannotRun(f"{script} is no Python script; to run a command: aoti-lint rerun -- {script} …")
    return Target((python, script, *arguments), "python", python, (script,), _archives(arguments))


def of_command(words: list[str]) -> Target:
    """A whole command, such as `pytest tests/test_model.py -k export`. Raises `CannotRun` if there is none."""
    if not words:
        raise CannotRun("what should be run? Write aoti-lint rerun SCRIPT [-- ARGS], or aoti-lint rerun -- COMMAND…")
    if _SETTING.match(words[0]):
        words = ["env", *words]
    command, archives = tuple(words), _archives(words)
    for at, word in enumerate(words):
        name = _name(word)
        if _is_python(word):
            kind, scripts = _of_python(words[at + 1 :])
            return Target(command, kind, word, scripts, archives)
        if name in _PYTEST:
            return Target(command, "pytest", word, _tests(words[at + 1 :]), archives)
        if name in _LAUNCHERS:
            return Target(command, "launcher", word, _launched(words[at + 1 :]), archives)
        if word.endswith(".py") and os.path.isfile(word):
            return Target(command, "python", None, (word,), archives)
        if at == 0 and name not in _BEFORE and "=" not in word:
            break  # the words of a binary are its own
    return Target(command, "binary", None, (), archives)


def interpreter() -> str:
    """The interpreter to run a script with: this one where it has torch, else the one that the shell would find."""
    from aoti_lint.torch_api.environment import installed_torch

    if installed_torch(sys.executable) is None:
        for name in ("python", "python3"):
            found = shutil.which(name)
            if found is not None and installed_torch(found) is not None:
                return found
    return sys.executable


def _of_python(words: list[str]) -> tuple[Kind, tuple[str, ...]]:
    """What an interpreter is told to run."""
    at = 0
    while at < len(words):
        word = words[at]
        if word == "-m" and at + 1 < len(words):
            return _of_module(words[at + 1], words[at + 2 :])
        if word == "-c":
            return "python", ()
        if word in _WITH_VALUE:
            at += 1
        elif not word.startswith("-"):
            return "python", (word,) if os.path.isfile(word) else ()
        at += 1
    return "python", ()


def _of_module(module: str, words: list[str]) -> tuple[Kind, tuple[str, ...]]:
    if module in _PYTEST:
        return "pytest", _tests(words)
    if module in _LAUNCHERS or module.startswith("accelerate."):
        return "launcher", _launched(words)
    path = module.replace(".", "/")
    tried = [f"{folder}{path}{end}" for folder in ("", "src/") for end in (".py", "/__main__.py")]
    return "python", tuple(name for name in tried if os.path.isfile(name))[:1]


def _tests(words: list[str]) -> tuple[str, ...]:
    """The files among the arguments of pytest; `tests/test_a.py::test_b` names one too."""
    files = [word.partition("::")[0] for word in words]
    return tuple(dict.fromkeys(name for name in files if name.endswith(".py") and os.path.isfile(name)))


def _launched(words: list[str]) -> tuple[str, ...]:
    """The script that a launcher starts: its first word that is one, or the module after `-m`."""
    for at, word in enumerate(words):
        if word == "-m" and at + 1 < len(words):
            return _of_module(words[at + 1], [])[1]
        if word.endswith(".py") and os.path.isfile(word):
            return (word,)
    return ()


def _archives(words: list[str]) -> tuple[str, ...]:
    files = [word.partition("=")[2] if word.startswith("-") else word for word in words]
    return tuple(name for name in files if name.endswith(_ARCHIVES) and os.path.isfile(name))


def _is_python(word: str) -> bool:
    return _PYTHON.fullmatch(_name(word)) is not None


def _name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]
