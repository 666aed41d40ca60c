"""`torch.finfo` and `torch.iinfo`: what they say is what the bits of a dtype say."""

from __future__ import annotations

import struct

import pytest

from aoti_lint.values.sizes.reckoning import is_float
from aoti_lint.values.values import Const
from tests.snippets import run

PATTERNS = {
    "float16": ("<e", (0xFBFF, 0x7BFF, 0x3C01, 0x0400)),
    "bfloat16": ("<f", (0xFF7F0000, 0x7F7F0000, 0x3F810000, 0x00800000)),
    "float32": ("<f", (0xFF7FFFFF, 0x7F7FFFFF, 0x3F800001, 0x00800000)),
    "float64": ("<d", (0xFFEFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x3FF0000000000001, 0x0010000000000000)),
}
"""How the least, the greatest, the one after 1 and the smallest normal number are written (IEEE 754)."""


@pytest.mark.parametrize("dtype", PATTERNS)
def test_floats(dtype: str) -> None:
    form, patterns = PATTERNS[dtype]
    width = struct.calcsize(form)
    least, most, after_one, tiny = (struct.unpack(form, n.to_bytes(width, "little"))[0] for n in patterns)
    ran = run(
        f"import torch\nx = torch.zeros(2, dtype=torch.{dtype})\nf = torch.finfo(x.dtype)\n"
        + "a, b, c, d, e = f.min, f.max, f.eps, f.tiny, f.smallest_normal\n"
    )
    assert [ran.value(name) for name in "abcde"] == [Const(n) for n in (least, most, after_one - 1, tiny, tiny)]


@pytest.mark.parametrize(
    ("dtype", "least", "most"),
    [("int8", -128, 127), ("uint8", 0, 255), ("int64", -9223372036854775808, 9223372036854775807)],
)
def test_integers(dtype: str, least: int, most: int) -> None:
    ran = run(f"import torch\ni = torch.iinfo(torch.{dtype})\na, b = i.min, i.max\n")
    assert [ran.value("a"), ran.value("b")] == [Const(least), Const(most)]


def test_a_dtype_that_is_not_known() -> None:
    ran = run("import torch, config\na = torch.finfo(config.dtype).min\nb = torch.iinfo(config.dtype)\n")
    assert is_float(ran.value("a"))
    assert not isinstance(ran.value("a"), Const)
    assert not isinstance(ran.value("b"), Const)
