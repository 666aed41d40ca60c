"""What C++ sources register, told as the events that Python's registrations are."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.machine.facts import Facts
from aoti_lint.machine.machine import Machine
from aoti_lint.models.ops.native_ops import tell
from aoti_lint.models.ops.ops import base, op_key
from aoti_lint.source.discovery.discover import is_native
from aoti_lint.source.interest.needles import registers
from aoti_lint.source.project import Project
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.events.ops import NativeLibrary, OpDefinition, OpImpl
from aoti_lint.values.torch_values import Program
from aoti_lint.values.values import Const

FOR_ALL = frozenset({
    "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "default",
    "BackendSelect",
})  # fmt: skip
"""Those of kernels for all backends, which tracing runs as they are."""
FAKE_KEYS = FOR_ALL | {"Meta", "meta"}
"""Dispatch keys whose kernel serves as the fake, or is entered by tracing (each run on torch 2.13)."""


def may_be_fake(event: OpImpl) -> bool:
    """Whether what is registered serves as the fake of its op, or may, since the dispatch key is not known."""
    keys = [key.value if isinstance(key, Const) else None for key in event.keys]
    return event.is_fake or any(key is None or key in FAKE_KEYS for key in keys)


def tell_natives(m: Machine) -> None:
    """Tell what the C++ sources of the project register, if any is named or the scripts leave an op open."""
    project = m.project
    built = [path for event in m.facts.of(NativeLibrary) for path in event.sources or ()]
    near = [path for path in project.all_natives if registers(project.data(path) or b"")]
    if not near and not built and not leaves_open(m.facts):
        return
    paths = list(dict.fromkeys([*near, *built, *filter(is_native, project.context())]))
    paths = [path for path in paths if registers(project.data(path) or b"")]
    if not paths:
        return
    from aoti_lint.native.read import Natives

    natives = Natives(paths, lambda path: _read(project, path), project.all_natives)
    for registration in natives.registrations():
        m.root.name = registration.span.path
        tell(m, registration)
    for path in natives.unfollowed:
        m.note(f"{path}: brackets are nested too deeply, or not closed: the rest of the file was not read")


def leaves_open(facts: Facts) -> bool:
    """Whether a script registers something for an op that no script defines, or defines one without a fake, or exports
    a model that calls such an op.
    """
    defined = {op_key(event.op) for event in facts.of(OpDefinition)}
    served = {op_key(event.op) for event in facts.of(OpImpl)}
    return defined != served or any(op not in defined for op in exported(facts))


def exported(facts: Facts) -> Iterator[str]:
    """The names, without overloads, of the ops that exported models call."""
    for event in facts.of(ExportEvent):
        if isinstance(event.program, Program):
            yield from (base(op) for op, _ in event.program.ops)


def _read(project: Project, path: str) -> bytes | None:
    source = project.source(path)
    return None if source is None else source.text.encode("utf-8", "surrogatepass")
