"""A project that writes down what it is asked, so that it can be asked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from aoti_lint.files.cache import content_hash
from aoti_lint.source.discovery.context import Context
from aoti_lint.source.project import Project

Note = Callable[[str, tuple[Any, ...], object], None]
"""Takes a question, what it is about, and the answer."""
TOP_LEVEL = "top_level"
"""Asks for the IR of a file, to look only at what stands outside of functions. The answer is a hash of that."""
READ = ("module", "source", "data", TOP_LEVEL)
"""Questions what a file holds: as IR, as text, as it is. The answer is a hash of it."""
PIECE = "piece"
"""Asks what one piece of a file holds (see `ir.pieces`): what only looks at that depends on no more of the file."""
LINES = "has_lines"
"""Asks whether a piece still has these lines: what only speaks of places on them depends on no more of it."""
TEXT = "text_of"
"""Asks for the text at a place, counted from what does not change when lines around it do."""
LOOKED_INTO = ("module", "source", TOP_LEVEL, PIECE, LINES, TEXT)
"""Questions about a file whose text then was looked at, not only searched."""
IMPORTS = "imports"
"""Asks what a file imports. The answer is a hash of it: a change of anything else in the file makes no difference."""
OF_CONTENT = (TOP_LEVEL, PIECE, LINES, TEXT, IMPORTS)
"""Questions about a file that nothing but its content answers, at the cost of looking into it."""
OF_NAMES = ("resolve", "module_name", "has_folder", "is_file")
"""Questions that nothing but the names of files and folders answers."""
_ASKED = ("resolve", "is_package", "leads", "module_name", "has_folder", "is_file", "mentions", "holds", "holding",
          "finding",          "context", "is_root", "may_matter", IMPORTS, TEXT)  # fmt: skip


def asked(project: Project, note: Note) -> Project:
    """`project`, which tells `note` what it is asked."""
    return cast(Project, _Asked(project, note))


def answer(project: Project, question: str, given: tuple[Any, ...]) -> object:
    """What `project` answers, as something that can be compared with an earlier answer."""
    project = project.project if isinstance(project, _Asked) else project
    if question == TOP_LEVEL:
        return project.pieces(*given).heads
    if question in READ:
        return project.content(*given)
    found = getattr(project, question)
    return _comparable(question, found(*given) if callable(found) else found)


def _comparable(question: str, found: object) -> object:
    if question == IMPORTS:
        return content_hash(json.dumps(found).encode(), 10)
    if isinstance(found, Context):
        return [found.complete, list(found.files)]
    return list(found) if isinstance(found, tuple) else found


_SAME = frozenset({
    "root", "all_files", "all_natives", "analysed", "reported", "telling", "beside", "settings", "natives",
    "copied",
})  # fmt: skip
"""What is the same for all of a run, and no question. Who goes through these files depends on their `outline`."""


class _Asked:
    def __init__(self, project: Project, note: Note) -> None:
        self.project, self._note = project, note

    def __getattr__(self, name: str) -> Any:
        """What the project has of this name. Raises `AttributeError` for what no unit may ask."""
        found = getattr(self.project, name)
        if name in READ:

            def read(path: str) -> object:
                made = found(path)
                # What is wrong with a file is told by whoever reads it: that is done again.
                self._note(name, (path,), None if made is None else answer(self.project, name, (path,)))
                return made

            made: Callable[..., object] = read
        elif name in _ASKED:

            def ask(*given: Any) -> object:
                told = found(*given)
                self._note(name, given, _comparable(name, told))
                return told

            made = ask
        elif name == "text_at":
            # Asked with the place as that is told to `text_of`.
            made = partial(Project.text_at, cast(Project, self))
        elif name == "pieces":
            # Where things stand is no question: who speaks of a place depends on what that is counted from.
            return found
        elif name in ("context_complete", "holds_torch", "outline"):
            self._note(name, (), found)
            return found
        elif name in _SAME:
            return found
        else:
            raise AttributeError(f"what a project answers to {name} is not written down: no unit may ask it")
        setattr(self, name, made)
        return made
