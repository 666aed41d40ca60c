"""C++ that loads what scripts of the project compile."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import replace
from aoti_lint.linking.artefacts import file_of_host, made_elsewhere
from aoti_lint.machine.facts import Facts
from aoti_lint.machine.machine import Machine
from aoti_lint.source.discovery.discover import is_native
from aoti_lint.source.interest.needles import LOADERS, SCRIPTED
from aoti_lint.source.project import Project
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.packages import CompileEvent, FileEvent, HostCall, HostLoad, OutputUse, SaveEvent
from aoti_lint.values.torch_values import Device, Loaded, Package, Tensor
from aoti_lint.values.values import NONE, Const, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.native.hosts import Load
    from aoti_lint.native.runs import Given, Run

_LOADER = "torch._C._aoti.AOTIModelPackageLoader"


def tell_hosts(m: Machine, exporting: bool) -> None:
    """Tell where C++ loads packages and libraries, if a script compiles a model or saves a program.

    `exporting`: one is exported that calls custom ops.
    """
    project = m.project
    if not any(m.facts.of(CompileEvent)) and not any(m.facts.of(SaveEvent)):
        return
    # What else there is matters only for the ops it may lack.
    beside = filter(is_native, project.context()) if exporting else ()
    paths = dict.fromkeys([*project.all_natives, *beside])
    data = {path: project.data(path) or b"" for path in paths}
    naming = [path for path, one in data.items() if any(name in one for name in LOADERS)]
    if not naming and not any(SCRIPTED in one for one in data.values()):
        return
    from aoti_lint.native.hosts import Members, is_program, loads, may_load_more, members, scripted
    from aoti_lint.native.runs import Run, runs

    only = _only_package(m.facts)
    declared = {path: found for path in naming if (found := members(data[path]))}
    for path in data:
        around: Members = {}
        for header, found in declared.items():
            if header == path or posixpath.basename(header).encode() in data[path]:
                around |= found
        m.root.name = path
        if SCRIPTED in data[path]:
            for file, span in scripted(data[path], path):
                m.tell(FileEvent, span, "", api="torch.jit.load", file=file_of_host(m.facts, file))
        if path not in naming and not around:
            continue
        sources = _sources(project, path)
        alone = is_program(data[path]) and not any(map(may_load_more, _texts(project, path, sources)))
        # Who starts a program with the path of a package has the one that there is.
        loaded = [replace(one, file=only) if one.given and not (one.file or one.device) else one
                  for one in loads(data[path], path, around)]  # fmt: skip
        for one in loaded:
            parts = {"file": one.file, "device": one.device, "index": one.index, "model": one.model}
            if one.file:
                m.tell(HostLoad, one.span, "", alone=alone, sources=sources, **parts)
        targets = dict[Span, Loaded | None]()
        for run in runs(data[path], path, loaded):
            if run.load.span not in targets:
                targets[run.load.span] = _called(m, run.load)
            target = targets[run.load.span]
            if target is None:
                continue
            if isinstance(run, Run):
                _tell_run(m, run, target)
            else:
                m.tell(OutputUse, run.span, "", of=target, used="item", key=Const(run.index), flat=True)


def _only_package(facts: Facts) -> str:
    """The name of the one package that the project makes; empty where it makes none, several, or one of no name."""
    made = [leaf for event in facts.of(CompileEvent) for _, leaf in leaves(event.package, event.path)]
    names = {one.file.key[-1:] if isinstance(one, Package) and one.kind == "pt2" else () for one in made}
    name = "".join(names.pop()) if len(names) == 1 else ""
    return name if name.endswith(".pt2") else ""


def _called(m: Machine, load: Load) -> Loaded | None:
    """What is loaded: the package whose file has the name; None where another one may be meant."""
    file = file_of_host(m.facts, load.file)
    if made_elsewhere(m.facts, file.key[-1]):
        return None
    device, index = Device(load.device) if load.device else None, NONE if load.index is None else Const(load.index)
    return Loaded(m.fresh(), load.span, _LOADER, file, device, None, {}, index=index)


def _tell_run(m: Machine, run: Run, target: Loaded) -> None:
    """Tell of a call, with tensors as far as the text says what they are."""
    args = [_tensor(m, one, run.span) for one in run.given]
    told = {"args": tuple(args), "kwargs": {}, "arg_spans": (run.span,) * len(args), "open": False, "flat": True}
    m.tell(HostCall, run.span, "", target=target, **told)


def _tensor(m: Machine, given: Given, span: Span) -> Value:
    if given.dtype is None and given.device is None:  # of neither sizes are known
        return Unknown(f"u{m.fresh()}", "a tensor of C++")
    device = Device(given.device) if given.device else Unknown(f"u{m.fresh()}", "the device of a tensor of C++")
    sizes = None if given.sizes is None else tuple(
        Unknown(f"u{m.fresh()}", "a size in C++") if one is None else Const(one) for one in given.sizes
    )  # fmt: skip
    return Tensor(f"t{m.fresh()}", device, sizes, f"torch.{given.dtype}" if given.dtype else None, span=span)


def _texts(project: Project, path: str, sources: tuple[str, ...] | None) -> Iterator[bytes]:
    return (project.data(one) or b"" for one in {path: None, **dict.fromkeys(sources or ())})


def _sources(project: Project, path: str) -> tuple[str, ...] | None:
    """The files of the one executable that a file is a source of; None where they are not all known."""
    from aoti_lint.native.cmake import FILE, Build

    folders = [posixpath.dirname(path)]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    build = Build((posixpath.join(folder, FILE) for folder in reversed(folders)), lambda one: _text(project, one))
    names = build.executables(path)
    return build.sources(names[0]) if len(names) == 1 else None


def _text(project: Project, path: str) -> str | None:
    data = project.data(path)
    return None if data is None else data.decode("utf-8", "replace")
