"""`aoti-lint contract`: what a compiled model takes, and a validator of it to keep beside the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from aoti_lint.cli.inspect import load
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from aoti_lint.program.contract.model import Contract
    from aoti_lint.program.facts import Archive, Package, Program
    from aoti_lint.quoting.marked import Marked


def run(words: list[str]) -> int:
    """Print the contract of a model, write a validator of it, or compare its weights with a file."""
    arguments = parser().parse_args(words)
    if arguments.output_format == "json" and (arguments.cpp or arguments.output is not None):
        raise CannotRun("--output-format json prints the contract itself: it goes with neither -o nor --cpp")
    if arguments.weights is not None and (arguments.cpp or arguments.output or arguments.program):
        raise CannotRun("--weights compares a package with a file: it goes with none of -o, --cpp and --program")
    archive = load(arguments.file)
    if arguments.weights is not None:
        return _weights(arguments, archive)
    programs = archive if arguments.program is None else load(arguments.program)
    contract = _contract(arguments, archive, programs)
    files = " and ".join(Path(path).name for path in (arguments.file, arguments.program) if path is not None)
    if not arguments.cpp and arguments.output is None:
        _print(contract, arguments.output_format)
        return 0
    if arguments.cpp:
        from aoti_lint.program.contract.cpp_source import MARK, cpp_source

        text: Marked = cpp_source(contract, files)
        mark = MARK
    else:
        from aoti_lint.program.contract.python_source import MARK, python_source

        text, mark = python_source(contract, files), MARK
    if arguments.output in (None, "-"):
        with Output(None) as output:
            output.document(text)
    else:
        from aoti_lint.files.writer import Target

        inputs = [path for path in (arguments.file, arguments.program) if path is not None]
        Target(arguments.output, lambda head: mark.encode() in head, inputs=inputs, force=arguments.force).write(text)
    return 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint contract",
        description="Say what a compiled model takes: sizes and their ranges, dtypes, strides, values fixed at export. "
        "A package checks nothing of it by default; -o writes a validator that does, without torch or aoti-lint.",
        epilog="exit codes: 0; 1 when weights do not fit; 2 when a file cannot be read, or is not of the same model",
    )
    made.add_argument("file", metavar="FILE", help="a .pt2, or a library of AOTInductor")
    made.add_argument("--program", metavar="FILE", help="the saved program it was compiled from, which knows more")
    made.add_argument("--model", metavar="NAME", help="the model meant, in a file that has several")
    made.add_argument("-o", "--output", metavar="FILE", help="write a validator; - is standard output")
    made.add_argument("--cpp", action="store_true", help="as a C++17 header rather than in Python")
    made.add_argument(
        "--weights", metavar="FILE", help="instead, list where a file of weights is not what load_constants needs"
    )
    made.add_argument("--force", action="store_true", help="write over a file that this command did not write")
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return made


def _contract(arguments: Namespace, archive: Archive, programs: Archive) -> Contract:
    from aoti_lint.program.contract.build import build
    from aoti_lint.program.contract.model import Mismatch
    from aoti_lint.program.errors import Unreadable

    name = arguments.model
    package = _package(archive, arguments.file, name)
    if package is not None and name is None:
        # A package is matched by name only where the programs have to be told apart.
        name = package.name if len(programs.programs) > 1 else None
    path = arguments.program or arguments.file
    program = _program(programs, path, name, alone=arguments.program is not None and len(programs.programs) == 1)
    if arguments.program is not None and program is None:
        raise CannotRun(f"{path}: there is no exported program in it")
    if package is None and program is None:
        problem = next((f": {item.message}" for item in archive.problems), "")
        raise CannotRun(f"{arguments.file}: there is no model in it{problem}")
    try:
        return build(package, program)
    except (Mismatch, Unreadable) as error:
        raise CannotRun(f"{arguments.file}: {error}") from None


def _weights(arguments: Namespace, archive: Archive) -> int:
    """List where a file of weights is not what the package needs; 1 if it is not."""
    from aoti_lint.program.errors import Unreadable
    from aoti_lint.program.weights.compare import compare
    from aoti_lint.program.weights.reading import read_weights

    package = _package(archive, arguments.file, arguments.model)
    if package is None or not package.readable:
        raise CannotRun(f"{arguments.file}: there is no package in it whose weights could be read")
    try:
        file = read_weights(arguments.weights)
    except Unreadable as error:
        said = str(error)
        raise CannotRun(said if arguments.weights in said else f"{arguments.weights}: {said}") from None
    problems = compare(package.weights, file, weights_at=package.weights_at)
    with Output(None) as output:
        if arguments.output_format == "json":
            from aoti_lint.quoting.json import document

            output.document(document([problem.model_dump() for problem in problems]))
        else:
            from aoti_lint.report.commands.contract import print_weights

            print_weights(output, arguments.weights, package.name, problems)
    return 1 if any(problem.outcome != "harmless" for problem in problems) else 0


def _package(archive: Archive, path: str, name: str | None) -> Package | None:
    packages = {package.name: package for package in archive.packages}
    if name is None and len(packages) > 1:
        raise CannotRun(f"{path}: it has the models {', '.join(packages)}; say which one with --model")
    if name is not None and name not in packages and packages:
        raise _no_model(path, name, packages)
    return packages.get(name) if name is not None else next(iter(packages.values()), None)


def _program(archive: Archive, path: str, name: str | None, *, alone: bool) -> Program | None:
    programs = {program.name: program for program in archive.programs}
    if alone or (name is None and len(programs) == 1):
        return next(iter(programs.values()))
    if name is None and programs:
        raise CannotRun(f"{path}: it has the models {', '.join(programs)}; say which one with --model")
    if name is not None and programs and name not in programs:
        raise _no_model(path, name, programs)
    return programs.get(name or "")


def _no_model(path: str, name: str, known: Iterable[str]) -> CannotRun:
    found = list(known)
    return CannotRun(f"{path}: it has no model {name!r}, only {', '.join(found)}{did_you_mean(name, found)}")


def _print(contract: Contract, output_format: str) -> None:
    with Output(None) as output:
        if output_format == "json":
            from aoti_lint.quoting.json import of_model

            output.document(of_model(contract))
            return
        from aoti_lint.report.commands.contract import print_contract

        print_contract(output, contract)
