"""`aoti-lint rerun`: the plan of runs that find out which kernel or operator is to blame."""

from __future__ import annotations

import os
import re
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
that serve, in the process that reads them. Nothing is run without --execute; -o writes the plan as a script to run.

  aoti-lint rerun serve.py --symptom nan -o rerun.sh     a script, with its arguments after --
  aoti-lint rerun serve.py --execute                     run it, until the culprit has a name
  aoti-lint rerun --from-log run.log -- pytest tests/test_model.py -k export
  aoti-lint rerun --build export.py -- ./serve model.pt2
"""

EPILOG = """\
symptoms:
  illegal-memory-access, segfault, nan, wrong-result, device-mismatch, shape-mismatch, export-error, compile-error,
  load-error, recompile, cuda-graph-overwrite, slow

Without --symptom and --from-log the rules decide: what they find in the script says how it will fail.

--execute runs your program, and what it loads: do it only with code you trust. Everything runs in child processes with
limits; packages that they would write over stay as they are. It leaves a folder with logs, report.json and report.html.

exit codes:
  0    the plan is made; with --execute: the culprit is found
  1    with --execute: it is not found
  2    it could not be made, or not be run
  130  interrupted; the report is there, and partial
"""
_PROGRESS = re.compile(r"\d+ s: ")
"""What a run says while it goes on, as against the title of a stage."""


def run(words: list[str]) -> int:
    """Make the plan, and print or write it."""
    at = words.index("--") if "--" in words else len(words)
    arguments = parser().parse_args(words[:at])
    plan = _plan(arguments, words[at + 1 :])
    if arguments.execute:
        return _execute(plan, arguments)
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
    running = made.add_argument_group("running it")
    running.add_argument("--execute", action="store_true", help="run the plan, and say who did it")
    running.add_argument("--yes", action="store_true", help="do not ask before")
    running.add_argument(
        "--timeout", type=float, default=600, metavar="SECONDS", help="for each process (default: 600)"
    )
    running.add_argument("--memory", type=float, metavar="GB", help="for each process and what it starts")
    running.add_argument("--keep", metavar="DIR", help="the folder for logs and reports (default: aoti-rerun/TIME)")
    running.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
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


def _execute(plan: Plan, arguments: Namespace) -> int:
    """Run the plan and say what came of it."""
    from aoti_lint.rerun.children import Limits
    from aoti_lint.rerun.hunt import execute

    if arguments.output is not None or arguments.format is not None:
        raise CannotRun("--execute runs the plan, -o and --format write it: give one of them")
    if not plan.stages:
        raise CannotRun("there is nothing to run: " + "; ".join(plan.notes or plan.reasons))
    if not _agreed(plan, arguments.yes):
        raise CannotRun("nothing was run")
    memory = None if arguments.memory is None else int(arguments.memory * 1e9)
    result = execute(plan, Limits(seconds=arguments.timeout, memory=memory), arguments.keep, _tell)
    _tell("")
    with Output(None) as output:
        if arguments.output_format == "json":
            from aoti_lint.rerun.report.words import json_text

            output.plain(json_text(result).removesuffix("\n"))
        else:
            from aoti_lint.rerun.report.text import text

            output.styled(text(result))
            output.plain(f"\nEverything is in {result.folder}; open report.html there.")
    if result.stopped:
        return 130
    return 0 if result.found else 1


def _agreed(plan: Plan, said_yes: bool) -> bool:
    """Say what is about to be executed, and ask."""
    commands = {
        step.command for stage in plan.stages for step in stage.steps if step.phase in ("build", "run", "whole")
    }
    shown = sorted({" ".join(command) for command in commands}, key=len)[:3]
    print(f"aoti-lint: this runs up to {plan.runs} times: {'; '.join(shown)}", file=sys.stderr, flush=True)
    if said_yes:
        return True
    if not sys.stdin.isatty():
        raise CannotRun("there is no terminal to ask on whether to run that: say --yes")
    print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _tell(text: str) -> None:
    """What is being run; on a terminal also a line that changes, with what it printed last."""
    terminal = sys.stderr.isatty()
    if _PROGRESS.match(text) or not text:
        if terminal:
            print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)
    else:
        print(f"\r\x1b[K{text}" if terminal else text, file=sys.stderr, flush=True)


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
    yield [(f"Up to {plan.runs} runs of your program. To run them: --execute, or -o {name} for a script", "")]


def _write(path: str, text: str, *, executable: bool) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if executable:
            os.chmod(path, 0o755)
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror or error}") from None
