"""Which scripts take something from a file that is no source: they are started by it, or read it.

A shell script sets variables of what it starts, a file of settings holds numbers of what reads it. What goes wrong with
that is seen in these scripts alone.
"""

from __future__ import annotations

from collections.abc import Collection

from aoti_lint.source.discovery.discover import is_python
from aoti_lint.source.project import Project
from aoti_lint.source.settings.read import read_all
from aoti_lint.source.settings.scripts import started
from aoti_lint.source.ties.neighbours import distance
from aoti_lint.source.ties.ties import Ties

MOST = 60
"""Scripts that are checked for one file, the nearest: every other script may name a `config.json`."""


def takers(project: Project, files: Collection[str]) -> dict[str, list[str]]:
    """For each of these files the scripts of the project, named or not, that take something from it."""
    scripts = [*project.all_files, *project.others]
    ties = Ties(project, scripts)
    settings = {one.path: one for one in read_all(project, project.settings)[0]}
    found = {path: {*started(project, [settings[path]])} if path in settings else set[str]() for path in files}
    for script in filter(is_python, scripts):
        for path in found.keys() & ties.settings_of(script):
            found[path].add(script)

    def nearest(path: str) -> list[str]:
        matter = (one for one in found[path].intersection(scripts) if is_python(one) and project.may_matter(one))
        return sorted(matter, key=lambda one: (distance(path, one), one))[:MOST]

    return {path: nearest(path) for path in files}
