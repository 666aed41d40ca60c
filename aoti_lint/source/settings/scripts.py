"""Which scripts of the project are started by files outside Python, and with which variables."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from aoti_lint.source.settings.model import Assignment, Settings, Start

if TYPE_CHECKING:
    from aoti_lint.source.project import Project

MOST_OF_A_SCRIPT, MOST_OF_A_FILE, MOST = 3, 12, 40
"""How often one script is run with words of others, how many one file starts, and all files together."""


class Launched(NamedTuple):
    """A script of the project, by its path, and how a file outside Python starts it."""

    script: str
    start: Start


def launched(project: Project, settings: Iterable[Settings]) -> dict[str, list[Launched]]:
    """What is to be run as it is started, by the file that does, in its order.

    So what is given to any of its scripts has to be known: words, or variables.
    """
    found: dict[str, list[Launched]] = {}
    often: Counter[str] = Counter()
    seen: set[tuple[object, ...]] = set()
    analysed = set(project.analysed)
    for one in settings:
        mine = [
            Launched(script, start)
            for start in one.starts
            if start.words is not None and (script := script_of(project, one, start.command)) in analysed
        ]
        if sum(map(len, found.values())) >= MOST or not any(each.start.words or each.start.variables for each in mine):
            continue
        for script, start in mine[:MOST_OF_A_FILE]:
            told = script, start.words, *((name, made.value) for name, made in sorted(start.variables.items()))
            if told not in seen and often[script] < MOST_OF_A_SCRIPT:
                seen.add(told)
                often[script] += 1
                found.setdefault(one.path, []).append(Launched(script, start))
    return found


def started(project: Project, settings: Iterable[Settings]) -> dict[str, dict[str, Assignment]]:
    """For each script that is started, by its path, the variables that are set whoever starts it, and to the same."""
    starts: dict[str, list[Start]] = {}
    for one in settings:
        for start in one.starts:
            path = script_of(project, one, start.command)
            if path is not None:
                starts.setdefault(path, []).append(start)
    return {path: _agreed(every) for path, every in starts.items()}


def _agreed(starts: list[Start]) -> dict[str, Assignment]:
    first, *others = starts
    return {
        name: made
        for name, made in first.variables.items()
        if not made.conditional and all(_is_same(made, other.variables.get(name)) for other in others)
    }


def _is_same(made: Assignment, other: Assignment | None) -> bool:
    return other is not None and not other.conditional and other.value == made.value


def script_of(project: Project, settings: Settings, command: str) -> str | None:
    """The file of the project that a command means, seen from the folder of the file it stands in, or from the root.

    In a container image the files stand elsewhere, so folders above them count for nothing there.
    """
    if command.startswith("-m "):
        importer = posixpath.join(posixpath.dirname(settings.path), "__main__.py")
        dotted = command.removeprefix("-m ")
        return project.resolve(f"{dotted}.__main__", 0, importer) or project.resolve(dotted, 0, importer)
    return next((path for path in _places(project, settings, command) if _is_file(project, path)), None)


def _places(project: Project, settings: Settings, command: str) -> Iterator[str]:
    folders = dict.fromkeys((posixpath.dirname(settings.path), ""))
    wanted = [command]
    if command.startswith("/"):
        wanted = [path for path in [_below(project, command)] if path is not None]
        if settings.packed:
            parts = command.strip("/").split("/")
            wanted += ["/".join(parts[index:]) for index in range(len(parts))]
    for path in wanted:
        for folder in folders:
            yield posixpath.normpath(posixpath.join(folder, path))


def _below(project: Project, path: str) -> str | None:
    """An absolute path relative to the root, if it stands below."""
    prefix = project.root.as_posix().rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None


def _is_file(project: Project, path: str) -> bool:
    if path.startswith("../") or not path.endswith(".py"):
        return False
    return path in project.all_files or os.path.isfile(os.path.join(project.root, path))
