"""Finds where the saved tensors of two runs part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aoti_lint.tensors.dumps import Dump, load
from aoti_lint.tensors.judge import launches, unwritten

TOLERANCE = {"float64": 1e-7, "float32": 1e-5, "float16": 1e-3, "bfloat16": 1.6e-2}
"""Relative and absolute tolerance by dtype, as `torch.testing.assert_close` has the relative ones, rounded up."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a tensor differs between two runs, in words, with both files."""

    one: Dump
    other: Dump
    words: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences in launch order, how many tensors were compared, and files that one run alone has."""

    differences: tuple[Difference, ...]
    compared: int
    alone: tuple[Dump, ...]


def compare(one: Sequence[Dump], other: Sequence[Dump]) -> Comparison:
    """Compare the tensors of two runs of one package, or of two compiles that named their kernels alike.

    Buffers that nothing had written yet are left out.
    """
    fresh = unwritten(launches(one)) | unwritten(launches(other))
    theirs = {dump.name: dump for dump in other}
    differences, compared = [], 0
    for dump in one:
        partner = theirs.pop(dump.name, None)
        if partner is None or dump.path in fresh or partner.path in fresh:
            continue
        compared += 1
        words = _differs(dump, partner)
        if words:
            differences.append(Difference(dump, partner, words))
    names = {dump.name for dump in other}
    alone = [dump for dump in one if dump.name not in names] + list(theirs.values())
    return Comparison(tuple(differences), compared, tuple(alone))


def _differs(one: Dump, other: Dump) -> str:
    """What is different, or nothing."""
    import torch

    if one.stats is None or other.stats is None:
        return "" if one.stats is other.stats else "one of them cannot be read"
    if one.stats.shape != other.stats.shape:
        return f"shape {list(one.stats.shape)} and {list(other.stats.shape)}"
    if one.stats.dtype != other.stats.dtype:
        return f"dtype {one.stats.dtype} and {other.stats.dtype}"
    first, second = load(one.path), load(other.path)
    if first.is_complex():
        first, second = torch.view_as_real(first), torch.view_as_real(second)
    close = TOLERANCE.get(one.stats.dtype, 0.0)
    a, b = first.to_dense().to(torch.float64), second.to_dense().to(torch.float64)
    same = torch.isclose(a, b, rtol=close, atol=close, equal_nan=True)
    if bool(same.all()):
        return ""
    off = (a - b).abs()[~same]
    most = off[torch.isfinite(off)].max().item() if bool(torch.isfinite(off).any()) else float("inf")
    where = tuple(int(i) for i in (~same).nonzero()[0])
    return f"{int((~same).sum())} of {a.numel()} values, the largest by {most:.3g}, the first at {list(where)}"
