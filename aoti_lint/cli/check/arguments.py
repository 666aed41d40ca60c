"""The arguments of `aoti-lint check`."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from functools import partial

from aoti_lint.cli.shared.commands import COMMANDS
from aoti_lint.cli.shared.outputs import format_and_file
from aoti_lint.cli.shared.parser import Parser, fitted
from aoti_lint.report.check.formats import FORMATS
from aoti_lint.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _ActionsContainer

EPILOG = f"""\
commands; 'aoti-lint COMMAND --help' says more of each:
{chr(10).join(f"  {name} {taken}".ljust(24) + what for name, (taken, what) in COMMANDS.items())}

examples:
  aoti-lint                          check everything below this folder
  aoti-lint export.py serve.py       check these files, with what belongs to them
  aoti-lint --torch-version 2.15 .   what an upgrade of torch would break
  aoti-lint explain AOTI301          what a rule finds, and what to write instead

exit codes:
  0  nothing found
  1  findings
  2  the job could not be done: bad usage or configuration, a file that cannot be read or parsed
"""
MOST_JOBS = 4
"""The default of `--jobs` is not more: every process has a copy of what is known."""


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _rules(text: str) -> list[str]:
    """As in suppression comments, spaces part words as well: no rule has one in its name."""
    return text.replace(",", " ").split()


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ArgumentTypeError(f"{text!r} is no NAME=VALUE; for an empty value write {name or 'NAME'}=")
    return name, value


def processors() -> int:
    """In how many processes a check runs when nobody says it."""
    allowed = getattr(os, "sched_getaffinity", None)
    return min(MOST_JOBS, len(allowed(0)) if allowed is not None else os.cpu_count() or 1)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1000:
        raise ArgumentTypeError(f"{text}: not a number of processes; write --jobs 4")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise ArgumentTypeError(f"{text!r} is no K/N, such as 1/3, 2/3 or 3/3")
    return int(number), int(count)


def add_report(output: _ActionsContainer) -> None:
    """Add what says how a report is written, and what becomes the exit code."""
    output.add_argument(
        "--output-format", type=format_and_file, action="append", metavar="FORMAT[=FILE]",
        help=f"{', '.join(FORMATS)} (default: text); may be repeated, each with its FILE but one",
    )  # fmt: skip
    output.add_argument("--output-file", metavar="FILE", help="write the report there; the one that has no FILE")
    output.add_argument("--force", action="store_true", help="write over a FILE that is no report of aoti-lint")
    output.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    output.add_argument(
        "--error-on", choices=("certain", "likely"), default="likely", help="exit with 1 for findings as sure as this"
    )
    output.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="colour on standard output (default: on a terminal, or as NO_COLOR and FORCE_COLOR say)",
    )  # fmt: skip
    said = output.add_mutually_exclusive_group()
    said.add_argument("-q", "--quiet", action="store_true", help="text: findings and errors alone")
    said.add_argument(
        "-v", "--verbose", action="store_true",
        help="text: every note; and, on standard error, where the settings and versions come from",
    )  # fmt: skip


def add_rules(group: _ActionsContainer) -> None:
    """Add what says which findings are wanted."""
    group.add_argument("--select", type=_rules, action="extend", metavar="RULES", help="run these rules only")
    group.add_argument("--extend-select", type=_rules, action="extend", default=[], metavar="RULES", help="and these")
    group.add_argument("--ignore", type=_rules, action="extend", default=[], metavar="RULES", help="do not run these")
    group.add_argument("--pedantic", action="store_true", help="also show findings that are only possible")
    group.add_argument("--no-ignores", action="store_true", help="do not heed suppression comments")


def add_target(group: _ActionsContainer) -> None:
    """Add what says which torch, and which surroundings, the files are judged for."""
    group.add_argument(
        "--torch-version", metavar="VERSIONS", help="judge for these versions of torch: 2.13, 2.8..2.11, '>=2.8,<2.12'"
    )
    group.add_argument("--python", metavar="PATH", help="the interpreter or environment whose torch counts")
    group.add_argument(
        "--env", type=_variable, action="append", default=[], metavar="NAME=VALUE",
        help="every script starts with this environment variable",
    )  # fmt: skip


def add_files(group: _ActionsContainer) -> None:
    """Add what says which of the files are meant, and what is read beside them."""
    group.add_argument("--exclude", type=_words, action="extend", default=[], metavar="PATTERNS", help="skip these")
    group.add_argument("--force-exclude", action="store_true", help="skip excluded files even when they are named")
    group.add_argument("--config", metavar="FILE", help="read this configuration")
    group.add_argument("--no-config", action="store_true", help="read no configuration")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    group.add_argument(
        "--cache-dir", metavar="DIR",
        help="keep the cache there, such as between runs of CI; who can write there decides what is found "
        "(default: the cache folder of the user)",
    )  # fmt: skip


def parser() -> Parser:
    """The parser of the main command."""
    made = Parser(
        prog="aoti-lint",
        usage="aoti-lint [COMMAND] [options] [PATH...]",
        description="Find the mistakes in PyTorch export and AOTInductor scripts before they are run.",
        epilog=EPILOG,
        formatter_class=partial(fitted, max_help_position=32),
    )
    made.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders; '-' is standard input (default: this folder)"
    )
    made.add_argument("--version", action="version", version=f"aoti-lint {__version__}")

    add_rules(made.add_argument_group("rules (codes, names, prefixes of codes, or ALL; separated by commas)"))

    known = made.add_argument_group("what stood already")
    known.add_argument("--baseline", metavar="FILE", help="do not tell the findings of this file again")
    known.add_argument("--write-baseline", action="store_true", help="write today's findings there, and nothing else")
    known.add_argument(
        "--no-baseline",
        action="store_const",
        const="",
        dest="baseline",
        help="tell them all, whatever the settings",
    )

    known.add_argument("--add-ignores", action="store_true", help="write suppression comments beside today's findings")
    known.add_argument("--reason", metavar="TEXT", help="with --add-ignores: what the comments say besides")

    add_target(made.add_argument_group("torch"))

    files = made.add_argument_group("files")
    add_files(files)
    files.add_argument(
        "--shard", type=_shard, metavar="K/N",
        help="report the files of part K of N alone; 'aoti-lint merge' joins the JSON reports of all parts",
    )  # fmt: skip
    files.add_argument(
        "--jobs", "-j", type=_jobs, metavar="N",
        help=f"run in so many processes where there is much to do (default: all processors, at most {MOST_JOBS})",
    )  # fmt: skip
    files.add_argument("--show-files", action="store_true", help="print the files that would be checked, one a line")
    files.add_argument("--stdin-filename", metavar="PATH", help="where standard input would stand")
    files.add_argument(
        "--show-settings", action="store_true", help="print every setting, its value, and where that comes from"
    )

    output = made.add_argument_group("output")
    add_report(output)
    output.add_argument(
        "--watch", action="store_true", help="go on: check again after every change, until it is interrupted"
    )
    output.add_argument(
        "--coverage", action="store_true",
        help="also say at how many places that export, compile, load or call a program what was known",
    )  # fmt: skip
    output.add_argument(
        "--profile", metavar="FILE",
        help="write there where the time went, for https://www.speedscope.app, and the largest parts to standard error",
    )  # fmt: skip
    output.add_argument(
        "--why-silent", metavar="[FILE:]LINE", help="say what was known and not known on a line, and nothing else"
    )
    return made
