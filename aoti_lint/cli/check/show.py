"""`aoti-lint check --show-files` and `--show-settings`: what a check would look at, and what would decide it."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.selection import levels, selected
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.engine.run import Run
from aoti_lint.options import Options
from aoti_lint.quoting.json import document
from aoti_lint.quoting.terminal import tell
from aoti_lint.report.output import Output
from aoti_lint.torch_api.versions import VersionSet

COMMAND_LINE, DEFAULT = "command line", "default"
_CHOSEN = ("select", "extend-select", "ignore")
"""Settings of the rules: those of the configuration count for nothing where the command line selects."""
_ELSEWHERE = {"paths", "select", "extend_select", "ignore", "exclude", "torch_version", "env", "baseline", "config",
              "no_config", "write_baseline", "add_ignores", "reason", "show_files", "show_settings", "why_silent",
              "help", "version", "watch"}  # fmt: skip
"""Arguments that are no settings, or are told with what the configuration says of the same."""

Row = tuple[str, Any, str]
"""A setting, its value, and where that comes from; None is no value."""


def files(options: Options) -> int:
    """Print the files that would be checked, one a line, and what would not be; gives the exit code."""
    run = Run(options)
    found = run.found
    named = sorted(filter(run.project.owns, (*found.files, *found.archives, *found.settings)))
    for name, reason in found.skipped:
        tell(f"aoti-lint: skipped {name}: {reason}")
    for problem in found.problems:
        tell(f"aoti-lint: error: {problem.path}: {problem.message}")
    with Output(None) as output:
        for path in named:
            output.line(run.name(path))
    return 2 if found.problems else 0


def settings(options: Options, arguments: Namespace, parser: Parser) -> int:
    """Print every setting as the configuration would have it, with where its value comes from; gives the exit code.

    Raises `CannotRun` as a check does, for what names no rule and no version.
    """
    run = Run(options)
    registry = load()
    chosen = len(selected(registry, levels(options)))
    with Output(None) as output:
        output.line(f"# project root: {run.found.root}")
        output.line(f"# {chosen} of {len(registry.names)} rules run")
        for folder, own in run.target().below.items():
            output.line(f"# in {run.name(folder)}: torch-version = {_toml(_versions(own.versions))}  # {own.origin}")
        for name, value, origin in _of_both(options, run):
            output.line(_shown(name, value, origin))
        output.line("# options, which only the command line has:")
        for name, value, origin in _of_arguments(arguments, parser):
            output.line("# " + _shown(name, value, origin).removeprefix("# "))
    return 0


def _shown(name: str, value: Any, origin: str) -> str:
    """A line of a configuration; a comment where nothing is said."""
    if value is None or value in ([], {}):
        return f"# {name}: not set"
    return f"{name} = {_toml(value)}  # {origin}"


def _of_both(options: Options, run: Run) -> Iterator[Row]:
    """What the configuration may say, with what the command line says of the same."""
    config = options.config
    origin = "" if config.path is None else os.path.relpath(config.path)
    given = dict(zip(_CHOSEN, (options.select, options.extend_select, options.ignore), strict=True))
    for name in _CHOSEN:
        configured = None if options.select is not None else getattr(config, name.replace("-", "_"))
        yield from _rows(name, configured, given[name], origin)
    yield from _rows("exclude", config.exclude, options.exclude, origin)
    target = run.target()
    yield "torch-version", _versions(target.versions), target.origin
    for name, value in options.environment.items():
        yield f"environment.{name}", value, origin if config.environment.get(name) == value else COMMAND_LINE
    if not options.environment:
        yield "environment", None, ""
    named = None if options.baseline is None else os.path.relpath(options.baseline)
    yield "baseline", named, origin if options.baseline == Options([], config).baseline else COMMAND_LINE
    for name in ("archives", "per_file_ignores", "severity"):
        yield name.replace("_", "-"), getattr(config, name), origin
    for table in ("target", "package"):
        part = getattr(config, table)
        for name in part.__slots__:
            said: Any = getattr(part, name)
            if name == "dynamic":
                said = {pattern: [f"{one}.{dim}" for one, dim in dims] for pattern, dims in said.items()}
            yield f"{table}.{name.replace('_', '-')}", said, origin


def _rows(name: str, configured: Any, given: Any, origin: str) -> Iterator[Row]:
    """The rows of a setting that may be said in both places."""
    if configured or not given:
        yield name, configured, origin
    if given:
        yield name, given, COMMAND_LINE


def _of_arguments(arguments: Namespace, parser: Parser) -> Iterator[Row]:
    """What the command line alone may say."""
    for action in parser.options():
        if action.dest not in _ELSEWHERE:
            value = getattr(arguments, action.dest)
            name = action.option_strings[-1]
            yield name, value, DEFAULT if value == action.default else COMMAND_LINE


def _versions(minors: Iterable[str]) -> str:
    """Versions as `--torch-version` takes them."""
    every = list(minors)
    if len(every) > 1 and VersionSet(every) == VersionSet.between(every[0], every[-1]):
        return f"{every[0]}..{every[-1]}"
    return " || ".join(every)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return document(value, None)
