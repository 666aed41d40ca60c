"""Writes `tensors.json`: what torch makes of many small expressions. Run with a Python that has torch.

    python -m tests.models.tensors.record_tensors

Expressions are templates filled at random (always the same way); those that raise are left out.
"""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("tensors.json")
PER_TEMPLATE = 6

SHAPES = ((), (1,), (3,), (4,), (2, 3), (1, 3), (3, 4), (4, 4), (2, 1, 4), (2, 3, 4),
          (1, 4, 1), (2, 3, 6, 8), (1, 3, 8, 8), (0, 3))  # fmt: skip

TEMPLATES = """
torch.fft.fft(X, dim=D) | torch.fft.rfft(X) | torch.fft.rfft(X, dim=D) | torch.fft.irfft(X) | torch.fft.rfft(X, 4)
torch.fft.fft2(X) | torch.fft.fftshift(X) | torch.fft.rfftn(X) | torch.linalg.inv(X) | torch.linalg.det(X) | X.det()
torch.linalg.pinv(X) | X.trace() | torch.kron(X, X) | torch.tensordot(X, X, dims=1) | torch.special.expit(X)
torch.bucketize(X, torch.tensor([0.5])) | torch.linalg.norm(X) | torch.cov(X) | X.matrix_exp()
X.view(S) | X.reshape(S) | X.reshape((S)) | torch.reshape(X, (S,)) | X.flatten() | X.flatten(D) | X.flatten(D, D)
torch.flatten(X, start_dim=D) | X.unflatten(D, (N, -1)) | X.unflatten(D, (-1, N)) | X.ravel() | X.squeeze()
X.squeeze(D) | X.squeeze((D, D)) | X.unsqueeze(D) | torch.unsqueeze(X, dim=D) | X.expand(S) | X.expand_as(X)
X.broadcast_to((S,)) | X.view_as(X) | X.permute(D, D, D) | X.permute((D, D)) | torch.permute(X, (D, D, D))
X.transpose(D, D) | X.swapaxes(D, D) | X.t() | X.T | X.mT | X.movedim(D, D) | torch.movedim(X, (D, D), (D, D))
X.unfold(D, N, N) | X.narrow(D, 0, N) | X.select(D, 0) | X[I] | X[I, I] | X[I, I, I] | X[..., I] | X[I, ..., I]
X[[0, 0]] | X[:, [0, 0]] | X[B] | X[L] | X[:, L] | X[X > 0] | X.chunk(N, D) | torch.chunk(X, N) | X.split(N, D)
X.split(N) | torch.split(X, [1, 2], dim=D) | X.tensor_split(N, D) | X.unbind(D) | torch.cat([X, X], D)
torch.cat((X, X, X), dim=D) | torch.stack([X, X], D) | torch.stack([X, X]) | torch.hstack([X, X])
torch.vstack([X, X]) | X.repeat(S) | X.tile((S,)) | X.tile(N) | X.repeat_interleave(N)
X.repeat_interleave(N, dim=D) | X + X | X * 2 | X - 1.5 | X / X | 2 ** X | X // 2 | X % 2 | -X | X + L | X * B
X.add(X) | torch.mul(X, X) | torch.maximum(X, X) | X.clamp(0, 1) | torch.clamp(X, min=0) | X.masked_fill(X > 0, 0.0)
torch.where(X > 0, X, X) | torch.where(X > 0, X, 0.0) | X > 0 | X == X | X != X | X <= X | torch.eq(X, X)
torch.isnan(X) | torch.logical_not(X) | X.lt(1) | X @ X | X @ X.mT | torch.matmul(X, X) | X.matmul(X)
torch.mm(X, X.t()) | torch.bmm(X, X.transpose(1, 2)) | X.dot(X) | torch.outer(X, X) | F.linear(X, X)
torch.einsum("ij,jk->ik", X, X) | torch.einsum("bij,bij->b", X, X) | torch.einsum("ij,kj", X, X) | torch.cdist(X, X)
X.sum() | X.sum(D) | X.sum(D, K) | X.sum(dim=(D, D), keepdim=K) | X.mean(D) | X.mean((D, D), K)
torch.mean(X, dim=D, keepdim=K) | X.prod() | X.prod(D) | X.amax(D) | X.amin((D, D)) | X.logsumexp(D, K) | X.std()
X.std(D) | X.var(D, keepdim=K) | X.norm() | X.norm(2, D) | X.norm(dim=D, keepdim=K) | X.argmax() | X.argmax(D)
X.argmin(dim=D, keepdim=K) | X.all() | X.any(D) | X.max() | X.max(D) | X.max(D, K) | torch.min(X, dim=D) | X.max(X)
X.median() | X.median(D) | X.mode() | X.mode(D) | X.cummax(D) | X.sort() | torch.sort(X, dim=D) | X.aminmax()
X.aminmax(dim=D) | torch.var_mean(X) | torch.std_mean(X, dim=D) | X.argsort(D) | X.topk(N) | X.topk(N, D)
X.kthvalue(N) | X.kthvalue(N, D, K) | torch.quantile(X, 0.5) | torch.quantile(X, 0.5, dim=D) | X.cumsum(D)
X.count_nonzero() | X.sum(axis=D) | X.relu() | torch.relu(X) | F.relu(X) | F.gelu(X) | X.sigmoid() | X.softmax(D)
F.softmax(X, dim=D) | F.softmax(X, dim=D, dtype=torch.float64) | F.log_softmax(X, D) | X.abs() | torch.exp(X)
X.tanh() | F.dropout(X) | F.layer_norm(X, X.shape[-1:]) | X.tril() | X.flip(D) | X.roll(1, D)
F.normalize(X, dim=D) | F.glu(X, D) | F.silu(X) | F.leaky_relu(X, 0.2) | X.pow(2) | X.relu_() | X.add_(1)
X.clone().zero_() | X.float() | X.half() | X.double() | X.long() | X.int() | X.bool() | X.to(torch.float16)
X.to(dtype=torch.int32) | X.to("cpu") | X.to("meta") | X.to("meta", torch.float16) | X.to(X)
X.to(device="meta", dtype=torch.float64) | X.cpu() | X.type(torch.float64) | X.type_as(X)
X.to(torch.device("meta")) | X.to(0.5 and torch.float64) | X.to(float) | X.clone() | X.detach() | X.contiguous()
X.data | torch.clone(X) | X.numel() | X.dim() | X.ndim | X.size() | X.size(D) | X.shape | X.shape[D] | X.shape[:-1]
X.is_cuda | X.is_meta | len(X) | X.shape.numel() | X.is_floating_point() | torch.numel(X) | X.size(dim=D)
X.is_contiguous() | X.mT.is_contiguous() | X.permute(D, D).is_contiguous() | X[I, I].is_contiguous()
X.is_contiguous(memory_format=torch.channels_last) | X.mT.is_contiguous(memory_format=torch.contiguous_format)
isinstance(X.dtype, torch.dtype) | isinstance(X.dtype, (torch.device, str)) | isinstance(X, torch.dtype)
X.dtype == torch.long | X.half().dtype == torch.float16 | X.dtype == torch.float8_e5m2fnuz
isinstance(torch.channels_last, torch.memory_format) | torch.channels_last == torch.contiguous_format
X.mT.abs() | X.mT * 2 | 1 - X.mT | X.mT + X.mT | X.mT - X | X / X.mT | X.mT.float() / 255 | torch.relu(X.mT)
X[..., :1].exp() | X.mT.clamp(0, 1) | X.unsqueeze(D).mT * 2 | X.permute(D, D, D).sqrt() | X.mT.select(D, 0)
X.mT.unbind(D)
torch.stack([X.mT, X.mT], D) | torch.cat([X.mT, X.mT], D) | torch.stack([X, X.mT])
F.conv1d(X, torch.randn(5, 3, N), padding=N) | F.conv2d(X, torch.randn(4, 3, N, N))
F.conv2d(X, torch.randn(4, 3, N, N), stride=N, padding=N) | F.conv2d(X, torch.randn(4, 3, 3, 3), None, 1, 1)
F.conv2d(X, torch.randn(3, 1, 3, 3), groups=3, padding="same") | F.conv2d(X, torch.randn(4, 3, 2, 2), dilation=N)
F.conv_transpose2d(X, torch.randn(3, 5, N, N), stride=N, padding=1)
torch.conv2d(X, torch.randn(4, 3, 2, 3), stride=(2, 1)) | F.max_pool2d(X, N) | F.max_pool2d(X, 2, N)
F.avg_pool2d(X, 3, 1, 1) | F.max_pool2d(X, 2, ceil_mode=K) | F.max_pool2d(X, (2, 3), padding=1)
F.adaptive_avg_pool2d(X, N) | F.adaptive_avg_pool2d(X, (1, N)) | F.adaptive_max_pool2d(X, (None, N))
F.avg_pool1d(X, N) | F.max_pool1d(X, 2) | F.interpolate(X, scale_factor=2) | F.interpolate(X, size=(N, N))
F.interpolate(X, N) | F.interpolate(X, scale_factor=0.5) | F.pad(X, (1, N)) | F.pad(X, (1, 2, N, 0))
F.pad(X, [N, N], value=1.0) | F.pixel_shuffle(X.repeat(1, 4, 1, 1), 2) | F.grid_sample(X, torch.zeros(1, 5, 6, 2))
F.one_hot(L) | F.one_hot(L, 9) | F.embedding(L, torch.randn(9, N)) | F.scaled_dot_product_attention(X, X, X)
F.mse_loss(X, X) | F.mse_loss(X, X, reduction="none") | F.cross_entropy(X, torch.zeros(2, dtype=torch.long))
F.l1_loss(X, X, reduction="sum") | X.index_select(D, torch.tensor([0, 0]))
torch.gather(X, D, torch.zeros(1, 1, dtype=torch.long)) | X.masked_select(X > 0) | X.diag()
X.scatter(D, torch.zeros(1, 1, dtype=torch.long), 1.0) | torch.meshgrid(X, X, indexing="ij")
torch.meshgrid(X, X, indexing="xy") | torch.broadcast_tensors(X, X) | torch.view_as_real(torch.complex(X, X))
torch.nn.utils.rnn.pad_sequence([X, X], batch_first=K) | torch.zeros_like(X)
torch.randn_like(X, dtype=torch.float64) | torch.ones_like(X, device="meta") | torch.full_like(X, 2)
X.new_zeros(S) | X.new_zeros((S,)) | X.new_ones(N, N) | X.new_full((S,), 3) | X.new_tensor([1, 2])
torch.tensor(X.tolist()) | X.new_empty((N,), dtype=torch.int32) | torch.randn(N, N) | torch.zeros((N, N))
torch.ones([N, N, N]) | torch.empty(N) | torch.rand(size=(N, 2)) | torch.zeros(()) | torch.randn(*X.shape)
torch.zeros(X.shape) | torch.zeros(N, X.size(0)) | torch.full((N, N), 1) | torch.full((N,), 1.5)
torch.full((N,), True) | torch.randint(9, (N, N)) | torch.randint(0, 9, (N,)) | torch.randint(0, 9, size=(N, N))
torch.randint(low=0, high=5, size=(2,)) | torch.arange(N) | torch.arange(N, 10) | torch.arange(0, 10, N)
torch.arange(0.0, 1.0, 0.3) | torch.arange(end=N) | torch.arange(N, -N, -1) | torch.arange(N, dtype=torch.float16)
torch.linspace(0, 1, N) | torch.linspace(0, 1, steps=N) | torch.eye(N) | torch.eye(N, 3) | torch.randperm(N)
torch.normal(0.0, 1.0, (N, N)) | torch.normal(X, 1.0) | torch.hann_window(N) | torch.empty_strided((2, N), (1, 2))
torch.tensor(1) | torch.tensor(1.5) | torch.tensor(True) | torch.tensor([1, 2, 3])
torch.tensor([[1, 2.5], [3, 4]]) | torch.tensor([]) | torch.tensor([[True, False]])
torch.tensor((1, 2), dtype=torch.float32) | torch.tensor([[1, 2], [3, 4]], device="meta") | torch.as_tensor([1.0])
torch.as_tensor(X) | torch.tensor([True, 2]) | torch.tensor([X.shape[0], 3]) | torch.Tensor(N, 2)
torch.Tensor([1, 2]) | torch.FloatTensor([[1, 2]]) | torch.LongTensor(N)
torch.zeros(2, dtype=torch.bool, device="meta") | torch.randn(N, device=X.device) | torch.randn(N, device=None)
torch.zeros(2, dtype=float) | torch.zeros(N, dtype=int) | torch.scalar_tensor(2.0)
X.unbind(axis=D) | torch.stack([X, X], axis=D) | torch.cat([X, X], axis=D) | X.max(axis=D) | X.max(axis=D, keepdims=K)
X.mode(axis=D) | X.topk(1, axis=D) | X.tensor_split(N, axis=D) | torch.chunk(X, N, axis=D) | X.std(axis=D, keepdims=K)
X.unsqueeze(axis=D) | X.swapaxes(axis0=D, axis1=D) | X.mv(vec=x2) | X.dot(tensor=x2) | X.repeat_interleave(N, axis=D)
"""


def prelude() -> str:
    """The tensors the expressions speak of: on the CPU, on `meta`, of integers and of truths."""
    lines = ["import torch", "import torch.nn.functional as F"]
    for i, shape in enumerate(SHAPES):
        lines.append(f"x{i} = torch.rand({shape!r})")
        if i % 3 == 0:
            lines.append(f"m{i} = torch.rand({shape!r}, device='meta')")
    lines += ["l0 = torch.zeros((2,), dtype=torch.int64)", "l1 = torch.zeros((2, 3), dtype=torch.int64)"]
    lines += ["l2 = torch.tensor(0)", "b0 = torch.ones((2,), dtype=torch.bool)"]
    lines += ["b1 = torch.ones((2, 3), dtype=torch.bool)"]
    return "\n".join(lines) + "\n"


def fill(template: str, rng: random.Random) -> str:
    """One expression out of a template."""
    tensors = [f"x{i}" for i in range(len(SHAPES))] + [f"m{i}" for i in range(0, len(SHAPES), 3)]
    main, pieces = rng.choice(tensors), []
    for i, char in enumerate(template):
        before, after = f" {template}"[i], f"{template} "[i + 1]
        alone = not (before.isalnum() or before in '._"' or after.isalnum() or after == '"')
        pieces.append(_piece(char, rng, main, tensors) if alone else char)
    return "".join(pieces)


def _piece(char: str, rng: random.Random, main: str, tensors: list[str]) -> str:
    match char:
        case "X":
            return main if rng.random() < 0.7 else rng.choice([*tensors, "l1"])
        case "D":
            return str(rng.randint(-3, 2))
        case "N":
            return str(rng.randint(1, 4))
        case "K":
            return rng.choice(["True", "False"])
        case "S":
            return ", ".join(str(rng.choice([-1, 1, 2, 3, 4, 6, 8, 12])) for _ in range(rng.randint(1, 4)))
        case "I":
            return rng.choice(["0", "-1", ":", "None", "1:", ":2", ":-1", "::2", "0:1", "l0", "..."])
        case "B":
            return rng.choice(["b0", "b1"])
        case "L":
            return rng.choice(["l0", "l1", "l2"])
    return char


def describe(value: Any) -> Any:
    """A result as JSON: tensors as shape, dtype, device and strides; sequences as lists; numbers as they are."""
    import torch

    if isinstance(value, torch.Tensor):
        strides = list(value.stride()) if value.layout == torch.strided else None
        return {
            "shape": list(value.shape), "dtype": str(value.dtype), "device": value.device.type, "strides": strides,
        }  # fmt: skip
    if isinstance(value, tuple | list):
        return [describe(v) for v in value]
    return value if isinstance(value, bool | int | float) else repr(value)


def record() -> dict[str, Any]:
    """All expressions that work, with what they give."""
    import torch

    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    found, cases = set(), []
    start = compile(prelude(), "prelude", "exec")
    for template in (t.strip() for line in TEMPLATES.strip().splitlines() for t in line.split(" | ")):
        kept, rng = 0, random.Random(template)
        for _ in range(150):
            text = fill(template, rng)
            if text in found:
                continue
            names: dict[str, Any] = {}
            exec(start, names)
            try:
                made = describe(eval(text, names))
            except Exception:
                continue
            found.add(text)
            cases.append([text, made])
            kept += 1
            if kept == PER_TEMPLATE:
                break
        assert kept, f"no filling of {template} works"
    return {"torch": str(torch.__version__).split("+")[0], "prelude": prelude(), "cases": cases}


if __name__ == "__main__":
    made = record()
    lines = ",\n".join(json.dumps(case) for case in made.pop("cases"))
    TARGET.write_text(json.dumps(made)[:-1] + ', "cases": [\n' + lines + "\n]}\n")
