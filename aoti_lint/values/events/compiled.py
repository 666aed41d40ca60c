"""What becomes of what `torch.compile` gives."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import Tracing
from aoti_lint.values.events.forwards import CondBranches, ControlFault
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Compilation, NodePlace, Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CompiledCall(Tracing):
    """What `torch.compile` gave is called; `result` is what the call gives.

    `gradients` is whether autograd may wait for a backward pass of it: False under `torch.no_grad()`, and where no
    module is called and no tensor that wants a gradient is given. `data` is what the first call of a whole graph
    (`fullgraph=True`) asks. `program` stands for the first call where `mark_dynamic` marked some of its inputs, whose
    marked sizes are the `open_sizes`; it is None for any other.
    """

    compilation: Compilation
    result: Value
    gradients: bool
    program: Value = NONE
    given: tuple[Value, ...] = ()
    """What it is given, by position and then by name."""
    stance: Value = NONE
    """What `torch.compiler.set_stance` was given last; `NONE` where it was not called."""
    of: str = ""
    """What tells the module apart that is called, if it is one."""
    code: tuple[NodePlace | str, str] | None = None
    """What is compiled: its function, or the name of torch's; and with what that is kept apart from other calls.

    None where it is not known what is compiled, or with what.
    """
    way: tuple[tuple[str, str], ...] = ()
    """What its guards ask for, by name, each with what that is here (see `tracing.forwards.ways`)."""
    counted: str = ""
    """The attribute of the module, one of those, that the call makes another number."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class MarkLost(Event):
    """A compiled function is given a tensor that was made of one of which `mark_dynamic` spoke, at `marked`."""

    compilation: Compilation
    marked: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ControlCall(Event):
    """Outside of an export, a function such as `torch.cond` is given what it does not take.

    `within` are the compiled functions and modules that run then.
    """

    fault: ControlFault
    within: tuple[Compilation, ...] = ()


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CondCall(Event):
    """`torch.cond` is called outside of an export, with a tensor to decide by: torch compiles its functions then."""

    branches: CondBranches


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PlainCall(Event):
    """A model is called as it is after `torch.compile` gave a compiled one, which was thrown away."""

    compilation: Compilation


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class FakeMet(Event):
    """A tensor is taken out of a cache that the export at `exported` put it into: it has no numbers."""

    exported: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ResultRead(Event):
    """A tensor that the call `made` of compiled code gave is read after `later`, which ran compiled code again.

    `later` is `made` itself where it stands in a loop whose rounds are not counted.
    """

    tensor: Tensor
    made: CompiledCall
    later: CompiledCall
