"""The kinds of values that torch has: devices, tensors, dimensions, programs, packages."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.values.conditions import Path
from aoti_lint.values.values import NONE, Value

EXPLAINED = "torch._dynamo.backends.debugging.ExplainOutput"
"""The class of what `torch._dynamo.explain` gives."""


@dataclass(frozen=True, slots=True)
class Device(Value):
    """A device of a known type; `index` is None where none was given."""

    type: str
    index: int | None = None

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"


@dataclass(frozen=True, slots=True)
class Tensor(Value):
    """A tensor: sizes (`shape` None if the rank is unknown), dtype by name, device.

    `key` is the identity of the tensor object, for marks such as `mark_dynamic`. `role` is `parameter`, `buffer` or
    empty; `span` is where it was made or its device was last chosen. `strides` are those of its dimensions, as far as
    they are known.
    """

    key: str
    device: Value
    shape: tuple[Value, ...] | None = None
    dtype: str | None = None
    role: str = ""
    span: Span | None = field(default=None, compare=False)
    strides: tuple[int | None, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Mixed(Value):
    """The devices of something that lives on several."""

    devices: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DimValue(Value):
    """A dimension spec: `kind` is `named`, `derived`, `AUTO`, `DYNAMIC` or `STATIC`; bounds are None when not given.

    A derived one is `scale * root + offset`; `root` is None where that is not known.
    """

    kind: str
    name: str = ""
    min: Value = NONE
    max: Value = NONE
    span: Span | None = field(default=None, compare=False)
    root: DimValue | None = None
    scale: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Program(Value):
    """An exported program.

    `args` and `kwargs` are the example inputs, `spec` the `dynamic_shapes`. `device` is the device type its parameters
    and inputs live on: a device, a choice, `Mixed`, or unknown. `api` is the function that made it, `rewritten` says
    that a pass may have changed it since.
    """

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    model: Value = field(compare=False)
    args: Value = field(compare=False)
    kwargs: Value = field(compare=False)
    spec: Value = field(compare=False)
    strict: Value = field(compare=False)
    device: Value = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    marks: tuple[tuple[str, Value], ...] = field(compare=False, default=())
    """What `mark_dynamic` and the like said of example tensors before the export: tensor key, dims."""
    handed: bool = field(compare=False, default=False)
    """Its model was given to code that is not followed, which may have put another forward in its place."""
    strays: tuple[Span, ...] = field(compare=False, default=())
    """Where tensors were made that a collection of shapes speaks of, and that surely are none of the inputs."""
    traced: int | None = field(compare=False, default=None)
    """The run of its forward: what happens in it is told with the same number (`Event.traced`)."""
    signature: tuple[str, ...] | None = field(compare=False, default=None)
    """Names of the parameters of the exported forward, in order, where the model is known."""
    parameters: tuple[tuple[str, str], ...] | None = field(compare=False, default=None)
    """Its parameters with their kinds (see `nodes.Param`), also where there is `*args`; None if they are not known."""
    defaults: tuple[tuple[str, Value], ...] = field(compare=False, default=())
    """What those of its parameters are that have a default."""
    mentioned: tuple[tuple[str, bool], ...] = field(compare=False, default=())
    """The names that its forward mentions, and whether it calculates with them; empty where that is not known."""
    layers: tuple[tuple[str, str], ...] = field(compare=False, default=())
    """The inputs that its forward hands to built-in layers, with the classes of these, as far as that is known."""
    ops: tuple[tuple[str, Span], ...] = field(compare=False, default=())
    """Custom ops its forward calls, with the place of the call."""
    kernels: tuple[tuple[str, Span], ...] = field(compare=False, default=())
    """Triton kernels its forward launches itself, whatever is asked, with the place of the launch."""
    oblivious: bool = field(compare=False, default=False)
    """Exported under `backed_size_oblivious`."""
    autocasts: tuple[Value, ...] = field(compare=False, default=())
    """The autocasts around the export, the outermost first."""
    castable: bool | None = field(compare=False, default=None)
    """Whether the model has layers in float32 that autocast computes in lower precision; None if that is not known."""
    rewritten: bool = field(compare=False, default=False)
    holds: frozenset[str] | None = field(compare=False, default=None)
    """What its model surely has of `parameter` and `buffer`; None where it is not known whether it has any."""
    names: Value = field(compare=False, default=NONE)
    """The names of its weights, as `weight_names` has them."""
    lacks: frozenset[str] = field(compare=False, default=frozenset())
    """What its model surely has and its module has not: methods, attributes that are numbers or texts, parts without
    weights; of the parts with weights, as paths."""
    parts: frozenset[str] = field(compare=False, default=frozenset())
    """The paths of the parts of its model that surely have weights, and so are in its module."""
    read: frozenset[tuple[int, str]] = field(compare=False, default=frozenset())
    """The attributes its forward reads, of the model and of what that holds: their owners' identities, and names."""
    through: Value | None = field(compare=False, default=None)
    """What a backward pass from its output comes through."""
    outputs: Value = field(compare=False, default=NONE)
    """What its forward gives for the example inputs; `NONE` where that is not known."""
    unnamed: tuple[tuple[str, str, str], ...] = field(compare=False, default=())
    """What of its inputs and outputs torch cannot write down: how it is reached, its class, what it is."""
    plain: tuple[str, ...] = field(compare=False, default=())
    """The Python types of its outputs that are numbers, texts and the like."""
    wrapped: bool = field(compare=False, default=False)
    """Whether `dynamic_shapes` are for a wrapper of the model, whose own forward takes `*args, **kwargs`."""

    @property
    def is_draft(self) -> bool:
        """Whether `draft_export` made it, which goes on where others raise and reports it."""
        return self.api.endswith(".draft_export")


@dataclass(frozen=True, slots=True)
class ProgramModule(Value):
    """What `ExportedProgram.module()` gives: callable, with guards on its inputs."""

    program: Value
    ident: int = field(compare=False, default=0)


@dataclass(frozen=True, slots=True)
class OnnxModel(Value):
    """What an export to ONNX gives, or a session of onnxruntime that runs what it wrote."""

    program: Program
    ident: int = field(compare=False)
    names: Value = field(compare=False, default=NONE)
    """What `input_names` says, frozen."""
    session: bool = False
    """Whether it is a session of onnxruntime."""


@dataclass(frozen=True, slots=True)
class FileName(Value):
    """The name of a file: as it was given, and normalised as the script sees it (`key`) and with every option at its
    default (`usual`)."""

    given: Value
    key: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()


NO_FILE = FileName(NONE)
"""Where no file is named."""


@dataclass(frozen=True, slots=True)
class Package(Value):
    """A compiled artefact: `kind` is `pt2` or `so`. `program` is what was compiled, `device` what it was compiled for.

    Worth the path string where Python would see one.
    """

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    kind: str = field(compare=False)
    program: Value = field(compare=False)
    device: Value = field(compare=False)
    file: FileName = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    autocasts: tuple[Value, ...] = field(compare=False, default=())
    """The autocasts around the compile, the outermost first."""


@dataclass(frozen=True, slots=True)
class Loaded(Value):
    """A loaded artefact. `package` is the `Package` (or a choice of them) where the same run made it, else None."""

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    file: FileName = field(compare=False)
    device: Value | None = field(compare=False)
    package: Value | None = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    model: Value | None = field(compare=False, default=None)
    """The name of the model that is asked for; None where the loader asks for none."""
    index: Value = field(compare=False, default=NONE)
    """`device_index`; `NONE` where it is not given."""
    current: Value = field(compare=False, default=NONE)
    """The current GPU when it was loaded; `NONE` where nothing chose one."""


@dataclass(frozen=True, slots=True)
class LoadedProgram(Value):
    """What `torch.export.load` gives when the program was saved by another run: found later, by its file."""

    ident: int
    span: Span = field(compare=False)
    file: FileName = field(compare=False)
    path: Path = field(compare=False)
    moves: tuple[tuple[Value, Value], ...] = field(compare=False, default=())
    """What `move_to_device_pass` did to it since: from which device (`NONE`: from any) to which."""
