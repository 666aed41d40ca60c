"""Which processes compile a package and which run one, and in which of them each flag is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aoti_lint.language.data.paths import PROJECT_ROOT
from aoti_lint.linking.artefacts import compiled_for, packages_of
from aoti_lint.torch_api import settings
from aoti_lint.torch_api.guide.lookup import find
from aoti_lint.torch_api.guide.row import Kind, Phase
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.compiled import CompiledCall
from aoti_lint.values.events.devices import DeviceUse
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import Exporting
from aoti_lint.values.events.ops import OpDefinition, OpImpl, OpUse
from aoti_lint.values.events.packages import CallEvent, CompileEvent, LoadEvent
from aoti_lint.values.torch_values import Device, Loaded, Package
from aoti_lint.values.values import Compilation, Value

if TYPE_CHECKING:
    from aoti_lint.machine.facts import Facts
    from aoti_lint.torch_api.versions import VersionSet

BUILDS = frozenset({Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE})
"""The steps of the work in a process that compiles."""
RUNS = frozenset({Phase.LOAD, Phase.RUN})
"""Those in a process that only calls a package."""
EVERYWHERE = frozenset({"PYTHONUNBUFFERED", "PYTHONFAULTHANDLER", "TORCH_SHOW_CPP_STACKTRACES"})
"""Variables for every process, whatever it does: they change what is printed about an error, and nothing else."""
_HEAVY = ("torch._inductor", "torch._dynamo", "torch._functorch", "torch.fx", "torch._logging", "torch.compiler")
"""Modules whose variables are for compiling."""


@dataclass(frozen=True, slots=True)
class Work:
    """What the scripts of a target do, as far as the code says; all False if nothing is known.

    `exports`: they make a program, `packs`: they compile one into a package, `runs`: they load or call a package,
    `traces`: they use `torch.compile`. `makers` are scripts of the project, other than themselves, that make the
    packages which they load; `files` the packages that all of these write, and `blind` says that some have a name which
    the code does not tell. `devices` are the types of device that models are made for or moved to. `ops` are the
    Python files that define custom operators; `calls_ops` says whether there are any at all.
    """

    exports: bool = False
    packs: bool = False
    runs: bool = False
    traces: bool = False
    makers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    blind: bool = False
    devices: frozenset[str] = frozenset()
    ops: tuple[str, ...] = ()
    calls_ops: bool = False

    @property
    def known(self) -> bool:
        """Whether anything is known about them."""
        return self.exports or self.packs or self.runs or self.traces

    @property
    def compiles(self) -> bool:
        """Whether flags of the compile mean anything to them."""
        return self.exports or self.packs or self.traces


def work_of(facts: Facts, scripts: Sequence[str], builders: Sequence[str] = ()) -> Work:
    """What `scripts` (paths relative to the project) do in the analysis of a project that has them.

    `builders` are those that are said to compile what they load.
    """
    mine = [event for event in facts.events if script_of(event) in scripts]
    built = [event for event in mine if isinstance(event, CompileEvent)]
    loads = [event for event in mine if isinstance(event, LoadEvent)]
    makers = {script: events for script, events in _makers(facts, loads) if script not in scripts}
    others = [event for event in facts.of(CompileEvent) if script_of(event) in builders]
    packages = [*built, *others, *(event for script in makers.keys() - set(builders) for event in makers[script])]
    files = [_file(facts, event) for event in packages]
    definitions = [event for event in facts.events if isinstance(event, OpDefinition | OpImpl)]
    return Work(
        exports=any(isinstance(event, Exporting) for event in mine),
        packs=bool(built),
        runs=bool(loads) or any(isinstance(e, CallEvent) and isinstance(e.target, Loaded | Package) for e in mine),
        traces=any(_traces(event) for event in mine),
        makers=tuple(sorted(makers)),
        files=tuple(dict.fromkeys(name for name in files if name is not None)),
        blind=None in files,
        devices=frozenset(_devices(facts, mine, packages)),
        ops=tuple(dict.fromkeys(e.span.path for e in definitions if e.span.path.endswith(".py"))),
        calls_ops=bool(definitions) or any(isinstance(event, OpUse) for event in mine),
    )


def script_of(event: Event) -> str:
    """The script an event happens in the run of."""
    return event.root.split("::")[0]


def _makers(facts: Facts, loads: Sequence[LoadEvent]) -> Iterator[tuple[str, list[CompileEvent]]]:
    """The scripts that make what is loaded."""
    made: dict[Value, CompileEvent] = {}
    for event in facts.of(CompileEvent):
        for _, leaf in leaves(event.package, event.path):
            made[leaf] = event
    found: dict[str, list[CompileEvent]] = {}
    for load in loads:
        for _, leaf in leaves(load.loaded, load.path):
            candidates = packages_of(facts, leaf, load) if isinstance(leaf, Loaded) else []
            for event in [made[c.value] for c in candidates if c.value in made]:
                found.setdefault(script_of(event), []).append(event)
    yield from found.items()


def _file(facts: Facts, event: CompileEvent) -> str | None:
    """The file that a package is written to, from the folder of the project; None if that is not known.

    Empty for one in a temporary folder of torch's, which nobody misses.
    """
    package = event.package
    if not isinstance(package, Package):
        return None
    key = package.file.key or package.file.usual
    if not key:
        return ""
    if key[0] == f"<{PROJECT_ROOT.key}>":
        key = (str(facts.project.root), *key[1:])
    if any(part.startswith("<") for part in key):
        return None
    return "/".join(key).replace("//", "/", 1)


def _traces(event: Event) -> bool:
    if isinstance(event, CompiledCall):
        return True
    return isinstance(event, ApiCall) and (event.name == "torch.compile" or any(map(_is_compilation, event.within)))


def _is_compilation(value: object) -> bool:
    return isinstance(value, Compilation)


def _devices(facts: Facts, mine: Sequence[Event], packages: Sequence[CompileEvent]) -> Iterator[str]:
    """The types of the devices that the models are for; without models, those of what else is made or moved."""
    found = False
    for event in packages:
        for _, leaf in leaves(event.package, event.path):
            if isinstance(leaf, Package):
                for _, device in leaves(compiled_for(facts, leaf, event), event.path):
                    if isinstance(device, Device):
                        found = True
                        yield device.type
    if not found:
        for use in mine:
            if isinstance(use, DeviceUse):
                for _, device in leaves(use.device, use.path):
                    if isinstance(device, Device):
                        yield device.type


def phases_of(name: str) -> frozenset[Phase] | None:
    """The steps of the work that have to see an environment variable; None for one that torch does not read."""
    row = next((row for row in find(name) if row.kind is Kind.VARIABLE and row.name == name), None)
    if row is not None and row.phases:
        return frozenset(row.phases)
    versions = settings.variable_versions(name)
    if not versions:
        return None
    modules = [reading.module for reading in settings.readings(name, versions.last)]
    return BUILDS if any(module.startswith(_HEAVY) for module in modules) else RUNS


def of_phase(variables: Mapping[str, str], phase: str) -> dict[str, str]:
    """Those of the variables that a process of this phase (see `plan.Step`) reads."""
    wanted = {"build": BUILDS, "run": RUNS, "whole": BUILDS | RUNS}[phase]
    return {name: value for name, value in variables.items() if _is_read(name, phase, wanted)}


def _is_read(name: str, phase: str, wanted: frozenset[Phase]) -> bool:
    if name in EVERYWHERE:
        return True
    phases = phases_of(name)
    return phase != "build" if phases is None else bool(phases & wanted)


def there(name: str, versions: VersionSet) -> bool:
    """Whether torch of some of these versions reads the variable, or it is none of torch's."""
    known = settings.variable_versions(name)
    return bool(known & versions) if name in settings.variable_names() else True
