"""Images of Pillow and OpenCV as tensors: what was seen of Pillow 13.0 and OpenCV 5.0."""

from __future__ import annotations

import pytest

from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Unknown
from tests.snippets import run

HEAD = """
import cv2, numpy as np, torch
from PIL import Image
picture = Image.open("a.png").convert("RGB").resize((10, 8))
frame = cv2.resize(cv2.imread("a.png"), (10, 8))
"""
SEEN = [
    ("np.array(picture)", "uint8", (8, 10, 3), (30, 3, 1)),
    ("np.asarray(picture, dtype=np.float32)", "float32", (8, 10, 3), (30, 3, 1)),
    ("np.array(picture.convert('L'))", "uint8", (8, 10), (10, 1)),
    ("np.array(picture.convert('RGBA'))", "uint8", (8, 10, 4), (40, 4, 1)),
    ("np.array(picture) / 255", "float64", (8, 10, 3), (30, 3, 1)),
    ("np.array(picture.resize((4, 2))).transpose(2, 0, 1)", "uint8", (3, 2, 4), (1, 12, 3)),
    ("frame", "uint8", (8, 10, 3), (30, 3, 1)),
    ("cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)", "uint8", (8, 10, 3), (30, 3, 1)),
    ("cv2.resize(frame.astype(np.float32), dsize=(4, 2))", "float32", (2, 4, 3), (12, 3, 1)),
    ("np.moveaxis(frame, -1, 0)", "uint8", (3, 8, 10), (1, 30, 3)),
]
OPEN = [
    "np.array(Image.open('a.png'))",
    "np.array(picture.crop((0, 0, 4, 4)))",
    "np.array(picture.convert('1'))",
    "cv2.imread('a.png', cv2.IMREAD_UNCHANGED)",
    "cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)",
    "np.array(picture.size)",
]
"""Of which neither the shape nor how they lie is said."""


@pytest.mark.parametrize(("expression", "dtype", "shape", "strides"), SEEN)
def test_seen(expression: str, dtype: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    made = run(f"{HEAD}made = torch.from_numpy({expression})\n").value("made")
    assert isinstance(made, Tensor)
    assert (made.dtype, made.shape, made.strides) == (f"torch.{dtype}", tuple(map(Const, shape)), strides)


@pytest.mark.parametrize("expression", OPEN)
def test_not_said(expression: str) -> None:
    made = run(f"{HEAD}made = torch.from_numpy({expression})\n").value("made")
    assert isinstance(made, Tensor | Unknown)
    assert getattr(made, "shape", None) is None
    assert getattr(made, "strides", None) is None


def test_a_size_that_is_not_known() -> None:
    made = run(f"{HEAD}made = torch.from_numpy(cv2.imread('a.png'))\n").value("made")
    assert isinstance(made, Tensor)
    assert made.shape is not None
    assert made.shape[2] == Const(3)
    assert made.strides == (None, 3, 1)
