"""The steps of an analysis and the arrows between them, from what was told and how it is linked. Nothing is run."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence

from aoti_lint.coverage import aspects, ops, words
from aoti_lint.coverage.apis import APIS
from aoti_lint.coverage.aspects import Place
from aoti_lint.coverage.starts import is_of_defaults, start_of
from aoti_lint.coverage.words import Aspect, known, lost
from aoti_lint.diagnostics import Confidence, Span
from aoti_lint.linking.archives import loaded_archive, written
from aoti_lint.linking.artefacts import (
    MOST_WRITERS,
    link_between,
    packages_for,
    packages_of,
    writers_of,
    written_to,
)
from aoti_lint.machine.facts import Facts
from aoti_lint.map import details
from aoti_lint.map.model import Kind
from aoti_lint.map.steps import Step, united
from aoti_lint.models.ops.ops import base, op_key
from aoti_lint.torch_api.settings import readings
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import ExportEvent, OnnxExport
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.packages import CallEvent, CompileEvent, HostLoad, LoadEvent, PackEvent, SaveEvent
from aoti_lint.values.events.process import ConfigWrite, EnvWrite
from aoti_lint.values.torch_values import FileName, Loaded, LoadedProgram, Package, Program, ProgramModule
from aoti_lint.values.values import Bound, Const, Func, Partial, Value

COMPILING = ("torch._inductor.", "torch._dynamo.", "torch._functorch.", "torch.compiler.", "torch._logging.")
"""The modules whose settings an export or a compile reads."""
COMPILERS: Sequence[Kind] = ("package", "export")

_Writing = CompileEvent | PackEvent | SaveEvent


def steps_of(facts: Facts, place: Place, name_of: Callable[[str], str]) -> list[Step]:
    """All steps, each after those that it uses. `place` and `name_of` are how the user knows places and files."""
    return united(_Graph(facts, place, name_of).steps)


class _Graph:
    """Collects the steps; those that give something are made before those that use it."""

    def __init__(self, facts: Facts, place: Place, name_of: Callable[[str], str]) -> None:
        self._facts, self._place, self._name_of = facts, place, name_of
        self.steps: list[Step] = []
        self._makers: dict[Value, Step] = {}
        """Which step gives an exported program, a package, or what is loaded."""
        self._by_event: dict[Event, Step] = {}
        self._ops: dict[str, Step] = {}
        self._named: dict[str, Step] = {}
        """The archives that were named, by their paths."""
        for op in facts.of(OpDefinition):
            self._define(op)
        exports: list[ExportEvent | OnnxExport] = [*facts.of(ExportEvent), *facts.of(OnnxExport)]
        first = {(one.span, one.root, one.chain) for one in exports if not is_of_defaults(one)}
        for export in exports:
            if not is_of_defaults(export) or (export.span, export.root, export.chain) not in first:
                self._export(export)
        for save in facts.of(SaveEvent):
            self._save(save)
        loads = [*facts.of(LoadEvent)]
        for load in loads:
            self._reload(load)
        calls = {(one.span, one.root): one for one in facts.of(ApiCall) if one.name in APIS}
        for made in facts.of(CompileEvent):
            self._compile(made, calls.get((made.span, made.root)))
        for pack in facts.of(PackEvent):
            self._pack(pack)
        self._archives()
        for load in loads:
            self._load(load)
        for host in facts.of(HostLoad):
            self._host(host)
        for call in facts.of(CallEvent):
            self._call(call)
        self._settings()

    def _step(self, kind: Kind, title: str, event: Event, said: Iterable[Aspect]) -> Step:
        step = Step(kind, title, event.span, list(dict.fromkeys(said)), frozenset(event.chain))
        step.starts = (start_of(event, self._place, self._name_of),)
        self.steps.append(step)
        self._by_event[event] = step
        return step

    def _define(self, event: OpDefinition) -> None:
        name = op_key(event.op)
        if "?" in name:
            return
        if name not in self._ops:
            said = [one for one in ops.of_definition(self._facts, event, self._place) if one.name != "name"]
            self._ops[name] = self._step("op", name, event, said)
        step = self._ops[name]
        parts: list[OpDefinition | OpImpl] = [event, *self._facts.grouped(OpImpl, _op_names).get(name, ())]
        spans = [one.span for one in parts]
        spans += [code for one in parts if (code := _code(one.function)) is not None]
        step.also = tuple(dict.fromkeys((*step.also, *spans)))

    def _op(self, name: str) -> Step:
        key = base(name)
        if key not in self._ops:
            said = lost("schema", "nothing that was followed defines it")
            self._ops[key] = Step("op", key, None, [said])
            self.steps.append(self._ops[key])
        return self._ops[key]

    def _export(self, event: ExportEvent | OnnxExport) -> None:
        program = event.program
        if not isinstance(program, Program):
            return
        said = list(aspects.of_export(self._facts, event, self._place))
        step = self._step("export", _short(program.api), event, details.of_export(program, event, said))
        step.also = details.given_to(program, event)
        self._makers.setdefault(program, step)
        title, span, unknown = details.of_model(program, said)
        model = Step("model", title, span, unknown)
        self.steps.append(model)
        step.uses(model)
        for name, _ in program.ops:
            step.uses(self._op(name))

    def _save(self, event: SaveEvent) -> None:
        said = details.beside_arrows(aspects.of_package(self._facts, event, self._place))
        step = self._step("save", _base(event.file, "a saved program"), event, said)
        for _, program in leaves(event.program, event.path):
            step.uses(self._makers.get(program))

    def _reload(self, event: LoadEvent) -> None:
        """What comes of it may be compiled in its turn, unless it is a package that is taken for a program."""
        loaded = event.loaded
        if isinstance(loaded, LoadedProgram):
            said = details.beside_arrows(aspects.of_load(self._facts, event, self._place))
            compiled = [one for one, _ in self._written(event, loaded.file) if not isinstance(one, SaveEvent)]
            step = self._step("load" if compiled else "reload", "torch.export.load", event, said)
            self._makers.setdefault(loaded, step)

    def _written(self, event: LoadEvent, file: FileName) -> list[tuple[_Writing, Confidence]]:
        """What may have written the file that is loaded, whether or not it is what the loader wants."""
        writers: list[_Writing] = [*writers_of(self._facts, SaveEvent, file), *writers_of(self._facts, PackEvent, file)]
        writers += writers_of(self._facts, CompileEvent, file)
        pairs = [(one, link_between(file, event, _target(one), one)) for one in writers]
        links = [(one, link) for one, link in pairs if link is not None]
        best = [pair for pair in links if pair[1] is Confidence.CERTAIN] or links
        places = len({one.span for one, _ in best})
        if places == 1:
            return best
        return [(one, Confidence.LIKELY) for one, _ in best] if places <= MOST_WRITERS else []

    def _read(self, event: LoadEvent) -> None:
        """Draw arrows to a load from what it means: what the same run made, a file, or an archive that was named."""
        loaded, step = event.loaded, self._by_event.get(event)
        if step is None or not isinstance(loaded, Loaded | LoadedProgram):
            return
        made = packages_of(self._facts, loaded, event) if isinstance(loaded, Loaded) else []
        for one in made:
            step.uses(self._makers.get(one.value), one.confidence is Confidence.CERTAIN)
        for writer, link in () if made else self._written(event, loaded.file):
            step.uses(self._by_event.get(writer), link is Confidence.CERTAIN)
        archive = loaded_archive(self._facts, event, loaded)
        if archive is not None:
            step.uses(self._named.get(archive.archive.path), archive.confidence is Confidence.CERTAIN)

    def _compile(self, event: CompileEvent, call: ApiCall | None) -> None:
        package = event.package
        if isinstance(package, Package):
            said = details.beside_arrows(aspects.of_compile(self._facts, event, self._place, call))
            step = self._step("package", _base(package.file, _short(package.api)), event, said)
            self._makers.setdefault(package, step)
            for _, program in leaves(package.program, event.path):
                step.uses(self._makers.get(program))

    def _pack(self, event: PackEvent) -> None:
        said = details.beside_arrows(aspects.of_package(self._facts, event, self._place))
        step = self._step("bundle", _base(event.file, "a package of several models"), event, said)
        for held in words.parts(event.models, event.path):
            step.uses(self._makers.get(held))

    def _archives(self) -> None:
        for archive in self._facts.archives:
            step = Step("archive", posixpath.basename(archive.path), archive.span, [known("file", archive.path)])
            self.steps.append(step)
            self._named[archive.path] = step
            for event, _, sure in written(self._facts, archive):
                step.uses(self._by_event.get(event), sure is Confidence.CERTAIN)

    def _load(self, event: LoadEvent) -> None:
        loaded = event.loaded
        if isinstance(loaded, Loaded):
            said = [*details.beside_arrows(aspects.of_load(self._facts, event, self._place))]
            if loaded.model is not None and loaded.model != Const("model"):
                said.append(known("model", words.words(loaded.model)))
            self._makers.setdefault(loaded, self._step("load", _short(loaded.api), event, said))
        self._read(event)

    def _host(self, event: HostLoad) -> None:
        step = self._step("host", posixpath.basename(event.span.path), event, details.of_host(event))
        for one in packages_for(self._facts, event):
            step.uses(self._makers.get(one.value), one.confidence is Confidence.CERTAIN)

    def _call(self, event: CallEvent) -> None:
        said = aspects.of_call(self._facts, event, self._place)
        step = self._step("call", _within(event), event, details.of_call(event, said))
        for _, target in leaves(event.target, event.path):
            programs = target.program if isinstance(target, ProgramModule) else target
            for _, one in leaves(programs, event.path):
                step.uses(self._makers.get(one))

    def _settings(self) -> None:
        """Draw arrows from what a script sets to what reads it afterwards."""
        made: dict[str, list[tuple[Event, Step]]] = {}
        for event, step in self._by_event.items():
            made.setdefault(_file_of(event), []).append((event, step))
        for variable in self._facts.of(EnvWrite):
            self._set(variable, variable.name, _readers(variable), made)
        for key in self._facts.of(ConfigWrite):
            # What a call is given stands with the package.
            if not key.api:
                title = f"{key.module.removesuffix('.config').rpartition('.')[2]}.{key.key}"
                self._set(key, title, COMPILERS, made)

    def _set(
        self, event: EnvWrite | ConfigWrite, title: str, readers: Sequence[Kind],
        made: dict[str, list[tuple[Event, Step]]],
    ) -> None:  # fmt: skip
        later = [step for other, step in made.get(_file_of(event), ()) if other.order > event.order]
        # An export reads what a compile does, and hands it on.
        kinds = [kind for kind in readers if kind != "export" or not any(one.kind == "package" for one in later)]
        used = [step for step in later if step.kind in kinds]
        if used:
            setting = Step("setting", title, event.span, [*details.of_setting(event)])
            self.steps.append(setting)
            for step in used:
                step.uses(setting)


def _readers(event: EnvWrite) -> Sequence[Kind]:
    """The kinds of steps that read a variable: what compiles does in Python, what was compiled in C++."""
    modules = {one.module for version in event.versions for one in readings(event.name, version)}
    compiles = any(f"{module}.".startswith(COMPILING) for module in modules)
    return (*(COMPILERS if compiles else ()), *(("load",) if "" in modules else ()))


def _within(event: Event) -> str:
    return f"in {event.context}()" if event.context else "at the top level"


def _file_of(event: Event) -> str:
    """The file whose run an event is part of."""
    return event.root.partition("::")[0]


def _short(api: str) -> str:
    """The name of a function of torch without where it lies, if that says enough."""
    return api if api == "torch.export.export" else api.rpartition(".")[2]


def _target(event: _Writing) -> FileName:
    return event.file if isinstance(event, PackEvent) else written_to(event)[0]


def _base(file: FileName, unnamed: str) -> str:
    """The name of a file without its folder; `unnamed` where none is given."""
    name = posixpath.basename(words.words(file.given))
    return unnamed if name in ("", "None", "…") else name


def _op_names(event: OpImpl) -> list[str]:
    return [op_key(event.op)]


def _code(function: Value | None) -> Span | None:
    """Where a function of the project stands."""
    inner = function.func if isinstance(function, Bound | Partial) else function
    return Span(inner.module.path, inner.node.start, inner.node.end) if isinstance(inner, Func) else None
