"""`aoti-lint verify`: a package against the program it was compiled from, by running both."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, TypeVar

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.files.near import beside
from aoti_lint.quoting.json import of_model
from aoti_lint.quoting.terminal import status, tell
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from aoti_lint.program import facts
    from aoti_lint.program.verify.cases import Kind
    from aoti_lint.program.verify.session import Options

DESCRIPTION = """\
Run a compiled package and the program it was made from on inputs generated from their contract, and say where they
differ, raise, crash or hang. Without a package in FILE, the program in it is run against the module of --script.

This executes what it is given: the compiled code, the Python of --script and --ops, and torch.export.load, which
unpickles. Do it only with files you trust. (probe, tensors and rerun --execute run code, too; a check does not.) It
needs torch, in this interpreter or in the one of --python; everything runs in a child process, so that a crash there is
a result here.
"""

EPILOG = """\
FUNCTION is called without arguments and may return
  an ExportedProgram             the program, as with --program
  (module, args[, kwargs])       an nn.Module and its example inputs, as for torch.export.export; the module is compared
  module                         the same where --program, or the package alone, knows the inputs
SCRIPT is imported first, so custom operators it defines are known to the package. It must not compile or serve when it
is imported.

KINDS: example, size, empty, layout, values, repeat, scalar, outside

exit codes:
  0  no disagreement inside the contract
  1  a disagreement, crash or hang
  2  it could not be run
"""

T = TypeVar("T")


def run(words: list[str]) -> int:
    """Run the comparison and print what came of it; gives the exit code."""
    arguments = parser().parse_args(words)
    options = _options(arguments)
    _announce(options)
    from aoti_lint.program.verify.session import verify

    report = verify(options)
    with Output(None, fits=True) as output:
        if arguments.output_format == "json":
            output.document(of_model(report))
        else:
            from aoti_lint.report.commands.verification import print_report

            print_report(output, report, everything=arguments.everything)
    silent = arguments.strict and any(ran.silent or ran.finding.verdict == "crash" for ran in report.outside)
    return 1 if report.failures or silent else 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(prog="aoti-lint verify", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("file", metavar="FILE", help="a package (.pt2), a library of AOTInductor, or a program (.pt2)")
    made.add_argument("--program", metavar="FILE", help="the exported program (.pt2) it was compiled from")
    made.add_argument("--script", metavar="SCRIPT:FUNCTION", help="Python that makes the program or the module")
    made.add_argument(
        "--ops", metavar="FILE", action="append", default=[], help="Python or library with custom operators"
    )
    made.add_argument("--model", metavar="NAME", help="which model, if the file has several")
    made.add_argument("--python", metavar="PATH", default=sys.executable, help="the interpreter to run them in")
    made.add_argument("--device", metavar="DEVICE", help="run on this device (default: as the inputs were exported)")
    made.add_argument("--only", metavar="KINDS", help="run only these kinds of cases")
    made.add_argument("--skip", metavar="KINDS", default="", help="do not run these kinds of cases")
    made.add_argument("--strict", action="store_true", help="silent errors outside the contract count as failures")
    made.add_argument("--seed", type=int, default=0, metavar="N", help="other numbers (default: 0)")
    made.add_argument(
        "--max-elements", type=int, default=1 << 22, metavar="N", help="in all inputs of a call (default: 4194304)"
    )
    made.add_argument(
        "--case-seconds", type=float, default=20, metavar="SECONDS",
        help="leave out cases that would take longer, by what smaller ones took (default: 20)",
    )  # fmt: skip
    made.add_argument("--timeout", type=float, default=120, metavar="SECONDS", help="for each case (default: 120)")
    made.add_argument("--rtol", type=float, metavar="X", help="relative tolerance (default: by dtype)")
    made.add_argument(
        "--atol", type=float, metavar="X", help="absolute tolerance, times the largest number where that is above 1"
    )
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    made.add_argument("--all", action="store_true", dest="everything", help="a line for every case")
    return made


def _options(arguments: Namespace) -> Options:
    """What is to be run, from the arguments and from what the files say."""
    from aoti_lint.cli.inspect import load
    from aoti_lint.program.verify.plan import Limits
    from aoti_lint.program.verify.protocol import Open
    from aoti_lint.program.verify.session import Options

    archive = load(arguments.file)
    package = _choose(archive.packages, arguments.model, arguments.file, "package") if archive.packages else None
    program, program_file = None, None
    if arguments.program is not None:
        other = load(arguments.program)
        program = _choose(other.programs, arguments.model, arguments.program, "program", package)
        program_file = arguments.program
    elif archive.programs:
        program = _choose(archive.programs, arguments.model, arguments.file, "program", package)
        program_file = arguments.file
    if package is None and program is None:
        raise CannotRun(f"{arguments.file}: neither a package nor a program is in it")
    if package is None and arguments.program is not None:
        raise CannotRun(f"{arguments.file}: there is no package in it to compare with {arguments.program}")
    script, function = _script(arguments.script)
    if script is None and (package is None or program is None):
        missing = "--program FILE or --script SCRIPT:FUNCTION" if package is not None else "--script SCRIPT:FUNCTION"
        raise CannotRun(f"{arguments.file}: what should it be compared with? Give {missing}")
    for path in arguments.ops:
        if not os.path.isfile(path):
            raise CannotRun(f"{path}: there is no such file{beside(path)}")
    asked = Open(
        package=arguments.file if package is not None else None,
        package_model=package.name if package is not None else "model",
        program=program_file,
        program_model=program.name if program is not None else "model",
        script=script, function=function, ops=tuple(arguments.ops), device=arguments.device,
    )  # fmt: skip
    return Options(
        asked=asked, package=package, program=program, file=arguments.file, python=arguments.python,
        timeout=arguments.timeout, case_seconds=arguments.case_seconds, rtol=arguments.rtol, atol=arguments.atol,
        kinds=_kinds(arguments.only, arguments.skip),
        limits=Limits(elements=arguments.max_elements, seed=arguments.seed), tell=status,
    )  # fmt: skip


def _choose(models: tuple[T, ...], name: str | None, path: str, what: str, like: facts.Package | None = None) -> T:
    """The model that is meant: by its name, or the one of the same name as the package, or the only one."""
    names = {getattr(model, "name"): model for model in models}  # noqa: B009
    wanted = name or (like.name if like is not None and like.name in names else None)
    if not models:
        raise CannotRun(f"{path}: there is no {what} in it")
    if wanted is None:
        if len(models) > 1:
            raise CannotRun(f"{path}: which {what}? Choose with --model: {', '.join(names)}")
        return models[0]
    if wanted not in names:
        if what == "program" and len(models) == 1:
            return models[0]
        raise CannotRun(f"{path}: there is no {what} {wanted!r}{did_you_mean(wanted, names)}")
    return names[wanted]


def _script(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    path, colon, function = text.rpartition(":")
    if not colon or not function.isidentifier():
        raise CannotRun(f"--script {text}: write SCRIPT:FUNCTION, such as export_model.py:make")
    if not os.path.isfile(path):
        raise CannotRun(f"{path}: there is no such file{beside(path)}")
    return path, function


def _kinds(only: str | None, skip: str) -> tuple[Kind, ...]:
    from aoti_lint.program.verify.cases import KINDS

    def words(text: str) -> list[str]:
        found = [word.strip() for word in text.split(",") if word.strip()]
        for word in found:
            if word not in KINDS:
                raise CannotRun(f"there is no kind of case {word!r}{did_you_mean(word, KINDS)}; {', '.join(KINDS)}")
        return found

    wanted = words(only) if only is not None else list(KINDS)
    left_out = words(skip)
    return tuple(kind for kind in KINDS if kind in wanted and kind not in left_out)


def _announce(options: Options) -> None:
    """Say what is about to be executed."""
    asked = options.asked
    runs = [f"the compiled model in {asked.package}" if asked.package else "",
            f"the program in {asked.program}, which is unpickled" if asked.program else "",
            f"{asked.script}" if asked.script else "", *asked.ops]  # fmt: skip
    tell(f"aoti-lint: this runs {'; '.join(filter(None, runs))}; in {options.python}")
