"""Reads any file that sets environment variables outside Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from aoti_lint.source.settings.docker import read_docker
from aoti_lint.source.settings.dotenv import read_dotenv
from aoti_lint.source.settings.kept import rows_of, settings_of
from aoti_lint.source.settings.kinds import DOCKER, DOTENV, MAKE, MOST_BYTES, NAMES, SHELL, YAML, kind_of
from aoti_lint.source.settings.make import read_make
from aoti_lint.source.settings.model import Settings
from aoti_lint.source.settings.pipelines import read_yaml
from aoti_lint.source.settings.shell import read_shell
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from aoti_lint.source.project import Project


def read_all(project: Project, paths: Iterable[str]) -> tuple[list[Settings], list[SourceProblem]]:
    """What the files at these paths set, and what is wrong with those that cannot be read.

    What is wrong with their bytes the project notes itself.
    """
    found: list[Settings] = []
    problems: list[SourceProblem] = []
    for path in paths:
        source = project.source(path)
        if source is None:
            continue
        try:
            rows = project.once("settings", path, partial(_rows, source), path)
            found.append(settings_of(path, rows))
        except SourceProblem as problem:
            problems.append(problem)
    return found, problems


def _rows(source: Source) -> list[Any]:
    return rows_of(read_settings(source))


def read_settings(source: Source) -> Settings:
    """What the file of a source sets, and which scripts it starts with that.

    Raises `SourceProblem` for what is not of its kind, or too large.
    """
    kind = kind_of(source.path, source.text.encode()) or YAML
    if len(source.text) > MOST_BYTES[kind]:
        raise SourceProblem(source.path, f"{NAMES[kind]} of more than {MOST_BYTES[kind] >> 10} KiB is not read")
    if kind == DOTENV:
        return read_dotenv(source)
    if kind == DOCKER:
        return read_docker(source)
    if kind == MAKE:
        return read_make(source)
    if kind == SHELL:
        settings = Settings(source.path)
        read_shell(Snippet(source.path, source.lines, source.text, [(0, 0)]), settings)
        return settings.finish()
    return read_yaml(source)
