"""What the interpreter tells the rules: one event for each thing that happens to a program, a package or an op."""

from __future__ import annotations

from dataclasses import dataclass, field

from aoti_lint.diagnostics import Span
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.values import FileName, Value
from aoti_lint.torch_api.versions import VersionSet


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Event:
    """Something that happens at `span`, called through `chain` (outermost call first), in the run of `root`.

    `path` holds the answers assumed to get there. `caught` names the exception types that a handler, a
    `contextlib.suppress` or a `pytest.raises` around it catches. `order` counts the events of one analysis.
    """

    span: Span
    root: str
    order: int
    path: dict[Cond, bool]
    chain: tuple[Span, ...]
    caught: frozenset[str]
    expected: frozenset[str]
    """Exception types that a test helper around it says must be raised."""
    versions: VersionSet
    context: str
    """Qualified name of the function or class the place stands in."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ApiUse(Event):
    """A torch name is imported, read or called. `guarded`: a missing name is handled or was asked for before."""

    name: str
    how: str
    guarded: bool


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ExportEvent(Event):
    program: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CompileEvent(Event):
    """A program is compiled into a package or shared library."""

    package: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class LoadEvent(Event):
    loaded: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CallEvent(Event):
    """`target` (`Loaded`, `ProgramModule` …) is called. `open` says that there may be more arguments than listed.

    `checked` is whether `AOTI_RUNTIME_CHECK_INPUTS` is set by then, as far as the script says.
    """

    target: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    arg_spans: tuple[Span, ...]
    open: bool
    checked: Value | None = None


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class SaveEvent(Event):
    """`torch.export.save`."""

    program: Value
    file: FileName


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpDefinition(Event):
    """A custom op is defined. `op` is `ns::name`; `schema` its schema text or None; `api` the function that did it.

    `mutates` is what `mutates_args` says (a `Const` tuple or None), `returns` the return annotation or schema part,
    `tags` the names of its tags. `composite`: it has an implementation that needs no fake.
    """

    op: Value
    api: str
    schema: Value | None = None
    mutates: Value | None = None
    returns: str | None = None
    tags: Value | None = None
    function: Value | None = None


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpImpl(Event):
    """A kernel is registered for an op. `keys` are the dispatch keys or device types it is for."""

    op: Value
    keys: tuple[Value, ...]
    function: Value | None
    is_fake: bool = False


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpUse(Event):
    """A custom op is called, outside the forward of an exported model."""

    op: str


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class EnvWrite(Event):
    """An environment variable is set.

    `target` says where: "process", the script that runs (`os.environ[name] = value`; None deletes it); "child", a
    program that the script starts (`subprocess.run(…, env=…)`), which changes nothing in the script itself; "outside",
    a shell script or the like starts the root with it, before anything of the root runs. Then `span` is in that file.
    """

    name: str
    value: Value
    target: str = field(default="process")
