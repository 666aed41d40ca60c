"""Differences of dtypes between a fake and its kernel that may be none."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.diagnostics import Confidence
from aoti_lint.machine.machine import Machine
from aoti_lint.tracing.trials.compare import Difference
from aoti_lint.tracing.trials.trial import Trial


def doubted(m: Machine, difference: Difference, kernel: Trial, asked: set[str]) -> Difference:
    """`difference`, as advice where float32 is written out: the arguments may have to be of it.

    Not those whose dtype was `asked` for: what they may be is known by then. Nor one that the kernel itself brings an
    output to: then it may be another one.
    """
    made = difference.kernel_tensor
    if made is not None and _is_open(made.dtype) and kernel.watch.makers.get(made.key) in ("to", "type_as", "type"):
        return difference
    sides = (difference.fake_tensor, difference.kernel_tensor)
    if any(t.dtype[1:] in asked for t in sides if t and t.dtype and _is_open(t.dtype)):
        return difference
    if difference.kind != "dtype" or {"torch.float32"} != {t.dtype for t in sides if t and not _is_open(t.dtype)}:
        return difference
    said = next(t for t in sides if t and not _is_open(t.dtype))
    source = None if said.span is None else m.project.source(said.span.path)
    if source is None or said.span is None:
        return difference
    text = source.code.encode("utf-8", "surrogatepass")[said.span.start : said.span.end]
    return replace(difference, confidence=Confidence.POSSIBLE) if b"dtype" in text else difference


def _is_open(dtype: str | None) -> bool:
    return dtype is None or dtype.startswith("?")
