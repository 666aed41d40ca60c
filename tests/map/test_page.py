"""docs/map.md: it has every kind of step and every form, and its command lines are some that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from aoti_lint.cli.map import EPILOG, parser
from aoti_lint.map.formats import FORMATS, SUFFIXES
from aoti_lint.map.words import KINDS

PAGE = (Path(__file__).parents[2] / "docs/map.md").read_text(encoding="utf-8")


def test_every_kind_and_every_form() -> None:
    rows = re.findall(r"^\| ([^|]+?) \|", PAGE, re.MULTILINE)
    assert sorted(KINDS.values()) == sorted(rows[rows.index("---") + 1 :][: len(KINDS)])
    assert [row.strip("`") for row in rows if row.startswith("`")] == list(FORMATS)
    assert set(re.findall(r"`(\.\w+)`", PAGE)) - {".pt2", ".so"} <= set(SUFFIXES)


def test_the_command_lines_are_understood() -> None:
    lines = re.findall(r"^ *(aoti-lint map [^|\n]*?)(?:  .*)?(?: \|.*)?$", PAGE + EPILOG, re.MULTILINE)
    assert len(lines) == 6
    for line in lines:
        parser().parse_intermixed_args(shlex.split(line)[2:])
