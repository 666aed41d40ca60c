"""`aoti-lint merge`: several JSON reports of `check` as one."""

from __future__ import annotations

import os

from aoti_lint.cli.arguments import add_report
from aoti_lint.cli.codes import exit_code
from aoti_lint.cli.outputs import outputs_of, write
from aoti_lint.cli.parser import Parser
from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import GENERATED, read_file

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
    try:
        document = merged([_read(path) for path in arguments.paths])
    except Unlike as error:
        raise CannotRun(f"these reports do not make one: {error}") from None
    write(document, Lines(only_below=os.getcwd()), arguments, outputs)
    return exit_code(document, arguments)


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(prog="aoti-lint merge", description=DESCRIPTION)
    made.add_argument("paths", nargs="+", metavar="REPORT", help="a report: --output-format json")
    add_report(made)
    made.set_defaults(coverage=False)
    return made


def _read(path: str) -> dict[str, Any]:
    """A report, validated."""
    from pydantic import ValidationError

    from aoti_lint.report.check.json_v1 import Document

    try:
        return Document.model_validate_json(read_file(path, GENERATED)).model_dump(mode="json")
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror or error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CannotRun(
            f"{path}: this is no report of aoti-lint check --output-format json: {where + ': ' if where else ''}"
            f"{first['msg']}"
        ) from None
