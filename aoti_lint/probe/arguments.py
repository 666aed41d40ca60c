"""The inputs of an operator, by the names of its schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from aoti_lint.torch_api.schemas.parser import parse
from aoti_lint.torch_api.schemas.schema import SchemaError

Sizes = Mapping[str, tuple[int, ...]]
"""The shapes of tensors, by their labels."""


@dataclass(frozen=True)
class Example:
    """Inputs of one call. `made`: nobody gave them, they were made from the schema.

    `device`: where the fakes of the tensors are said to be, if that is not where the tensors are: this machine may
    lack it.
    """

    values: Mapping[str, Any]
    made: bool = False
    device: str | None = None

    @staticmethod
    def bind(op: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Example:
        """Those of a call. Raises `ValueError` when they do not fit the schema."""
        arguments = op._schema.arguments
        names = [argument.name for argument in arguments]
        positional = [argument.name for argument in arguments if not argument.kwarg_only]
        if len(args) > len(positional):
            raise ValueError(f"{op} takes {len(positional)} positional arguments, not {len(args)}: {op._schema}")
        values = dict(zip(positional, args, strict=False))
        for name, value in kwargs.items():
            if name not in names or name in values:
                raise ValueError(f"{op} takes no argument {name!r} here: {op._schema}")
            values[name] = value
        for argument in arguments:
            if argument.name not in values and not argument.has_default_value():
                raise ValueError(f"{op} misses the argument {argument.name!r}: {op._schema}")
        return Example({name: values[name] for name in names if name in values})

    def call(self, op: Any, change: Callable[[str, Any], Any] = lambda label, value: value) -> Any:
        """Call `op` with these inputs, each leaf changed first."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for argument in op._schema.arguments:
            if argument.name not in self.values:
                # Torch fills in what is left out; all that follow have to be named then.
                kwargs.setdefault("", None)
                continue
            value = _mapped(argument.name, self.values[argument.name], change)
            if argument.kwarg_only or kwargs:
                kwargs[argument.name] = value
            else:
                args.append(value)
        kwargs.pop("", None)
        return op(*args, **kwargs)

    def tensors(self) -> dict[str, Any]:
        """The tensors, by labels such as "x" and "xs[0]"."""
        return {label: leaf for label, leaf in self.leaves() if isinstance(leaf, torch.Tensor)}

    def leaves(self) -> Iterator[tuple[str, Any]]:
        """All values with their labels, out of the lists they stand in."""
        for name, value in self.values.items():
            yield from _leaves(name, value)

    def mapped(self, change: Callable[[str, Any], Any]) -> Example:
        """With each leaf changed."""
        return replace(self, values={name: _mapped(name, value, change) for name, value in self.values.items()})

    def resized(self, sizes: Sizes) -> Example:
        """With tensors of other shapes, made of the elements they have."""
        return self.mapped(lambda label, leaf: resize(leaf, sizes[label]) if label in sizes else leaf)

    def words(self) -> str:
        """As one would say it."""
        return ", ".join(f"{name}={_word(value, self.device)}" for name, value in self.values.items())


def _word(value: Any, device: str | None) -> str:
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        where = device or str(value.device)
        layout = "" if value.is_contiguous() else f" strides {list(value.stride())}"
        return f"{dtype}{list(value.shape)}{layout}{'' if where == 'cpu' else ' on ' + where}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_word(item, device) for item in value)}]"
    return repr(value)[:60]


def _leaves(label: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(f"{label}[{index}]", item)
    else:
        yield label, value


def _mapped(label: str, value: Any, change: Callable[[str, Any], Any]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_mapped(f"{label}[{index}]", item, change) for index, item in enumerate(value))
    return change(label, value)


def resize(tensor: Any, shape: Sequence[int]) -> Any:
    """A tensor of another shape, with the elements of `tensor` over and over: what are indices stays in range."""
    if tuple(tensor.shape) == tuple(shape):
        return tensor
    count = 1
    for size in shape:
        count *= size
    flat = tensor.detach().reshape(-1)
    if not flat.numel():
        return torch.zeros(tuple(shape), dtype=tensor.dtype, device=tensor.device)
    if tensor.dtype.itemsize == 1:
        # 8-bit floats cannot be indexed on the CPU.
        flat = flat.view(torch.uint8)
    return flat[torch.arange(count, device=tensor.device) % flat.numel()].view(tensor.dtype).reshape(tuple(shape))


def other_data(tensor: Any, seed: int) -> Any:
    """A tensor like this one with other numbers, between the smallest and the largest that it has."""
    if not tensor.numel():
        return tensor
    random = torch.Generator().manual_seed(seed)
    if tensor.dtype == torch.bool:
        made = torch.randint(0, 2, tensor.shape, generator=random)
    elif tensor.is_floating_point() or tensor.is_complex():
        made = torch.randn(tensor.shape, generator=random)
    else:
        made = torch.randint(int(tensor.min()), int(tensor.max()) + 1, tensor.shape, generator=random)
    return made.to(tensor.dtype).to(tensor.device)


def types(op: Any) -> dict[str, str]:
    """The types of the arguments as the schema writes them, without alias sets: "SymInt[2]", "Tensor?".

    From its text: `Argument.type` of torch 2.13 says int for SymInt and for ScalarType.
    """
    try:
        return {argument.name: argument.type for argument in parse(str(op._schema)).arguments}
    except SchemaError:
        # It names an opaque type, or a type variable.
        return {argument.name: str(argument.type) for argument in op._schema.arguments}
