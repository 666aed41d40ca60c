"""Any bytes under any name: a result or a problem, never a traceback."""

from __future__ import annotations

import random

import pytest

from aoti_lint.source.settings.kinds import kind_by_name, kind_of
from aoti_lint.text.problem import SourceProblem
from tests.source.settings.reading import places, read
from tests.source.settings.test_pipelines import WORKFLOW

SEEDS = {
    "run.sh": "export A=1\nif [ -z \"$B\" ]; then C='x y' python a.py; fi\n"
    "for i in 1; do D=$i python -m b; done <<EOF\nx\nEOF\n",
    "Dockerfile": 'FROM x AS y\nENV A=1 B="x y" \\\n  C=$A\nARG D=1\nRUN A=2 python b.py\nCMD ["python", "a.py"]\n',
    ".env": "export A=1\nB='x'\nC=\"y\\n\" # z\n",
    "ci.yml": WORKFLOW,
    "compose.yml": "services:\n  a:\n    environment: [A=1]\n    command: python a.py\n",
}  # fmt: skip
WORDS = ["\n", " ", "\\", "'", '"', "$", "${", "{{", "}}", "<<EOF", "EOF", "#", "=", "(", ")", "{", "}", "[", "]", "&&",
         "|", ";", "`", "\t", "é", "\r\n", "- ", ": ", "&a ", "*a", "<<: ", "!x ", "ENV ", "RUN ", "env ",
         "docker run ", "sh -c ", "\ufeff", "\x0b", "\u2028"]  # fmt: skip


def attempt(path: str, data: bytes) -> None:
    try:
        found = read(path, data)
    except SourceProblem:
        return
    text = data.removeprefix(b"\xef\xbb\xbf").decode()
    for made in found.assignments:
        assert 0 <= made.span.start <= made.span.end <= len(text.encode())
        text.encode()[made.span.start : made.span.end].decode()


@pytest.mark.parametrize("path", SEEDS)
def test_any_bytes(path: str) -> None:
    chance = random.Random(path)
    for _ in range(300):
        attempt(path, chance.randbytes(chance.randrange(200)))


@pytest.mark.parametrize("path", SEEDS)
def test_broken_files(path: str) -> None:
    chance = random.Random(path)
    for _ in range(150 if path == "ci.yml" else 500):
        text = SEEDS[path]
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(WORDS) + text[at + chance.choice((0, 0, 1, 5)) :]
        attempt(path, text.encode())


@pytest.mark.parametrize("path", SEEDS)
def test_the_unbroken_files_say_something(path: str) -> None:
    assert places(read(path, SEEDS[path]), SEEDS[path])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.sh", "shell"), ("b/a.bash", "shell"), ("Dockerfile", "docker"), ("Dockerfile.gpu", "docker"),
        ("gpu.Dockerfile", "docker"), ("Containerfile", "docker"), (".env", "dotenv"), ("prod.env", "dotenv"),
        (".env.local", "dotenv"), ("a.yml", "yaml"), ("Dockerfile.py", None), (".env.py", None), ("a.py", None),
        ("Dockerfile.dockerignore", None), ("a.txt", None), ("env", None),
    ],
)  # fmt: skip
def test_kinds_by_name(path: str, kind: str | None) -> None:
    assert kind_by_name(path) == kind


@pytest.mark.parametrize(
    ("path", "data", "kind"),
    [
        ("run", b"#!/bin/sh\n", "shell"), ("run", b"#!/usr/bin/env -S bash -e\n", "shell"),
        ("run", b"#! /bin/dash\n", "shell"), ("run", b"#!/bin/sh\n'''exec' python x\n", None),
        ("run", b"#!/usr/bin/env python\n", None), ("run", b"#!/usr/bin/fish\n", None), ("run", b"", None),
        ("a.yml", b"on: push\njobs:\n", "yaml"), ("a.yml", b"x:\n  script:\n", "yaml"), ("a.yml", b"services:", "yaml"),
        ("a.yml", b"model:\n  name: x\n", None), ("a.yml", b"", None),
    ],
)  # fmt: skip
def test_kinds_by_content(path: str, data: bytes, kind: str | None) -> None:
    assert kind_of(path, data) == kind
