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
    """Run on torch 2.13: it is ignored, and nothing raises."""
    late = HOOKED.format(hook="", how="fullgraph=True")
    late += "layer.register_full_backward_hook(print)\nstep(torch.ones(3))\n"
    assert lint_files(tmp_path / "judged", {"script.py": late}, torch="2.13") == []
