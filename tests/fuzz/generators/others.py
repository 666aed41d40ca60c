"""Cases of settings, of logs and of arguments."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import cache
from importlib import import_module
from random import Random

from tests.fuzz.case import OUT, Case
from tests.fuzz.generators import corpus
from tests.fuzz.generators.grammar import expanded, grammar
from tests.fuzz.generators.mutate import SPICE, changed
from tests.fuzz.generators.sources import check, notebook, written

_KINDS = {
    "pyproject.toml": ("toml", "file"), "aoti-lint.toml": ("toml", "own"), "run.sh": ("shell", "file"),
    "Dockerfile": ("docker", "file"),
    ".github/workflows/ci.yml": ("yaml", "file"), "compose.yaml": ("yaml", "file"), ".gitlab-ci.yml": ("yaml",
        "file"), ".env": ("dotenv", "file"),
    "requirements.txt": ("requirements", "file"), "other.txt": ("requirements", "file"),
}  # fmt: skip


def settings(numbers: Random) -> Case:
    """A script, and what is set for it outside Python."""
    files = {"script.py": written(numbers) if numbers.randrange(3) else numbers.choice(corpus.scripts())}
    for name in numbers.sample(sorted(_KINDS), numbers.choice((1, 1, 2, 3))):
        language, start = _KINDS[name]
        data = expanded(grammar(language), start, numbers).encode("utf-8", "surrogatepass")
        files[name] = changed(data, numbers) if numbers.randrange(2) else data
    if not numbers.randrange(4):
        files["book.ipynb"] = notebook(numbers)
    for name in (".gitignore", "poetry.lock", "uv.lock", "setup.cfg", "environment.yml"):
        if not numbers.randrange(10):
            files[name] = numbers.choice((b"*.py\n!x\n[\n", b"[[package]]\nname = \"torch\"\nversion = \"2.8.0\"\n",
                b"dependencies:\n - pytorch=2.8\n",
                                          b"[options]\ninstall_requires =\n  torch==2.8\n", b"**/" * 50 + b"x",
                                          b"\xff\x00")) + numbers.choice(SPICE)  # fmt: skip
    return Case("settings", files, [check(numbers, ".")])


def logs(numbers: Random) -> Case:
    """A log, from a file or from standard input."""
    if numbers.randrange(3):
        data = changed(numbers.choice(corpus.logs()), numbers, corpus.logs())
    else:
        lines = [numbers.choice(corpus.log_lines()) for _ in range(numbers.randint(1, 12))]
        lines.insert(0, b'  File "script.py", line 3, in <module>') if numbers.randrange(2) else None
        data = b"\n".join(
            changed(line, numbers, corpus.log_lines()) if numbers.randrange(2) else line for line in lines
        )
    files = {"run.log": data}
    if not numbers.randrange(4):
        files["script.py"] = numbers.choice(corpus.scripts())
    words = ["triage", numbers.choice(("run.log", "run.log", "-"))]
    words += numbers.choice(([], ["--no-check"], ["--output-format", "json"], ["--source", "script.py"]))
    if not numbers.randrange(6):
        files["script.py"] = numbers.choice(corpus.scripts())
        words = [
            "rerun",
            "script.py",
            "--from-log",
            "run.log",
            *numbers.choice(([], ["--output-format", "sh"], ["--output-format", "json"], ["-o", f"{OUT}/plan.py"])),
        ]
    return Case("logs", files, [words], stdin=data if "-" in words else b"")


_NAMES = (
    "pyproject.toml", "aoti-lint.toml", ".gitignore", "requirements.txt", "helper.py", "script.py", "other",
    "model.pt2", "run.sh", ".env",
    "uv.lock", "weights.pt", "book.ipynb", "sub/x.py", "ops.cpp", "Dockerfile", "a\nb.py", "\x1b[31m.py",
        "::error ::x.py", "\udcff.py", "-x.py",
    "a b.py", "$(id).py", "'.py", "x" * 250 + ".py", ".aoti_lint_cache", "torch.py", "os.py", "torch/__init__.py",
    "sitecustomize.py", "é.py",
)  # fmt: skip
_TARGETS = (
    "/dev/zero",
    "/dev/null",
    "/dev/tty",
    "/proc/self/mem",
    ".",
    "..",
    "/",
    "loop",
    "script.py",
    "missing",
    "/etc",
    "/proc/self/fd/0",
    "run.log",
)


def odd(numbers: Random) -> Case:
    """A tree with links, pipes, folders where files belong, and names that nobody would choose."""
    files = {
        "script.py": written(numbers) + b"from helper import *\nimport other, torch\n",
        "run.log": numbers.choice(corpus.logs()),
    }
    links: dict[str, str] = {"loop": "loop"} if numbers.randrange(2) else {}
    pipes: list[str] = []
    for name in numbers.sample(_NAMES, numbers.randint(1, 5)):
        match numbers.randrange(4):
            case 0 if "/" not in name:
                links[name] = numbers.choice(_TARGETS)
            case 1 if "/" not in name:
                pipes.append(name)
            case 2 if "/" not in name:
                files[f"{name}/inside.py"] = written(numbers)
            case _:
                files[name] = written(numbers)
    for name in (*links, *pipes):
        files.pop(name, None)
    paths = numbers.choice((["."], ["."], ["script.py"], [numbers.choice(_NAMES)]))
    words = numbers.choice((
        check(numbers, *paths), check(numbers, *paths), ["inspect", *paths], ["contract", *paths], ["triage",
            *paths], ["rerun", *paths],
        ["contract", "model.pt2", "--weights", *paths], ["check", "script.py", "--config", *paths], ["rerun",
            "script.py", "--from-log", *paths],
    ))  # fmt: skip
    files = {name: data for name, data in files.items() if not any(other.startswith(f"{name}/") for other in files)}
    return Case("odd", files, [words], links={n: t for n, t in links.items() if n not in files}, fifos=tuple(pipes))


@cache
def _options(command: str) -> list[tuple[str, bool, tuple[str, ...]]]:
    """The options of a command: the longest name, whether it takes a value, and what that may be."""
    name = {"check": "check.arguments", "explain": "explain.explain"}.get(command, command)
    made: ArgumentParser = import_module(f"aoti_lint.cli.{name}").parser()
    return [
        (action.option_strings[-1], action.nargs != 0, tuple(map(str, action.choices or ())))
        for action in made._actions
        if action.option_strings and action.option_strings[-1] not in _LEAVE
    ]


_LEAVE = ("--execute", "--in-place", "--yes", "--op", "--force")
"""Options that give leave to run what there is, or to write over it."""
_VALUES = (
    "", "x", "-", "--", "-1", "0", "nan", "1e400", "AOTI301", "ALL", "aoti", "\n", "a\nb", "\x1b[31m", "\u202e",
        "\udcff", "é" * 50, "x" * 5000, ".", "..", "/missing",
    "script.py", "model.pt2", "run.log", "missing.py", f"{OUT}/made", "missing/deep/x", "/dev/null", "a=b", "=",
    "script.py:1", ":", "1:2:3", "2.13", ">=2", "{}", "%s",
    "weights.safetensors", "pyproject.toml", "sub", "nowhere.pt2", "$(id)", "'", "\"", "::error ::x", "cpu", "cuda",
    "script.py:main", "*", "[", "99999999999999999999",
)  # fmt: skip
_WRITES = ("--output", "--output-file", "--plot", "--keep", "--cache-dir", "--profile", "-o")
_PLACES = (
    f"{OUT}/made",
    f"{OUT}/made",
    "script.py",
    "model.pt2",
    "pyproject.toml",
    "missing/deep/x",
    "",
    ".",
    "/dev/null",
    f"{OUT}/x.py",
    f"{OUT}/x.json",
    "sub",
)
"""Where these may write, or must not."""
_RUN = ("verify", "probe", "tensors")
"""Commands that run or unpickle what they are given: they are given nothing that is there."""


def arguments(numbers: Random) -> Case:
    """A command line of any command but those that run a program."""
    command = numbers.choice(("check", "check", "contract", "explain", "inspect", "rerun", "schema", "triage", *_RUN))
    there = {"script.py": numbers.choice(corpus.scripts()), "model.pt2": numbers.choice(corpus.archives()).read_bytes(),
             "run.log": numbers.choice(corpus.logs()), "weights.safetensors": b"x",
             "pyproject.toml": b"[tool.aoti-lint]\n",
             "sub/__init__.py": b"import torch\n"}  # fmt: skip
    values = _VALUES if command not in _RUN else ("missing.py", "nowhere.pt2", "missing/deep/x")
    words: list[str] = []
    for _ in range(numbers.randint(0, 4)):
        options = _options(command) if command not in ("explain", "schema") else [("--help", False, ())]
        if numbers.randrange(3):
            name, takes, choices = numbers.choice(options)
            name = name if numbers.randrange(12) else name[:-1]
            value = numbers.choice(choices) if choices and numbers.randrange(3) else numbers.choice(values)
            if any(one.startswith(name) for one in _WRITES):
                # A folder of a cache, or of a rerun, is made where it is named.
                value = numbers.choice(_PLACES if name.startswith(("--o", "--p", "-o")) else _PLACES[:1])
            words += [f"{name}={value}"] if takes and numbers.randrange(4) == 0 else [name, value] if takes else [name]
        elif command != "tensors":
            words.append(numbers.choice(values))
    if command == "rerun" and not numbers.randrange(3):
        words += ["--", *(numbers.choice(values) for _ in range(numbers.randint(0, 3)))]
    if "." not in words and command not in _RUN and numbers.randrange(2):
        words.insert(
            0,
            {"check": "script.py", "triage": "run.log", "rerun": "script.py", "explain": "AOTI301"}.get(
                command, "model.pt2"
            ),
        )
    if not numbers.randrange(10):
        words, command = ["-", *(["--stdin-filename", numbers.choice(values)] if numbers.randrange(2) else [])], "check"
    return Case(
        "arguments",
        there,
        [[command, *words] if command != "check" or numbers.randrange(2) else words],
        stdin=there["script.py"],
    )
