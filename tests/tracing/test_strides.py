"""How tensors lie in memory, against torch."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.tracing.strides import Layout, in_rows, strides
from aoti_lint.tracing.trials.trial import outputs, returned
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const
from tests.tracing.trials import of_kernel, program

SIZES = {"x": (6, 5), "z": (3, 4, 5), "i": (2, 3, 4, 5), "w": (7, 5)}
FOLLOWED = """
x
x.t()
x.T.clone()
x.mT + 1
x.H.clone()
x.adjoint().clone()
x.sin().t().contiguous().t()
torch.sigmoid(x.t()) * x.t()
x + x.sum(0)
x.t() + x.sum(1)
x.sum(1) + x.t()
x[:, None] + w[None]
z[0].clone() + z
z.permute(2, 0, 1)
z.permute(2, 0, 1).clone()
z.permute((2, 0, 1)).contiguous()
torch.permute(z, (1, 0, 2)) * 2
z.transpose(1, 2).float()
z.transpose(-1, -2).half()
z.movedim(0, -1) * 2
torch.nn.functional.gelu(z.permute(1, 0, 2))
z.unsqueeze(1)
z.transpose(0, 1).unsqueeze(0)
z.transpose(0, 1)[None].clone()
x.view(6, 1, 5).permute(2, 1, 0).clone()
x.view(6, 1, 5).squeeze(1).t().clone()
i.contiguous(memory_format=torch.channels_last)
i.contiguous(memory_format=torch.channels_last) + 1
i.contiguous(memory_format=torch.channels_last).permute(0, 2, 3, 1)
i.to(memory_format=torch.channels_last)
i.to(torch.float16, memory_format=torch.channels_last)
i.clone(memory_format=torch.channels_last)
i.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
i.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
torch.swapdims(i, 1, 3) + 1
torch.empty((2, 3, 4, 5), memory_format=torch.channels_last)
torch.empty_like(i, memory_format=torch.channels_last)
torch.empty_like(i.permute(0, 2, 3, 1))
torch.empty_like(i.permute(0, 2, 3, 1), memory_format=torch.contiguous_format)
torch.empty_like(x[:, ::2].t())
torch.empty_permuted((2, 3, 4), (2, 0, 1))
torch.empty_permuted(z.shape, (0, 2, 1))
torch.empty_strided((x.shape[0], x.shape[1]), (1, x.shape[0]))
torch.empty_strided((x.shape[0], x.shape[1]), (x.shape[1], 1))
x.new_empty_strided((x.shape[0], x.shape[1]), (1, x.shape[0]))
x.clone().as_strided((x.shape[1], x.shape[0]), (1, x.shape[1]))
torch.zeros(x.shape[1], x.shape[0])
x.new_zeros((x.shape[1], x.shape[0])).t()
torch.full_like(x.t(), 2)
torch.zeros_like(x.t()).t()
torch.rand_like(x.t())
x @ w.t()
x @ x.t()
x.t() @ x
torch.mm(x.t(), x)
z @ w.t()
torch.matmul(z, w.t())
z @ z.transpose(1, 2).contiguous()
torch.bmm(z, z.transpose(1, 2).contiguous())
torch.nn.functional.linear(z, w)
torch.nn.functional.linear(x.t().contiguous().t(), w)
z.sum(0)
z.sum(1, keepdim=True)
z.mean((0, 1), keepdim=True)
z.amax(0)
z.max(1)[0]
z.argmax(0)
z.norm(dim=1)
z.var(0)
z.any(1)
z.logsumexp(0)
torch.prod(z, 1)
torch.softmax(z, 1)
z.cumsum(1)
x.tril()
torch.sort(z, 1)[0]
torch.topk(z, 2, 1)[1]
torch.roll(x, 1)
torch.cat([x, x], dim=1)
torch.stack([x, x], -1)
x.view(5, 6)
x.reshape(-1, 2)
z.flatten(1)
z.view(12, 5).t()
i.permute(0, 2, 3, 1).contiguous().view(-1, 3)
x[:, :2] * 2
x[:, :2].t() + 1
z[0] + 1
z[:, 0] * 2
z[..., 0] * 2
z[:, ::2].transpose(0, 1) * 1
z[..., :2].permute(2, 0, 1).contiguous()
z.transpose(0, 1)[:, 0] + 1
torch.where(x.t() > 0, x.t(), 0.0)
x.t() > 0
-x.t()
~(x.t() > 0)
x.t().clamp(min=0)
torch.add(x.t(), x.t(), alpha=2)
x.masked_fill(x > 1, 0)
x.t().to(torch.int8)
x.t().type_as(x)
x.t().flip(0)
x.t().mul_(2)
x.t().data
x.t() / x.t().abs().amax(0)
x.gather(1, torch.zeros_like(x, dtype=torch.long))
x.repeat(2, 1)
x.repeat_interleave(2, 0)
torch.nn.functional.pad(x, (1, 1))
torch.nn.functional.layer_norm(z, (5,))
x.t().round().clamp(-128, 127).to(torch.int8)
torch.matmul(z, z.mT)
x.t().softmax(-1)
""".strip().splitlines()
"""Expressions whose strides are known."""
LEFT = """
x.clone().t_()
z.transpose(0, 1).sum(-1)
x.t().masked_fill(x.t() > 1, 0)
x.t().repeat(2, 1)
torch.nn.functional.pad(x.t(), (1, 1))
torch.einsum("ij,kj->ik", x, w)
x.expand(3, 6, 5) + 1
x.t() + torch.zeros(5, 6)
torch.cat([i.contiguous(memory_format=torch.channels_last)] * 2)
x[:, :2].detach()
z[0].t() + z.permute(0, 2, 1).permute(0, 2, 1)
""".strip().splitlines()
"""Expressions that have no layout: it is another one on another device, or nobody looked."""


def layout(folder: Path, text: str) -> tuple[Layout | None, tuple[Expr, ...]]:
    """The layout of what an expression of the arguments gives, and its strides."""
    unpacked = "".join(f"{', '.join(f'{n}{k}' for k in range(len(s)))}, = {n}.shape\n" for n, s in SIZES.items())
    params = ", ".join(f"{name}: torch.Tensor" for name in SIZES)
    trial = of_kernel(folder, program("return x.clone()", f"{unpacked}return {text}", params))
    [made] = outputs(returned(trial))
    assert isinstance(made, Tensor)
    found = trial.watch.layouts.of(made)
    if found is None or made.shape is None:
        return None, ()
    return found, strides(found, made.shape)


def worked_out(expr: Expr) -> int:
    """A stride for tensors of `SIZES`."""
    if expr[0] == "const":
        return int(expr[1])
    if expr[0] == "dim":
        return int([*SIZES.values()][int(re.sub(r"\D", "", expr[1]))][expr[2]])
    parts: list[int] = [worked_out(part) for part in expr[1:]]
    return parts[0] * parts[-1] if expr[0] == "*" else parts[0] + parts[-1]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
@pytest.mark.parametrize("text", FOLLOWED)
def test_strides_are_those_of_torch(text: str, tmp_path: Path) -> None:
    import torch

    found, said = layout(tmp_path, text)
    assert found is not None
    assert found.dense
    for device in ("cpu", "meta"):
        arguments: dict[str, Any] = {name: torch.rand(size, device=device) for name, size in SIZES.items()}
        real: Any = eval(text, {"torch": torch, **arguments})
        order = tuple(sorted((i for i, n in enumerate(real.shape) if n != 1), key=lambda i: -real.stride()[i]))
        assert found.order == order
        if all("other" not in str(one) for one in said):
            assert [worked_out(one) for i, one in enumerate(said) if real.shape[i] != 1] == [
                one for i, one in enumerate(real.stride()) if real.shape[i] != 1
            ]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_not_known_has_no_layout(text: str, tmp_path: Path) -> None:
    assert layout(tmp_path, text)[0] is None


@pytest.mark.parametrize("text", ["x[:, :2]", "z[0]", "x[:, ::2].t()"])
def test_views_with_gaps(text: str, tmp_path: Path) -> None:
    found, _ = layout(tmp_path, text)
    assert found is not None
    assert not found.dense


def test_dimensions_of_size_1_do_not_matter() -> None:
    assert in_rows((Const(4), Const(1), Const(3))) == Layout((0, 2))
    assert strides(Layout((2, 0)), (Const(4), Const(1), Const(3))) == tuple(Expr("const", n) for n in (1, 1, 4))
