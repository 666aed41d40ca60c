"""AOTI342."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import ControlCall, ControlFault, Event, Exporting
from aoti_lint.rule.values import TRUE, Program

from ..model._forward import met
from ._flex_attention import OF_FLEX_ATTENTION

_RUN_ON = VersionSet.since("2.13")
"""Releases that this was run on, and later ones."""
_NOT_STRICT = frozenset({"literal", "test"})
"""What an export with `strict=True` takes, at least where it is said of torch.cond."""
_SHARED = {"input": "a tensor that was there before", "view": "a view of a tensor that was there before"}
_HELP = {
    "test": "ask one question: add .any(), .all() or .sum() to it",
    "operands": "give a tuple of tensors, (x,) for one",
    "literal": "leave it out of the operands, and let the functions read it from around them",
    "function": "give the function itself, without calling it, and the operands as a tuple behind it",
    "arguments": "give every function one parameter for each operand, also one that it does not use",
    "unpacked": "each operand is an argument of its own: write one parameter for each, and unpack nothing",
    "carried": "let the function return as many tensors as it takes, of the same dtypes and sizes",
    "pair": "return two values: what the next turn is given, and a row of the output",
    "shared": "return x.clone()",
    "twice": "give it a copy: x.clone()",
    "around": "give it a copy: x.clone()",
    "views": "give it copies: x[0].clone()",
    "changed": "compute a new tensor instead, say x + 1 for x.add_(1)",
    "cpu": 'write combine_mode="generic"',
    "mode": 'write combine_mode="generic", or "pointwise" for tensors on a GPU',
}


class ControlFlow(Rule):
    """`torch.cond`, `while_loop`, `map`, `scan` or `associative_scan` is given something that it does not take.

    What happens:
        The export, or a call outside of one, raises: `Expected pred to be bool or single-element tensor, but got …`,
        `Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves`, `Expect
        both branches to be callable`, `Expected body_fn_output and carried_inputs to have same metadata but found …`,
        `Expected init and carry to have same metadata but found`, `torch.scan: improper combine_fn`, `failed to bind
        arguments when attempting to inline`, `too many values to unpack`, `Encountered aliasing during higher order op
        tracing`, or `For combine_mode='pointwise', all input tensors need to be on CUDA or XPU`.

    Why:
        The functions become graphs of their own, both of them, which are called with the operands and nothing else: a
        tuple of tensors, each of which is an argument of its own. The condition is one answer for all. What the
        function of a loop gives, the next turn is given, so it is of the same kind. All of it has memory of its own:
        not so two views of one tensor, `(x[0], x[1])`, which `torch.cond` refuses where autograd is on, `map` always.
        The default mode of `associative_scan` has a kernel for GPUs alone.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x > 0, lambda x: x + 1, lambda x: x - 1, (x,))  # <- AOTI342

        torch.export.export(Net(), (torch.randn(4),))

    Bad:
        import torch
        from torch._higher_order_ops import while_loop

        class Net(torch.nn.Module):
            def forward(self, steps, x):
                return while_loop(  # <- AOTI342
                    lambda i, x: i < 3, lambda i, x: (i + 1, x), (steps, x)
                )

        torch.export.export(Net(), (torch.tensor(0), torch.randn(4)))

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x.sum() > 0, lambda x: x + 1, lambda: torch.zeros(4), (x,))  # <- AOTI342

        torch.export.export(Net(), (torch.randn(4),))

    Good:
        import torch
        from torch._higher_order_ops import while_loop

        class Net(torch.nn.Module):
            def forward(self, steps, x):
                x = torch.cond((x > 0).any(), lambda x: x + 1, lambda x: x - 1, (x,))
                return while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x.clone()), (steps, x))

        torch.export.export(Net(), (torch.tensor(0), torch.randn(4)))

    How to debug:
        Call it outside of the export with the example inputs: it raises there, too.

    Sources:
        Run on torch 2.13, with and without `strict=True`, with and without autograd, compiled and not.
        `torch/_higher_order_ops/cond.py`, `while_loop.py`, `map.py`, `scan.py` and `associative_scan.py` of release
        2.13.0.
        https://docs.pytorch.org/docs/stable/cond.html
    """

    code = "AOTI342"
    name = "control-flow"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if _is_told_nobody(event):
            return
        strict = isinstance(event.program, Program) and event.program.strict == TRUE
        for fault, sure in met(event, event.control):
            lenient = strict and fault.kind in _NOT_STRICT and fault.api == "torch.cond"
            if fault.late or lenient or not _is_told(fault):
                continue
            yield self.found(
                facts,
                event,
                sure,
                f"{_said(fault)}: the export raises",
                span=fault.span,
                failing=event.versions & _RUN_ON,
                label="called here",
                related=(Related(event.span, "exported here"),) if fault.span != event.span else (),
                help=_HELP[fault.kind],
                symptom="export-error",
            )
            return

    def on_control_call(self, facts: Facts, event: ControlCall) -> Iterator[Diagnostic]:
        if event.fault.late or not _is_told(event.fault) or _is_told_nobody(event):
            return
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{_said(event.fault)}: the call raises",
            outcome=Outcome.RAISES_AT_CALL,
            failing=event.versions & _RUN_ON,
            label="called here",
            help=_HELP[event.fault.kind],
            symptom="export-error",
        )


def _is_told(fault: ControlFault) -> bool:
    return fault.kind in _HELP and fault.api not in OF_FLEX_ATTENTION


def _is_told_nobody(event: Event) -> bool:
    """Whether something catches what is raised, or nobody knows that it is."""
    return not event.versions & _RUN_ON or catches(event.caught | event.expected, "RuntimeError", "ValueError")


def _said(fault: ControlFault) -> str:
    api, what = fault.api, fault.what
    return {
        "test": f"the condition of {api} is a tensor of {what}, and has to be one answer",
        "operands": f"the operands of {api} are {what}, and have to be a tuple of tensors",
        "literal": f"{what} is among the operands of {api}, which takes tensors",
        "function": f"{api} is given {what} in the place of a function",
        "arguments": f"a function of {api} {what}",
        "unpacked": f"a function of {api} unpacks {what}",
        "carried": f"the function of {api} gives {what}",
        "pair": f"the function of {api} gives {what}, and has to give two",
        "shared": f"the function of {api} gives back {_SHARED.get(what, 'one tensor twice')}",
        "twice": f"{api} is given one tensor in two places",
        "views": f"{api} works on two views of one tensor",
        "around": f"the function of {api} reads a tensor that is given to it as well",
        "changed": f"the function of {api} changes a tensor that was there before",
        "cpu": f"{api} takes tensors on a GPU in this mode, and is given one on the CPU",
        "mode": f"{api} has no mode {what}",
    }[fault.kind]
