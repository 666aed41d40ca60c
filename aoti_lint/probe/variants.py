"""Other inputs of the same shapes: types, values and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from aoti_lint.probe.arguments import Example, other_data

_FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
_WHOLE = (torch.int64, torch.int32)


def reseeded(example: Example) -> Iterator[Example]:
    """With other data, twice."""
    for seed in (1, 2):
        yield example.mapped(partial(_reseeded, seed))


def _reseeded(seed: int, _: str, leaf: Any) -> Any:
    return other_data(leaf, seed) if isinstance(leaf, torch.Tensor) else leaf


def other_dtypes(example: Example) -> Iterator[Example]:
    """All tensors of one type with another type of its kind; then the same of each tensor alone."""
    used = {tensor.dtype for tensor in example.tensors().values()}
    for kind in (_FLOATS, _WHOLE):
        for old in used.intersection(kind):
            yield from (_cast(example, old, new) for new in kind if new != old)


def _cast(example: Example, old: Any, new: Any) -> Example:
    def change(_: str, leaf: Any) -> Any:
        return leaf.to(new) if isinstance(leaf, torch.Tensor) and leaf.dtype == old else leaf

    return example.mapped(change)


def other_values(op: Any, example: Example) -> Iterator[Example]:
    """Each switch turned, those too that the call leaves out: fakes forget about them."""
    for argument in op._schema.arguments:
        value = example.values.get(argument.name, argument.default_value)
        if isinstance(value, bool):
            yield replace(example, values={**example.values, argument.name: not value})


def layouts(example: Example) -> Iterator[Example]:
    """Transposed in memory, and parts of something larger: all tensors at once, then each alone."""
    labels = [label for label, tensor in example.tensors().items() if tensor.dim() and tensor.layout == torch.strided]
    groups = [labels] if len(labels) == 1 else [labels, *([label] for label in labels[:4])]
    for group in groups if labels else ():
        for change in (transposed, sliced):
            yield _changed(example, group, change)


def _changed(example: Example, labels: list[str], change: Callable[[Any], Any]) -> Example:
    return example.mapped(lambda label, leaf: change(leaf) if label in labels else leaf)


def transposed(tensor: Any) -> Any:
    """The same shape, with the last two dimensions the other way round in memory."""
    return tensor.mT.contiguous().mT if tensor.dim() > 1 else sliced(tensor)


def sliced(tensor: Any) -> Any:
    """The same, as every second column of something larger."""
    wide = tensor.unsqueeze(-1).repeat(*[1] * tensor.dim(), 2)
    return wide[..., 0]
