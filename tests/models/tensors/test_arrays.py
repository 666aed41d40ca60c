"""Arrays of numpy: what is known of the tensor that an array becomes is what numpy gives."""

from __future__ import annotations

import importlib.util

import pytest

from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Many, Tup
from tests.snippets import run

HEAD = """
import numpy as np
f, d = np.zeros((2, 3), dtype=np.float32), np.zeros((2, 3))
i, k, u, b = d.astype(np.int64), d.astype("int32"), d.astype(np.uint8), d.astype(bool)
image, rng = np.zeros((4, 5, 3), np.uint8), np.random.default_rng(0)
"""
KNOWN = """
np.zeros(24).reshape(4, 6) | np.zeros((4, 6)).T.reshape(3, -1) | np.reshape(np.arange(24), (2, -1))
np.zeros((4, 6)).reshape((6, 4)).T | np.zeros((4, 6), np.float32)[:, ::2].reshape(4, 3)
u / 255 | u * 0.5 | i / 2 | i + 1.5 | f * 2 | f / 255.0 | 2 / f | f - d | d * f | i * f | k / k
np.sqrt(f) | np.exp(d) | np.array([1.5, 2]) | np.array([[1, 2], [3, 4]]) | np.array([True, False]) | np.arange(4)
np.arange(0.0, 1.0, 0.25) | np.linspace(0, 1, 5) | np.full((2, 2), 0.5) | np.full((2, 2), 1) | rng.normal(size=(2, 3))
rng.random((2, 3)) | rng.random((2, 3), dtype=np.float32) | rng.integers(0, 9, (2, 3)) | np.random.rand(2, 3)
d[0] | d[:, 1]
rng.standard_normal((2, 3), np.float32) | image.transpose(2, 0, 1) | image.transpose(2, 0, 1) / 255 | image.T
f.T.copy()
np.transpose(image, (2, 0, 1))[None] | image.transpose(2, 0, 1).astype(np.float32) | np.ascontiguousarray(image.T)
np.ascontiguousarray(f.T, dtype=np.float16) | np.ascontiguousarray(f, np.int32)
image[..., 0] | image[::2] | image.swapaxes(0, 2) * 0.5 | np.array(image.T) | np.expand_dims(image.T, 0)
np.squeeze(image[:1]) | f.T - f.T | image.T - np.zeros((3, 1, 1)) | np.frombuffer(b"12345678") | np.stack([f, f])
np.clip(f.T, 0, 1) | np.clip(f, 0.5, 1) | f.clip(0.5, 2.0) | d.clip(0)
np.ascontiguousarray(d.T, dtype=np.float32) | np.ascontiguousarray(d, "float32") | np.zeros_like(d, np.float32)
np.ones_like(i, dtype="float32") | np.empty_like(f, None) | np.stack([d, d], dtype=np.float32, casting="same_kind")
np.concatenate([d, d], 1, dtype="float32") | np.vstack([f, f], dtype=np.float64) | np.zeros_like(f.T)
"""
OPEN = """
f * np.float64(2) | f * np.array(2.0) | i * k | f * u | np.stack([f.T, f.T]) | d[:, :2] + d[:, :2].T | b + b
np.clip(i, 0.5, 1.5) | np.clip(f, d, d) | i.clip(0.5) | f.clip(d) | np.stack([f, f], 0, d[None].repeat(2, 0))
np.zeros_like(f, shape=(4, 5)) | np.zeros_like(f, order="F") | np.zeros_like(f, np.float32, "F")
np.concatenate([f, f], out=np.zeros((4, 3))) | np.concatenate([f, d]) | f.squeeze().clip(0, 1, out=d)
np.ones_like(f, "F" and None, "F", True, (4, 5)) | np.clip(f, a_min=d, a_max=None)
np.asfortranarray(f) | i * 2 | i // 2 | i * True
"""
"""What hangs on the release of numpy, or is not followed: whatever is said of it must not be wrong."""


def split(text: str) -> list[str]:
    return [one.strip() for line in text.strip().splitlines() for one in line.split(" | ")]


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
@pytest.mark.parametrize("expression", [*split(KNOWN), *split(OPEN)])
def test_as_numpy(expression: str) -> None:
    names: dict[str, object] = {}
    exec(f"{HEAD}\nmade = {expression}", names)
    made = names["made"]
    ran = run(f"{HEAD}\nimport torch\nmade = torch.from_numpy({expression})\n")
    seen = ran.value("made")
    assert isinstance(seen, Tensor) or expression in split(OPEN)
    if not isinstance(seen, Tensor):
        return
    dtype, shape, steps = made.dtype.name, made.shape, made.strides  # type: ignore[attr-defined]
    assert seen.dtype == f"torch.{dtype}" or (expression in split(OPEN) and seen.dtype is None)
    assert seen.shape is None or seen.shape == tuple(map(Const, shape))
    strides = [step // made.itemsize for step in steps]  # type: ignore[attr-defined]
    assert all(
        known in (None, true) for known, true, size in zip(seen.strides or (), strides, shape, strict=False) if size > 1
    )
    if "image" in expression:
        assert seen.strides is not None


def test_backwards() -> None:
    """`from_numpy` refuses it: nothing is said of how such a tensor lies."""
    seen = run("import numpy as np, torch\nmade = torch.from_numpy(np.zeros((4, 4))[::-1])\n").value("made")
    assert isinstance(seen, Tensor)
    assert seen.strides is None


def test_other_ways_to_a_tensor() -> None:
    """A copy lies as the array did, unless that has gaps (run on torch 2.13)."""
    text = "import numpy as np, torch\na = np.zeros((4, 6))\nmade = torch.as_tensor(a.T, dtype=torch.float32)\n"
    ran = run(f"{text}gaps = torch.as_tensor(a[:, ::2], dtype=torch.float32)\ncopied = torch.tensor(a.T)\n")
    found = {name: ran.value(name) for name in ("made", "gaps", "copied")}
    strides = {name: one.strides for name, one in found.items() if isinstance(one, Tensor)}
    assert strides == {"made": (1, 6), "gaps": None, "copied": (1, 6)}


def test_another_shape_is_given() -> None:
    text = "import numpy as np, torch\na = np.zeros((4, 6)).T\na.shape = (3, 8)\nmade = torch.from_numpy(a)\n"
    seen = run(text).value("made")
    assert isinstance(seen, Tensor)
    assert seen.strides is None


ROWS = """
import sys, torch
held, mixed, batches = [], [1], []
for line in sys.stdin:
    held.append(torch.zeros(2, len(line)))
    mixed.append(torch.zeros(2))
def cut(lines):
    rows = []
    for line in lines:
        rows.append(float(line))
        if len(rows) == 4:
            yield torch.tensor(rows, dtype=torch.float64), 1
            rows = []
for batch, one in cut(sys.stdin):
    pass
"""


def test_what_a_loop_gathers() -> None:
    ran = run(ROWS)
    held = ran.m.read(getattr(ran.value("held"), "ident", 0), "#items")
    leaf = getattr(held, "then", held)
    assert isinstance(leaf, Many)
    assert isinstance(leaf.element, Tensor)
    assert leaf.element.dtype == "torch.float32"
    mixed = ran.m.read(getattr(ran.value("mixed"), "ident", 0), "#items")
    assert not isinstance(getattr(mixed, "then", mixed), Many | Tup)
    batch = getattr(ran.value("batch"), "then", None)
    assert isinstance(batch, Tensor)
    assert batch.dtype == "torch.float64"
