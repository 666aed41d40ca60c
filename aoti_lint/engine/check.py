"""A check, from options to a report. Imports what is heavy only when there is something to analyse."""

from __future__ import annotations

from contextlib import nullcontext

from aoti_lint.engine.analysis import few_collections
from aoti_lint.engine.kept import Kept
from aoti_lint.engine.named import STDIN
from aoti_lint.engine.run import Run
from aoti_lint.files import opener
from aoti_lint.profile import OFF, Timer
from aoti_lint.report.document import empty_document
from aoti_lint.report.lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

    from aoti_lint.options import Options


class Report:
    """The result of a run: its document (see `json_v1`), the source lines it speaks of, and the files it was about.

    `name` gives the path of a file as the user knows it. `standing` is what became of the baseline, `cache` is where
    things are remembered, each if there is one; `remembered` says whether nothing had to be done.
    """

    __slots__ = ("cache", "document", "files", "line", "name", "remembered", "root", "standing")

    def __init__(self, document: dict[str, Any], line: Lines, run: Run, *, remembered: bool) -> None:
        self.document, self.line, self.files, self.name = document, line, run.files(), run.name
        self.root, self.standing, self.cache, self.remembered = run.found.root, run.standing, run.cache, remembered


def check(
    options: Options,
    while_busy: Callable[[], AbstractContextManager[object]] | None = None,
    timer: Timer = OFF,
    kept: Kept | None = None,
) -> Report:
    """Check what the options name.

    `while_busy` makes a context manager that is entered only if there is something to analyse; a `timer` that is on
    learns where the time goes, and then no run is remembered: there would be nothing to learn. `kept` is from earlier
    checks of the same. Raises `CannotRun` when the options ask for what cannot be.
    """
    try:
        with timer.during("step", "check"):
            run = Run(options, timer, kept)
            memory = None if timer.is_on else run.memory()
            document, keeps = None, memory is not None
            if memory is not None:
                document = memory.get(run.found.root, run.found.files, run.exclude, run.glances, run.name)
            remembered = document is not None
            if document is None:
                has_work = run.has_work
                keeps = keeps or has_work or bool(run.project.others)
                if not has_work:
                    run.check_usage()
                    document = empty_document()
                    if options.coverage:
                        from aoti_lint.coverage.document import coverage

                        document["coverage"] = coverage(None, run.name)
                else:
                    with nullcontext() if while_busy is None else while_busy(), few_collections():
                        document = run.document()
                run.complete(document)
                if memory is not None:
                    # What was saved during the run is judged again.
                    run.glances.ask_again()
                    memory.put(document, run.project.dependencies(), run.contents(), run.glances)
            if keeps:
                run.glances.end()
            run.tell_of_unnamed(document)
    finally:
        opener.forget()
    lines = Lines(options.stdin, options.stdin_filename or STDIN)
    return Report(document, lines, run, remembered=remembered)
