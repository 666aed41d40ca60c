"""Custom ops are defined, given kernels and called, in Python and in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.events.event import Event
from aoti_lint.values.torch_values import FileName
from aoti_lint.values.values import NONE, Compilation, Const, Value

if TYPE_CHECKING:
    from aoti_lint.native.model import Kernel
    from aoti_lint.torch_api.schemas.annotations import Inferred


def name_of(op: Value) -> str:
    """The name of an op, empty where it is not known; each overload is an op of its own."""
    return op.value if isinstance(op, Const) and isinstance(op.value, str) else ""


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
    """A function is registered that gives the gradients of an op: `register_autograd`.

    `setup` is the one that keeps for it what it needs, `NONE` where there is none.
    """

    op: Value
    function: Value
    setup: Value = NONE


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
    dimension may be part of it. `transform` is the function of `torch.func` that differentiates what
    calls it, backward. `faked`: it may be called in a `FakeTensorMode`, where no kernel runs. `within` are the compiled
    functions and modules that run then.
    """

    op: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    places: dict[int | str, Span]
    open: bool
    sizes: dict[int | str, bool]
    transform: str = ""
    faked: bool = False
    within: tuple[Compilation, ...] = ()
