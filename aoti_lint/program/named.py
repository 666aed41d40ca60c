"""The archives of one run, as the rules see them. Imports what reads them only when there is one to read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from aoti_lint.diagnostics import Span
from aoti_lint.quoting.terminal import printable
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.program.facts import Archive


@dataclass(frozen=True, slots=True)
class NamedArchive:
    """An archive that was named: its path relative to the project root, when it was written, and what it says."""

    path: str
    modified: float
    data: Archive

    @property
    def span(self) -> Span:
        """The place of the archive as a whole. An archive has no rows to point at."""
        return Span(self.path, 0, 0)


def read_archives(root: str, paths: Iterable[str]) -> tuple[list[NamedArchive], list[SourceProblem]]:
    """The archives at `paths` (relative to `root`), and what of them could not be read. Never raises."""
    from aoti_lint.program.errors import Unreadable
    from aoti_lint.program.read import read

    found: list[NamedArchive] = []
    problems: list[SourceProblem] = []
    for path in paths:
        absolute = os.path.join(root, path)
        try:
            data = read(absolute)
            found.append(NamedArchive(path, os.path.getmtime(absolute), data))
        except Unreadable as error:
            problems.append(SourceProblem(path, str(error)))
            continue
        except OSError as error:
            problems.append(SourceProblem(path, error.strerror or "cannot be read"))
            continue
        except Exception as error:
            if os.environ.get("AOTI_LINT_DEBUG"):
                raise
            # Whatever an archive holds, the run goes on with the others, and says so.
            problems.append(SourceProblem(path, f"cannot be read ({type(error).__name__}: {str(error)[:200]})"))
            continue
        for problem in data.problems:
            problems.append(SourceProblem(path, printable(problem.told)))
    return found, problems
