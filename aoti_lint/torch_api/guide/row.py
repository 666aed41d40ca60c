"""What is written down about one name of a debugging guide."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet


class Kind(Enum):
    """What sort of name it is. The value is the plural that heads a table."""

    VARIABLE = "environment variables"
    KEY = "configuration settings"
    PRINTER_MODE = "modes of the debug printer"
    LOG = "names for TORCH_LOGS"
    API = "functions, classes and modules"
    MODE = "modes and backends of torch.compile"
    TOOL = "command line tools"
    FILE = "files and folders"

    @property
    def one(self) -> str:
        """The name of one of the kind."""
        return _SINGULAR[self]


_SINGULAR = {
    Kind.VARIABLE: "environment variable",
    Kind.KEY: "configuration setting",
    Kind.PRINTER_MODE: "mode of the debug printer",
    Kind.LOG: "name for TORCH_LOGS",
    Kind.API: "function, class or module",
    Kind.MODE: "mode or backend of torch.compile",
    Kind.TOOL: "command line tool",
    Kind.FILE: "file or folder",
}


class Moment(Enum):
    """When a setting is read, or has its effect."""

    IMPORT_TORCH = "when torch is imported"
    IMPORT_INDUCTOR = "when `torch._inductor.config` is first imported"
    IMPORT_DYNAMO = "when `torch._dynamo.config` is first imported"
    COMPILE = "at each compile"
    LOAD = "when the package is loaded"
    FIRST_CALL = "at the first call of a loaded model"
    EACH_CALL = "at each call"
    CUDA_START = "when the process first uses the GPU"
    FIRST_ALLOCATION = "at the first allocation on the GPU"
    NEVER = "never: nothing reads it"

    @property
    def note(self) -> str:
        """What follows for where to set it; empty when nothing does."""
        return _NOTES.get(self, "")


_INDUCTOR = (
    "`torch.export.export(...)`, `torch.compile(...)`, any use of `torch._inductor` and making an optimizer import it; "
    "a change of the variable after that is ignored without a word."
)
_NOTES = {
    Moment.IMPORT_TORCH: "Set it in the shell, or in `os.environ` above the first `import torch`.",
    Moment.IMPORT_INDUCTOR: _INDUCTOR,
    Moment.IMPORT_DYNAMO: _INDUCTOR.replace("_inductor", "_dynamo"),
    Moment.FIRST_CALL: "Each loaded `.so` remembers what it saw at its own first call.",
}


class Phase(Enum):
    """The step of the work that has to see the setting."""

    EXPORT = "export"
    COMPILE = "compile"
    LOAD = "load"
    RUN = "run"
    TORCH_COMPILE = "torch.compile"


@dataclass(frozen=True, slots=True)
class Correction:
    """Where a guide misleads (outdated, wrong or too short): what it says, what is so, and how that is known."""

    said: str
    really: str
    proof: str


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One name.

    `does` says in one or two sentences what it is for. `values` explains texts it may be given, or arguments; a key in
    angle brackets stands for any text. `source` names the place in torch (`release file:line`, paths below `torch/`)
    or the run the row rests on. `versions` are the torch minors that have it, none for a name that never existed.
    """

    name: str
    kind: Kind
    does: str
    source: str
    versions: VersionSet = SUPPORTED
    moment: Moment | None = None
    phases: tuple[Phase, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    corrections: tuple[Correction, ...] = ()
    see: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def matters_for(self) -> str:
        """The phases in words."""
        only = " only" if self.phases == (Phase.TORCH_COMPILE,) else ""
        return ", ".join(phase.value for phase in self.phases) + only

    @property
    def there(self) -> str:
        """The versions in words."""
        if not self.versions:
            return "in no supported torch"
        return "every supported torch" if self.versions == SUPPORTED else f"torch {self.versions}"
