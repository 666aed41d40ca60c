"""What a `.pt2`, a compiled model library or a live `ExportedProgram` says, as models that can leave the process.

Everything here is stated by the file itself. What it does not record is `None` or empty: an AOTInductor package, for
one, does not say which torch made it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.quoting.frozen import Frozen

Size = int | str
"""A size or stride: a number, or an expression over the symbols of `dims`, in the notation of Python ("2*s77 + 1")."""


class Range(Frozen):
    """Both ends belong to it; None is no bound."""

    min: int | None
    max: int | None


class Tensor(Frozen):
    """One tensor as the file describes it. `dtype` is the name in torch ("float32")."""

    dtype: str
    shape: tuple[Size, ...]
    strides: tuple[Size, ...] | None = None
    device: str | None = Field(default=None, description='"cpu", "cuda:0"; None if it is not recorded.')
    layout: str = "strided"
    requires_grad: bool = False


Kind = Literal["tensor", "int", "float", "bool", "str", "none", "symbol", "object", "unknown"]


class Leaf(Frozen):
    """One value that is passed in or out, once the nesting around it is taken away."""

    name: str = Field(description="As the file calls it.")
    path: str = Field(description="""How Python reaches it: "x", "batch['ids'][0]", "args[1]", "out['y']".""")
    kind: Kind
    tensor: Tensor | None = None
    value: int | float | bool | str | None = Field(default=None, description="If it is fixed, or a size: its symbol.")


class Input(Leaf):
    """What the caller passes, in the order torch flattens it. `frozen`: a Python value that was fixed at export."""

    frozen: bool = False
    mutated: bool = Field(default=False, description="The program writes to it.")


class Output(Leaf):
    """What the caller gets."""


class Weight(Frozen):
    """A parameter, buffer or constant of a model.

    `tied` is the first name under which the same storage appears. In a package `folded` says that compilation made it.
    """

    name: str
    role: Literal["parameter", "buffer", "constant", "object", "unknown"]
    tensor: Tensor | None = None
    bytes: int | None = None
    persistent: bool | None = None
    mutated: bool = False
    folded: bool = False
    tied: str | None = None


class Place(Frozen):
    """A line of the code that was exported, on the machine it was exported on."""

    file: str
    line: int
    function: str = ""
    text: str = ""


class OpUse(Frozen):
    """One call of an operator in the graph, with what the rules judge by."""

    target: str = Field(description='"aten.linear.default", "mylib.scale.default", "operator.add".')
    name: str
    args: dict[str, str] = Field(
        default_factory=dict, description="Arguments that are plain values, as Python text; by the schema's names."
    )
    inputs: tuple[str, ...] = Field(default=(), description="Names of the tensors and symbols it reads.")
    outputs: tuple[str, ...] = ()
    place: Place | None = Field(
        default=None, description="The innermost line of the user's code, outside torch itself."
    )
    module: str = Field(default="", description="Qualified name of the submodule it stands in.")


class Program(Frozen):
    """An exported program, of `torch.export.save` or live."""

    name: str
    member: str | None = Field(default=None, description="The file of the archive that it was read from.")
    torch_version: str | None
    schema_version: tuple[int, int] | None
    opset: dict[str, int]
    dialect: tuple[str, ...] = Field(default=(), description='The verifiers it was made under ("TRAINING", "ATEN").')
    signature: str | None = Field(
        default=None, description="The names of the parameters of forward, if they are recorded."
    )
    structure: str | None = Field(default=None, description="How the caller passes them, such as `(*, *, flag=*)`.")
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    dims: dict[str, Range] = Field(description="The symbols that sizes of inputs and outputs use, with their ranges.")
    sizes: dict[str, int] = Field(default_factory=dict, description="What these were in the example inputs.")
    unbacked: tuple[str, ...] = Field(default=(), description="Symbols whose value is only known from data.")
    guards: tuple[str, ...] = Field(default=(), description="Conditions on the inputs, in the notation of Python.")
    weights: tuple[Weight, ...]
    ops: dict[str, int] = Field(description="Operators and how often they stand in the graph, subgraphs included.")
    custom_ops: tuple[str, ...] = Field(
        default=(), description='Qualified names ("mylib::scale") torch itself does not have.'
    )
    calls: tuple[OpUse, ...] = ()
    tensors: dict[str, Tensor] = Field(default_factory=dict, description="All tensors of the graph by name.")
    example_inputs: bool | None = Field(default=None, description="Whether it has any; None if not known.")
    source_files: tuple[str, ...] = Field(default=(), description="Files of the code that was exported.")


class DebugCode(Frozen):
    """What was compiled in to find errors with."""

    printer: Literal["save", "print", "names"] | None = Field(
        default=None, description="AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER was 1 (save), 2 (print) or 3 (names)."
    )
    nan_asserts: bool = False
    symbols: bool | None = Field(
        default=None, description="Whether the library has debug information; None if not known."
    )
    optimised: bool | None = Field(default=None, description="False if it was compiled with -O0; None if not known.")
    input_checks: bool | None = Field(
        default=None, description="Whether AOTI_RUNTIME_CHECK_INPUTS can have an effect; None if not known."
    )
    rows: dict[str, int] = Field(
        default_factory=dict, description="The lines of the wrapper's source that say so, by field, the first of each."
    )


class Check(Frozen):
    """What the input check of a package tests for one input, once it is switched on; `shape` None is "any size"."""

    index: int
    dtype: str | None = None
    device_type: str | None = None
    shape: tuple[int | None, ...] = ()
    min: dict[int, int] = Field(default_factory=dict)
    max: dict[int, int] = Field(default_factory=dict)
    strides: dict[int, int] = Field(default_factory=dict)
    any_strides: bool = Field(
        default=False,
        description="Only operators that look at the strides themselves read it: others than these do no harm.",
    )


class Package(Frozen):
    """A model compiled by AOTInductor, in a package or as a bare library."""

    name: str
    member: str | None = Field(
        default=None, description="The source of its wrapper: a file of the archive, or beside the library."
    )
    device_type: str | None
    platform: str | None = None
    machine: str | None = None
    cpu_isa: str | None = None
    compute_capability: str | None = None
    metadata: dict[str, str] = Field(default_factory=dict, description="What the user stored with it.")
    inputs: tuple[Input, ...] = Field(description="The tensors; Python values were dropped when it was compiled.")
    structure: str | None = Field(default=None, description="How the caller passes them, such as `(*, *, flag=*)`.")
    keywords: tuple[str, ...] | None = Field(
        default=None,
        description="The keywords that a call has to give, in the order of the inputs, where that is known.",
    )
    outputs: tuple[Output, ...]
    checks: tuple[Check, ...] = ()
    dims: dict[str, Range] = Field(default_factory=dict)
    weights: tuple[Weight, ...] = ()
    weights_at: Literal["library", "archive", "outside"] | None = Field(
        default=None,
        description="Where the weights are; those outside must be loaded. None if there are none or nobody knows.",
    )
    kernels: tuple[str, ...] = ()
    extern_calls: tuple[str, ...] = ()
    custom_ops: tuple[str, ...] = ()
    debug: DebugCode = DebugCode()
    libraries: tuple[str, ...] = Field(default=(), description="Shared libraries it needs, as far as the file says.")
    readable: bool = Field(default=True, description="Whether its wrapper source was there to be read.")


class Member(Frozen):
    """One file in the archive, or beside the library."""

    name: str
    bytes: int
    stored: int = Field(description="As it lies in the archive.")


class Problem(Frozen):
    """Something in the file that is wrong, or could not be read; the rest was."""

    member: str | None
    message: str

    @property
    def told(self) -> str:
        """The message, and the member that it is about."""
        is_named = self.member is None or self.member in self.message
        return self.message if is_named else f"{self.member}: {self.message}"


class Archive(Frozen):
    """A whole file."""

    format: Literal["aoti-lint/inspect-1"] = "aoti-lint/inspect-1"
    file: str
    kind: Literal["exported program", "package", "mixed", "library", "live program", "empty"]
    bytes: int
    archive_version: str | None = None
    layout: str | None = Field(
        default=None, description='Which torch lays archives out so: "2.4–2.7", "2.8", "2.9 and later".'
    )
    byteorder: str | None = None
    programs: tuple[Program, ...] = ()
    packages: tuple[Package, ...] = ()
    extra_files: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()
    problems: tuple[Problem, ...] = ()
