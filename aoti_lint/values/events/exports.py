"""A model is exported, and what it is exported with."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.forwards import (
    BufferCopy,
    BufferFold,
    CondBranches,
    ControlFault,
    DataUse,
    DtypeMix,
    InferenceUse,
    LayerMade,
    Mix,
    ModeUse,
    NumberKept,
    OpenCall,
    OpenSize,
    OutsideUse,
    Raised,
    SizeGuard,
    SizeMix,
    StateLost,
    TensorChange,
)
from aoti_lint.values.torch_values import Program
from aoti_lint.values.values import Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class DimRefused(Event):
    """`left op right`, of which one is a dimension, raises; `right` is None for an operator with one operand."""

    op: str
    left: Value
    right: Value | None


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ShapesUnread(Event):
    """The variable or parameter `name` gets a `Dim`, or (`held`, frozen) what has one in it, and no code reads it.

    `scope` is the function that it is of, or the whole file (`whole`): another file may read it then.
    """

    name: str
    held: Value
    scope: Span
    whole: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Tracing(Event):
    """A forward or function is traced, with the inputs of `program`: an `Exporting`, or a `CompiledCall`.

    `open_sizes` are the sizes of its inputs that are declared dynamic, `guards` what it asks of these sizes, and `data`
    what it asks of the values in tensors.
    """

    program: Value
    open_sizes: tuple[OpenSize, ...] = ()
    guards: tuple[SizeGuard, ...] = ()
    data: tuple[DataUse, ...] = ()
    sizes: tuple[SizeMix, ...] = ()
    """The operations on sizes that do not fit."""
    raised: tuple[Raised, ...] = ()
    """Where it raises because of what it is given."""
    mixes: tuple[Mix, ...] = ()
    """The operations on tensors that may be on different devices, in order; of a `CompiledCall` they are not known."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Exporting(Tracing):
    """A program is exported: an `ExportEvent` or `OnnxExport`.

    Of its forward: `modes` are the layers and functions that training mode makes behave otherwise, `dtypes` the
    operations on tensors of different dtypes. `calls` are the calls of custom ops, with open sizes, `changes` which
    tensors it changes that are no buffers, `lost` what it keeps from call to call in attributes.
    """

    calls: tuple[OpenCall, ...] = ()
    modes: tuple[ModeUse, ...] = ()
    strange: tuple[tuple[str, str, str], ...] = ()
    """Inputs of a class that torch cannot take apart: how they are reached, the class, what it lacks."""
    dtypes: tuple[DtypeMix, ...] = ()
    layers: tuple[LayerMade, ...] = ()
    """The layers with weights that it makes."""
    conds: tuple[CondBranches, ...] = ()
    """The calls of `torch.cond`."""
    control: tuple[ControlFault, ...] = ()
    """The calls of `torch.cond` and its like that are given what these do not take."""
    lazy: tuple[str, ...] = ()
    """The classes of its layers that have no weights before a first call, which it had not."""
    graphs: tuple[tuple[Span, str], ...] = ()
    """The calls whose functions become graphs of their own, with what is called."""
    strange_outputs: tuple[tuple[str, str], ...] = ()
    """The classes of its outputs that torch cannot take apart, and what they lack."""
    changes: tuple[TensorChange, ...] = ()
    lost: tuple[StateLost, ...] = ()
    numbers: tuple[NumberKept, ...] = ()
    folds: tuple[BufferFold, ...] = ()
    old: tuple[BufferCopy, ...] = ()
    inference: tuple[InferenceUse, ...] = ()
    outside: tuple[OutsideUse, ...] = ()
    """The uses of parameters that the model does not know as its own, where the export is strict."""
    lost_in_forward: tuple[tuple[Span, str], ...] = ()
    """What of its forward was not followed, and why."""
    unended: bool = False
    """Whether the forward took too long to follow with open sizes, or for what it changes."""

    @property
    def run(self) -> int | None:
        """The run of its forward (see `Program.traced`)."""
        return self.program.traced if isinstance(self.program, Program) else None


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ScriptTrace(Tracing):
    """`torch.onnx.export(…, dynamo=False)`, which follows the model with TorchScript, on the example inputs.

    `open_sizes` are those that `dynamic_axes` speaks of, `output_names` what that says.
    """

    output_names: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ExportEvent(Exporting):
    """`torch.export.export`, or one of its relatives, exports a program: all that `Exporting` has."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxExport(Exporting):
    """`torch.onnx.export(…, dynamo=True)`, which hands model, inputs and `dynamic_shapes` on to `torch.export.export`.

    It raises where that raises both without `strict=True` and with it; it has all that `Exporting` has. `saved`: it
    writes a file. `names` is what `input_names` says, `output_names` what that does. `by_axes`: what is dynamic
    `dynamic_axes` says, and that may `fit` the number of inputs.
    """

    saved: bool
    names: Value
    output_names: Value
    by_axes: bool
    fits: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxAxes(Event):
    """`dynamic_axes` of an export to ONNX says what is dynamic, whatever the model is; `sure`: it is a module.

    `spoken` is of how many inputs `dynamic_axes` and `input_names` speak, `given` how many there are. `misplaced` is an
    entry of `dynamic_axes`, by its name, and the name of the input that gets it instead; None where there is none.
    `stranger` is a name in `dynamic_axes` of no input, where `input_names` names all of them; None likewise.
    """

    spoken: Value
    given: int
    sure: bool
    misplaced: Value
    stranger: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxAxesUnread(Event):
    """`dynamic_axes` has a `stranger`, to the exporter to ONNX that traces with TorchScript; None where it has none.

    That is a name of no input and no output, where `input_names` names all inputs.
    """

    stranger: Value
