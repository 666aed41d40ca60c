"""What may get to a line and was cut short, and what it uses that was: by who imports whom."""

from __future__ import annotations

from collections.abc import Collection

from aoti_lint.ir import nodes
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.facts import Facts
from aoti_lint.source.project import Project
from aoti_lint.text.problem import SourceProblem
from aoti_lint.values.unfinished import Unfinished


def concerning(facts: Facts, path: str, roots: Collection[str]) -> tuple[list[Unfinished], list[SourceProblem]]:
    """What was not followed to its end, or not read, and concerns a line of `path` that these roots reach.

    Code of the file itself, or of one that imports it, may have got to the line later; what the line uses may come from
    the top level of what its file imports, or what the roots' files import.
    """
    project = facts.project
    imports = Imports(project)
    used = {path}.union(*(imports.of(one) for one in {path, *(root.split("::")[0] for root in roots)}))
    unfinished = [
        one
        for one in facts.unfinished
        if one.root in roots or path in imports.of(one.path) or ("::" not in one.root and one.path in used)
    ]
    return list(dict.fromkeys(unfinished)), [one for one in project.problems if one.path in used]


class Imports:
    """Which files of a project a file imports, itself or through others; it counts as one of its own."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._read = project.content_hashes().keys()
        self._direct: dict[str, set[str]] = {}

    def of(self, path: str) -> set[str]:
        found, todo = {path}, [path]
        while todo:
            new = self._of(todo.pop()) - found
            found |= new
            todo += new
        return found

    def _of(self, path: str) -> set[str]:
        if path not in self._direct:
            # What nobody read was not imported by anything that was followed.
            python = path in self._read and path.endswith((".py", ".pyi", ".ipynb"))
            tree = self._project.module(path) if python else None
            self._direct[path] = set() if tree is None else {one for one in _named(self._project, path, tree) if one}
        return self._direct[path]


def _named(project: Project, path: str, tree: nodes.Module) -> set[str | None]:
    found: set[str | None] = set()
    for one in every_node(tree.body):
        if isinstance(one, nodes.Import):
            found |= {project.resolve(alias.dotted, 0, path) for alias in one.names}
        elif isinstance(one, nodes.ImportFrom):
            found.add(project.resolve(one.module, one.level, path))
            inside = f"{one.module}." if one.module else ""
            found |= {project.resolve(f"{inside}{alias.dotted}", one.level, path) for alias in one.names}
    return found
