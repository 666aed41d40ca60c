"""AOTI418."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches
from aoti_lint.rule.events import OpImpl
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.values import Const

from ..package._imports import Reach, reach
from ._schemas import OF_TORCH, Definitions
from ._undefined import Undefined


class FakeForUnknownOp(Rule):
    """A fake is registered for an operator that nothing has defined.

    What happens:
        The import raises: `RuntimeError: operator mylib::nothere does not exist`.

    Why:
        `register_fake` looks the operator up at once. It must be defined before: by code that ran earlier, or by a
        library that was loaded earlier. Kernels (`Library.impl`) may come first, fakes may not.

    Bad:
        import torch

        lib = torch.library.Library("mylib", "DEF")
        lib.define("scale_rows(Tensor x, Tensor by) -> Tensor")
        lib.impl("scale_rows", lambda x, by: x * by[:, None], "CPU")

        @torch.library.register_fake("mylib::scale_row")  # <- AOTI418
        def _(x, by):
            return torch.empty_like(x)

        @torch.library.register_fake("mylib::scale_rows")
        def _(x, by):
            return torch.empty_like(x)

    Good:
        import torch

        lib = torch.library.Library("mylib", "DEF")
        lib.define("scale_rows(Tensor x, Tensor by) -> Tensor")
        lib.impl("scale_rows", lambda x, by: x * by[:, None], "CPU")

        @torch.library.register_fake("mylib::scale_rows")
        def _(x, by):
            return torch.empty_like(x)

    How to debug:
        `dir(torch.ops.mylib)` lists the operators of a namespace that were used, `torch.ops.mylib.name` raises for one
        that does not exist.

    Sources:
        `torch/library.py` (`register_fake`) and `torch/_library/utils.py` of release 2.13.0; run on torch 2.13.
    """

    code = "AOTI418"
    name = "fake-for-unknown-op"
    outcome = Outcome.RAISES_AT_IMPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        undefined = Undefined(facts, definitions)
        seen: set[Span] = set()
        for event in facts.of(OpImpl):
            name = event.op.value if isinstance(event.op, Const) else None
            if event.api != "torch.library.register_fake" or not isinstance(name, str) or event.span in seen:
                continue
            namespace, _, short = base_name(name).partition("::")
            if not short or namespace in OF_TORCH or catches(event.caught | event.expected, "RuntimeError"):
                continue
            if base_name(name) in undefined.defined:
                late = self._defined_later(facts, event, definitions)
                if late is not None:
                    seen.add(event.span)
                    yield late
                continue
            if not undefined.has(namespace, short):
                continue
            seen.add(event.span)
            root = event.root.split("::")[0]
            near = [op for op in undefined.defined if op.startswith(f"{namespace}::")]
            yield from self._report(facts, event, name, near, reach(facts, root))

    def _report(self, facts: Facts, event: OpImpl, name: str, near: list[str], reached: Reach) -> Iterator[Diagnostic]:
        closed = not reached.outside and not reached.dynamic
        if not closed and not near:
            return
        meant = difflib.get_close_matches(name, near, 1)
        sure = closed and facts.project.context_complete and not facts.narrowed
        confidence = Confidence.CERTAIN if sure and not event.path else Confidence.LIKELY
        yield self.found(
            facts,
            event,
            confidence if closed or meant else Confidence.POSSIBLE,
            f"nothing defines {name}, for which a fake is registered here: it raises",
            label="registered here",
            severity=Severity.ERROR if sure else Severity.WARNING,
            help=f"did you mean {meant[0]}?" if meant else "define it first, or load the library that does",
        )

    def _defined_later(self, facts: Facts, event: OpImpl, definitions: Definitions) -> Diagnostic | None:
        """The finding for an operator that the same file defines only further down."""
        name = str(event.op.value) if isinstance(event.op, Const) else ""
        found = [one for key, ones in definitions.of_op.items() if base_name(key) == base_name(name) for one in ones]
        here = [one for one in found if one.root == event.root]
        if not here or any(one.span.path != event.span.path or one.order < event.order for one in found):
            return None
        if any(one.path or one.chain != event.chain for one in here) or event.path:
            return None
        return self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{name} is defined only after its fake is registered: it raises",
            related=(Related(here[0].span, "defined here"),),
            help="move the definition up",
        )
