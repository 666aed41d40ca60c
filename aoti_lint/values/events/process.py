"""What a process is told: its options, its environment, the settings of torch."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.values.events.event import Event
from aoti_lint.values.values import Value


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
class FileWrite(Event):
    """A file outside Python sets a variable; what it starts with that, if anything, has an `EnvWrite` of its own."""

    name: str
    value: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ShellWrite(Event):
    """A shell sets a variable of its own, does not export it, and then starts `command`.

    Without a command it exports it, and ends before it starts anything.
    """

    name: str
    command: str


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ProcessStart(Event):
    """Another program or process is started with the variables of this one, or torch is imported again (`name`)."""

    name: str


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ConfigWrite(Event):
    """A key of a module of settings (`module`, such as `torch._inductor.config`) is written.

    `how` is "attribute", "patch", or the argument that takes settings: "inductor_configs", "options". `api` is the
    function that takes them, empty for the others. `discarded`: what `patch` gives is thrown away.
    """

    module: str
    key: str
    value: Value
    how: str
    api: str = ""
    discarded: bool = False
