"""What the interpreter tells the rules: one event for each thing that happens to a program, a package or an op.

All of them stand in this one table: it is what the author of a rule reads to see what there is to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.conditions import Cond
from aoti_lint.values.symbols import Expr
from aoti_lint.values.values import (
    NONE,
    Compilation,
    Const,
    DimValue,
    FileName,
    OnnxModel,
    Package,
    Program,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from aoti_lint.native.model import Kernel
    from aoti_lint.torch_api.op_annotations import Inferred


class Turn(NamedTuple):
    """When a root is run: which kind of roots it is of, the file, and which of that file's roots it is.

    It is known before anything runs, so that it is the same whatever else there is to run.
    """

    phase: int
    path: str = ""
    nth: int = 0


class Order(NamedTuple):
    """When an event happens: in the turn of which root, and as which event of it."""

    turn: Turn
    place: int


CHECKS = VersionSet.since("2.7")
"""Releases whose packages read AOTI_RUNTIME_CHECK_INPUTS."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Event:
    """Something that happens at `span`, called through `chain` (outermost call first), in the run of `root`.

    `path` holds the answers assumed to get there. `caught` names the exception types that a handler, a
    `contextlib.suppress` or a `pytest.raises` around it catches. Events are sorted by their `order`.
    """

    span: Span
    root: str
    order: Order
    path: dict[Cond, bool]
    chain: tuple[Span, ...]
    caught: frozenset[str]
    expected: frozenset[str]
    """Exception types that a test helper around it says must be raised."""
    versions: VersionSet
    context: str
    """Qualified name of the function or class the place stands in."""
    chosen: tuple[Cond, ...] = ()
    """The conditions in `path` that the place does not depend on, only the value that is used there."""
    export: Span | None = None
    """Where the export is in whose forward it happens; None for what happens outside of one."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ApiUse(Event):
    """A torch name is imported, read or called. `guarded`: a missing name is handled or was asked for before."""

    name: str
    how: str
    guarded: bool


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call of a custom op; the tensors among its arguments have open sizes: `("dim", name of the Dim, 0)`."""

    op: str
    span: Span
    args: tuple[Value, ...]


Effect = Literal["dropout", "norm"]


@dataclass(frozen=True, slots=True)
class ModeUse:
    """A layer or function of torch, in the forward of what is exported, that training mode makes behave otherwise.

    `name` is its qualified name. It does so where all of these hold: it is `reached`, in `training` mode, `needs` (a
    rate, or a flag of the layer) is not 0, and `layers` (of a recurrent one) is not 1.
    """

    effect: Effect
    name: str
    span: Span
    reached: Value
    training: Value
    needs: Value
    layers: Value


@dataclass(frozen=True, slots=True)
class OpenSize:
    """A size of an example input that is declared dynamic: `root` stands for it in expressions.

    `name` is that of the input, `example` the size that it has. A named `Dim` has the same root wherever it is used.
    """

    root: Expr
    name: str
    index: int
    dim: DimValue
    example: int


@dataclass(frozen=True, slots=True)
class SizeGuard:
    """What the forward of an exported model does at `span` is right only for sizes for which `left op right`.

    `kind`: `int`, `float`, `len`, `range`, `format`, `items`, `steps`, `points` (a size becomes a number), `branch` (a
    comparison decides which way the example takes), `fit` (two sizes of an operation have to be the same), `reshape`,
    `walk` (a reshape takes dimensions apart in one way or another), `bound` (an index, a slice or a window has to lie
    within a size), `parts` (a size has to give as many parts as the example), `slice` (a slice that no operation works
    on has to leave more than one index, which only an export without `strict=True` asks), `key`, `text` (a size, or a
    text made of one, is looked up), `table` (the rows that a range of numbers looks up have to be there, which no
    export asks).
    `path` is what was assumed to get there.
    """

    kind: str
    span: Span
    left: Expr
    op: str
    right: Expr
    path: tuple[tuple[Cond, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class DataUse:
    """Where the forward of an exported model needs a value that is in a tensor, which tracing does not have.

    `kind`: `truth` (a branch on a tensor, or on what the function `name` answers), `number` (one on a number out of a
    tensor), `size` (one on a size that values decide), `read` (`name` needs the value), `format` (so does the format
    `name`), `copy` (`name` copies the tensor). `asserted`: in an `assert`. `path` is what was assumed to get there.
    """

    kind: str
    name: str
    span: Span
    asserted: bool
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class TensorChange:
    """The forward of an exported model changes a tensor in place that was there before the call, and is no buffer.

    `name` is that of the attribute of a module that holds it, empty for a global tensor, or one in a list. `path` is
    what was assumed to get there. `gradient`: it is a parameter that wants a gradient, where autograd is on.
    """

    name: str
    span: Span
    path: tuple[tuple[Cond, bool], ...]
    gradient: bool = False


@dataclass(frozen=True, slots=True)
class StateLost:
    """The forward of an exported model assigns an attribute that the next call reads: its program does not keep it.

    `own`: it is a buffer of the exported module itself, which exports with `strict=True` alone lose. `buffer`: it is a
    buffer. `used`: what was kept reaches the result. `path` is what was assumed to get there.
    """

    name: str
    span: Span
    own: bool
    buffer: bool
    used: bool
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class NumberKept:
    """The forward of an exported model gives an operation another number in its second call: `first`, then `second`.

    The program keeps the first. `path` is what was assumed to get there.
    """

    span: Span
    first: str
    second: str
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class BufferFold:
    """The forward of an exported model computes at `span` something from the first value of a buffer alone.

    The buffer `name` has one element, and is changed at `change`. What is computed reaches the result. `path` is what
    was assumed to get there.
    """

    name: str
    span: Span
    change: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class BufferCopy:
    """The forward of an exported model returns what the buffer `name` was, from `span`, and changes it at `change`.

    `path` is what was assumed for both.
    """

    name: str
    span: Span
    change: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class InferenceUse:
    """An export that is not in inference mode meets at `span` a tensor that was made in it, at `made`.

    `kind`: `weights` (a parameter), `saved` (an input that a layer keeps for a backward pass), `changed` (forward
    changes it in place). `path` is what was assumed to get there.
    """

    kind: Literal["weights", "saved", "changed"]
    span: Span
    made: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor, or the weights of a layer, that an operation takes: where it is, and where that was chosen.

    `attribute` is the attribute of the module that holds it; `role` is `parameter`, `buffer`, `layer` or empty.
    """

    device: Value
    span: Span | None
    attribute: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Mix:
    """An operation of a forward takes tensors that may be on different devices."""

    span: Span
    operands: tuple[Operand, ...]
    path: dict[Cond, bool]
    caught: frozenset[str]


@dataclass(frozen=True, slots=True)
class LayerMade:
    """A forward makes a built-in layer that has weights: `layer` is its class."""

    span: Span
    layer: str
    path: dict[Cond, bool]


@dataclass(frozen=True, slots=True)
class CondBranch:
    """What one of the functions of `torch.cond` gives, and does with memory that is not its own.

    `shared` says whose memory its first output that has none of its own surely lies in, `input`, `view` or
    `twice`; empty where there is none. `changed` is where it changes a tensor that was there before it. `orders` are
    the dimensions of each output tensor from the widest stride to the narrowest, where that is known.
    """

    given: Value
    shared: str = ""
    changed: Span | None = None
    orders: tuple[tuple[int, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CondBranches:
    """A forward calls `torch.cond`: what its two functions do, and whether autograd follows them."""

    span: Span
    branches: tuple[CondBranch, CondBranch]
    gradients: bool
    path: dict[Cond, bool]


@dataclass(frozen=True, slots=True)
class ControlFault:
    """The function `api` of torch, which has functions run, is given what it does not take.

    `kind` is what: `test`, a condition of more than one element; `operands`, something that is no tuple of tensors;
    `literal`, operands among which is no tensor but `what`; `function`, something else in the place of a function;
    `carried`, a function that gives something else than it is given; `shared` and `changed`, one that gives back or
    changes a tensor that was there before; `cpu`, tensors that are on no GPU; `mode`, a mode that there is not.
    """

    span: Span
    api: str
    kind: str
    what: str
    path: dict[Cond, bool]


@dataclass(frozen=True, slots=True)
class SizeMix:
    """An operation of a forward takes a tensor with a size `given` where it has to be `wanted`; with `least`, or more.

    `layer` is the class of the built-in layer that says so, empty where it is another tensor.
    """

    span: Span
    given: int
    wanted: int
    layer: str
    path: dict[Cond, bool]
    caught: frozenset[str]
    least: bool = False


@dataclass(frozen=True, slots=True)
class DtypeMix:
    """An operation of a forward takes a tensor of the first of these dtypes, and another of the second.

    `layer` is the class of the built-in layer whose weights these are, empty where it is a tensor. `late`: the export
    does not look, a call does.
    """

    span: Span
    dtypes: tuple[str, str]
    layer: str
    late: bool
    path: dict[Cond, bool]
    caught: frozenset[str]


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


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Exporting(Tracing):
    """A program is exported: an `ExportEvent` or `OnnxExport`.

    Of its forward: `modes` are the layers and functions that training mode makes behave otherwise, `mixes` the
    operations on tensors that may be on different devices, in order, `dtypes` those on different dtypes. `calls` are
    the calls of custom ops, with open sizes, `changes` which tensors it changes that are no buffers, `lost` what it
    keeps from call to call in attributes.
    """

    calls: tuple[OpenCall, ...] = ()
    modes: tuple[ModeUse, ...] = ()
    strange: tuple[tuple[str, str, str], ...] = ()
    """Inputs of a class that torch cannot take apart: how they are reached, the class, what it lacks."""
    mixes: tuple[Mix, ...] = ()
    dtypes: tuple[DtypeMix, ...] = ()
    sizes: tuple[SizeMix, ...] = ()
    """The operations on sizes that do not fit."""
    layers: tuple[LayerMade, ...] = ()
    """The layers with weights that it makes."""
    conds: tuple[CondBranches, ...] = ()
    """The calls of `torch.cond`."""
    control: tuple[ControlFault, ...] = ()
    """The calls of `torch.cond` and its like that are given what these do not take."""
    strange_outputs: tuple[tuple[str, str], ...] = ()
    """The classes of its outputs that torch cannot take apart, and what they lack."""
    changes: tuple[TensorChange, ...] = ()
    lost: tuple[StateLost, ...] = ()
    numbers: tuple[NumberKept, ...] = ()
    folds: tuple[BufferFold, ...] = ()
    old: tuple[BufferCopy, ...] = ()
    inference: tuple[InferenceUse, ...] = ()
    lost_in_forward: tuple[tuple[Span, str], ...] = ()
    """What of its forward was not followed, and why."""
    unended: bool = False
    """Whether the forward took too long to follow with open sizes, or for what it changes."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ExportEvent(Exporting):
    """`torch.export.export`, or one of its relatives, exports a program: all that `Exporting` has."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxExport(Exporting):
    """`torch.onnx.export(…, dynamo=True)`, which hands model, inputs and `dynamic_shapes` on to `torch.export.export`.

    It raises where that raises both without `strict=True` and with it; it has all that `Exporting` has. `saved`: it
    writes a file.
    """

    saved: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CompileEvent(Event):
    """A program is compiled into a package or shared library."""

    package: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PathUse(Event):
    """What a compile gives, which is a path, is used as if it were the model: it is `called`, or `unpacked`.

    An exported program is told of where it is `unpacked`.
    """

    package: Package | Program
    used: Literal["called", "unpacked"]


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class AttributeUse(Event):
    """An attribute of what an export or a load gives is read, or bound, that it may not have.

    `of` is an exported program, the module of one, or a loaded package; or something whose attribute an export read.
    Of a part of such a module, which is "called" or asked for an "item" as well, `name` is the path from the module.
    That one is bound anew after the export, or the tensor it is is "changed" in place, or (`read`) a method reads it
    for the first time since; `given` are the keys of the tensors that this method, and those that called it, hold.
    """

    of: Value
    name: str
    used: Literal["read", "bound", "changed", "called", "item"]
    given: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OutputUse(Event):
    """What a call of `of` gave is taken apart: `unpacked` into `key` names, or its `item` or `attribute` `key` is read.

    `of` is a loaded package, the module of an exported program, or a program for ONNX.
    """

    of: Value
    used: Literal["unpacked", "item", "attribute"]
    key: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class LoadEvent(Event):
    """A package or the library of a compiled model is loaded."""

    loaded: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CallEvent(Event):
    """`target` (`Loaded`, `ProgramModule` …) is called. `open` says that there may be more arguments than listed.

    `checked` is whether `AOTI_RUNTIME_CHECK_INPUTS` is set by then, as far as the script says. `autocasts` are those
    around the call, the outermost first. `flat`: what is given are the tensors among the inputs, in one row. `dtypes`
    are the operations of the forward that cannot mix the dtypes of what the module of a program is given.
    """

    target: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    arg_spans: tuple[Span, ...]
    open: bool
    checked: Value | None = None
    autocasts: tuple[Value, ...] = ()
    flat: bool = False
    dtypes: tuple[DtypeMix, ...] = ()

    @property
    def is_checked(self) -> bool | None:
        """Whether a package checks what it is given here; None where that is not known.

        Any text that does not begin with 0 turns it on, from 2.7 on (releases 2.6.0 and 2.7.1,
        `_inductor/codegen/cpp_wrapper_cpu.py`).
        """
        value = self.checked
        if value in (None, Const("")) or not self.versions & CHECKS:
            return False
        if not isinstance(value, Const):
            return None
        return isinstance(value.value, str) and value.value[:1] not in ("", "0")


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OnnxCall(Event):
    """A model for ONNX is run: what is given by position, and by the name of a parameter.

    `fed`: a session is given a dict of its inputs by their names, which are in `given`.
    """

    model: OnnxModel
    args: tuple[Value, ...]
    given: dict[str, Value]
    fed: bool


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


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class MarkLost(Event):
    """A compiled function is given a tensor that was made of one of which `mark_dynamic` spoke, at `marked`."""

    compilation: Compilation
    marked: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ControlCall(Event):
    """Outside of an export, a function such as `torch.cond` is given what it does not take."""

    fault: ControlFault


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CondCall(Event):
    """`torch.cond` is called outside of an export, with a tensor to decide by: torch compiles its functions then."""

    branches: CondBranches


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PlainCall(Event):
    """A model is called as it is after `torch.compile` gave a compiled one, which was thrown away."""

    compilation: Compilation


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ResultRead(Event):
    """A tensor that the call `made` of compiled code gave is read after `later`, which ran compiled code again.

    `later` is `made` itself where it stands in a loop whose rounds are not counted.
    """

    tensor: Tensor
    made: CompiledCall
    later: CompiledCall


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class WeightsGiven(Event):
    """`load_constants` of a loaded model, or `load_state_dict`: `taker` is given weights by name.

    `given` are the names as `models.weight_names` has them, or the entries of a dict. `names` are those of the taker,
    where it is a module; `strict` is whether it asks for all of them, `assign` whether they take the place of its own
    instead of being copied into these.
    """

    given: Value
    taker: Value
    names: Value
    strict: Value
    assign: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class SaveEvent(Event):
    """`torch.export.save`."""

    program: Value
    file: FileName


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class FileEvent(Event):
    """A file is read or written by `api`: `torch.load`, `torch.jit.load`, `torch.save` or `torch.jit.save`.

    `names` are those of the weights that `torch.save` writes (see `models.weight_names`), or `Pairs` of them where they
    are entries of a dict.
    """

    api: str
    file: FileName
    names: Value = NONE


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PackEvent(Event):
    """Compiled models are put into one package: `models` has a dict of their names, or what else was given."""

    models: Value
    file: FileName


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpDefinition(Event):
    """A custom op is defined. `op` is `ns::name`; `schema` its schema text or None; `api` the function that did it.

    `mutates` is what `mutates_args` says (a `Const` tuple or None), `returns` the return annotation or schema part,
    `tags` the names of its tags.
    """

    op: Value
    api: str
    schema: Value | None = None
    mutates: Value | None = None
    returns: str | None = None
    tags: Value | None = None
    function: Value | None = None
    inferred: Inferred | None = None
    """What torch makes of the annotations of `function`, where no schema is given."""
    place: Span | None = None
    """Where the schema stands, or else the name of the op."""
    library: int | None = None
    """The `ident` of the `OpLibrary` whose method did it."""
    devices: tuple[Value, ...] | None = None
    """The device types that `function` is the kernel for (`Const(None)`: all); None where it is no kernel."""
    module: str | None = None
    """The Python module that a C++ library says holds the fakes of its ops."""
    conditional: bool = False
    """Whether some builds of a C++ library may leave it out."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpImpl(Event):
    """A kernel is registered for an op. `keys` are the dispatch keys or device types it is for.

    `api` is the function that did it, `place` where the name of the op stands.
    """

    op: Value
    keys: tuple[Value, ...]
    function: Value | None
    is_fake: bool = False
    api: str = ""
    place: Span | None = None
    library: int | None = None
    kernel: Kernel | None = None
    """What C++ registers, if that is known."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpGradients(Event):
    """A function is registered that gives the gradients of an op: `register_autograd`."""

    op: Value
    function: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class BackwardThrough(Event):
    """A backward pass begins whose way to weights leads through the custom op `op`, which was called at `call`."""

    op: str
    call: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpInference(Event):
    """torch makes the schema of a function from its annotations."""

    function: Value
    inferred: Inferred


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpLibrary(Event):
    """A `torch.library.Library` is made; `how` is `DEF`, `FRAGMENT` or `IMPL`.

    `ends`: nothing holds it once the `function` that makes it, or the `statement`, has ended; empty if something does.
    `for_itself`: a script makes it in what its `__main__` guard calls, so that no importer uses it.
    """

    namespace: Value
    how: Value
    ident: int
    ends: Literal["", "function", "statement"]
    for_itself: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class NativeBlock(Event):
    """`TORCH_LIBRARY(namespace, m) { … }` in C++. `conditional`: some builds may leave it out."""

    namespace: str
    conditional: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class NativeLibrary(Event):
    """A library of C++ code is loaded, or (`loaded` False) a setup script says what it is built of.

    `sources` are its files in the project, None where they are not all known; `file` is what is loaded where it was
    built before.
    """

    api: str
    sources: tuple[str, ...] | None
    file: FileName
    loaded: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class HostLoad(Event):
    """C++ loads the package, or the library of a compiled model, at the path `file`.

    `alone`: it is a program, in whose process there is no Python; then `sources` are all the files of the project that
    it is built of, None where they are not all known. `device` is the type of device that the runner of a library is
    for, empty for packages; `index` is the `device_index` that is given, where it is a number.
    """

    file: str
    alone: bool
    sources: tuple[str, ...] | None
    device: str
    index: int | None


@dataclass(slots=True)
class Registrations:
    """Definitions and kernels of ops by name, of the first `seen` events."""

    seen: int = 0
    definitions: dict[str, list[OpDefinition]] = field(default_factory=dict)
    kernels: dict[str, list[OpImpl]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpLibraryEnd(Event):
    """A library is destroyed, and with it all that it registered."""

    ident: int


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpUse(Event):
    """A custom op is called, outside the forward of an exported model."""

    op: str


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpCall(Event):
    """A custom op is called, in a forward that is exported as well.

    `sizes` are the arguments, by position or name, that are given a size of a tensor, each with whether the first
    dimension may be part of it.
    """

    op: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    places: dict[int | str, Span]
    open: bool
    sizes: dict[int | str, bool]


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class BoolOption(Event):
    """Arguments are parsed, one of which has `type=bool`; `key` is that of the `Sym` it gives."""

    key: str
    label: str
    default: Value
    place: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class EnvWrite(Event):
    """A variable is set (`value` None: deleted).

    `target` says where: "process", the script that runs (`os.environ[name] = value`); "child", a program that the
    script starts (`subprocess.run(…, env=…)`), which changes nothing in the script itself; "outside", a shell script
    or the like starts the root with it, before anything of the root runs. Then `span` is in that file.
    `begun` is what of torch that reads variables when it is imported was imported by then: the module's name, and
    where that happened (`Begun`, absent on some paths if it is a choice). For other processes it is empty.
    """

    name: str
    value: Value
    begun: dict[str, Value]
    target: str = field(default="process")
    program: Span | None = None
    """Where the program is started that gets the variable; what it does has this place in its `chain`."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ProcessStart(Event):
    """Another program or process is started with the variables of this one, or torch is imported again (`name`)."""

    name: str


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ApiCall(Event):
    """A function of torch is called (its `name` as imported), or a method of what torch made (`receiver`).

    In the forward of an export it is every function of torch; elsewhere those that export, compile, load, configure, or
    make devices (`is_told` of `language/effects/api_calls.py`). `print`, `logging` and the like are told in what is
    traced: in such a forward, and in what `torch.compile` compiles.
    `args` and `kwargs` are what it is given, as it is then: a list is a `Tup` of class `list`, a dict is `Pairs`.
    `places` says where each argument stands, by position or name. `open`: there may be more arguments. `within` are
    the compiled functions that are running. `discarded`: what it gives is thrown away.
    """

    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    places: dict[int | str, Span]
    tags: dict[Value, str]
    open: bool
    receiver: Value | None = None
    within: tuple[Compilation, ...] = ()
    discarded: bool = False

    def arg(self, index: int | None, name: str | None = None) -> Value | None:
        """The argument at a position or of a name, None where it is not given."""
        if index is not None and index < len(self.args):
            return self.args[index]
        return self.kwargs.get(name) if name is not None else None

    def place(self, index: int | None, name: str | None = None) -> Span:
        """Where that argument stands; the call where that is not known."""
        if index is not None and index < len(self.args):
            return self.places.get(index, self.span)
        return self.places.get(name, self.span) if name is not None else self.span

    def tag(self, value: Value) -> str:
        """What kind of thing an argument (or what it is on one path) is: `Module`, `Program`, `list`, `str` …

        Empty where it is not known.
        """
        return self.tags.get(value, "")


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class DeviceUse(Event):
    """A tensor or module is made on `device`, or moved to it, which may be text that names no device we know."""

    device: Value
    place: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class GpuUse(Event):
    """Something is put on `device` in a process that set `CUDA_VISIBLE_DEVICES` to `visible` before it used CUDA."""

    device: Value
    visible: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class DimRefused(Event):
    """`left op right`, of which one is a dimension, raises; `right` is None for an operator with one operand."""

    op: str
    left: Value
    right: Value | None


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class MoveLost(Event):
    """A tensor is moved to `device` (`x.to("cuda")`), and nobody takes what that gives."""

    tensor: Tensor
    device: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ModuleMove(Event):
    """A module that has parameters, or what `ExportedProgram.module()` gave, is moved to `device`, in place."""

    module: Value
    device: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ConfigWrite(Event):
    """A key of a module of settings (`module`, such as `torch._inductor.config`) is written.

    `how` is "attribute", "patch", or the argument that takes settings: "inductor_configs", "options". `api` is the
    function that takes them, empty for the others.
    """

    module: str
    key: str
    value: Value
    how: str
    api: str = ""
