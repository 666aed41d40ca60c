"""Custom ops that a C++ program lacks when it loads a package."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Facts, Span, dataclass
from aoti_lint.rule.events import CompileEvent, HostLoad, OpDefinition, OpImpl
from aoti_lint.rule.links import programs_of
from aoti_lint.rule.ops import NO_KEY, base_name
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Const, Package, Program, leaves

from ._schemas import Definitions


@dataclass(frozen=True, slots=True)
class Lacking:
    """The program behind `host` lacks `op`, which the model calls at `call`. `native`: C++ defines it, elsewhere."""

    host: HostLoad
    op: str
    call: Span
    definition: OpDefinition
    native: bool
    confidence: Confidence
    """`possible` where a library that nobody sees may define the op for C++."""


def lacking(facts: Facts, definitions: Definitions) -> Iterator[Lacking]:
    """What each program lacks for the package that it loads, if one script compiles a package of that name."""
    for host in facts.of(HostLoad):
        if not host.alone or host.device:
            continue
        called = _called(facts, posixpath.basename(host.file))
        for op, call in called.items() if host.span.path in facts.project.all_natives else ():
            places = [one for key, ones in definitions.of_op.items() if base_name(key) == op for one in ones]
            native = [one for one in places if is_native(one.span.path)]
            if not places or _is_taken_apart(facts, op, places):
                continue
            if not native:
                seen = host.sources is not None or _is_of_python(facts, op)
                yield Lacking(host, op, call, places[0], False, Confidence.LIKELY if seen else Confidence.POSSIBLE)
            elif host.sources is not None and not any(_is_in(one.span.path, host.sources) for one in native):
                yield Lacking(host, op, call, native[0], True, Confidence.LIKELY)


def _is_of_python(facts: Facts, op: str) -> bool:
    """Whether no C++ of the project has a word of the namespace of the op."""
    spoken = facts.project.mentions(op.partition("::")[0])
    return spoken.complete and not any(map(is_native, spoken.files))


def _is_in(path: str, sources: tuple[str, ...]) -> bool:
    """Whether a program built of the sources has what a file defines; a header may be included anywhere."""
    return path in sources or path.endswith((".h", ".hh", ".hpp", ".cuh"))


def _called(facts: Facts, name: str) -> dict[str, Span]:
    """The custom ops of the one model that is compiled into a package of this name, and where it calls them."""
    found: list[dict[str, Span]] = []
    for event in facts.of(CompileEvent):
        for _, package in leaves(event.package):
            if isinstance(package, Package) and package.file.key[-1:] == (name,):
                programs = [one.value for one in programs_of(facts, package.program, event)]
                found += [{base_name(op): span for op, span in one.ops} for one in programs if isinstance(one, Program)]
    return found[0] if len(found) == 1 else {}


def _is_taken_apart(facts: Facts, op: str, places: list[OpDefinition]) -> bool:
    """Whether the op does not come into the package: Inductor looks into it, or torch decomposes it."""
    implicit = any(
        NO_KEY in [getattr(key, "value", None) for key in event.keys]
        for event in facts.of(OpImpl)
        if isinstance(event.op, Const) and base_name(str(event.op.value)) == op
    )
    return implicit or any(one.api.endswith("triton_op") for one in places)
