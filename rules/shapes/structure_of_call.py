"""AOTI335."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from aoti_lint.rule import Confidence, Outcome, Path, Related, Severity
from aoti_lint.rule.inputs import Beside, Odd, aligned, keywords, span_of
from aoti_lint.rule.values import NONE, Const, Program, Tensor, Tup

from ._calls import Called, CallRule, Fault
from ._counts import GIVE, shown, tensor_count


class StructureOfCall(CallRule):
    """A call has another structure than the example inputs of the export: names, number, containers, `None`.

    What happens:
        A package raises where the names differ (`Ran into a kwarg keyword mismatch: Got the following keywords ['x']
        but expected []`) or the number of tensors (`expected inputs vector size to be 1, but got 2`). It flattens
        everything else and takes what comes: a list for a tensor works, and a dict whose entries stand in another order
        is read in that order. `ep.module()` raises on every difference: `Trying to flatten user inputs with exported
        input tree spec`.

    Why:
        A call is compared with the `args` and `kwargs` of the export, not with the parameters of `forward`: what was
        given by position has to be given by position.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (torch.randn(4, 4),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(x=torch.randn(4, 4))  # <- AOTI335

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (), {"x": torch.randn(4, 4)})
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(x=torch.randn(4, 4))

    How to debug:
        `print(ep.call_spec.in_spec)` shows what a call has to look like.

    Sources:
        Run on torch 2.13. Release 2.13.0, `torch/export/pt2_archive/_package.py:737`, `torch/export/_tree_utils.py:28`
        and `torch/export/_unlift.py:70`.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI335"
    name = "structure-of-call"
    unflattened = True
    hosts = True
    outcome = Outcome.RAISES_AT_CALL
    raised: ClassVar[tuple[str, ...]] = ("RuntimeError", "AssertionError", "ValueError", "AttributeError", "TypeError")

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        fault = next(self._faults(called, program), None)
        if fault is not None:
            yield fault

    def _faults(self, called: Called, program: Program) -> Iterator[Fault]:
        if called.event.flat:
            yield from self._counted(called, program, len(called.event.args))
            return
        parts = list(aligned(program, called.event))
        odd = [part for part in parts if isinstance(part, Odd)]
        for names in odd:
            if names.fault == "keywords":
                yield self._names(called, program, names)
        if called.packaged:
            yield from self._tensors(called, program)
        for part in parts:
            if isinstance(part, Odd):
                yield from self._difference(called, program, part)
            elif not called.packaged and (what := _exchanged(part)) is not None:
                yield _raising(called, program, part, *what)

    @staticmethod
    def _names(called: Called, program: Program, part: Odd) -> Fault:
        """The keywords of the call are not those of the export."""
        names, wanted, given = program.signature or (), list(map(str, part.wanted)), list(map(str, part.given))
        extra, missing = [n for n in given if n not in wanted], [n for n in wanted if n not in given]
        placed = len(program.args.items) if isinstance(program.args, Tup) else 0
        if extra and extra[0] in names[:placed]:
            message = f"{extra[0]} is given by name, and was given by position at the export"
            help_ = "give it by position, or export with it in kwargs"
        elif extra:
            message = f"the call has an argument {extra[0]}, which the export was not given"
            help_ = f"leave {extra[0]} out, or export with it"
        else:
            message = f"{missing[0]} was given by name at the export, and is not here"
            help_ = f"call it with {missing[0]}=…"
        return Fault(
            "structure", called.event.span, f"{message}: the call raises", "called so here", help_,
            Outcome.RAISES_AT_CALL, related=(_exported(program),),
        )  # fmt: skip

    @staticmethod
    def _tensors(called: Called, program: Program) -> Iterator[Fault]:
        """A package counts the tensors that it is given."""
        yield from StructureOfCall._counted(
            called, program, tensor_count([*called.event.args, *called.event.kwargs.values()])
        )

    @staticmethod
    def _counted(called: Called, program: Program, given: int | None) -> Iterator[Fault]:
        wanted = tensor_count([program.args, *(keywords(program) or {}).values()])
        if wanted is None or given is None or wanted == given or called.event.open:
            return
        yield Fault(
            "structure", called.event.span,
            f"the call gives {shown(given)}, and the export was given {wanted}: the call raises",
            f"{shown(given)} here",
            GIVE,
            Outcome.RAISES_AT_CALL, related=(_exported(program),),
        )  # fmt: skip

    @staticmethod
    def _difference(called: Called, program: Program, part: Odd) -> Iterator[Fault]:
        """A container, or the number of arguments, is another one."""
        name, place = part.name or "the call", span_of(called.event, part.place)
        wanted, given = (", ".join(map(str, some)) for some in (part.wanted, part.given))
        what = {"count": f"{given} parts", "kind": given}.get(part.fault, f"the keys {given}")
        had = {"count": f"{wanted}", "kind": wanted}.get(part.fault, f"{wanted}")
        if part.name == "":
            what = f"{given} arguments by position"
        message = f"{name} has {what}, and the example had {had}"
        if part.fault == "kind":
            message = f"{name} is {given}, and was {wanted} at the export"
        if not called.packaged:
            if part.fault == "order":
                return
            yield Fault(
                "structure", place, f"{message}: the call raises", "another structure here",
                "call it with the structure of the example", Outcome.RAISES_AT_CALL, related=(_exported(program),),
            )  # fmt: skip
        elif part.fault in ("order", "keys"):
            yield Fault(
                "structure", place, f"{message}: the package takes the values in their order", "in this order here",
                f"give the keys in the order of the example: {wanted}", Outcome.SILENTLY_WRONG,
                # Under other names the same values may stand in the same order.
                Confidence.CERTAIN if part.fault == "order" else Confidence.LIKELY, (_exported(program),),
            )  # fmt: skip
        elif part.fault == "kind":
            yield Fault(
                "structure", place, f"{message}: the package takes it all the same, ep.module() would not",
                f"{given} here", f"give {wanted}", Outcome.UNCHECKED, Confidence.POSSIBLE, (_exported(program),),
                Severity.INFO,
            )  # fmt: skip


def _raising(called: Called, program: Program, part: Beside, given: str, wanted: str) -> Fault:
    return Fault(
        "structure", span_of(called.event, part.place),
        f"{part.name} is {given}, and was {wanted} at the export: the call raises", f"{given} here", f"give {wanted}",
        Outcome.RAISES_AT_CALL, related=(_exported(program),),
    )  # fmt: skip


def _exchanged(part: Beside) -> tuple[str, str] | None:
    """What a call gives and what the example was, where the example was a tensor and this surely is none."""
    if isinstance(part.example, Tensor) and part.example.shape != () and isinstance(part.given, Const):
        return ("None" if part.given == NONE else repr(part.given.value)), "a tensor"
    return None


def _exported(program: Program) -> Related:
    return Related(program.span, "exported here")
