"""AOTI420."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, weaker
from aoti_lint.rule.events import Event, LoadEvent, OpDefinition
from aoti_lint.rule.links import loaded_archive, packages_of, programs_of
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Loaded, LoadedProgram, Package, Program

from ..package._imports import Reach, reach
from ._hosts import Lacking, lacking
from ._schemas import Definitions

DEFINE = "define the op and its kernel in C++, with TORCH_LIBRARY, and build that into the program"
LINK = (
    "build {path} into the program, link its library with -Wl,--no-as-needed (or --whole-archive, if it is static), "
    "or dlopen() it first"
)


class OpNotRegisteredWhereLoaded(Rule):
    """A script loads a program that another script made, and never registers a custom operator the program calls.

    What happens:
        Loading raises. For a package: `RuntimeError: Could not find schema for mylib::op. Custom operators created via
        torch.library.custom_op cannot be run via AOTI without Python environment.` For a saved program: `We ran into
        an error when deserializing the saved file`, which names no operator. A C++ program ends with `terminate called
        after throwing an instance of 'c10::Error'  what():  Could not find schema for mylib::op.`

    Why:
        A package holds the operator's name, not its code. The process that loads it must run the module that defines
        the operator first. A C++ program needs the operator in C++, and built in: a library that does nothing but
        register is dropped by linkers that link as needed, unless it is given after `-Wl,--no-as-needed`, and out of a
        static one nothing is taken without `--whole-archive`. Programs are judged whose path of the package is written
        out, by what their `CMakeLists.txt` says that they are built of.

    Bad:
        # file: build.py
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")  # <- AOTI420
        run(torch.ones(4))

    Good:
        # file: mylib_ops.py
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        # file: build.py
        import torch

        from mylib_ops import twice

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: serve.py
        import mylib_ops  # registers mylib::twice
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.ones(4))

    How to debug:
        `hasattr(torch.ops.mylib, "twice")` in the process that loads says whether it is registered.

    Sources:
        Run on torch 2.13: both kinds, and C++ programs with and without the op, linked in four ways.
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI420"
    name = "op-not-registered-where-loaded"
    outcome = Outcome.RAISES_AT_LOAD
    doubt = "it may be registered in a way that was not followed"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        seen: set[tuple[Span, str]] = set()
        for event in facts.of(LoadEvent):
            if catches(event.caught | event.expected, "RuntimeError") or loaded_archive(facts, event, event.loaded):
                continue
            root = event.root.split("::")[0]
            for op, call, confidence in _called(facts, event):
                places = [one for key, ones in definitions.of_op.items() if base_name(key) == op for one in ones]
                if not places or (event.span, op) in seen:
                    continue
                sure = self._sureness(facts, event, op, places, reach(facts, root))
                if sure is not None:
                    seen.add((event.span, op))
                    yield self._report(facts, event, op, call, places[0], weaker(sure, confidence))
        yield from (self._of_host(facts, one) for one in lacking(facts, definitions))

    @staticmethod
    def _sureness(
        facts: Facts, event: LoadEvent, op: str, places: list[OpDefinition], reached: Reach
    ) -> Confidence | None:
        """How sure it is that nothing registered the operator before the load; None if something may have."""
        if any(one.is_before(event) and _together(one, event) for one in places):
            return None
        own = [one for one in places if one.span.path in reached.files]
        if own:
            # It is defined by this script, but only further down or under another condition.
            later = all(one.root == event.root and one.span.path == event.span.path for one in own)
            return Confidence.LIKELY if later and not reached.dynamic else None
        namespace, _, short = op.partition("::")
        if any(reached.may_run(one.span.path) for one in places):
            return None
        if reached.dynamic or reached.mentions(rf"[\"']{re.escape(op)}[\"'(]|\b{re.escape(namespace)}\b.*{short}"):
            return None
        closed = not reached.outside and facts.project.context_complete and not facts.narrowed
        return Confidence.CERTAIN if closed and "::" not in event.root else Confidence.LIKELY

    def _of_host(self, facts: Facts, found: Lacking) -> Diagnostic:
        path = found.definition.span.path
        why = "which nothing that this program is built of registers" if found.native else "which only Python defines"
        return self.found(
            facts,
            found.host,
            found.confidence,
            f"the model that is loaded calls {found.op}, {why}: loading raises",
            label="loaded here",
            severity=Severity.WARNING,
            related=(
                Related(found.call, "called by the model here"),
                Related(found.definition.span, f"{found.op} is defined here"),
            ),
            help=LINK.format(path=path) if found.native else DEFINE,
            symptom="load-error",
        )

    def _report(
        self, facts: Facts, event: LoadEvent, op: str, call: Span, place: OpDefinition, sure: Confidence
    ) -> Diagnostic:
        path = place.span.path
        module = facts.project.module_name(path) if path.endswith(".py") else None
        other = path != event.span.path
        return self.found(
            facts,
            event,
            sure,
            f"the model that is loaded calls {op}, which nothing has registered before that: loading raises",
            label="loaded here",
            severity=Severity.ERROR if sure is Confidence.CERTAIN else Severity.WARNING,
            related=(Related(call, "called by the model here"), Related(place.span, f"{op} is defined here")),
            help=f"add `import {module}` before it is loaded"
            if module and other
            else f"load the library that is built of {path} first, with torch.ops.load_library"
            if is_native(path)
            else "define the operator before it is loaded",
            symptom="load-error",
        )


def _called(facts: Facts, event: LoadEvent) -> Iterator[tuple[str, Span, Confidence]]:
    """The custom operators that a loaded package or program calls, where the project exports it."""
    loaded = event.loaded
    sources = packages_of(facts, loaded, event) if isinstance(loaded, Loaded) else []
    inner = [(one.value.program, one.confidence) for one in sources if isinstance(one.value, Package)]
    if isinstance(loaded, LoadedProgram):
        inner.append((loaded, Confidence.CERTAIN))
    for program, confidence in inner:
        found = programs_of(facts, program, event)
        for one in found:
            if isinstance(one.value, Program):
                sure = weaker(confidence, one.confidence)
                yield from ((base_name(op), span, sure) for op, span in one.value.ops)


def _together(first: Event, second: Event) -> bool:
    """Whether both can happen in one run."""
    return all(second.path.get(cond, answer) == answer for cond, answer in first.path.items())
