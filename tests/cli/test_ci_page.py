"""docs/ci.md: its command lines, inputs and variables are some that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from aoti_lint.cli.check.arguments import parser
from aoti_lint.cli.shared.commands import COMMANDS

PROJECT = Path(__file__).parents[2]
TEXT = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS: list[dict[str, Any]] = [
    yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
]
NAMES = {"${{ matrix.part }}": "1", "$CI_NODE_INDEX": "1", "$CI_NODE_TOTAL": "3"}


def commands() -> list[list[str]]:
    """The command lines of the blocks, with what the service puts in."""
    found = re.findall(r"^ *- (?:run: )?(aoti-lint .+)$", TEXT, re.MULTILINE)
    found += re.findall(r"`(aoti-lint --[^`]+)`", TEXT)
    found += re.findall(r"^docker run .* (aoti-lint .+)$", TEXT, re.MULTILINE)
    for name, value in NAMES.items():
        found = [line.replace(name, value) for line in found]
    return [shlex.split(line)[1:] for line in found]


def test_the_command_lines_are_understood() -> None:
    assert len(commands()) == 4
    for words in commands():
        if words[0] in COMMANDS:
            assert words == ["merge", "*.json"]
        else:
            assert parser().parse_intermixed_args(words).paths == ["."]


@pytest.mark.skipif(not (PROJECT / "action.yml").exists(), reason="only in a checkout")
def test_what_the_action_and_the_job_are_given_is_there() -> None:
    action = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
    first, part, included, _ = BLOCKS
    given = first["jobs"]["aoti-lint"]["steps"][-1]["with"]
    assert given.keys() | part["with"].keys() <= action["inputs"].keys()
    assert parser().parse_intermixed_args(part["with"]["args"].split()).error_on == "certain"
    template = (PROJECT / included["include"][0]["file"]).read_text(encoding="utf-8")
    variables = yaml.safe_load(template)["aoti-lint"]["variables"]
    assert included["aoti-lint"]["variables"].keys() <= variables.keys()
    parser().parse_intermixed_args(included["aoti-lint"]["variables"]["AOTI_LINT_ARGS"].split())
    assert all(f"`{name}`" in TEXT for name in action["outputs"])
