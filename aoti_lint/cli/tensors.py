"""`aoti-lint tensors`: what the debug printer saved, and where bad values or two runs begin to differ."""

from __future__ import annotations

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.quoting.json import document
from aoti_lint.report.output import Output


def run(words: list[str]) -> int:
    """Read one folder of saved tensors, or compare two: 0 if all is well, 1 if there are bad values or differences."""
    from aoti_lint.rerun.read import package_tensors
    from aoti_lint.rerun.report import saved_tensors
    from aoti_lint.tensors.dumps import read
    from aoti_lint.tensors.judge import first_bad, launches

    made = parser()
    arguments = made.parse_args(words)
    if arguments.plot is not None and arguments.other is not None:
        made.error("--plot draws one folder")
    if arguments.package is not None and arguments.other is not None:
        made.error("--package is for one folder")
    target = None
    if arguments.plot is not None:
        from aoti_lint.files.writer import Target
        from aoti_lint.tensors.plot import is_plot

        inputs = [] if arguments.package is None else [arguments.package]
        target = Target(arguments.plot, is_plot, inputs=inputs, force=arguments.force)
    dumps = read(arguments.folder)
    as_json = arguments.output_format == "json"
    if arguments.other is not None:
        from aoti_lint.tensors.compare import compare

        found = compare(dumps, read(arguments.other))
        with Output(None) as output:
            if as_json:
                output.document(document(saved_tensors.compared_document(found)))
            else:
                output.styled(saved_tensors.compared(found))
        return 1 if found.differences else 0
    if arguments.package is None:
        ordered, program = launches(dumps), None
    else:
        program = package_tensors.program_of(arguments.package)
        ordered = package_tensors.launches(dumps, program)
    first = first_bad(ordered)
    maker = package_tensors.maker(first, program) if program is not None and first is not None else None
    if target is not None:
        from aoti_lint.tensors.plot import plot

        with Output(target) as file:
            file.document(plot([one for one in ordered if not one.silent], first))
    with Output(None) as output:
        if as_json:
            output.document(document(saved_tensors.document(ordered, first, maker)))
        else:
            output.styled(saved_tensors.text(ordered, first, maker))
    return 1 if first is not None else 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint tensors",
        description="Show the tensors that AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=1 saved, by kernel, and "
        "where NaN or infinities begin; or where two runs part. It needs torch; only tensors are unpickled.",
        epilog="exit codes: 0, or 1 for bad values or differences, or 2 when there is nothing to read",
    )
    made.add_argument("folder", metavar="DIR", help="the folder in which the model ran, or the one with the files")
    made.add_argument("other", nargs="?", metavar="OTHER", help="that of another run, to compare")
    made.add_argument("--package", metavar="FILE.pt2", help="the package: tells apart launches of one kernel, and "
                      "names operators that save nothing")  # fmt: skip
    made.add_argument("--plot", metavar="FILE.html", help="also draw the range of each tensor, launch by launch")
    made.add_argument("--force", action="store_true", help="write over a FILE.html that is no such picture")
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return made
