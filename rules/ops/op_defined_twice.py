"""AOTI417."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Related, Severity, Span
from aoti_lint.interp.events import Event, OpDefinition, OpImpl, OpLibrary, OpLibraryEnd
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.judge import catches
from aoti_lint.interp.natives import API
from aoti_lint.interp.values import Const
from aoti_lint.rule import Rule
from aoti_lint.torch_api.versions import VersionSet

from ._libraries import is_held
from ._schemas import name_of

E = TypeVar("E", bound=Event)
NO_OVERRIDE = VersionSet.between("2.4", "2.12")
"""The releases in which a second fake or kernel for an op raises."""


class OpDefinedTwice(Rule):
    """An operator, or the whole of a namespace, is defined twice in one process.

    What happens:
        The second definition raises: `RuntimeError: Tried to register an operator (mylib::op(Tensor x) -> Tensor) with
        the same name and overload name multiple times.` A second `Library(ns, "DEF")`: `RuntimeError: Only a single
        TORCH_LIBRARY can be used to register the namespace mylib`. A second fake raises before torch 2.13: `the
        operator mylib::op already has an fake impl registered`.

    Why:
        A namespace has one "DEF"; other places that add operators to it use "FRAGMENT". `custom_op` takes the place of
        an older `custom_op` of the same name, which does not raise.

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
        Run on torch 2.13; `torch/library.py` and `torch/_library/fake_impl.py` of releases 2.4.1 to 2.13.0
        (`allow_override` is True by default since 2.13).
    """

    code = "AOTI417"
    name = "op-defined-twice"
    outcome = Outcome.RAISES_AT_IMPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        seen: set[Span] = set()
        for found in (*self._namespaces(facts), *self._definitions(facts), *self._fakes(facts)):
            if found.span not in seen:
                seen.add(found.span)
                yield found

    def _namespaces(self, facts: Facts) -> Iterator[Diagnostic]:
        gone = {event.ident for event in facts.of(OpLibraryEnd)}
        made = [e for e in facts.of(OpLibrary) if e.how == Const("DEF") and e.ident not in gone]
        for first, second in _pairs([(str(e.namespace), e) for e in made if isinstance(e.namespace, Const)]):
            if not is_held(first, second):
                continue
            namespace = second.namespace.value if isinstance(second.namespace, Const) else "it"
            yield self._report(
                facts, first, second, f'the namespace {namespace} has a "DEF" library already: this one raises',
                'make it with "FRAGMENT"', second.versions,
            )  # fmt: skip

    def _definitions(self, facts: Facts) -> Iterator[Diagnostic]:
        gone = {event.ident for event in facts.of(OpLibraryEnd)}
        libraries = {e.ident: e for e in facts.of(OpLibrary) if e.ident not in gone}
        # Of what C++ defines, nobody knows which files and which arms of an `#if` one build has.
        scripts = [e for e in facts.of(OpDefinition) if e.api != API and (e.library is None or e.library in libraries)]
        made = [(name, event) for event in scripts if (name := name_of(event)) is not None]
        for first, second in _pairs(made):
            library = libraries.get(first.library) if first.library is not None else None
            if (_replaces(first) and _replaces(second)) or not (library is None or is_held(library, second)):
                continue
            yield self._report(
                facts, first, second, f"{name_of(second)} is defined already: defining it again raises",
                "keep one of the two, or give one of them another name", second.versions,
            )  # fmt: skip

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
        self, facts: Facts, first: Event, second: Event, message: str, advice: str, failing: VersionSet
    ) -> Diagnostic:
        plain = first.path.items() <= second.path.items() and first.span.path == second.span.path
        return self.found(
            facts,
            second,
            Confidence.CERTAIN if plain else Confidence.LIKELY,
            message,
            failing=failing,
            severity=Severity.ERROR if plain else Severity.WARNING,
            related=(Related(first.span, "the first is here"),),
            help=advice,
            symptom="import-error",
        )


def _replaces(event: OpDefinition) -> bool:
    """Whether it is a `custom_op`, which takes the place of one of the same name."""
    return event.api.endswith(("custom_op", "triton_op")) and event.api != "direct_register_custom_op"


def _pairs(events: list[tuple[str, E]]) -> Iterator[tuple[E, E]]:
    """Those of one name that happen one after the other in one process, at two places."""
    firsts: dict[tuple[str, str], list[E]] = {}
    for name, event in events:
        earlier = firsts.setdefault((event.root, name), [])
        for first in earlier:
            if first.span != event.span and _both(first, event):
                yield first, event
                break
        earlier.append(event)


def _both(first: Event, second: Event) -> bool:
    """Whether both can happen in one run, with nothing to handle what the second raises."""
    if catches(second.caught | second.expected, "RuntimeError"):
        return False
    return all(second.path.get(cond, answer) == answer for cond, answer in first.path.items())
