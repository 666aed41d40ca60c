"""Cases of sources: Python from the grammar and from changed corpora, several files, C++."""

from __future__ import annotations

import json
import warnings
from random import Random

from tests.fuzz.case import OUT, Case
from tests.fuzz.generators import corpus
from tests.fuzz.generators.grammar import expanded, grammar
from tests.fuzz.generators.mutate import changed

LONGEST = 20_000
"""Bytes of a script of the grammar."""
FORMATS: tuple[list[str], ...] = (["--output-format", "json"],) * 3 + (
    [], ["--output-format", "concise"], ["--output-format", "rdjson"],
    ["--output-format", "sarif", "--output-format", f"junit={OUT}/junit"],
)  # fmt: skip


def python(numbers: Random) -> Case:
    """A script from the grammar."""
    data = written(numbers)
    if not numbers.randrange(6):
        data = changed(data, numbers, corpus.scripts())
    files = {"script.py": data}
    if not numbers.randrange(3):
        files["helper.py"] = written(numbers)
    return Case("python", files, [check(numbers, "script.py")])


def corpora(numbers: Random) -> Case:
    """A script of a corpus, changed; most of them can still be compiled."""
    script = numbers.choice(corpus.scripts())
    data = changed(script, numbers, corpus.scripts())
    for _ in range(6 if numbers.randrange(6) else 0):
        if compiles(data):
            break
        data = changed(script, numbers, corpus.scripts())
    return Case("corpora", {"script.py": data}, [check(numbers, "script.py")])


def projects(numbers: Random) -> Case:
    """Several files, some of which import each other, and one or two changed."""
    if numbers.randrange(3):
        files = dict(numbers.choice(corpus.projects()))
        for name in numbers.sample(sorted(files), min(len(files), numbers.choice((1, 1, 2)))):
            if name.endswith((".py", ".cpp", ".sh")) and not numbers.randrange(3):
                files[name] = written(numbers)
            else:
                files[name] = changed(files[name], numbers, corpus.scripts())
    else:
        names = ("script.py", "helper.py", "other/__init__.py", "other/part.py", "helper/__init__.py", "model.py")
        files = {name: written(numbers) for name in numbers.sample(names, numbers.randint(2, 5))}
        star = numbers.choice(
            (b"from helper import *\n", b"from .part import *\n", b"from . import *\n", b"from script import *\n")
        )
        files = {name: star * numbers.randrange(2) + data for name, data in files.items()}
    return Case("projects", _possible(files), [check(numbers, ".")])


def native(numbers: Random) -> Case:
    """C++ from the grammar or a corpus, beside a script that calls the ops."""
    data = (
        expanded(grammar("cpp"), "file", numbers).encode() if numbers.randrange(3) else numbers.choice(corpus.native())
    )
    if numbers.randrange(2):
        data = changed(data, numbers, corpus.native())
    files = {numbers.choice(("ops.cpp", "ops.cu", "src/ops.cc")): data, "script.py": written(numbers)}
    if numbers.randrange(2):
        files["more.h"] = expanded(grammar("cpp"), "file", numbers, depth=3).encode()
    if numbers.randrange(2):
        cmake = expanded(grammar("cmake"), "file", numbers).encode()
        files["CMakeLists.txt"] = changed(cmake, numbers) if numbers.randrange(2) else cmake
    return Case("native", files, [check(numbers, ".")])


def notebook(numbers: Random) -> bytes:
    """A notebook, of which some are none."""
    cells = []
    for _ in range(numbers.randint(0, 5)):
        text = expanded(grammar("magic"), "file", numbers) if not numbers.randrange(4) else written(numbers).decode()
        source: object = numbers.choice((text, text.splitlines(keepends=True), [text], None, 3))
        kind = numbers.choice(("code", "code", "code", "markdown", "raw", None))
        cells.append({"cell_type": kind, "source": source, "metadata": {}, "outputs": []})
    made = {
        "nbformat": numbers.choice((4, 4, 3, "x")),
        "metadata": {"kernelspec": {"language": "python"}},
        "cells": cells,
    }
    data = json.dumps(made).encode()
    return data if numbers.randrange(3) else changed(data, numbers)


def written(numbers: Random) -> bytes:
    """Python from the grammar; most of it can be compiled."""
    for _ in range(4):
        text = expanded(grammar("python"), "file", numbers, depth=numbers.choice((4, 5, 6)), most=2) + "\n"
        if len(text) < LONGEST and compiles(text.encode()):
            break
    return text.encode()[:LONGEST]


def compiles(data: bytes) -> bool:
    """Whether Python takes it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "<case>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def check(numbers: Random, *paths: str) -> list[str]:
    """A command that checks."""
    words = ["check", *paths, *numbers.choice(FORMATS)]
    for chance, more in (
        (3, ["--pedantic"]), (12, ["--statistics"]), (20, ["--why-silent", f"{paths[0]}:{numbers.randint(1, 40)}"]),
        (12, ["--no-ignores"]),
        (8, ["--torch-version", numbers.choice(("2.4", "2.13", ">=2.5,<2.12", "2.8..2.11"))]), (30,
            ["--output-file", f"{OUT}/report"]),
        (15, ["--env", "TORCH_LOGS=+all"]), (12, ["--coverage"]),
    ):  # fmt: skip
        if not numbers.randrange(chance):
            words += more
    return [*words, "--cache-dir", f"{OUT}/cache"] if not numbers.randrange(8) else [*words, "--no-cache"]


def _possible(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without a file where a folder has to be."""
    folders = {name.rpartition("/")[0] for name in files if "/" in name}
    return {name: data for name, data in files.items() if name not in folders and f"{name}/" not in folders}
