"""`aoti-lint inspect`: what a program or a package says of itself, or what two of them differ in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun
from aoti_lint.files.near import cannot_open
from aoti_lint.quoting.json import of_model
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

    from aoti_lint.program.diff import Difference
    from aoti_lint.program.facts import Archive


def run(words: list[str]) -> int:
    """Print what one file says, or what changed from the first to the second."""
    arguments = parser().parse_intermixed_args(words)
    if len(arguments.files) > 2:
        raise CannotRun("inspect takes one file, or two to compare")
    if arguments.fail_on is not None and len(arguments.files) != 2:
        raise CannotRun("--fail-on needs two files to compare")
    archives = [load(path) for path in arguments.files]
    if len(archives) == 1:
        _one(archives[0], arguments)
        return 2 if archives[0].problems else 0
    from aoti_lint.program.diff import compare

    differences = compare(*archives)
    _two(archives, differences, arguments)
    if any(archive.problems for archive in archives):
        return 2
    failing = [item for item in differences if arguments.fail_on == "any" or item.breaking]
    return 1 if arguments.fail_on is not None and failing else 0


def load(path: str) -> Archive:
    """Read an archive the user named. Raises `CannotRun` when that cannot be."""
    from aoti_lint.program.errors import Unreadable
    from aoti_lint.program.read import read

    try:
        return read(path)
    except Unreadable as error:
        raise CannotRun(f"{path}: {error}") from None
    except OSError as error:
        raise cannot_open(path, error) from None


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint inspect",
        description="Say what a .pt2 or a compiled library holds, or what differs between two. Nothing in it is "
        "unpickled or executed, and torch is not needed.",
        epilog="exit codes: 0, or 1 as --fail-on says, or 2 when a file cannot be read or is broken in parts",
    )
    made.add_argument("files", nargs="+", metavar="FILE", help="a .pt2, or a library of AOTInductor; two to compare")
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    made.add_argument("--all", action="store_true", dest="everything", help="shorten no table")
    made.add_argument("--graph", action="store_true", help="JSON: also every operator call and tensor of the graph")
    made.add_argument(
        "--fail-on",
        choices=("breaking", "any"),
        help="exit with 1 if the second breaks callers of the first, or differs",
    )
    return made


def _one(archive: Archive, arguments: Namespace) -> None:
    with Output(None) as output:
        if arguments.output_format == "json":
            left_out = None if arguments.graph else {"programs": {"__all__": {"calls", "tensors"}}}
            output.document(of_model(archive, left_out))
            return
        from aoti_lint.report.commands.inspection import print_archive

        print_archive(output, archive, everything=arguments.everything)


def _two(archives: list[Archive], differences: list[Difference], arguments: Namespace) -> None:
    with Output(None) as output:
        if arguments.output_format == "json":
            from aoti_lint.program.diff import Comparison

            made = Comparison(before=archives[0].file, after=archives[1].file, differences=tuple(differences))
            output.document(of_model(made))
            return
        from aoti_lint.report.commands.inspection import print_differences

        print_differences(output, differences, everything=arguments.everything)
