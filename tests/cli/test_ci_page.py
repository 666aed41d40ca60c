"""docs/ci.md: its command lines are some that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import yaml

from aoti_lint.cli.arguments import parser
from aoti_lint.cli.commands import COMMANDS

TEXT = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
NAMES = {"${{ matrix.part }}": "1", "$CI_NODE_INDEX": "1", "$CI_NODE_TOTAL": "3"}


def commands() -> list[list[str]]:
    """The command lines of the blocks, with what the service puts in."""
    found = re.findall(r"^ *- (?:run: )?(aoti-lint .+)$", TEXT, re.MULTILINE)
    for name, value in NAMES.items():
        found = [line.replace(name, value) for line in found]
    return [shlex.split(line)[1:] for line in found]


def test_the_blocks_are_yaml() -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    assert all(isinstance(yaml.safe_load(block), dict) for block in blocks)


def test_the_command_lines_are_understood() -> None:
    assert len(commands()) == 4
    for words in commands():
        if words[0] in COMMANDS:
            assert words == ["merge", "*.json"]
        else:
            assert parser().parse_intermixed_args(words).paths == ["."]
