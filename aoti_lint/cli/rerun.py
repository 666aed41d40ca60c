"""`aoti-lint rerun`: the plan of runs that find out which kernel or operator is to blame."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import TYPE_CHECKING

from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aoti_lint.report.frame import Line
    from aoti_lint.rerun.plan import Plan
    from aoti_lint.rerun.target import Target

DESCRIPTION = """\
Plan the runs of a failing program that find out which kernel, operator or input is to blame: each with the debug flags
that serve, in the process that reads them. Nothing is run; -o writes the plan as a script to run.

  aoti-lint rerun serve.py --symptom nan -o rerun.sh     a script, with its arguments after --
  aoti-lint rerun --from-log run.log -- pytest tests/test_model.py -k export
  aoti-lint rerun --build export.py -- ./serve model.pt2
"""

EPILOG = """\
symptoms:
  illegal-memory-access, segfault, nan, wrong-result, device-mismatch, shape-mismatch, export-error, compile-error,
  load-error, recompile, cuda-graph-overwrite, slow

Without --symptom and --from-log the rules decide: what they find in the script says how it will fail.

exit codes:
  0  the plan is made
  2  it could not be made
"""


def run(words: list[str]) -> int:
    """Make the plan, and print or write it."""
    at = words.index("--") if "--" in words else len(words)
    arguments = parser().parse_args(words[:at])
    plan = _plan(arguments, words[at + 1 :])
    windows = sys.platform == "win32"
    if arguments.output is None and arguments.format is None:
        with Output(None) as output:
            output.styled(_summary(plan, windows))
        return 0
    from aoti_lint.rerun.formats import format_of, written

    chosen = format_of(arguments.output, arguments.format, windows=windows)
    text = written(plan, chosen)
    if arguments.output in (None, "-"):
        sys.stdout.write(text)
        return 0
    _write(arguments.output, text, executable=chosen != "json")
    print(f"{arguments.output}: {len(plan.stages)} stages, up to {plan.runs} runs of your program")
    return 0


def parser() -> ArgumentParser:
    """The parser of this command, for what stands before `--`."""
    made = ArgumentParser(
        prog="aoti-lint rerun", usage="aoti-lint rerun [options] SCRIPT [-- ARGS...]\n"
        "       aoti-lint rerun [options] -- COMMAND...",
        description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("script", nargs="?", metavar="SCRIPT", help="the Python script that fails")
    made.add_argument("--symptom", metavar="SYMPTOM", help="how it fails")
    made.add_argument("--from-log", metavar="FILE", help="what a failed run printed says how it fails")
    made.add_argument("--build", metavar="COMMAND", help="the script or command that compiles what SCRIPT loads")
    made.add_argument("--python", metavar="PATH", help="the interpreter to run SCRIPT with (default: this one)")
    made.add_argument("--torch-version", metavar="VERSION", help="the torch it runs with (default: the installed one)")
    made.add_argument("--device", choices=("cpu", "cuda"), help="where it runs (default: as the scripts say)")
    made.add_argument("-o", "--output", metavar="FILE", help="write the plan there: a .sh, .py or .json")
    made.add_argument("--format", choices=("sh", "python", "json"), help="default: by the name of FILE")
    return made


def _plan(arguments: Namespace, after: list[str]) -> Plan:
    from aoti_lint.rerun.make import Wanted, make_plan
    from aoti_lint.rerun.symptoms import SYMPTOMS

    if arguments.symptom is not None and arguments.symptom not in SYMPTOMS:
        hint = did_you_mean(arguments.symptom, SYMPTOMS)
        raise CannotRun(f"there is no symptom {arguments.symptom!r}{hint}; {', '.join(SYMPTOMS)}")
    wanted = Wanted(
        arguments.symptom, arguments.from_log, arguments.build, arguments.torch_version, arguments.device
    )  # fmt: skip
    return make_plan(_target(arguments, after), wanted)


def _target(arguments: Namespace, after: list[str]) -> Target:
    from aoti_lint.rerun.target import interpreter, of_command, of_script

    if arguments.script is None:
        if arguments.python is not None:
            raise CannotRun("--python is for SCRIPT; a command names its own interpreter")
        return of_command(after)
    return of_script(arguments.script, after, arguments.python or interpreter())


def _summary(plan: Plan, windows: bool) -> Iterator[Line]:
    """The plan for people."""
    yield [("symptom: ", "gutter"), (plan.symptom, "name")]
    for reason in plan.reasons:
        yield [("  because: ", "gutter"), (reason, "")]
    for note in plan.notes:
        yield [("  note:    ", "gutter"), (note, "")]
    for number, stage in enumerate(plan.stages, 1):
        yield []
        yield [(f"{number:>2}. {stage.name}", "name"), (f": {stage.title}", "message")]
        for step in stage.steps:
            flags = [f"{name}={value}" for name, value in step.environment.items() if not name.startswith("PYTHON")]
            flags += [f"{name}={value!r}" for name, value in step.config.items()]
            flags += [f"{name}={value}" for name, value in step.replace.items()]
            yield [(f"    {step.phase}: ", "gutter"), (" ".join((*flags, *step.command)), "")]
        if stage.needs:
            yield [("    needs ", "gutter"), (", ".join(stage.needs), "")]
    yield []
    name = "rerun.py" if windows else "rerun.sh"
    yield [(f"Up to {plan.runs} runs of your program. Write them as a script to run: -o {name}", "")]


def _write(path: str, text: str, *, executable: bool) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if executable:
            os.chmod(path, 0o755)
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror or error}") from None
