"""One run of the linter over sources that may be changed in memory, and the fakes that it links."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from aoti_lint.catalogue.registry import load
from aoti_lint.config import Config
from aoti_lint.diagnostics import Diagnostic
from aoti_lint.findings.findings import Findings
from aoti_lint.ir import nodes
from aoti_lint.linking.analysis import analyse
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.source.project import Project
from aoti_lint.torch_api.target import find_target
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.values import Choice, Const, Func, Value

RELEASE = "2.13"
"""The release of torch that the sources are judged for."""
FAMILY = "AOTI4"


@dataclass(frozen=True, slots=True)
class Place:
    """A function of a file, by the byte offsets of its statement."""

    path: str
    start: int
    end: int


@dataclass(slots=True)
class Linked:
    """A fake that the linter links to an op, with the places of the op's Python kernels."""

    ops: set[str] = field(default_factory=set)
    kernels: set[Place] = field(default_factory=set)
    schema: bool = False
    """Whether the sources say what the op gives back: by a schema, or by the annotations of its function."""


def run(root: str, files: Iterable[str], changed: Mapping[str, bytes]) -> tuple[Facts, list[Diagnostic]]:
    """Analyse `files` of `root`, some of them with other contents; gives what is found about custom ops.

    Findings that are only possible are among them. Comments that silence rules are not read.
    """
    options = Options([], Config(), select=[FAMILY], torch_version=RELEASE, cache=False, ignores=False)
    project = Project(root, files, overlay=changed)
    gc.disable()
    try:
        facts = analyse(project, find_target(root, torch_version=RELEASE).versions)
        return facts, Findings(project, options, load()).of(facts)
    finally:
        gc.enable()


def linked(facts: Facts) -> dict[Place, Linked]:
    """The fakes by their places."""
    found: dict[Place, Linked] = {}
    by_op: dict[str, list[Linked]] = {}
    for event in facts.of(OpImpl):
        keys = {str(key.value) for key in event.keys if isinstance(key, Const)}
        if event.is_fake or "Meta" in keys:
            for place in places(event.function):
                one = found.setdefault(place, Linked())
                one.ops.add(_name(event.op))
                by_op.setdefault(_name(event.op), []).append(one)
    for event in facts.of(OpImpl):
        keys = {str(key.value) for key in event.keys if isinstance(key, Const)}
        if not event.is_fake and "Meta" not in keys and not any(key[:8] == "Autograd" for key in keys):
            for one in by_op.get(_name(event.op), ()):
                one.kernels.update(places(event.function))
    for definition in facts.of(OpDefinition):
        for one in by_op.get(_name(definition.op), ()):
            one.kernels.update(places(definition.function))
            one.schema |= definition.returns is not None or isinstance(definition.schema, Const)
    return found


def places(function: Value | None) -> Sequence[Place]:
    """Where the functions stand that a value may be."""
    values = [leaf for _, leaf in leaves(function)] if isinstance(function, Choice) else [function]
    return [
        Place(value.module.path, value.node.start, value.node.end)
        for value in values
        if isinstance(value, Func) and isinstance(value.node, nodes.FunctionDef)
    ]


def _name(op: Value) -> str:
    """The op's name without its overload; one of its own for a name that is not known."""
    return str(op.value).split(".", 1)[0] if isinstance(op, Const) else repr(op)
