"""AOTI522."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches, reached
from aoti_lint.rule.events import CompiledCall, Raised, SizeMix
from aoti_lint.rule.values import TRUE

_DYNAMO = ("TorchRuntimeError", "Unsupported", "TorchDynamoException", "RuntimeError")
"""What TorchDynamo makes of an exception, with its bases (2.13.0 `torch/_dynamo/exc.py`)."""


class CompiledCallRaises(Rule):
    """What `torch.compile` gave is called with inputs for which the code in it raises.

    What happens:
        The call raises what the code raises without a compiler, or TorchDynamo's form of it: `TorchRuntimeError:
        RuntimeError when making fake tensor call`, `Dynamo failed to run FX node with fake tensors: call_function … a
        and b must have same reduction dim, but got [2, 4] X [3, 8]`. With `fullgraph=True` a `raise` in it is
        `Unsupported: Observed exception`.

    Why:
        TorchDynamo runs the code with tensors that have the sizes and dtypes of the inputs and no values. What fits
        none of torch's operations is seen there, before anything is compiled. The message speaks of the graph; the line
        is in the code.

    Bad:
        import torch

        model = torch.compile(torch.nn.Linear(3, 8))
        model(torch.randn(2, 4))  # <- AOTI522

    Bad:
        import torch

        @torch.compile(fullgraph=True)
        def attend(query, key):
            return (query @ key).softmax(-1)  # <- AOTI522

        attend(torch.randn(4, 8), torch.randn(4, 8))

    Good:
        import torch

        @torch.compile(fullgraph=True)
        def attend(query, key):
            return (query @ key.mT).softmax(-1)

        attend(torch.randn(4, 8), torch.randn(4, 8))

    How to debug:
        Call it without `torch.compile`: it raises as well, with a shorter message. `TORCH_COMPILE_DISABLE=1` does that
        for a whole script.

    Sources:
        Run on torch 2.13, with `fullgraph=True` and without (this project's tests); what operations refuse was measured
        for each.
        https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code = "AOTI522"
    name = "compiled-call-raises"
    outcome = Outcome.RAISES_AT_CALL

    def on_compiled_call(self, facts: Facts, event: CompiledCall) -> Iterator[Diagnostic]:
        if event.compilation.option("disable") == TRUE:
            return
        for one, sure in _surely(event):
            ends = ((event.span, "called here"), (event.compilation.span, "compiled here"))
            yield self.found(
                facts,
                event,
                sure,
                f"what is compiled {_said(one)}: the call raises",
                span=one.span,
                label="raises here",
                related=tuple(Related(span, text) for span, text in ends if span != one.span),
                help="give it inputs that it takes; without torch.compile the same call raises, too",
            )
            return


def _surely(event: CompiledCall) -> Iterator[tuple[Raised | SizeMix, Confidence]]:
    """Where the call raises, as far as it surely comes there and nothing catches it."""
    noted: list[Raised | SizeMix] = [*event.raised, *event.sizes]
    for one in noted:
        sure = reached(one.path, event.path)
        exception = one.exception if isinstance(one, Raised) else "RuntimeError"
        caught = catches(one.caught, exception) or catches(event.caught | event.expected, exception, *_DYNAMO)
        # One round stands for all of a loop: what is there in a later one is only guessed.
        looped = any(cond.kind == "loop" for cond in one.path if cond not in event.path)
        if sure is not None and sure is not Confidence.POSSIBLE and not caught and not looped:
            yield one, sure


def _said(one: Raised | SizeMix) -> str:
    """What goes wrong, in words."""
    if isinstance(one, Raised):
        return f"raises {one.exception} for these inputs{f' ({one.why})' if one.why else ''}"
    if one.layer:
        return f"has a {one.layer} for a size of {one.wanted} and is given {one.given}"
    return f"needs a size of {one.wanted}{' or more' * one.least} and is given {one.given}"
