"""AOTI222."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import CompileEvent, Event, SaveEvent
from aoti_lint.rule.links import written_to
from aoti_lint.rule.values import Program, leaves


class ClassWithoutAName(Rule):
    """A program is saved or packaged whose inputs or outputs are of a class that torch has no name for.

    What happens:
        `torch.export.save` and `aoti_compile_and_package` raise: `NotImplementedError: No registered serialization name
        for <class '__main__.Tracks'> found. Please update your _register_pytree_node call with a serialized_type_name
        kwarg.` For a named tuple: `Can't serialize TreeSpec of namedtuple class <class '__main__.Boxes'>`. The export
        itself, and `program.module()`, work.

    Why:
        The structure of inputs and outputs is written into the file, with the names of its classes. A class
        registered without `serialized_type_name`, a named tuple, and the pair of values and indices that `x.max(1)`,
        `x.topk(2)` or `x.sort()` give have none. Tuples, lists, dicts, `OrderedDict`, `defaultdict` and `deque` have.

    Bad:
        import typing

        import torch

        class Boxes(typing.NamedTuple):
            corners: torch.Tensor
            scores: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, x):
                return Boxes(x * 2, x.sum(1))

        program = torch.export.export(Net(), (torch.randn(2, 4),))
        torch.export.save(program, "boxes.pt2")  # <- AOTI222

    Good:
        import dataclasses

        import torch

        @dataclasses.dataclass
        class Boxes:
            corners: torch.Tensor
            scores: torch.Tensor

        torch.export.register_dataclass(Boxes, serialized_type_name="Boxes")

        class Net(torch.nn.Module):
            def forward(self, x):
                return Boxes(x * 2, x.sum(1))

        program = torch.export.export(Net(), (torch.randn(2, 4),))
        torch.export.save(program, "boxes.pt2")

    How to debug:
        `print(program.call_spec)` shows the structure with its classes.

    Sources:
        Run on torch 2.13, saved and packaged, as inputs and as outputs, with and without `strict=True`; `_pytree.py` of
        the releases 2.4.1, 2.9.1 and 2.15.0 has the same.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.register_dataclass
    """

    code = "AOTI222"
    name = "class-without-a-name"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        events: list[SaveEvent | CompileEvent] = [*facts.of(SaveEvent), *facts.of(CompileEvent)]
        for event in events:
            if catches(event.caught | event.expected, "NotImplementedError", "RuntimeError"):
                continue
            for answers, program in leaves(written_to(event)[1], event.path):
                if not isinstance(program, Program) or program.handed or not program.unnamed or event.span in told:
                    continue
                told.add(event.span)
                sure = Confidence.CERTAIN if len(answers) == len(event.path) else Confidence.LIKELY
                yield self._report(facts, event, program, sure)

    def _report(self, facts: Facts, event: Event, program: Program, sure: Confidence) -> Diagnostic:
        name, cls, kind = program.unnamed[0]
        what, help = _SAID[kind]
        saving = isinstance(event, SaveEvent)
        return self.found(
            facts,
            event,
            sure,
            f"{name} is {what.format(cls=cls)}, which torch has no name for in a file: "
            f"{'saving' if saving else 'packaging'} raises",
            outcome=Outcome.RAISES if saving else Outcome.RAISES_AT_COMPILE,
            label=f"{'saved' if saving else 'packaged'} here",
            related=(Related(program.span, "exported here"),),
            help=help.format(cls=cls or "…"),
            symptom="compile-error",
        )


_SAID = {
    "dataclass": (
        "a {cls}, registered without serialized_type_name",
        'register it with its name: torch.export.register_dataclass({cls}, serialized_type_name="{cls}")',
    ),
    "node": (
        "a {cls}, registered without serialized_type_name",
        'register it with its name: register_pytree_node({cls}, …, serialized_type_name="{cls}")',
    ),
    "named tuple": (
        "a named tuple {cls}",
        "use a plain tuple, a dict or a registered dataclass, or name it before the export: "
        'torch.utils._pytree._register_namedtuple({cls}, serialized_type_name="{cls}")',
    ),
    "tuple of torch": (
        "the named pair that a function of torch gives",
        "make it a plain tuple: tuple(x.max(1))",
    ),
}
"""What to say of each kind, and what to write instead."""
