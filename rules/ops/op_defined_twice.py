"""AOTI417."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, VersionSet, catches
from aoti_lint.rule.events import Event, NativeBlock, NativeLibrary, OpDefinition, OpImpl, OpLibrary
from aoti_lint.rule.ops import CPP
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Const

from ..package._imports import surely_meet
from ._libraries import libraries
from ._natives import Natives
from ._schemas import name_of

E = TypeVar("E", bound=Event)
NO_OVERRIDE = VersionSet.between("2.4", "2.12")
"""The releases in which a second fake or kernel for an op raises."""


class OpDefinedTwice(Rule):
    """An operator, or the whole of a namespace, is defined twice in one process.

    What happens:
        The second definition raises: `RuntimeError: Tried to register an operator (mylib::op(Tensor x) -> Tensor) with
        the same name and overload name multiple times.` A second `Library(ns, "DEF")`: `RuntimeError: Only a single
        TORCH_LIBRARY can be used to register the namespace mylib`. Where the second is in C++, nothing can catch that:
        while the library is loaded the process ends with `terminate called after throwing an instance of 'c10::Error'`.
        A second fake raises before torch 2.13: `the operator mylib::op already has an fake impl registered`.

    Why:
        Modules count together where a checked file imports both in lines of its own, outside of any `if` or function.
        A namespace has one "DEF", which is `TORCH_LIBRARY` in C++; other places that add operators to it use
        "FRAGMENT" and `TORCH_LIBRARY_FRAGMENT`. `custom_op` takes the place of an older `custom_op` of the same name,
        which does not raise, but not of an op that C++ defines. Of C++ sources those count that one library is built
        of, by `cpp_extension` or a setup script; that a script and some C++ source of the project define the same op
        is advice. What stands between `#if` and `#endif` is left alone.

    Bad:
        import torch

        shapes = torch.library.Library("mylib", "DEF")
        shapes.define("turn_(Tensor(a!) x) -> ()")

        colours = torch.library.Library("mylib", "DEF")  # <- AOTI417
        colours.define("invert_(Tensor(a!) x) -> ()")

    Good:
        import torch

        shapes = torch.library.Library("mylib", "DEF")
        shapes.define("turn_(Tensor(a!) x) -> ()")

        colours = torch.library.Library("mylib", "FRAGMENT")
        colours.define("invert_(Tensor(a!) x) -> ()")

    How to debug:
        The message says where both were registered.

    Sources:
        Run on torch 2.13, in Python, in C++, and in both, either first; `torch/library.py` and
        `torch/_library/fake_impl.py` of releases 2.4.1 to 2.13.0 (`allow_override` is True by default since 2.13).
    """

    code = "AOTI417"
    name = "op-defined-twice"
    outcome = Outcome.RAISES_AT_IMPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        seen: set[Span] = set()
        natives = Natives(facts)
        told = (self._namespaces(facts), self._definitions(facts), self._fakes(facts), self._built(facts, natives),
                self._loaded(facts, natives), self._beside(facts, natives))  # fmt: skip
        for found in (one for each in told for one in each):
            if found.span not in seen:
                seen |= {found.span, *(one.span for one in found.related)}
                yield found

    def _namespaces(self, facts: Facts) -> Iterator[Diagnostic]:
        known = libraries(facts)
        made = [e for e in known.made.values() if e.how == Const("DEF")]
        inline = [e for e in facts.of(NativeBlock) if not (e.conditional or is_native(e.span.path))]
        events: list[OpLibrary | NativeBlock] = sorted([*made, *inline], key=lambda e: e.order)

        def stays(first: OpLibrary | NativeBlock, second: Event) -> bool:
            return isinstance(first, NativeBlock) or known.holds(first.ident, second)

        named = [(name, e) for e in events if (name := _namespace(e)) is not None]
        apart = [(name, e) for name, e in named if isinstance(e, OpLibrary) and known.stays(e.ident)]
        for first, second in (*_pairs(named, stays), *_of_modules(facts, apart)):
            name, native = _namespace(second), isinstance(second, NativeBlock)
            yield self._report(
                facts, first, second, f'the namespace {name} has a "DEF" library already: {_effect(native)}',
                "write TORCH_LIBRARY_FRAGMENT" if native else 'make it with "FRAGMENT"', second.versions, native=native,
            )  # fmt: skip

    def _definitions(self, facts: Facts) -> Iterator[Diagnostic]:
        known = libraries(facts)
        # Those of C++ sources are there where they are built and loaded.
        run = [e for e in facts.of(OpDefinition) if not (e.conditional or is_native(e.span.path))]
        made = [(name, event) for event in run if (name := name_of(event)) is not None]
        apart = [(name, event) for name, event in made if known.stays(event.library) and not _replaces(event)]
        pairs = _pairs(made, lambda first, second: known.holds(first.library, second))
        for first, second in (*pairs, *_of_modules(facts, apart)):
            if _replaces(first) and _replaces(second):
                continue
            native = second.api == CPP
            yield self._report(
                facts, first, second, f"{name_of(second)} is defined already: {_effect(native)}",
                "keep one of the two, or give one of them another name", second.versions, native=native,
            )  # fmt: skip

    def _built(self, facts: Facts, natives: Natives) -> Iterator[Diagnostic]:
        """Two files of one library that define the same."""
        for build in facts.of(NativeLibrary):
            firsts: dict[str, NativeBlock | OpDefinition] = {}
            for name, event in natives.of(build.sources or ()):
                first = firsts.setdefault(name, event)
                if first.span.path == event.span.path:
                    continue
                block = isinstance(event, NativeBlock)
                what = f"the namespace {name} has a TORCH_LIBRARY" if block else f"{name} is defined"
                advice = "make one of them TORCH_LIBRARY_FRAGMENT" if block else "keep one of the two"
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN if not build.path else Confidence.LIKELY,
                    f"{what} already, in another source of one library: {_effect(native=True)}",
                    span=event.span if event.span.path in facts.project.all_files else build.span,
                    severity=Severity.WARNING if build.path else Severity.ERROR,
                    outcome=Outcome.CRASH,
                    related=(Related(first.span, "the first is here"), Related(build.span, "built together here")),
                    help=advice,
                )

    def _loaded(self, facts: Facts, natives: Natives) -> Iterator[Diagnostic]:
        """What a script defines, and a library that it builds and loads defines, too."""
        scripts = list(_of_scripts(facts))
        for load in facts.of(NativeLibrary):
            inside = dict(natives.of(load.sources or ())) if load.loaded else {}
            for name, event in scripts if inside else ():
                twin = inside.get(name)
                if twin is None or event.root != load.root:
                    continue
                first, second = (load, event) if load.order < event.order else (event, load)
                if _both(first, second):
                    block, native = isinstance(twin, NativeBlock), second is load
                    what = f'the namespace {name} has a "DEF" library' if block else f"{name} is defined"
                    related = (Related(twin.span, "defined in C++ here"),)
                    advice = "keep one of the two, or make one a fragment" if block else "keep one of the two"
                    yield self._report(
                        facts, first, second, f"{what} already: {_effect(native)}", advice, second.versions,
                        native=native, related=related,
                    )  # fmt: skip

    def _beside(self, facts: Facts, natives: Natives) -> Iterator[Diagnostic]:
        """What a script defines, and a C++ source of the project defines, too: both may come into one process."""
        for name, event in _of_scripts(facts):
            twin = natives.events.get(name, [])
            if not twin or event.path or catches(event.caught | event.expected, "RuntimeError"):
                continue
            what = f"the namespace {name}" if isinstance(event, OpLibrary) else name
            yield self.found(
                facts,
                event,
                Confidence.POSSIBLE,
                f"{what} is defined in C++, too: whichever comes second in a process fails",
                severity=Severity.WARNING,
                related=(Related(twin[0].span, "defined in C++ here"),),
                help="keep one of the two, or define it here only where the library is not loaded",
            )

    def _fakes(self, facts: Facts) -> Iterator[Diagnostic]:
        custom = {name_of(e) for e in facts.of(OpDefinition) if _replaces(e)}
        fakes = [
            (str(e.op), e)
            for e in facts.of(OpImpl)
            if e.is_fake and e.api and isinstance(e.op, Const) and e.op.value not in custom and e.function is not None
        ]
        for first, second in _pairs(fakes):
            failing = second.versions & NO_OVERRIDE
            if failing and isinstance(second.op, Const):
                yield self._report(
                    facts, first, second, f"{second.op.value} has a fake already: before torch 2.13 this one raises",
                    "keep one of the two", failing,
                )  # fmt: skip

    def _report(
        self, facts: Facts, first: Event, second: Event, message: str, advice: str, failing: VersionSet, *,
        native: bool = False, related: tuple[Related, ...] = (),
    ) -> Diagnostic:  # fmt: skip
        plain = first.path.items() <= second.path.items() and first.span.path == second.span.path
        return self.found(
            facts,
            second,
            Confidence.CERTAIN if plain else Confidence.LIKELY,
            message,
            failing=failing,
            severity=Severity.ERROR if plain else Severity.WARNING,
            outcome=Outcome.CRASH if native else self.outcome,
            related=(Related(first.span, "the first is here"), *related),
            help=advice,
        )


def _of_scripts(facts: Facts) -> Iterator[tuple[str, OpLibrary | OpDefinition]]:
    """The namespaces and ops that scripts define, and that stay."""
    known = libraries(facts)
    for library in known.made.values():
        name = _namespace(library)
        if library.how == Const("DEF") and known.stays(library.ident) and name is not None:
            yield name, library
    for event in facts.of(OpDefinition):
        name = name_of(event)
        if name is not None and event.api != CPP and known.stays(event.library):
            yield name, event


def _namespace(event: OpLibrary | NativeBlock) -> str | None:
    """The namespace of a library, None where it is not known."""
    if isinstance(event, NativeBlock):
        return event.namespace
    return str(event.namespace.value) if isinstance(event.namespace, Const) else None


def _effect(native: bool) -> str:
    """What happens at the second definition."""
    return "loading this ends the process" if native else "this one raises"


def _replaces(event: OpDefinition) -> bool:
    """Whether it is a `custom_op`, which takes the place of one of the same name."""
    return event.api.endswith(("custom_op", "triton_op")) and event.api != "direct_register_custom_op"


def _pairs(
    events: list[tuple[str, E]], stays: Callable[[E, E], bool] = lambda first, second: True
) -> Iterator[tuple[E, E]]:
    """Those of one name that happen one after the other in one process, at two places.

    `stays` says whether the first is still there when the second happens.
    """
    firsts: dict[tuple[str, str], list[E]] = {}
    for name, event in events:
        earlier = firsts.setdefault((event.root, name), [])
        for first in earlier:
            if first.span != event.span and _both(first, event) and stays(first, event):
                yield first, event
                break
        earlier.append(event)


def _of_modules(facts: Facts, events: list[tuple[str, E]]) -> Iterator[tuple[E, E]]:
    """Those of one name that two modules make as they are imported, which some checked file imports both."""
    firsts: dict[str, list[E]] = {}
    for name, event in events:
        if event.root != event.span.path or event.path or event.chain or catches(event.caught, "RuntimeError"):
            continue
        for first in firsts.setdefault(name, []):
            order = surely_meet(facts, first.root, event.root)
            if order is not None:
                yield (first, event) if order[0] == first.root else (event, first)
                break
        firsts[name].append(event)


def _both(first: Event, second: Event) -> bool:
    """Whether both can happen in one run, with nothing to handle what the second raises."""
    if catches(second.caught | second.expected, "RuntimeError"):
        return False
    return all(second.path.get(cond, answer) == answer for cond, answer in first.path.items())
