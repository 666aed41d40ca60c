"""AOTI606."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches
from aoti_lint.rule.events import Event, LoadEvent
from aoti_lint.rule.links import Link, capped, loaded_archive

from ._imports import Reach, reach


class CustomOpNotImported(Rule):
    """A program with a custom operator is loaded by a script that never registers the operator.

    What happens:
        Loading raises. For a package: `RuntimeError: Could not find schema for shop::scale. Custom operators created
        via torch.library.custom_op cannot be run via AOTI without Python environment.` For a program: `We ran into an
        error when deserializing the saved file`, which names no operator.

    Why:
        The archive holds the operator's name, not its code. The process that loads it must import the module that
        defines it, or load its library with `torch.ops.load_library`, first.

    Bad:
        # archive: scaled_compiled.pt2
        # file: shop_ops.py
        import torch

        @torch.library.custom_op("shop::scale", mutates_args=())
        def scale(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @scale.register_fake
        def _(x):
            return torch.empty_like(x)

        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("scaled_compiled.pt2")  # <- AOTI606
        run(torch.ones(4, 8))

    Good:
        # archive: scaled_compiled.pt2
        # file: shop_ops.py
        import torch

        @torch.library.custom_op("shop::scale", mutates_args=())
        def scale(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @scale.register_fake
        def _(x):
            return torch.empty_like(x)

        # file: serve.py
        import shop_ops  # registers shop::scale
        import torch

        run = torch._inductor.aoti_load_package("scaled_compiled.pt2")
        run(torch.ones(4, 8))

    How to debug:
        `hasattr(torch.ops.shop, "scale")` in the process that loads says whether it is registered.

    Sources:
        Run on torch 2.13, both kinds (this project's tests).
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI606"
    name = "custom-op-not-imported"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        if not facts.archives:
            return
        for event in facts.of(LoadEvent):
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            link = loaded_archive(facts, event, event.loaded)
            if link is None:
                continue
            root = event.root.split("::")[0]
            yield from self._check(facts, event, link, reach(facts, root))

    def _check(self, facts: Facts, event: LoadEvent, link: Link, reached: Reach) -> Iterator[Diagnostic]:
        data = link.archive.data
        models = data.programs if not data.packages else link.packages()
        shared = set.intersection(*(set(model.custom_ops) for model in models)) if models else set()
        for op in sorted(shared):
            places = defined(facts, op)
            if any(reached.may_run(span.path) for span in places) or reached.mentions(_pattern(op)):
                continue
            sure = self._sureness(facts, event, reached, places)
            where = f"; {places[0].path} defines it" if places else ""
            related = (Related(places[0], f"{op} is defined here"),) if places else ()
            module = facts.project.module_name(places[0].path) if places and places[0].path.endswith(".py") else None
            help_ = f"import {module} before it is loaded" if module else f"import the module that defines {op} first"
            yield self.found(
                facts,
                event,
                capped(link, sure),
                f"{link.archive.path} calls {op}, which nothing here has registered{where}: loading raises",
                label="loaded here",
                related=related,
                notes=link.notes,
                help=help_ + ", or torch.ops.load_library(…) if it is compiled",
                symptom="load-error",
            )

    @staticmethod
    def _sureness(facts: Facts, event: Event, reached: Reach, places: list[Span]) -> Confidence:
        """Certain if the place of the operator is known and the script can reach nothing else."""
        if reached.dynamic:
            return Confidence.POSSIBLE
        closed = not reached.outside and "::" not in event.root
        if closed and places and facts.project.context_complete:
            return Confidence.CERTAIN
        return Confidence.LIKELY if closed or places else Confidence.POSSIBLE


def defined(facts: Facts, op: str) -> list[Span]:
    """Where files of the project define an operator, by its name in them."""
    found = []
    for path in facts.project.context():
        source = facts.project.source(path)
        match = re.search(_pattern(op), source.code) if source is not None else None
        if source is not None and match is not None:
            lines = source.lines
            start, end = (lines.char_to_byte(index) for index in match.span())
            found.append(Span(path, start, end))
    return found


def _pattern(op: str) -> str:
    """What a definition of an operator looks like, in Python or C++."""
    namespace, _, name = op.partition("::")
    return (
        rf"[\"']{re.escape(op)}[\"'(]|TORCH_LIBRARY(?:_FRAGMENT)?\s*\(\s*{re.escape(namespace)}\b"
        rf"|Library\(\s*[\"']{re.escape(namespace)}[\"'](?=[\s\S]*\b{re.escape(name)}\b)"
    )
