"""`aoti-lint probe`: the fakes of custom operators, run, and compared with the kernels."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun
from aoti_lint.files.near import beside
from aoti_lint.quoting.json import of_model
from aoti_lint.quoting.terminal import status, tell
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from aoti_lint.probe.session import Options

DESCRIPTION = """\
Run the fake function of each custom operator that TARGET registers (or, for a .pt2, that its program calls) under
symbolic and unknown sizes, and say which size it fixes, in which line; then run the kernel, where it runs on this
machine, for several sizes, types and strides, and say where the fake promises something else: shape, type, device,
stride, number of outputs, memory shared with an input, a change of an input. torch.library.opcheck looks at the one
size it is given, and finds neither a fixed size nor a wrong one.

This executes what it is given: the modules and files of TARGET and --import, the kernels and their fakes on inputs
that may be made up, the function of --inputs, and for a .pt2 torch.export.load, which unpickles. Do it only with code
you trust. It needs torch, in this interpreter or in the one of --python; everything runs in a child process, so that
a crash or a hang of one operator does not lose the others.
"""

EPILOG = """\
TARGET is a module (such as torchao.ops), a Python file, a library of operators (.so), or a program (.pt2) of
torch.export.save.

FUNCTION of --inputs is called without arguments and yields (operator, args) or (operator, args, kwargs), where
operator is a name such as "mylib::scale". Without inputs of yours they are made from the schema. An operator that takes
none of them is reported as not probed, never as right.

exit codes:
  0  no fault in what was probed
  1  a fault, or an operator that crashed or hung
  2  nothing could be probed
"""


def run(words: list[str]) -> int:
    """Run the probe and print what came of it; gives the exit code."""
    arguments = parser().parse_args(words)
    options = _options(arguments)
    _announce(options)
    from aoti_lint.probe.session import probe

    report = probe(options)
    with Output(None, fits=True) as output:
        if arguments.output_format == "json":
            output.document(of_model(report))
        else:
            from aoti_lint.report.commands.probing import print_report

            print_report(output, report, everything=arguments.everything)
    if report.failed:
        return 1
    return 0 if any(op.status == "probed" for op in report.ops) else 2


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(prog="aoti-lint probe", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("targets", nargs="*", metavar="TARGET", help="what registers, or calls, the operators")
    made.add_argument(
        "--op", metavar="NAME", action="append", default=[], dest="ops",
        help='only these operators, such as "mylib::*", even if they were there before TARGET',
    )  # fmt: skip
    made.add_argument("--inputs", metavar="MODULE:FUNCTION", help="what yields inputs; a module or a Python file")
    made.add_argument(
        "--examples", metavar="FILE", help="a list of such inputs that torch.save wrote; it is not unpickled"
    )
    made.add_argument(
        "--import", metavar="TARGET", action="append", default=[], dest="imports", help="import this first"
    )
    made.add_argument("--no-kernels", action="store_false", dest="kernels", help="run the fakes only")
    made.add_argument("--python", metavar="PATH", default=sys.executable, help="the interpreter to run them in")
    made.add_argument("--timeout", type=float, default=120, metavar="SECONDS", help="for each operator (default: 120)")
    made.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    made.add_argument("--all", action="store_true", dest="everything", help="also notes, and operators without faults")
    return made


def _options(arguments: Namespace) -> Options:
    from aoti_lint.probe.session import Options

    if not arguments.targets and not arguments.ops:
        raise CannotRun("what registers the operators? Name a module, a Python file or a .pt2, or operators with --op")
    targets = [target for target in arguments.targets if not target.endswith(".pt2")]
    for target in (*targets, *arguments.imports, arguments.examples or ""):
        if (os.sep in target or target.endswith((".py", ".so", ".pt"))) and not os.path.isfile(target):
            raise CannotRun(f"{target}: there is no such file{beside(target)}")
    if arguments.inputs is not None:
        place, colon, function = arguments.inputs.rpartition(":")
        if not colon or not function.isidentifier():
            raise CannotRun(f"--inputs {arguments.inputs}: write MODULE:FUNCTION, such as tests/samples.py:inputs")
        if place.endswith(".py") and not os.path.isfile(place):
            raise CannotRun(f"{place}: there is no such file{beside(place)}")
    return Options(
        targets=tuple(targets), programs=tuple(_programs(arguments.targets)), imports=tuple(arguments.imports),
        ops=tuple(arguments.ops), inputs=arguments.inputs, examples=arguments.examples, kernels=arguments.kernels,
        python=arguments.python, timeout=arguments.timeout, tell=status,
    )  # fmt: skip


def _programs(targets: list[str]) -> list[tuple[str, str]]:
    """The exported programs in the archives among the targets."""
    found: list[tuple[str, str]] = []
    for path in targets:
        if path.endswith(".pt2"):
            from aoti_lint.cli.inspect import load

            programs = load(path).programs
            if not programs:
                raise CannotRun(f"{path}: there is no program in it; a compiled package does not say how it calls them")
            found += [(path, program.name) for program in programs]
    return found


def _announce(options: Options) -> None:
    """Say what is about to be executed."""
    runs = [*options.imports, *options.targets, *(f"{path}, which is unpickled" for path, _ in options.programs),
            *([options.inputs] if options.inputs else []), *options.ops]  # fmt: skip
    what = "and the kernels and fakes of their operators" if options.kernels else "and the fakes of their operators"
    tell(f"aoti-lint: this runs {'; '.join(runs)}; {what}, in {options.python}")
