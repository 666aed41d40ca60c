"""`aoti-lint triage`: names the cause of a failed run from its log."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.quoting.json import document
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

    from aoti_lint.triage.diagnose import Diagnosis

SOURCES = 20
"""Files that a log names and that are checked, at most."""


def run(words: list[str]) -> int:
    """Read a log and say what is known about it: 0 if a cause is named, 1 if none is."""
    from aoti_lint.triage.diagnose import diagnose, explained
    from aoti_lint.triage.log import lines_of

    arguments = parser().parse_args(words)
    echo = arguments.log == "-" and arguments.output_format == "text"
    found = diagnose(_piped(echo) if arguments.log == "-" else lines_of(arguments.log))
    if arguments.check and found.causes:
        found.causes = explained(found.causes, _diagnostics(found, arguments))
    _print(found, arguments, sys.stderr if echo else sys.stdout)
    return 0 if found.causes else 1


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint triage",
        description="Name the cause of a failed run from what it printed. Nothing is executed. With '-' standard input "
        "is passed on to standard output and the report goes to standard error: "
        "python serve.py 2>&1 | aoti-lint triage -",
        epilog="exit codes: 0 when a cause is named, 1 when none is known, 2 when the log cannot be read",
    )
    made.add_argument("log", metavar="LOG", help="a file, or '-' for standard input")
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    made.add_argument(
        "--source", action="append", default=[], metavar="PATH", help="check this, and not what the log names"
    )
    made.add_argument("--no-check", dest="check", action="store_false", help="do not look for the cause in the sources")
    return made


def _piped(echo: bool) -> Iterator[str]:
    """The lines of standard input, each passed on as soon as it is there."""
    from aoti_lint.triage.log import PIECE

    whole = True
    while piece := sys.stdin.buffer.readline(PIECE):
        if echo:
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        if whole:
            yield piece.decode("utf-8", "replace")
        whole = piece.endswith(b"\n")


def _diagnostics(found: Diagnosis, arguments: Namespace) -> list[dict[str, Any]]:
    """What the rules say of the sources that the log names, as far as they are here."""
    from aoti_lint.config import find
    from aoti_lint.engine.check import check
    from aoti_lint.options import Options

    wanted = sorted({code for one in found.causes for code in one.cause.rules})
    paths = arguments.source or [path for path in found.sources if path.endswith(".py") and os.path.isfile(path)]
    if not wanted or not paths:
        return []
    # What stood already may be what has failed now.
    options = Options(paths[:SOURCES], find(os.getcwd()), select=wanted, pedantic=True, baseline="")
    diagnostics: list[dict[str, Any]] = check(options).document["diagnostics"]
    return diagnostics


def _print(found: Diagnosis, arguments: Namespace, stream: Any) -> None:
    from aoti_lint.triage import report

    name = "<stdin>" if arguments.log == "-" else arguments.log
    with Output(None, stream=stream, fits=True) as output:
        if arguments.output_format == "json":
            output.document(document(report.document(name, found)))
        else:
            output.styled(report.text(name, found))
