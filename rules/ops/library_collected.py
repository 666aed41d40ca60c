"""AOTI416."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches
from aoti_lint.rule.events import Event, ExportEvent, OpCall, OpLibrary
from aoti_lint.rule.values import Const, Program

from ._libraries import is_held


class LibraryCollected(Rule):
    """A `torch.library.Library` is held by nothing, and takes its operators with it.

    What happens:
        The operators vanish when the function that made the library ends. A later use raises `AttributeError:
        '_OpNamespace' 'mylib' object has no attribute 'op'`; of an operator that another library defined, the kernels
        are gone.

    Why:
        A `Library` takes back all it registered when Python collects it, and Python does that when the last name for it
        is gone: the end of a function for a local variable, the end of the statement for a library without a name.

    Bad:
        import torch

        def register():
            lib = torch.library.Library("mylib", "DEF")  # <- AOTI416
            lib.define("twice(Tensor x) -> Tensor")
            lib.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")

        register()

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))

    Good:
        import torch

        lib = torch.library.Library("mylib", "DEF")

        def register():
            lib.define("twice(Tensor x) -> Tensor")
            lib.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")

        register()

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))

    How to debug:
        `torch.ops.mylib.twice` right after the registration says whether it is still there.

    Sources:
        `torch/library.py:124` (`weakref.finalize`) of release 2.13.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/library.html#torch.library.Library
    """

    code = "AOTI416"
    name = "library-collected"
    outcome = Outcome.RAISES
    doubt = "nothing was seen that uses it afterwards"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        seen: set[Span] = set()
        uses = list(_uses(facts))
        for event in facts.of(OpLibrary):
            namespace = event.namespace.value if isinstance(event.namespace, Const) else None
            if not event.ends or event.span in seen or not isinstance(namespace, str):
                continue
            mine = [use for use in uses if use[0] == namespace and use[1].root == event.root]
            if any(is_held(event, use) for _, use in mine):
                continue
            later = next((use for use in mine if use[1].order > event.order), None)
            if _runs_as_root(event) or (later is None and (event.for_itself or _is_of_test(event))):
                continue
            seen.add(event.span)
            handled = later is not None and catches(later[1].caught | later[1].expected, "AttributeError")
            yield self._report(facts, event, namespace, None if handled or later is None else later[1])

    def _report(self, facts: Facts, event: OpLibrary, namespace: str, later: Event | None) -> Diagnostic:
        used = later is not None and event.path.items() <= later.path.items()
        return self.found(
            facts,
            event,
            Confidence.CERTAIN if used else Confidence.LIKELY,
            f"nothing holds this library: what it registers for {namespace} is gone when the " + f"{event.ends} ends",
            label="made here, kept nowhere",
            severity=Severity.ERROR if used else Severity.WARNING,
            related=() if later is None else (Related(later.span, "used here, after it is gone"),),
            help=f'make the library at the top of the module, as in LIBRARY = torch.library.Library("{namespace}", …), '
            "or return it to a caller that keeps it",
        )


def _uses(facts: Facts) -> Iterator[tuple[str, Event]]:
    """What uses operators of a namespace."""
    for call in facts.of(OpCall, in_exports=True):
        yield call.op.split("::", 1)[0], call
    for export in facts.of(ExportEvent):
        for op, _ in export.program.ops if isinstance(export.program, Program) else ():
            yield op.split("::", 1)[0], export


def _is_of_test(event: OpLibrary) -> bool:
    """Whether a test makes it: what is for the test alone may go with it."""
    return event.context.rpartition(".")[2].startswith("test")


def _runs_as_root(event: OpLibrary) -> bool:
    """Whether the function is run by itself, such as a test: all that happens then, happens while it runs."""
    return bool(event.context) and not event.chain
