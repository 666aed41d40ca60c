"""`aoti-lint merge`: several JSON reports of `check` as one."""

from __future__ import annotations

import os

from aoti_lint.cli.check.arguments import add_report
from aoti_lint.cli.shared.codes import exit_code
from aoti_lint.cli.shared.outputs import outputs_of, write
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.engine.named import STDIN
from aoti_lint.errors import CannotRun
from aoti_lint.files.near import cannot_open
from aoti_lint.files.opener import GENERATED, read_file
from aoti_lint.report.check.summary import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DESCRIPTION = """\
Join JSON reports of aoti-lint, such as those of the shards of a run: what several of them tell is told once.
"""


def run(words: list[str]) -> int:
    """Join the reports that the arguments name; gives the exit code of the whole."""
    arguments = parser().parse_intermixed_args(words)
    from aoti_lint.report.check.merge import Unlike, merged
    from aoti_lint.report.lines import Lines

    outputs = outputs_of(arguments)
    reports = [_read(path) for path in arguments.paths]
    _refuse_twice(arguments.paths, reports)
    try:
        document = merged(reports)
    except Unlike as error:
        raise CannotRun(f"these reports do not make one: {error}") from None
    named = {each["filename"] for each in document["diagnostics"]} - {STDIN}
    elsewhere = sum(not os.path.lexists(name) for name in named)
    if elsewhere:
        document["summary"]["notes"].append(
            f"{count(elsewhere, 'file')} of {len(named)} with findings cannot be found from this folder: a report "
            "names files as seen from where it was made; make all of them, and merge them, in one folder"
        )
    write(document, Lines(only_below=os.getcwd()), arguments, outputs)
    return exit_code(document, arguments)


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(prog="aoti-lint merge", description=DESCRIPTION)
    made.add_argument("paths", nargs="+", metavar="REPORT", help="a report: --output-format json")
    add_report(made)
    made.set_defaults(coverage=False)
    return made


def _refuse_twice(paths: list[str], reports: list[dict[str, Any]]) -> None:
    """Raise `CannotRun` where one report is given twice; those in which nothing is told may well be the same."""
    for number, report in enumerate(reports):
        first = reports.index(report)
        if first != number and (report["diagnostics"] or report["errors"]):
            raise CannotRun(f"{paths[first]} and {paths[number]} are the same report")


def _read(path: str) -> dict[str, Any]:
    """A report, validated."""
    from pydantic import ValidationError

    from aoti_lint.report.check.formats import of_report
    from aoti_lint.report.check.json_v1 import Document

    try:
        data = read_file(path, GENERATED)
        return Document.model_validate_json(data).model_dump(mode="json")
    except OSError as error:
        raise cannot_open(path, error) from None
    except ValidationError as error:
        form = of_report(data)
        if form != "json":
            what = "this is no report of aoti-lint" if form is None else f"this is a report of --output-format {form}"
            raise CannotRun(f"{path}: {what}; those of --output-format json can be joined") from None
        where = ".".join(map(str, error.errors()[0]["loc"]))
        see = f": see {where} in it" if where else ""
        raise CannotRun(f"{path}: this is no whole report of a check by this version of aoti-lint{see}") from None
