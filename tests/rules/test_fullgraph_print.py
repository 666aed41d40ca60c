"""AOTI515: what prints inside of a function that is never traced is not what breaks the graph, its call may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
{decorator}
def record(x):
    print(x)
    return x
@torch.compile(fullgraph=True)
def step(x):
    return record(x) + 1
step(torch.ones(3))
"""
DECORATORS = {
    "": "print(x)",
    "@torch.no_grad()": "print(x)",
    "@torch.compiler.disable": "record(x) + 1",
    "@torch.compiler.disable()": "record(x) + 1",
    "@torch.compiler.disable(recursive=False)": "record(x) + 1",
    "@torch._dynamo.disable": "record(x) + 1",
    "@torch.compiler.allow_in_graph": "",
    "@torch.compiler.assume_constant_result": "",
}
"""The line that is told of, for each decorator of the function that is called; run on torch 2.13."""


@pytest.mark.parametrize(("decorator", "said"), DECORATORS.items())
def test_what_is_never_traced(decorator: str, said: str, tmp_path: Path) -> None:
    script = SCRIPT.format(decorator=decorator)
    found = lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13")
    assert [item.code for item in found] == ["AOTI515"] * bool(said)
    assert all(said in script.splitlines()[item.row - 1] for item in found)


APART = """import torch
def record(x):
    return x * 2
apart = torch.compiler.disable(record)
@torch.compile(fullgraph=True)
def step(x):
    return {called}(x) + 1
step(torch.ones(3))
"""


@pytest.mark.parametrize(("called", "raises"), [("record", False), ("apart", True)])
def test_the_function_that_was_given_is_traced_as_before(called: str, raises: bool, tmp_path: Path) -> None:
    """Run on torch 2.13: `disable` gives another function."""
    found = lint_files(tmp_path / "judged", {"script.py": APART.format(called=called)}, torch="2.13")
    assert [item.code for item in found] == ["AOTI515"] * raises


HOOKED = """import torch
layer = torch.nn.Linear(3, 3)
{hook}
@torch.compile({how})
def step(x):
    return layer(x) + 1
step(torch.ones(3))
"""
HOOKS = {
    "layer.register_full_backward_hook(print)": True,
    "layer.register_full_backward_pre_hook(print)": True,
    "handle = layer.register_full_backward_hook(print); handle.remove()": False,
    "layer.register_forward_hook(lambda module, given, made: made * 2)": False,
    "": False,
}
"""Run on torch 2.13, with the backend `eager`."""


@pytest.mark.parametrize(("hook", "raises"), HOOKS.items())
def test_hooks_of_the_backward_pass(hook: str, raises: bool, tmp_path: Path) -> None:
    for how, whole in (("fullgraph=True", True), ("", False)):
        script = HOOKED.format(hook=hook, how=how)
        found = lint_files(tmp_path / f"judged{whole}", {"script.py": script}, torch="2.13")
        assert [item.code for item in found] == ["AOTI515"] * (raises and whole)


def test_a_hook_that_comes_after_the_first_call(tmp_path: Path) -> None:
    """Run on torch 2.13: it is ignored, which AOTI528 says, and nothing raises."""
    late = HOOKED.format(hook="", how="fullgraph=True")
    late += "layer.register_full_backward_hook(print)\nstep(torch.ones(3))\n"
    found = lint_files(tmp_path / "judged", {"script.py": late}, torch="2.13")
    assert [one.code for one in found] == ["AOTI528"]


UNTRACED = """import io, json, os, pathlib, random, time
from datetime import datetime
from time import sleep as wait
import numpy as np
import torch
weight, layer = torch.nn.Parameter(torch.ones(3)), torch.nn.Linear(3, 3)
def helper(x):
    return x * time.time()
def step(x):
    {body}
    return x + 1
class Net(torch.nn.Module):
    def forward(self, x):
        return step(x)
{run}
"""
WHOLE = "torch.compile(step, fullgraph=True, backend='eager')(torch.ones(3))"
STRICT = "torch.export.export(Net(), (torch.ones(3),), strict=True)"
LOOSE = "torch.export.export(Net(), (torch.ones(3),))"
REFUSED = [
    "wait(0.1)",
    "y = helper(x)",
    "now = datetime.now()",
    "y = random.choice([1, 2])",
    "open('a')",
    "a = os.getpid()",
    "torch.save([1], 'a.pt')",
    "torch.manual_seed(0)",
    "g = torch.autograd.grad((weight * x).sum(), weight)",
    "(weight * x).sum().backward()",
    "a = x.storage_offset()",
    "a = os.path.exists('a')",
    "r = np.random.default_rng(0)",
    "y = torch.nn.utils.rnn.pack_padded_sequence(x.view(1, 3, 1), [3], batch_first=True)",
    "a = io.BytesIO()",
    "a = pathlib.Path('a').exists()",
    "a = pathlib.Path.cwd()",
    "list((pathlib.Path('a') / 'b').glob('*.c'))",
    "with pathlib.Path('a').open() as f: a = f",
]
"""Each was run on torch 2.13."""
TAKEN = [
    "a = os.path.join('a', 'b')",
    "a = os.environ.get('HOME')",
    "a = np.sqrt(2.0)",
    "np.random.seed(0)",
    "a = id(x)",
    "a = str(pathlib.Path('a').with_suffix('.b').absolute()) + pathlib.Path('a').name",
    "a = x.element_size()",
    "y = torch.func.grad(lambda z: z.sum())(x)",
    "torch.seed()",
    "a = x.is_contiguous()",
    "if not torch.compiler.is_compiling(): time.sleep(1)",
    "y = torch.nn.utils.rnn.pad_sequence([x, x])",
]


@pytest.mark.parametrize("body", [*REFUSED, *TAKEN])
def test_what_is_not_traced(body: str, tmp_path: Path) -> None:
    for number, (run, code) in enumerate(((WHOLE, "AOTI515"), (STRICT, "AOTI344"), (LOOSE, ""))):
        script = UNTRACED.format(body=body, run=run)
        found = lint_files(tmp_path / f"run{number}", {"script.py": script}, torch="2.13")
        assert [item.code for item in found if item.code != "AOTI723"] == [code] * (body in REFUSED and bool(code))


def test_random_numbers_that_a_compiled_function_is_given_anew(tmp_path: Path) -> None:
    for number, (run, code) in enumerate(((WHOLE, ""), (STRICT, "AOTI344"), (LOOSE, "AOTI723"))):
        script = UNTRACED.format(body="y = x * random.randint(1, 2)", run=run)
        found = lint_files(tmp_path / f"run{number}", {"script.py": script}, torch="2.13")
        assert [item.code for item in found] == [code] * bool(code)
