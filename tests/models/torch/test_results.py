"""Results of compiled code, and whether they are read after it ran again."""

from __future__ import annotations

import pytest

from aoti_lint.values.events.compiled import CompiledCall, ResultRead
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.torch_values import Program
from tests.snippets import Ran, run

HEAD = """\
import torch
def step(x):
    return x * 2
f = torch.compile(step)
a, b = torch.ones(2), torch.ones(2)
"""


def reads(text: str) -> list[ResultRead]:
    return [event for event in run(HEAD + text).events if isinstance(event, ResultRead)]


@pytest.mark.parametrize(
    "text",
    [
        "x = f(a)\nf(b)\nprint(x)", "x = f(a)\ny = f(b)\nz = x + 1", "x = f(a)\ny = f(b)\nx.sum()",
        "x = f(a)\ny = f(b)\ntorch.stack([x, y])", "k = [f(a), f(b)]\ntorch.stack(k)",
        "k = []\nfor x in (a, b):\n    k.append(f(x))\ntorch.cat(k)", "x = f(a)\nf(x)", "x = f(a)\nf(b)\nx > 0",
        "k = {}\nk['a'] = f(a)\nf(b)\nprint(k['a'])", "x = f(a)\ndef g():\n    f(b)\ng()\nprint(x)",
    ],
)  # fmt: skip
def test_a_result_read_after_a_later_call_is_told(text: str) -> None:
    (event,) = reads(text)[:1]
    assert event.made.order < event.later.order


@pytest.mark.parametrize(
    "text",
    [
        "x = f(a)\nprint(x)\nf(b)", "x = f(a).clone()\nf(b)\nprint(x)",
        "x = f(a)\nf(b)\nprint(x.shape, x.dtype, x.size(0))",
        "x = f(a)\nx = f(b)\nprint(x)", "x = step(a)\nf(b)\nprint(x)",
        "k = [f(x).cpu() for x in (a, b)]\ntorch.stack(k)",
        "for x in (a, b):\n    y = f(x)\n    print(y)",
        "x = f(a)\nif torch.rand(1) > 0:\n    f(b)\nelse:\n    print(x)",
        "f(a)\nf(b)\nprint(a)",
    ],
)  # fmt: skip
def test_a_result_that_is_read_in_time_or_copied_is_not(text: str) -> None:
    assert reads(text) == []


def test_what_a_loop_keeps_is_overwritten_by_its_next_round() -> None:
    (event,) = reads("k = [f(a) for x in torch.utils.data.DataLoader(d)]\ntorch.stack(k)\n")
    assert event.later is event.made


@pytest.mark.parametrize(
    ("around", "wanted"),
    [
        ("", True),
        ("with torch.no_grad():\n    ", False), ("with torch.inference_mode():\n    ", False),
        ("with torch.inference_mode(False):\n    ", True), ("with torch.set_grad_enabled(False):\n    ", False),
        ("torch.set_grad_enabled(False)\n", False),
        ("with torch.no_grad():\n    pass\n", True), ("with torch.no_grad(), torch.enable_grad():\n    ", True),
        ("@torch.no_grad()\ndef g():\n    m(a)\ng()\n#", False),
        ("@torch.inference_mode\ndef g():\n    m(a)\ng()\n#", False),
        ("@torch.no_grad()\ndef g():\n    pass\ng()\n", True),
    ],
)  # fmt: skip
def test_whether_autograd_follows_a_module(around: str, wanted: bool) -> None:
    assert gradients(run(f"{HEAD}m = torch.compile(torch.nn.Linear(2, 2))\n{around}m(a)\n")) is wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("a", False), ("torch.ones(2, requires_grad=True)", True), ("torch.ones(2).requires_grad_()", True),
        ("torch.nn.Parameter(a)", True), ("torch.ones(2, requires_grad=False)", False),
    ],
)  # fmt: skip
def test_whether_autograd_follows_a_function(given: str, wanted: bool) -> None:
    assert gradients(run(f"{HEAD}f({given})\n")) is wanted


def gradients(ran: Ran) -> bool:
    (event,) = [event for event in ran.events if isinstance(event, CompiledCall)]
    return event.gradients


# ---------------------------------------------------------------- Triton

KERNEL = """\
import torch, triton
@triton.autotune(configs=[], key=[])
@triton.jit
def double(x, y, n):
    pass
class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        {launch}
        return y
torch.export.export(Net(), (torch.ones(2),))
"""


@pytest.mark.parametrize(
    ("launch", "kernels"),
    [
        ("double[(1,)](x, y, 2)", ["double"]),
        ("k = double[lambda meta: (1,)]\n        k(x, y, 2)", ["double"]),
        ("double.run(x, y, 2, grid=(1,), warmup=False)", ["double"]),
        ("torch.library.wrap_triton(double)[(1,)](x, y, 2)", []),
        ("if not torch.compiler.is_compiling():\n            double[(1,)](x, y, 2)", []),
        ("if x.sum() > 0:\n            double[(1,)](x, y, 2)", []),
    ],
)
def test_the_kernels_that_a_forward_launches(launch: str, kernels: list[str]) -> None:
    (event,) = [e for e in run(KERNEL.format(launch=launch)).events if isinstance(e, ExportEvent)]
    assert isinstance(event.program, Program)
    assert [name for name, _ in event.program.kernels] == kernels
