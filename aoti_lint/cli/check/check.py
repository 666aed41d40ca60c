"""`aoti-lint check`: look for mistakes in files."""

from __future__ import annotations

import os
import sys

from aoti_lint.cli.check.arguments import parser, processors
from aoti_lint.cli.shared.codes import exit_code
from aoti_lint.cli.shared.outputs import outputs_of, write
from aoti_lint.config import Config, find, load
from aoti_lint.errors import CannotRun
from aoti_lint.files.near import beside
from aoti_lint.files.opener import source_kind, too_large
from aoti_lint.options import Options
from aoti_lint.report.output import GONE, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from aoti_lint.cli.shared.outputs import Outputs
    from aoti_lint.engine.check import Report
    from aoti_lint.files.opener import Kind


def run(words: list[str]) -> int:
    """Check what the arguments name and print the report; gives the exit code."""
    # Intermixed: paths may stand before, between and after options.
    made = parser()
    arguments = made.parse_intermixed_args(words)
    arguments.paths = arguments.paths or ["."]
    options = options_of(arguments)
    if arguments.why_silent is not None:
        from aoti_lint.cli.check.why_silent import run as why_silent

        return why_silent(options, arguments.why_silent)
    shows = [name for name in ("show_files", "show_settings", "write_baseline", "add_ignores") if vars(arguments)[name]]
    if len(shows) > 1:
        first, second, *_ = (f"--{name.replace('_', '-')}" for name in shows)
        raise CannotRun(f"{first} cannot be combined with {second}: each is a command of its own")
    if arguments.show_files or arguments.show_settings:
        from aoti_lint.cli.check import show

        return show.files(options) if arguments.show_files else show.settings(options, arguments, made)
    if arguments.write_baseline:
        from aoti_lint.cli.check.baseline import run as write_baseline

        return write_baseline(options, arguments)
    if arguments.add_ignores:
        from aoti_lint.cli.check.add_ignores import run as add_ignores

        return add_ignores(options, arguments)
    if arguments.reason is not None:
        raise CannotRun("--reason is what the comments of --add-ignores say; it goes with that")
    if arguments.watch:
        if options.stdin is not None:
            raise CannotRun("--watch: standard input does not change; name a file or a folder")
        if arguments.profile is not None:
            raise CannotRun("--watch cannot be combined with --profile, which is about one check")
        from aoti_lint.cli.check.watch import watch

        written = [path for _, path in arguments.output_format or () if path is not None]
        watch(
            lambda: options_of(arguments),
            lambda report: _told(report, arguments),
            [*written, *filter(None, [arguments.output_file])],
            quiet=arguments.quiet,
        )
    from aoti_lint.cli.shared.progress import Progress
    from aoti_lint.engine.check import check

    outputs = outputs_of(arguments)
    busy = None if arguments.quiet else Progress
    report = check(options, busy) if arguments.profile is None else _profiled(options, arguments)
    _tell(report, arguments, outputs)
    if arguments.verbose:
        from aoti_lint.cli.check.verbose import tell_how

        tell_how(report, options)
    return exit_code(report.document, arguments)


def _tell(report: Report, arguments: Namespace, outputs: Outputs | None = None) -> None:
    """Write a report where it is wanted; `outputs` are those places, if they are looked at already."""
    outputs = outputs or outputs_of(arguments)
    for _, target in outputs:
        if target is not None:
            target.inputs += report.files
    write(report.document, report.line, arguments, outputs)


def _told(report: Report, arguments: Namespace) -> None:
    """The same once more, as long as somebody reads it."""
    _tell(report, arguments)
    if GONE:
        raise BrokenPipeError


def _profiled(options: Options, arguments: Namespace) -> Report:
    """Check, and say where the time went."""
    from aoti_lint.cli.shared.progress import Progress
    from aoti_lint.engine.check import check
    from aoti_lint.files.writer import Target
    from aoti_lint.profile import Profile
    from aoti_lint.quoting.json import document
    from aoti_lint.report.check.profile import is_profile, profile_lines, speedscope

    target = Target(arguments.profile, is_profile, inputs=arguments.paths, force=arguments.force)
    profile = Profile()
    report = check(options, Progress, profile)
    target.inputs += report.files
    target.write(document(speedscope(profile, report.name)))
    Output(None, sys.stderr).styled(profile_lines(profile, report.name))
    return report


def options_of(arguments: Namespace) -> Options:
    """What the arguments of a check ask for. Raises `CannotRun`."""
    stdin = None
    if arguments.shard is not None and (arguments.coverage or "-" in arguments.paths):
        raise CannotRun("--shard is neither for standard input nor for --coverage")
    joined = next((one for one in arguments.paths if one.startswith("--") and " " in one), None)
    if joined is not None:
        raise CannotRun(f"{joined!r} is one word: an option and its value are two (in a list of words, each on a line)")
    if "" in arguments.paths:
        raise CannotRun("a PATH is empty: is a variable of the shell not set? This folder is '.'")
    if "-" in arguments.paths:
        if arguments.paths != ["-"]:
            raise CannotRun("'-' (standard input) cannot be combined with other paths")
        stdin = _standard_input(source_kind(arguments.stdin_filename or ""))
    return Options(
        arguments.paths,
        _config(arguments),
        select=arguments.select,
        extend_select=arguments.extend_select,
        ignore=arguments.ignore,
        exclude=arguments.exclude,
        force_exclude=arguments.force_exclude,
        environment=dict(arguments.env),
        torch_version=arguments.torch_version,
        python=arguments.python,
        pedantic=arguments.pedantic,
        coverage=arguments.coverage,
        ignores=not arguments.no_ignores,
        cache=not arguments.no_cache,
        cache_dir=arguments.cache_dir,
        shard=arguments.shard,
        jobs=processors() if arguments.jobs is None else arguments.jobs,
        stdin=stdin,
        stdin_filename=arguments.stdin_filename,
        baseline=_baseline(arguments),
        rewrites=arguments.write_baseline,
    )


def _baseline(arguments: Namespace) -> str | None:
    """The baseline that the command line names; it is there, unless it is to be written."""
    named: str | None = arguments.baseline
    if named and not arguments.write_baseline and not os.path.lexists(named):
        raise CannotRun(f"{named}: there is no such baseline; --write-baseline writes it{beside(named)}")
    return named


def _standard_input(kind: Kind) -> bytes:
    assert kind.limit is not None
    data = sys.stdin.buffer.read(kind.limit + 1)
    if len(data) > kind.limit:
        raise CannotRun(f"standard input: {too_large(kind)}")
    return data


def _config(arguments: Namespace) -> Config:
    if arguments.config is not None:
        return load(arguments.config)
    if arguments.no_config:
        return Config()
    paths = arguments.paths if arguments.paths != ["-"] else [arguments.stdin_filename or "-"]
    folders = [os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path)) for path in paths]
    try:
        return find(os.path.commonpath(folders))
    except ValueError:  # paths on different drives have nothing in common
        return find(folders[0])
