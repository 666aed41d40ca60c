"""The fakes that are offered for ops without one, held against torch: those of `skeletons.txt` and `kernels.txt`.

A block of `skeletons.txt` is a script with the op `lib::op`, arguments for it (`CASES`), and perhaps the fake it has to
get (`FAKE`). `INCOMPLETE` ones get one that raises.
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


FAILING = [
    *sorted((HERE / "scripts").glob("aoti401_*_bad.py")),
    HERE.parent / "truth" / "scripts" / "401_custom_op_no_fake.py",
]
"""Scripts whose export fails because there is no fake."""


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
@pytest.mark.parametrize("script", FAILING, ids=lambda path: path.stem)
def test_what_failed_runs(script: Path, tmp_path: Path) -> None:
    copy = tmp_path / script.name
    text = script.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    [fix] = fixes(report_of(copy, tmp_path / "report.json"), "AOTI401")
    copy.write_text(fixed(text, [fix]), encoding="utf-8")
    done = subprocess.run([str(TORCH_PYTHON), str(copy)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


# ---------------------------------------------------------------- kernels of one line

AT_ONCE = 40
"""Kernels in one script."""
WHOLE = 280
"""At least as many of them get a whole fake."""


def kernels() -> list[str]:
    """The definitions of the ops `k::op0`, `k::op1` …"""
    made: list[str] = []
    for section in f"\n{HERE.joinpath('kernels.txt').read_text(encoding='utf-8')}".split("\n=== ")[1:]:
        head, _, lines = section.partition("\n")
        names, _, two = head.partition(" -> ")
        params = ", ".join(f"{name}: torch.Tensor" for name in names.split(", "))
        returns = "tuple[torch.Tensor, torch.Tensor]" if two else "torch.Tensor"
        for line in filter(None, lines.splitlines()):
            name = f"op{len(made)}"
            made.append(
                f'@torch.library.custom_op("k::{name}", mutates_args=())\n'
                f"def {name}({params}) -> {returns}:\n    return {line}\n"
            )
    return made


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], int]:
    """The kernels with their fakes, those that are whole, and how many there are of these."""
    found, whole, all_kernels = [], 0, kernels()
    for start in range(0, len(all_kernels), AT_ONCE):
        script = tmp_path_factory.mktemp("kernels") / "ops.py"
        text = "import torch\n\n\n" + "\n\n".join(all_kernels[start : start + AT_ONCE])
        script.write_text(text, encoding="utf-8")
        offered = fixes(report_of(script, script.with_name("report.json")), "AOTI401")
        complete = [fix for fix in offered if fix["applicability"] == "unsafe"]
        assert all("NotImplementedError" in fix["edits"][-1]["content"] for fix in offered if fix not in complete)
        script.write_text(fixed(text, complete), encoding="utf-8")
        found.append(script)
        whole += len(complete)
    return found, whole


def test_most_kernels_get_a_whole_fake(scripts: tuple[list[Path], int]) -> None:
    assert scripts[1] >= WHOLE


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_no_fake_is_silently_wrong(scripts: tuple[list[Path], int]) -> None:
    """Whatever tensors it is given, a fake gives what the kernel gives, or refuses them."""
    words = [str(TORCH_PYTHON), str(HERE / "hold_kernels.py"), *map(str, scripts[0])]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count(" held\n") == scripts[1]
    assert [line for line in done.stdout.splitlines() if " differs " in line] == []
