"""The fakes that are offered for ops without one: as they are written in `skeletons.txt`, and held against torch.

A block is a script with the op `lib::op`, arguments for it (`CASES`), and perhaps the fake it has to get (`FAKE`).
`INCOMPLETE` ones get one that raises.
"""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.fixing import fixed, fixes, report_of
from tests.proof.test_proof import TORCH_PYTHON

HERE = Path(__file__).parent
HEAD = "from typing import Optional\nimport torch\n\n"
TEXT = HERE.joinpath("skeletons.txt").read_text(encoding="utf-8")


class Block(NamedTuple):
    """A script, the fake it must get (empty: any), and whether that is a whole one."""

    script: str
    fake: str
    complete: bool


def block(text: str) -> Block:
    body, _, fake = text.partition('\nFAKE = """\n')
    plain = body.replace("INCOMPLETE = True\n", "")
    return Block(HEAD + plain.rstrip("\n") + "\n", fake.rpartition('"""')[0], plain == body)


BLOCKS = {name: block(body) for name, _, body in (b.partition("\n") for b in f"\n{TEXT}".split("\n=== ")[1:])}
COMPLETE = [name for name, one in BLOCKS.items() if one.complete]


def with_fake(name: str, folder: Path) -> Path:
    """The script of a block with the fake it is offered."""
    folder.mkdir(parents=True)
    script = folder / "ops.py"
    script.write_text(BLOCKS[name].script, encoding="utf-8")
    offered = fixes(report_of(script, folder / "before.json"), "AOTI401")
    script.write_text(fixed(BLOCKS[name].script, offered), encoding="utf-8")
    return script


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_offered(name: str, tmp_path: Path) -> None:
    """One fake: the expected one, never to be applied if it is not complete, and nothing is found in it."""
    wanted, script = BLOCKS[name], tmp_path / "ops.py"
    script.write_text(wanted.script, encoding="utf-8")
    before = report_of(script, tmp_path / "before.json")
    [fix] = fixes(before, "AOTI401")
    [edit] = fix["edits"]
    assert fix["applicability"] == ("unsafe" if wanted.complete else "display"), edit["content"]
    assert ("raise NotImplementedError(" in edit["content"]) is not wanted.complete
    if wanted.fake:
        assert edit["content"].strip("\n") == wanted.fake.strip("\n")
    text = fixed(wanted.script, [fix])
    ast.parse(text)
    script.write_text(text, encoding="utf-8")
    after = report_of(script, tmp_path / "after.json")
    assert {d["code"] for d in after["diagnostics"]} <= {d["code"] for d in before["diagnostics"]} - {"AOTI401"}


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_torch_agrees(tmp_path: Path) -> None:
    """Sizes, strides, dtypes and devices are those of the kernel, and a model that calls the op is exported."""
    scripts = {str(with_fake(name, tmp_path / str(i))): name for i, name in enumerate(COMPLETE)}
    done = subprocess.run(
        [str(TORCH_PYTHON), str(HERE / "hold_fakes.py"), *scripts], capture_output=True, text=True, check=True
    )
    agreeing = {script for script in scripts if f"{script} agrees\n" in done.stdout}
    assert {scripts[script] for script in scripts.keys() - agreeing} == set(), done.stdout[-5000:]
