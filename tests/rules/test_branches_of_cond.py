"""AOTI716: what the two functions of `torch.cond` give. Each case was exported with torch 2.13, strict and not."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.values.events.compiled import CondCall
from aoti_lint.values.events.process import EnvWrite
from tests.judging import lint_files
from tests.snippets import run

SCRIPT = """import torch

def helper(x):
    return x.view(x.shape)

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.fc2 = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x):
        y = x.abs()

        def first(x):
            return {first}

        def second(x):
            return {second}

        return torch.cond({asked}, first, second, (x,))

torch.export.export(Net(), (torch.randn(3, 4),){more})
"""
WRONG = [
    ("x.argmax(-1)", "x.sum(-1)"), ("x > 0", "x * 2"), ("x.half()", "x * 2"), ("x.long()", "x * 2"),
    ("x.sum(-1)", "x * 2"), ("x.sum(-1, keepdim=True)", "x.mean(-1)"), ("(x * 1)[0]", "x * 2"),
    ("(x * 1, x * 2)", "(x * 2,)"), ("(x * 1, x.sum())", "(x * 2, x.mean(-1))"), ("{'a': x * 1}", "{'b': x * 2}"),
    ("(x * 1, x * 2)", "x * 3"), ("x * 3", "[x * 1, x * 2]"), ("()", "x * 2"),
    ("None", "x * 2"), ("x", "x * 2"), ("x * 2", "(x)"), ("(x * 2, x)", "(x * 2, x * 3)"),
    ("x.long()", "x.int() + 1"), ("x.argmax(-1) * 2", "x.argmax(-1).int() // 2"),
    ("self.fc(x).amax(-1)", "x.argmax(-1)"), ("self.fc(x).half()", "self.fc2(self.fc(x))"),
    ("self.fc(x).argmax(-1)", "self.fc2(x).sum(-1)"), ("(x @ x.t()).long()", "x @ x.t()"),
    # Memory of another tensor.
    ("x.t()", "x.sin().t()"), ("x.view(-1)", "x.sin().flatten()"), ("x[:2]", "x.sin()"), ("x.detach()", "x * 2"),
    ("x.float()", "x * 2"), ("x.contiguous()", "x * 2"), ("x.reshape(12)", "x.sin().flatten()"), ("y", "x * 2"),
    ("x.to(x.dtype)", "x * 2"), ("(x * 2, y.t())", "(x * 2, x.sin().t())"),
    ("x * 2", "x.squeeze(-1)"), ("x.cpu()", "x * 2"), ("(lambda z: (z, z))(x * 2)", "(x * 1, x * 2)"),
    ("(lambda z: (z, z[0]))(x * 2)", "(x * 1, x[0] * 2)"), ("helper(x)", "x * 2"), ("x[0]", "y.sum(0)"),
    ("x.nonzero(as_tuple=True)", "x.nonzero(as_tuple=True)"), ("torch.where(x > 0)", "x.nonzero(as_tuple=True)"),
    # Changes.
    ("x.add_(1) * 2", "x * 2"), ("torch.relu_(x) * 1", "x * 2"), ("y.mul_(2).clone()", "x * 2"),
    ("torch.nn.functional.relu(x, inplace=True) * 2", "x * 2"),
    # Orders, and devices.
    ("x.sin().t()", "torch.zeros(4, 3)"), ("(x * 2).transpose(0, 1).transpose(0, 1)", "torch.zeros(4, 3).t()"),
    ("(x * 1, (x * 2).t())", "(x * 2, (x * 2).t().contiguous())"), ("x * 2", "torch.zeros(3, 4, device='meta')"),
]  # fmt: skip
FINE = [
    ("x.nonzero(as_tuple=True)[0]", "x.nonzero(as_tuple=True)[1]"),
    ("x.sin().t()", "x.cos().t()"), ("x.t().contiguous()", "x.cos().t().contiguous()"), ("x.sin().t()", "x.t() * 2"),
    ("x.double().float()", "x * 2"), ("x[:, [0, 1]]", "x.cos()"), ("x.to(x.dtype, copy=True)", "x * 2"),
    ("x.flatten().clone()", "x.sin().flatten()"), ("x.clone().add_(1)", "x * 2"), ("y.t() + 1", "x.t() + 1"),
    ("(lambda z: (z, z.clone()))(x * 2)", "(x * 1, x * 2)"), ("torch.zeros(4, 1)", "torch.zeros(1, 4).t() + 1"),
    ("helper(x.clone())", "x * 2"), ("x.sin().t().flatten()", "torch.zeros(12)"),
    ("x * 2", "x + 1"), ("x.clone()", "x * 2"), ("x[:2] * 1", "x * 2"), ("x.sum(0)", "x.sum(1)"),
    ("(x * 1,)", "x * 2"), ("[x * 1]", "[x * 2]"), ("{'a': x * 1}", "{'a': x * 2}"), ("x * y", "x + y"),
    ("self.fc(x).sum(-1)", "x.sum(-1)"),
    ("self.fc(x)", "x * 1"), ("self.fc(x)", "self.fc2(x)"), ("torch.zeros_like(x)", "x * 2"),
    ("torch.where(x > 0, x, 0.0)", "x * 2"), ("(x * 1, x.sum())", "(x * 2, x.mean())"),
    ("torch.relu(x)", "x.softmax(-1)"), ("x.long() + 1", "x.long() % 2"), ("x.long() / 2", "x * 2"),
    ("x.int() + 0.5", "x * 2"), ("x.int() + True", "x.int() * 2"),
    ("torch.cond(x.mean() > 1, lambda x: x * 3, lambda x: x - 1, (x,))", "x * 2"),
]  # fmt: skip


def codes(folder: Path, first: str, second: str, asked: str, more: str = "") -> list[str]:
    script = SCRIPT.format(first=first, second=second, asked=asked, more=more)
    return [item.code for item in lint_files(folder / "run", {"net.py": script}, torch="2.13")]


@pytest.mark.parametrize(("first", "second"), [*WRONG, *FINE])
@pytest.mark.parametrize("asked", ["x.sum() > 0", "(x > 0).any()"])
def test_said(first: str, second: str, asked: str, tmp_path: Path) -> None:
    assert codes(tmp_path, first, second, asked) == (["AOTI716"] if (first, second) in WRONG else [])


@pytest.mark.parametrize("first", ["x", "x.t()", "x.add_(1) * 2", "y"])
def test_without_autograd_memory_may_be_shared(first: str, tmp_path: Path) -> None:
    script = SCRIPT.format(first=first, second=f"{first} + 0", asked="x.sum() > 0", more="")
    export = next(line for line in script.splitlines() if line.startswith("torch.export"))
    for number, around in enumerate(("with torch.no_grad():", "with torch.inference_mode():")):
        inside = script.replace(export, f"{around}\n    {export}")
        assert lint_files(tmp_path / str(number), {"net.py": inside}, torch="2.13") == []
    forward = script.replace("    def forward", "    @torch.no_grad()\n    def forward")
    assert lint_files(tmp_path / "forward", {"net.py": forward}, torch="2.13") == []


def test_under_autocast_nobody_knows_what_a_layer_gives(tmp_path: Path) -> None:
    script = SCRIPT.format(first="self.fc(x).amax(-1)", second="x.argmax(-1)", asked="x.sum() > 0", more="")
    forward = script.replace("    def forward", "    @torch.autocast('cpu')\n    def forward")
    assert lint_files(tmp_path / "run", {"net.py": forward}, torch="2.13") == []


def test_functions_of_another_file(tmp_path: Path) -> None:
    files = {
        "parts.py": "class Kept:\n"
        "    @staticmethod\n"
        "    def forward(x):\n"
        "        return x.unsqueeze(0)[0]\n\n"
        "class Turned:\n"
        "    def __call__(self, x):\n"
        "        return x.exp().mT\n\n"
        "def plain(x):\n"
        "    return x * 2\n",
        "net.py": "import torch\nimport parts\n\n"
        "class Net(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return torch.cond(x.sum() > 0, {}, parts.plain, (x,))\n\n"
        "torch.export.export(Net(), (torch.randn(4, 4),))\n",
    }
    for number, (function, told) in enumerate(
        {"parts.Kept.forward": 1, "parts.Turned().__call__": 1, "parts.plain": 0}.items()
    ):
        given = {**files, "net.py": files["net.py"].format(function)}
        found = lint_files(tmp_path / str(number), given, torch="2.13")
        assert [item.code for item in found] == ["AOTI716"] * told


def test_only_one_is_traced_where_python_decides(tmp_path: Path) -> None:
    assert codes(tmp_path, "x.sum(-1)", "x * 2", "True") == []


def test_what_a_function_asks_of_values_is_found(tmp_path: Path) -> None:
    assert codes(tmp_path, "x * 2 if x.sum() > 1 else x * 3", "x * 4", "x.sum() > 0") == ["AOTI325"]


CALLED = """import torch
x = torch.ones(3)
def first(x):
    return {first}
torch.cond({asked}, first, lambda x: torch.zeros_like(x), (x,))
"""


@pytest.mark.parametrize(
    ("first", "asked", "raises"),
    [("x", "x.sum() > 0", True), ("x.long()", "x.sum() > 0", True), ("x * 2", "x.sum() > 0", False),
     ("x", "True", False), ("x", "bool(x.sum() > 0)", False)],
)  # fmt: skip
def test_a_call_outside_of_an_export(tmp_path: Path, first: str, asked: str, raises: bool) -> None:
    script = CALLED.format(first=first, asked=asked)
    assert [one.code for one in lint_files(tmp_path / "judged", {"script.py": script})] == ["AOTI716"] * raises


MADE = """import torch
OUTSIDE = torch.tensor(1.0)
class Net(torch.nn.Module):
    def forward(self, x):
        before = torch.tensor(1.0)
        return torch.cond({asked}, lambda x: x + {made}, lambda x: x.clone(), (x,))
program = torch.export.export(Net(), (torch.randn(3),))
{then}
"""
THEN = {
    "program = program.run_decompositions()": True,
    "torch._inductor.aoti_compile_and_package(program, package_path='net.pt2')": True,
    "torch.onnx.export(Net(), (torch.randn(3),), dynamo=True)": True,
    "program.module()(torch.randn(3))": False,
}


@pytest.mark.parametrize(("then", "raises"), THEN.items())
def test_a_tensor_that_is_made_in_a_branch(tmp_path: Path, then: str, raises: bool) -> None:
    def codes(made: str, asked: str = "x.sum() > 0") -> list[str]:
        script = MADE.format(made=made, asked=asked, then=then)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return [one.code for one in lint_files(folder, {"script.py": script})]

    for made in ("torch.tensor(2.0)", "torch.tensor([1.0, 2.0, 3.0])", "torch.as_tensor(2.0)"):
        assert codes(made) == ["AOTI718"] * raises
    for made in ("torch.full((), 2.0)", "torch.ones(3)", "2.0", "before", "OUTSIDE"):
        assert codes(made) == []
    assert codes("torch.tensor(2.0)", "True") == []


def test_what_a_function_does_outside_of_an_export_is_told_once() -> None:
    ran = run(
        "import os\nimport torch\n"
        "def first(x):\n    os.environ['TORCH_LOGS'] = '+export'\n    return x + 1\n"
        "torch.cond(torch.ones(1).sum() > 0, first, lambda x: x - 1, (torch.ones(2),))\n"
    )
    assert [type(event) for event in ran.events if isinstance(event, EnvWrite | CondCall)] == [CondCall, EnvWrite]
