"""`aoti-lint check --add-ignores`: what is found today is suppressed by comments beside it."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Any

from aoti_lint.cli.shared.codes import exit_code
from aoti_lint.cli.shared.progress import Progress
from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.files.writer import rewrite
from aoti_lint.findings.ignoring import NoPlace, with_comments
from aoti_lint.options import Options
from aoti_lint.quoting.marked import hidden
from aoti_lint.quoting.terminal import tell
from aoti_lint.report.check.concise import problem_lines
from aoti_lint.report.check.summary import count
from aoti_lint.report.output import Output
from aoti_lint.session import Session
from aoti_lint.source.discovery.discover import ARCHIVE_SUFFIXES
from aoti_lint.source.text import Source, read_source
from aoti_lint.text.problem import SourceProblem

ALONE = ("watch", "shard", "profile", "output_file", "output_format", "coverage", "no_ignores")
"""What does not go with it."""
_ELSEWHERE = "per-file-ignores of the configuration"

Document = dict[str, Any]


class _File:
    """A file with findings: what it holds, and what it would hold with comments. `why` says why it is left as it is.

    `names` are all that it is found by: a link is the file that it leads to.
    """

    def __init__(self, names: list[str], found: list[tuple[dict[str, Any], str]], reason: str) -> None:
        name = next((one for one in names if not os.path.islink(one)), names[0])
        self.name, self.paths, self.names = name, [os.path.abspath(one) for one in names], names
        self.count, self.why = len(found), ""
        self.before = self.after = b""
        if name.endswith(ARCHIVE_SUFFIXES):
            self.why = f"no comment can stand in it; name its rule in {_ELSEWHERE}"
            return
        source: Source | None = None
        try:
            self.before = read_file(name, source_kind(name))
            source = read_source(self.before, name)
            wanted: dict[int, list[str]] = {}
            for place, code in found:
                wanted.setdefault(_row(source, place), []).append(code)
            self.after = source.write_back(with_comments(source, wanted, reason))
        except OSError as error:
            self.why = str(error.strerror or error)
        except SourceProblem as problem:
            self.why = problem.message
        except NoPlace as place:
            cell = None if source is None else source.cell(place.row)
            where = f"line {place.row}" if cell is None else f"cell {cell[0]}, line {cell[1]}"
            self.why = f"a comment at {where} would change what it does; name its rule in {_ELSEWHERE}"

    def write(self) -> None:
        """Write it, if it shall be. Raises `CannotRun`."""
        if not self.why:
            rewrite(self.name, self.before, self.after, source_kind(self.name))


def run(options: Options, arguments: Namespace) -> int:
    """Write the comments, and say where there are some now and where there cannot be; gives the exit code.

    A file is written only if a check of all would then find nothing in it.
    """
    _refuse(options, arguments)
    session = Session(options)
    with Progress():
        report = session.diagnostics()
        found = _by_file(report.document, {*map(os.path.abspath, report.files)})
        names: dict[str, list[str]] = {}
        for name in found:
            names.setdefault(os.path.realpath(name), []).append(name)
        files = [
            _File(same, [place for name in same for place in found[name]], arguments.reason or "")
            for same in names.values()
        ]
        document = _silent(session, files)
    code = exit_code(document, arguments)
    for each in problem_lines(document):
        tell(each)
    done = 0
    with Output(None) as output:
        for one in files:
            try:
                one.write()
            except CannotRun as error:
                tell(str(error))
                code = 2
                continue
            if one.why:
                tell(f"{one.name}: left as it is: {one.why}")
            else:
                output.line(f"{one.name}: {count(one.count, 'finding')} suppressed")
                done += one.count
        left = sum(one.count for one in files) - done
        unread = len(document["errors"])
        besides = f"; {count(unread, 'file')} could not be read" if unread else ""
        output.line(f"Suppressed {count(done, 'finding')}; {left or 'none'} left{besides}.")
    return code


def _refuse(options: Options, arguments: Namespace) -> None:
    other = next((name for name in ALONE if getattr(arguments, name)), None)
    if other is not None or options.stdin is not None:
        other = f"--{other.replace('_', '-')}" if other is not None else "standard input"
        raise CannotRun(f"--add-ignores cannot be combined with {other}")
    reason = arguments.reason or ""
    if any(map(hidden, reason)) or reason.endswith("\\") or "noqa" in reason.lower() or "aoti-lint" in reason.lower():
        raise CannotRun("--reason: this must be one line of plain text, and no comment to a linter itself")


def _by_file(document: Document, named: set[str]) -> dict[str, list[tuple[dict[str, Any], str]]]:
    """The findings by the files that a comment may stand in, each with its place there and its rule."""

    def can_have(end: dict[str, Any]) -> bool:
        return not end["filename"].endswith(ARCHIVE_SUFFIXES) and os.path.abspath(end["filename"]) in named

    found: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for item in document["diagnostics"]:
        place = next(filter(can_have, (item, *item["related"])), item)
        for filename in (place["filename"], *(item["copies"] if place is item else ())):
            found.setdefault(filename, []).append((place, item["code"]))
    return found


def _row(source: Source, place: dict[str, Any]) -> int:
    """The row of a place in the text of a source."""
    row: int = place["location"]["row"]
    if source.notebook is None:
        return row
    return source.notebook.row(place["cell"] or 0, row) or 1


def _silent(session: Session, files: list[_File]) -> Document:
    """Check the files as they would be, and leave out those in which something would still be found.

    Gives the document of the last check.
    """
    while True:
        for one in files:
            for path in one.paths:
                if one.why:
                    session.close(path)
                else:
                    session.open(path, one.after)
        document = session.diagnostics().document
        loud: dict[str, str] = {}
        for item in (*document["diagnostics"], *document["errors"]):
            row = (item["location"] or {"row": 1})["row"]
            loud.setdefault(item["filename"], f"with comments, line {row} would say: {item['message']}")
        failed = [(one, name) for one in files if not one.why for name in one.names if name in loud]
        if not failed:
            return document
        for one, name in failed:
            one.why = loud[name]
