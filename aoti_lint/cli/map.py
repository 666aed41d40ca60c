"""`aoti-lint map`: the flows of a project as a picture."""

from __future__ import annotations

import os
import stat
import sys

from aoti_lint.cli.check.arguments import add_files, add_rules, add_target
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun
from aoti_lint.map.formats import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.map.model import Map
    from aoti_lint.options import Options
    from aoti_lint.report.check.told import Told

DESCRIPTION = """\
Draw who exports, compiles, loads and calls what: models, packages and their files, scripts, hosts in C++, custom
operators and settings, with what is found at each of them and between them.
"""
EPILOG = """\
examples:
  aoti-lint map -o map.html                     the whole project, as a page
  aoti-lint map export.py serve.py -o map.mmd   a diagram for Markdown, in Mermaid
  aoti-lint map --output-format dot | dot -Tsvg > map.svg

exit codes:
  0  it was drawn, whatever is found
  2  the job could not be done, or a file could not be read or parsed
"""

_PICTURES = frozenset({".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".webp"})


def run(words: list[str]) -> int:
    """Draw the map of what the arguments name; gives the exit code."""
    arguments = parser().parse_intermixed_args(words)
    arguments.paths = arguments.paths or ["."]
    from aoti_lint.cli.check.check import options_of
    from aoti_lint.cli.shared.outputs import tell_errors
    from aoti_lint.files.writer import Target
    from aoti_lint.map.formats import SUFFIXES, is_map, written
    from aoti_lint.report.output import Output

    path = arguments.output_file
    suffix = os.path.splitext(path or "")[1].lower()
    if arguments.output_format is None and suffix in _PICTURES:
        raise CannotRun(
            f"{path}: a map is a page with pictures (.html), or text for Mermaid (.mmd) or Graphviz (.dot), which make "
            f"a {suffix} file of it"
        )
    form = arguments.output_format or SUFFIXES.get(suffix, "html")
    asked = arguments.output_format is not None
    if path is None and form == "html" and (sys.stdout.isatty() or (not asked and _is_pipe())):
        raise CannotRun(
            "a page is for a browser: name a file for it, such as -o map.html, or another form, such as "
            "--output-format mermaid"
        )
    target = None if path is None else Target(path, is_map, inputs=arguments.paths, force=arguments.force)
    drawn, told, files = _drawn(options_of(arguments))
    if target is not None:
        target.inputs += files
    with Output(target) as output:
        output.document(written(form, drawn, told))
    tell_errors([one.model_dump() for one in drawn.errors])
    return 2 if drawn.errors else 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint map", usage="aoti-lint map [options] [PATH...]", description=DESCRIPTION, epilog=EPILOG
    )  # fmt: skip
    made.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    made.add_argument(
        "--output-format", choices=FORMATS,
        help="(default: what the name of the file asks for, else html, which is not shown in a terminal)",
    )  # fmt: skip
    made.add_argument("-o", "--output-file", metavar="FILE", help="write it there")
    made.add_argument("--force", action="store_true", help="write over a FILE that is no map of aoti-lint")
    add_rules(made.add_argument_group("rules (codes, names, prefixes of codes, or ALL; separated by commas)"))
    add_target(made.add_argument_group("torch"))
    add_files(made.add_argument_group("files"))
    made.set_defaults(coverage=False, shard=None, jobs=1, stdin_filename=None, baseline=None, write_baseline=False)
    return made


def _is_pipe() -> bool:
    """Whether another program, such as a pager, reads what is printed."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:  # no file of the system
        return False


def _drawn(options: Options) -> tuple[Map, Told, list[str]]:
    """The map, what is found with its lines, and the files that were read."""
    from aoti_lint.cli.shared.progress import Progress
    from aoti_lint.engine.named import STDIN
    from aoti_lint.engine.run import Run
    from aoti_lint.map.document import map_of
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.lines import Lines

    run = Run(options)
    with Progress():
        facts, findings, document = run.judged(events=True)
        run.complete(document)
        named = {*run.found.files, *run.found.archives, *run.found.settings}
        drawn = map_of(facts, findings, document, named, run.name)
    from aoti_lint.catalogue.pages import about

    return drawn, Told(document, Lines(options.stdin, STDIN), os.getcwd(), about), run.files()
