"""The real kernel of an operator, and how the fake's answer compares with its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from aoti_lint.probe.arguments import Example
from aoti_lint.probe.fakes import Run
from aoti_lint.probe.finding import Finding, Place
from aoti_lint.probe.gpu import DeviceLost, raise_if_lost, settled
from aoti_lint.probe.places import first_called

_NO_ALIAS = "must not also be an input to this custom operator"
"""What torch says of an output that is an input (`torch/_library/utils.py`, `check_aliasing_constraint`, since 2.7)."""


@dataclass(frozen=True)
class Called:
    """What one call of the kernel gave. `written`: arguments that it changed."""

    inputs: Example
    output: Any
    written: tuple[str, ...]


class Kernel:
    """Calls the kernel for the device of the inputs, on copies of them. `missing`: there is none for it.

    `stage` is told before each call, as it may be the last.
    """

    def __init__(self, op: Any, stage: Callable[[str], None]) -> None:
        self._op, self._stage = op, stage
        self.missing = False
        self.error: BaseException | None = None
        self.place: Place | None = None
        """The first function of the user that it calls."""

    def call(self, example: Example) -> Called | None:
        """None if it raises; `error` is then why. Raises `DeviceLost` if nothing runs on the GPU after it."""
        self.error = None
        if example.device is not None or self.missing:
            self.missing = True
            return None
        inputs = example.mapped(lambda _, leaf: copied(leaf))
        self._stage("running the kernel")
        try:
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                output, place = first_called(lambda: inputs.call(self._op))
                settled(inputs.tensors().values())
        except NotImplementedError as error:
            self.error = error
            # The dispatcher has nothing for this device; what a kernel itself raises so, it raises for all inputs.
            self.missing = True
            return None
        except DeviceLost:
            raise
        except Exception as error:
            raise_if_lost(error)
            self.error = error
            return None
        self.place = self.place or place
        before = example.tensors()
        written = tuple(label for label, leaf in inputs.tensors().items() if not same_bytes(leaf, before[label]))
        return Called(inputs, output, written)

    def refuses_aliases(self) -> bool:
        """Whether torch itself said that an output is an input."""
        return self.error is not None and _NO_ALIAS in str(self.error)


def copied(value: Any) -> Any:
    """A tensor with the same strides in a storage of its own."""
    if not isinstance(value, torch.Tensor):
        return value
    if type(value) is not torch.Tensor or value.layout != torch.strided:
        return value.detach().clone()
    storage = value.untyped_storage().clone()
    made = torch.empty(0, dtype=value.dtype, device=value.device)
    return made.set_(storage, value.storage_offset(), value.size(), value.stride())


def same_bytes(left: Any, right: Any) -> bool:
    """Whether two tensors hold the same, NaN included."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    if type(left) is not torch.Tensor or left.layout != torch.strided:
        return bool(torch.equal(left, right))
    return bool(torch.equal(_bytes(left), _bytes(right)))


def _bytes(tensor: Any) -> Any:
    flat = torch.empty(tensor.numel(), dtype=tensor.dtype, device=tensor.device)
    return flat.copy_(tensor.detach().reshape(-1)).view(torch.uint8)


def outputs(op: Any, given: Any) -> list[tuple[str, Any]]:
    """The single values that an operator returned, with the names they have in messages."""
    count = len(op._schema.returns)
    if count == 0:
        return [] if given is None else [("the output", given)]
    parts = [given] if count == 1 or not isinstance(given, list | tuple) else list(given)
    named = []
    for index, part in enumerate(parts):
        name = "the output" if count == 1 else f"output {index}"
        if isinstance(part, list | tuple):
            named += [(f"{name}[{place}]", item) for place, item in enumerate(part)]
        else:
            named.append((name, part))
    return named


def of_kernel(op: Any, called: Called, place: Place | None) -> Iterator[Finding]:
    """What is wrong with the kernel, whatever the fake does."""
    declared = {argument.name for argument in op._schema.arguments if argument.is_write}
    words = called.inputs.words()
    for label in called.written:
        name = label.partition("[")[0]
        if name not in declared:
            yield Finding("fault", "AOTI413", f"the kernel changes {name}, which the schema does not mark: "
                          f'mutates_args=("{name}",), or Tensor(a!) in the schema', place, words)  # fmt: skip
    owners = {_memory(leaf): label for label, leaf in called.inputs.tensors().items() if leaf.numel()}
    seen: dict[Any, str] = {}
    for index, (name, value) in enumerate(outputs(op, called.output)):
        if not isinstance(value, torch.Tensor) or _may_alias(op, index) or not value.numel():
            continue
        memory = _memory(value)
        if memory in owners:
            yield Finding("fault", "AOTI412", f"the kernel returns {owners[memory]} itself or a view of it as {name}: "
                          "return a copy", place, words)  # fmt: skip
        elif memory in seen:
            yield Finding("fault", "AOTI412", f"{name} shares memory with {seen[memory]}: return a copy", place, words)
        seen[memory] = name


def of_fake(op: Any, run: Run, place: Place | None, words: str) -> Iterator[Finding]:
    """What is wrong with an answer of the fake, whatever the kernel does."""
    owners = {_memory(leaf): label for label, leaf in run.inputs.items()}
    for index, (name, value) in enumerate(outputs(op, run.output)):
        if isinstance(value, torch.Tensor) and not _may_alias(op, index) and _memory(value) in owners:
            yield Finding("fault", "AOTI408", f"the fake returns {owners[_memory(value)]} itself or a view of it as "
                          f"{name}: use torch.empty_like, or new_empty", place, words)  # fmt: skip


def compare(op: Any, called: Called, run: Run, place: Place | None, layout: bool) -> Iterator[Finding]:
    """Where an answer of the fake is not that of the kernel. `layout`: the inputs are laid out in an unusual way."""
    words = called.inputs.words()
    real, fake = outputs(op, called.output), outputs(op, run.output)
    if len(real) != len(fake):
        text = f"the fake gives {_count(len(fake))}, the kernel {len(real)}"
        yield Finding("fault", "AOTI407", text, place, words)
        return
    for (name, value), (_, answer) in zip(real, fake, strict=True):
        tensors = isinstance(value, torch.Tensor), isinstance(answer, torch.Tensor)
        if tensors == (True, True):
            yield from _tensor(name, value, answer, run, place, words, layout)
        elif any(tensors):
            text = f"{name} is {_kind(answer)} by the fake and {_kind(value)} by the kernel"
            yield Finding("fault", "AOTI407", text, place, words)


def _tensor(
    name: str, real: Any, fake: Any, run: Run, place: Place | None, words: str, layout: bool
) -> Iterator[Finding]:
    if real.dtype != fake.dtype:
        yield Finding("fault", "AOTI405", f"{name} is {fake.dtype} by the fake and {real.dtype} by the kernel",
                      place, words)  # fmt: skip
    if real.device.type != fake.device.type:
        yield Finding("fault", "AOTI406", f"{name} is on {fake.device.type} by the fake and on {real.device.type} by "
                      "the kernel", place, words)  # fmt: skip
    shape = list(fake.shape)
    if len(shape) != real.dim() or any(type(size) is int and size != there
                                       for size, there in zip(shape, real.shape, strict=True)):  # fmt: skip
        text = f"{name} has shape {_shape(shape)} by the fake and {list(real.shape)} by the kernel"
        yield Finding("fault", "AOTI404", text, place, words)
        return
    for dim, (size, there) in enumerate(zip(shape, real.shape, strict=True)):
        bounds = run.env.bound_sympy(size.node.expr) if type(size) is not int else None
        if bounds is not None and not bounds.lower <= there <= bounds.upper:
            yield Finding("fault", "AOTI409", f"dimension {dim} of {name} is {there} by the kernel; the fake says it "
                          f"is between {bounds.lower} and {bounds.upper}", place, words)  # fmt: skip
    strides = [(theirs, ours) for size, theirs, ours in zip(real.shape, real.stride(), fake.stride(), strict=True)
               if size > 1 and type(ours) is int]  # fmt: skip
    if real.numel() and all(type(size) is int for size in shape) and any(one != other for one, other in strides):
        text = f"{name} has strides {list(fake.stride())} by the fake and {list(real.stride())} by the kernel"
        yield Finding("note" if layout else "fault", "AOTI422", text, place, words)


def _memory(tensor: Any) -> Any:
    return tensor.untyped_storage()._cdata


def _may_alias(op: Any, index: int) -> bool:
    returns = op._schema.returns
    return any(
        each.alias_info is not None for each in (returns[index : index + 1] if len(returns) > index else returns)
    )


def _count(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"


def _shape(shape: list[Any]) -> str:
    return "[" + ", ".join(str(size) if type(size) is int else "?" for size in shape) + "]"


def _kind(value: Any) -> str:
    return "a tensor" if isinstance(value, torch.Tensor) else "None" if value is None else f"{type(value).__name__}"
