"""Which files set environment variables outside Python, told by their names and first bytes."""

from __future__ import annotations

import os
import re

from aoti_lint.files.opener import BEGINNING, open_regular
from aoti_lint.lazily.regex import regex

SHELL, DOCKER, DOTENV, MAKE, YAML = "shell", "docker", "dotenv", "make", "yaml"
NAMES = {SHELL: "a shell script", DOCKER: "a Dockerfile", DOTENV: "a .env file", MAKE: "a Makefile", YAML: "a pipeline"}
"""What a user calls a file of each kind."""

_SHEBANG = regex(rb"#!\s*\S*?(?:/env\s+(?:-\S+\s+)*|/|^)(?:ba|da|k|z)?sh\b")
_TOP_KEY = regex(rb"^(?:\"|')?(?:jobs|runs|services|variables|stages|before_script)(?:\"|')?[ \t]*:", re.MULTILINE)
_SCRIPT = regex(rb"^[ \t]+(?:before_|after_)?script[ \t]*:", re.MULTILINE)
SUFFIXES = (
    ".sh", ".bash", ".env", ".yml", ".yaml", "Dockerfile", "Containerfile", ".dockerfile", ".containerfile", "Makefile",
    "makefile", ".mk",
)  # fmt: skip
"""How the names of nearly all of them end."""
MOST_BYTES = {SHELL: 2 << 20, DOCKER: 2 << 20, DOTENV: 2 << 20, MAKE: 2 << 20, YAML: 1 << 19}
"""What a file may hold; people write far smaller ones, and YAML takes 10 seconds a megabyte."""
_PYTHON_TOO = b"\n'''exec' "
_FIRST = 200
"""Bytes in which a shebang line stands."""


def kind_by_name(path: str) -> str | None:
    """The kind that the name of a file says; None where it says nothing. YAML may be anything yet."""
    name = os.path.basename(path)
    if name.endswith((".py", ".pyi", ".pyw", ".ipynb", ".dockerignore")):
        return None
    if name.endswith((".sh", ".bash")):
        return SHELL
    if name.startswith(("Dockerfile", "Containerfile")) or name.lower().endswith((".dockerfile", ".containerfile")):
        return DOCKER
    if name in ("Makefile", "makefile", "GNUmakefile") or name.endswith(".mk"):
        return MAKE
    if name == ".env" or name.endswith(".env") or name.startswith(".env."):
        return DOTENV
    if name.endswith((".yml", ".yaml")):
        return YAML
    return None


def kind_of(path: str, data: bytes) -> str | None:
    """The kind of a file with these bytes; None for one that sets no variables, as far as can be seen cheaply.

    YAML counts when it looks like a workflow or action of GitHub, a pipeline of GitLab or a compose file.
    """
    kind = kind_by_name(path)
    if kind == YAML:
        return YAML if _TOP_KEY.search(data) or _SCRIPT.search(data) else None
    if kind is None and not os.path.splitext(path)[1] and _SHEBANG.match(data[:_FIRST]):
        # What pip writes where the path of the interpreter is too long for a first line is Python.
        return None if _PYTHON_TOO in data[:_FIRST] else SHELL
    return kind


def kind_of_file(path: str) -> str | None:
    """The kind of a file on disk; None for one that cannot be read, too."""
    if kind_by_name(path) not in (None, YAML):
        return kind_by_name(path)
    if os.path.splitext(path)[1] not in ("", ".yml", ".yaml"):
        return None
    try:
        with open_regular(path, BEGINNING) as file:
            return kind_of(path, file.read(max(MOST_BYTES.values())))
    except OSError:
        return None
