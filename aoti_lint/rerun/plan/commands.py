"""What a command becomes so that it is watched: Python that ignores PYTHONPATH, programs that are told a package."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

_PYTHON = re.compile(r"^(?:python|pypy)(?:\d+(?:\.\d+)?t?)?(?:\.exe)?$", re.IGNORECASE)
_IGNORES = frozenset("IES")
"""Options by which Python does not import our sitecustomize."""


def prepared(command: Sequence[str], inside: str, packages: Mapping[str, str], cwd: str) -> tuple[str, ...]:
    """The command to run for `command`, in the folder `cwd`.

    `packages` are those that this rerun made, by the path that the user knows: arguments of a program that is not
    Python are taken from it, as nothing watches what that opens.
    """
    if not _PYTHON.match(os.path.basename(command[0])):
        return (command[0], *(packages.get(os.path.realpath(os.path.join(cwd, word)), word) for word in command[1:]))
    options, kind, rest = split(command)
    letters = {letter for option in options if not option.startswith(("-W", "-X", "--")) for letter in option[1:]}
    if not letters & _IGNORES or not (kind or rest):
        return tuple(command)
    return (command[0], *options, os.path.join(inside, "start.py"), kind or "-", *rest)


def split(command: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """Options of Python itself; `-m` or `-c` or nothing; the module, code or script with its arguments."""
    options: list[str] = []
    words = list(command[1:])
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word.startswith("--"):
            options.append(word)
            continue
        for at, letter in enumerate(word[1:], 1):
            if letter in "cm":
                rest = [word[at + 1 :], *words] if word[at + 1 :] else words
                return [*options, word[:at]] if at > 1 else options, f"-{letter}", rest
            if letter in "WX":
                options.append(word)
                if at == len(word) - 1 and words:
                    options.append(words.pop(0))
                break
        else:
            options.append(word)
    return options, "", words
