"""Where the reports of a run go: each in its format, to its file or to standard output."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError

from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.quoting.terminal import tell
from aoti_lint.report.check.formats import FORMATS, format_of
from aoti_lint.report.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from aoti_lint.files.writer import Target
    from aoti_lint.report.check.about import About
    from aoti_lint.report.lines import Lines

    Outputs: TypeAlias = list[tuple[str, Target | None]]
    """Formats, each with its file; None is standard output."""

MOST_ERRORS = 5


def format_and_file(text: str) -> tuple[str, str | None]:
    """What `--output-format` is given: `FORMAT`, or `FORMAT=FILE`. Raises `ArgumentTypeError`."""
    name, equals, path = text.partition("=")
    if name not in FORMATS:
        raise ArgumentTypeError(f"there is no format {name!r}{did_you_mean(name, FORMATS)} ({', '.join(FORMATS)})")
    if equals and not path:
        raise ArgumentTypeError(f"{text!r} names no file")
    if path == "-":
        raise ArgumentTypeError(f"{text!r}: the report that goes to standard output has no file: {name}")
    return name, path if equals else None


def outputs_of(arguments: Namespace) -> Outputs:
    """What to write, and where. Raises `CannotRun`."""
    wanted: list[tuple[str, str | None]] = arguments.output_format or [("text", None)]
    bare = [name for name, path in wanted if path is None]
    if len(bare) > 1:
        raise CannotRun(f"{' and '.join(bare)} cannot go to one place: write --output-format {bare[0]}=FILE")
    if arguments.output_file is not None and not bare:
        raise CannotRun("--output-file: every --output-format has a file of its own; name a format for this one too")
    paths = [arguments.output_file if path is None else path for _, path in wanted]
    places = [os.path.realpath(path) for path in paths if path is not None]
    for place in places:
        if places.count(place) > 1:
            raise CannotRun(f"{place}: two reports cannot go to one file")
    return [(name, _target(path, arguments)) for (name, _), path in zip(wanted, paths, strict=True)]


def _target(path: str | None, arguments: Namespace) -> Target | None:
    if path is None:
        return None
    from aoti_lint.files.writer import Target
    from aoti_lint.report.check.formats import is_report

    return Target(path, is_report, inputs=arguments.paths, force=arguments.force)


def write(document: dict[str, Any], line: Lines, arguments: Namespace, outputs: Outputs) -> None:
    """Write the document of a report, whose sources `line` reads, to all outputs."""
    from aoti_lint.report.check.told import Told

    told = Told(
        document, line, os.getcwd(), _about, statistics=arguments.statistics, quiet=arguments.quiet,
        verbose=arguments.verbose,
    )  # fmt: skip
    for name, target in outputs:
        with Output(target, color=arguments.color) as output:
            format_of(name).write(told, output)
    if all(target is not None for _, target in outputs):
        tell_errors(document["errors"])


def tell_errors(errors: Sequence[Mapping[str, Any]]) -> None:
    """Say on standard error which files could not be read, where nothing on standard output says so."""
    for one in errors[:MOST_ERRORS]:
        row = f":{one['location']['row']}" if one["location"] else ""
        tell(f"aoti-lint: error: {one['filename']}{row}: {one['message']}")
    if len(errors) > MOST_ERRORS:
        tell(f"aoti-lint: error: {len(errors) - MOST_ERRORS} more files could not be read; the report names them")


def _about(code: str) -> About | None:
    from aoti_lint.catalogue.pages import about

    return about(code)
