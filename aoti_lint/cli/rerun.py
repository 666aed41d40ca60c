"""`aoti-lint rerun`: the plan of runs that find out which kernel or operator is to blame."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import SUPPRESS, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.quoting.shell import command
from aoti_lint.quoting.terminal import status, tell
from aoti_lint.report.output import Output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aoti_lint.report.styled import Line
    from aoti_lint.rerun.plan.consent import Consent
    from aoti_lint.rerun.plan.plan import Plan, Step
    from aoti_lint.rerun.plan.planner import Planner
    from aoti_lint.rerun.plan.target import Target

DESCRIPTION = """\
Plan the runs of a failing program that find out which kernel, operator or input is to blame: each with the debug flags
that serve, in the process that reads them. Without --execute nothing is run; -o writes the plan as a script to run.
--execute runs your program until the culprit has a name, in a copy of your folder (the project, or the current folder):
it says beforehand what it runs and how often, and asks. What is written into the copy is gone with it.

  aoti-lint rerun serve.py --symptom nan -o rerun.sh     a script, with its arguments after --
  aoti-lint rerun --from-log run.log -- pytest tests/test_model.py -k export
  aoti-lint rerun --build export.py -- ./serve model.pt2
  aoti-lint rerun serve.py --symptom nan --execute       runs it
"""

EPILOG = """\
symptoms:
  illegal-memory-access, segfault, nan, wrong-result, device-mismatch, shape-mismatch, export-error, compile-error, \
load-error, recompile, cuda-graph-overwrite, slow

Without --symptom and --from-log the rules decide: what they find in the script says how it will fail.

exit codes:
  0  the plan is made; with --execute: the culprit was found
  1  with --execute: it was not found
  2  the plan could not be made, or not be run
  130  interrupted: the report has what was known by then
"""

MEGABYTE = 1 << 20
FORMATS = ("text", "sh", "python", "json")


def run(words: list[str]) -> int:
    """Make the plan, and print or write it."""
    at = words.index("--") if "--" in words else len(words)
    arguments = parser().parse_args(words[:at])
    planner = _planner(arguments, words[at + 1 :])
    plan = planner.plan()
    if arguments.execute:
        return _execute(planner, plan, arguments)
    windows = sys.platform == "win32"
    wanted = arguments.output_format
    if wanted == "text" and arguments.output not in (None, "-"):
        raise CannotRun("-o writes the plan as sh, python or json; text is what is shown without it")
    if wanted == "text" or (wanted is None and arguments.output is None):
        with Output(None, fits=True) as output:
            output.styled(_summary(plan, windows))
        return 0
    from aoti_lint.rerun.formats import format_of, is_plan, written

    chosen = format_of(arguments.output, wanted, windows=windows)
    text = written(plan, chosen)
    if arguments.output in (None, "-"):
        with Output(None) as output:
            output.document(text)
        return 0
    from aoti_lint.files.writer import Target

    inputs = [path for path in (arguments.script, arguments.from_log, *words[at + 1 :]) if path]
    target = Target(arguments.output, is_plan, inputs=inputs, force=arguments.force)
    target.write(text, executable=chosen != "json")
    with Output(None) as output:
        output.line(f"{arguments.output}: {len(plan.stages)} stages, up to {plan.runs} runs of your program")
    return 0


def parser() -> Parser:
    """The parser of this command, for what stands before `--`."""
    made = Parser(
        prog="aoti-lint rerun", usage="aoti-lint rerun [options] SCRIPT [-- ARGS...]\n"
        "       aoti-lint rerun [options] -- COMMAND...",
        description=DESCRIPTION, epilog=EPILOG
    )  # fmt: skip
    made.add_argument("script", nargs="?", metavar="SCRIPT", help="the Python script that fails")
    made.add_argument("--symptom", metavar="SYMPTOM", help="how it fails")
    made.add_argument("--from-log", metavar="FILE", help="what a failed run printed says how it fails")
    made.add_argument("--build", metavar="COMMAND", help="the script or command that compiles what SCRIPT loads")
    made.add_argument("--python", metavar="PATH", help="the interpreter to run SCRIPT with (default: this one)")
    made.add_argument("--torch-version", metavar="VERSION", help="the torch it runs with (default: the installed one)")
    made.add_argument("--device", choices=("cpu", "cuda"), help="where it runs (default: as the scripts say)")
    made.add_argument("-o", "--output", metavar="FILE", help="write the plan there: a .sh, .py or .json")
    made.add_argument("--force", action="store_true", help="write over a FILE that is no plan")
    made.add_argument("--execute", action="store_true", help="run the plan until the culprit is found")
    made.add_argument("--yes", action="store_true", help="do not ask before the program is run")
    made.add_argument("--in-place", action="store_true", help="run it in your folder itself, not in a copy")
    made.add_argument(
        "--link",
        action="append",
        default=[],
        metavar="PATH",
        help="do not copy this file or folder: your program only reads it (may be repeated)",
    )
    made.add_argument(
        "--keep",
        metavar="DIR",
        help="the folder of the runs and their report, whose caches stay (default: aoti-rerun/TIME)",
    )
    made.add_argument("--timeout", type=_positive, default=600.0, metavar="SECONDS", help="for each run (default: 600)")
    made.add_argument(
        "--memory", type=_positive, metavar="MB", help="end a run that takes more memory (default: no limit)"
    )
    made.add_argument(
        "--output-format", choices=FORMATS,
        help="of the plan (default: text, or by the name of FILE), or with --execute of the report: text or json",
    )  # fmt: skip
    made.add_argument("--format", dest="output_format", choices=FORMATS, help=SUPPRESS)
    return made


def _positive(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise ArgumentTypeError(f"{text} is not above 0")
    return number


def _execute(planner: Planner, plan: Plan, arguments: Namespace) -> int:
    """Run the plan and print its report."""
    from aoti_lint.rerun.copied.survey import Survey, folders_of
    from aoti_lint.rerun.execution import execute
    from aoti_lint.rerun.plan.consent import consent_to
    from aoti_lint.rerun.report.text import text
    from aoti_lint.rerun.report.words import json_text
    from aoti_lint.rerun.run.children import Limits

    if arguments.output is not None or arguments.output_format in ("sh", "python"):
        raise CannotRun("--execute runs the plan, -o and a script as --output-format write it: give one of them")
    if shutil.which(plan.target[0]) is None:
        raise CannotRun(f"{plan.target[0]}: there is no such program")
    if not plan.stages:
        raise CannotRun("there is nothing to run: " + "; ".join(plan.notes or plan.reasons))
    later = planner.plan(compiles=True)
    survey = None
    if not arguments.in_place:
        missing = next((path for path in arguments.link if not os.path.lexists(path)), None)
        if missing is not None:
            raise CannotRun(f"--link {missing}: there is no such file or folder")
        linked = tuple(map(os.path.abspath, arguments.link))
        ours = os.path.abspath(arguments.keep) if arguments.keep else ""
        survey = Survey(folders_of(os.getcwd(), planner.scripts), linked, ours)
        survey.look()
    elif arguments.link:
        raise CannotRun("--link is for the copy of your folder, and with --in-place there is none")
    consent = consent_to((plan, later), survey, planner.why)
    _agreed(consent, arguments.keep or "a new folder in aoti-rerun/", arguments.yes)
    memory = None if arguments.memory is None else int(arguments.memory * MEGABYTE)
    limits = Limits(seconds=arguments.timeout, memory=memory)
    result = execute(plan, limits, arguments.keep, _tell, lambda: later, consent, survey)
    with Output(None, fits=True) as output:
        if arguments.output_format == "json":
            output.document(json_text(result))
        else:
            output.styled(text(result))
    tell(f"aoti-lint: the report is in {os.path.join(result.folder, 'report.html')}")
    if result.stopped:
        return 130
    return 0 if result.found else 1


def _agreed(consent: Consent, report: str, yes: bool) -> None:
    """Say what will be run, and where the report goes; ask, unless that was answered with --yes.

    Raises `CannotRun` without a yes.
    """
    first, *others = consent.lines()
    tell(f"aoti-lint: {first}")
    for each in (*others, f"  The report goes to {report}"):
        tell(each)
    if yes:
        return
    if not sys.stdin.isatty():
        raise CannotRun("--execute runs your program; where nobody can be asked, add --yes")
    tell("Go on? [y/N] ", end="")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise CannotRun("not run")


def _tell(text: str) -> None:
    """A line for each stage; on a terminal also what a run printed last."""
    if sys.stderr.isatty():
        status(text, stays=not text[:1].isdigit())
    elif not text[:1].isdigit():
        tell(f"aoti-lint: {text}")


def _planner(arguments: Namespace, after: list[str]) -> Planner:
    from aoti_lint.rerun.plan.planner import Planner, Wanted
    from aoti_lint.rerun.plan.symptoms import SYMPTOMS

    if arguments.symptom is not None and arguments.symptom not in SYMPTOMS:
        hint = did_you_mean(arguments.symptom, SYMPTOMS)
        raise CannotRun(f"there is no symptom {arguments.symptom!r}{hint}; {', '.join(SYMPTOMS)}")
    wanted = Wanted(
        arguments.symptom, arguments.from_log, arguments.build, arguments.torch_version, arguments.device
    )  # fmt: skip
    return Planner(_target(arguments, after), wanted)


def _target(arguments: Namespace, after: list[str]) -> Target:
    from aoti_lint.rerun.plan.target import interpreter, of_command, of_script

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
            yield [(f"    {step.phase}: ", "gutter"), (_typed(step), "")]
            for name, value in step.config.items():
                yield [("          with ", "gutter"), (f"{name} = {value!r}", "")]
            for name, other in step.replace.items():
                yield [("          with ", "gutter"), (f"{other} in the place of {name}", "")]
        if stage.needs:
            yield [("    needs ", "gutter"), (", ".join(stage.needs), "")]
    yield []
    name = "rerun.py" if windows else "rerun.sh"
    yield [(f"Up to {plan.runs} runs of your program. Run them: --execute. Write them as a script: -o {name}", "")]


def _typed(step: Step) -> str:
    """A step as it is typed in a shell; what is only known later stays in braces."""
    flags = {name: value for name, value in step.environment.items() if not name.startswith("PYTHON")}
    return command(step.command, flags, kept="{}")
